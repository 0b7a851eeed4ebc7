"""Queue: doubtful moments by their effect on the result; a person gives a verdict with three keys."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mafiavar.ui.language import say
from mafiavar.ui.review import frame
from mafiavar.ui.review.casefile import Case
from mafiavar.ui.review.decisions import Verdicts, flag_target, verdicts
from mafiavar.ui.review.flag import Flag
from mafiavar.ui.review.player import goto, marks_of, player
from mafiavar.ui.review.session import Here
from mafiavar.ui.review.stills import stills
from mafiavar.ui.review.words import (
    EFFECT,
    VERDICTS,
    clause_name,
    clock,
    flag_name,
    moment,
    seats_name,
    severity_name,
    severity_short,
    word,
)

KEYS = {"1": "confirmed", "2": "rejected", "3": "cannot_tell"}
BEFORE, AFTER = 3.0, 2.0


def show(now: Here) -> None:
    case = now.case
    if not case.has("flags"):
        frame.title(say("Очередь", "Queue"))
        frame.not_yet(now, "flags")
        return
    found = verdicts(case, now.records)
    flags = _filtered(now, found)
    if case.flags and all(found.of(f.id) for f in case.flags):
        frame.onward(
            now,
            "Все моменты решены. Дальше:",
            "Every moment is decided. Next:",
            ("votes", "спорные голоса", "disputed ballots"),
            ("report", "отчёт с клипами", "report with clips"),
        )
    if not flags:
        st.info(
            say("Под отбор не попал ни один момент.", "No moment matches the filter.")
            if case.flags
            else say("Сомнительных моментов не найдено.", "No doubtful moments were found.")
        )
        _orphans(found)
        return
    current = _current(flags)
    left, right = frame.halves(58, 42)
    with left:
        result = player(
            now,
            flag_goto(current),
            key="queue-player",
            keys=KEYS if now.rights.decide else {},
            listed=[{"id": f.id, **flag_goto(f)} for f in flags],
            current=current.id,
            marks=marks_of(case, current.t0 - BEFORE, current.t1 + AFTER),
            max_height=390,
        )
        if result is not None and _acted(now, result, current, flags, found):
            st.rerun()
    with right:
        _card(now, current, flags, found)
        _list(current, flags, found)
    _orphans(found)


def flag_goto(flag: Flag) -> dict[str, Any]:
    """Where the player goes for a flag: a little before, looping to a little after."""
    window = (max(0.0, flag.t0 - BEFORE), flag.t1 + AFTER)
    return goto(
        f"flag-{flag.id}",
        max(0.0, flag.t0 - min(BEFORE, 1.5)),
        flag.t1,
        window=list(window),
        loop=list(window),
        play=True,
        view=[window[0] - 4, window[1] + 6],
    )


def _filtered(now: Here, found: Verdicts) -> list[Flag]:
    """Filters in one line; the order is by effect on the result, then by time."""
    case = now.case
    title, severity, state, kind, seat = frame.row("head", 2.4, 3.4, 3.2, 3, 1.6)
    decided = sum(1 for f in case.flags if found.of(f.id))
    title.html(
        f"<h1>{say('Очередь', 'Queue')}</h1><span class='mvsoft'>{say(f'решено {decided} из {len(case.flags)}', f'{decided} of {len(case.flags)} decided')}</span>"
    )
    levels = [s for s in EFFECT if any(f.severity == s for f in case.flags)]
    chosen = severity.pills(
        say("Важность", "Severity"),
        levels,
        selection_mode="multi",
        format_func=severity_short,
        label_visibility="collapsed",
        key="q-severity",
    )
    states = {
        "open": say("не решено", "open"),
        "decided": say("решено", "decided"),
        "disputed": say("спор", "disputed"),
    }
    wanted = state.pills(
        say("Состояние", "State"),
        list(states),
        format_func=states.get,
        label_visibility="collapsed",
        key="q-state",
    )
    kinds = sorted({f.kind for f in case.flags}, key=flag_name)
    only = kind.selectbox(
        say("Вид", "Kind"),
        kinds,
        index=None,
        format_func=flag_name,
        placeholder=say("все виды", "all kinds"),
        label_visibility="collapsed",
        key="q-kind",
    )
    number = seat.selectbox(
        say("Место", "Seat"),
        list(range(1, 11)),
        index=None,
        placeholder="№",
        label_visibility="collapsed",
        key="q-seat",
    )
    out = [
        f
        for f in case.flags
        if (not chosen or f.severity in chosen)
        and (only is None or f.kind == only)
        and (number is None or number in f.seats)
        and (wanted is None or _in_state(found, f, wanted))
    ]
    return sorted(out, key=lambda f: (EFFECT.get(f.severity, 3), f.t0))


def _in_state(found: Verdicts, flag: Flag, state: str) -> bool:
    s = found.standing.get(flag.id)
    if state == "open":
        return s is None
    return s is not None and (state == "decided" or s.disputed or _differ(found, flag))


def _differ(found: Verdicts, flag: Flag) -> bool:
    said = {r.payload.get("verdict") for own in found.own.values() for f, r in own.items() if f == flag.id}
    return len(said) > 1


def _current(flags: list[Flag]) -> Flag:
    asked = st.query_params.get("flag") or st.session_state.get("flag")
    found = next((f for f in flags if f.id == asked), flags[0])
    st.session_state["flag"] = found.id
    st.query_params["flag"] = found.id
    return found


def _go(flag: Flag) -> None:
    st.session_state["flag"] = flag.id
    st.query_params["flag"] = flag.id


def _acted(now: Here, result: Any, current: Flag, flags: list[Flag], found: Verdicts) -> bool:
    """What a key or a double click in the player asked for."""
    if result.chosen:
        chosen = next((f for f in flags if f.id == result.chosen["id"]), None)
        if chosen is not None and chosen.id != current.id:
            _go(chosen)
            return True
    if result.key and result.key["do"] in VERDICTS and now.rights.decide:
        _decide(now, current, result.key["do"], flags, found)
        return True
    return False


def _decide(now: Here, flag: Flag, verdict: str, flags: list[Flag], found: Verdicts) -> None:
    standing = found.standing.get(flag.id)
    # A blind reviewer has not seen what others said, and the record must not claim it.
    seen = None if _blind(now, flag, found) else standing.record.id if standing else None
    snapshot = {
        "flag": dict(flag.raw),
        "revision": now.case.revision,
        "shown": [max(0.0, flag.t0 - BEFORE), flag.t1 + AFTER],
    }
    reason = str(st.session_state.get(f"reason-{flag.id}") or "")
    target = dict(standing.record.target) if standing else flag_target(flag)
    if now.write("verdict", target, {"verdict": verdict, "reason": reason}, snapshot=snapshot, based_on=seen):
        rest = flags[flags.index(flag) + 1 :]
        following = next((f for f in rest if found.by(now.author, f.id) is None), None)
        if following is not None:
            _go(following)


def _blind(now: Here, flag: Flag, found: Verdicts) -> bool:
    """Is what others said still hidden from this person?"""
    return bool(now.room.setting("blind", False, now.case.key)) and found.by(now.author, flag.id) is None


def _card(now: Here, flag: Flag, flags: list[Flag], found: Verdicts) -> None:
    blind = _blind(now, flag, found)
    standing = found.standing.get(flag.id)
    facts = [
        (say("Пункт", "Clause"), f"{clause_name(flag)}"),
        (say("Должно быть", "Expected"), flag.expected),
        (say("Видно", "Seen"), flag.seen),
        (say("Запас", "Margin"), "" if blind else flag.margin),
        (say("Сомнения", "Doubts"), "; ".join(flag.doubts)),
        (
            say("Уверенность", "Confidence"),
            "" if blind or not flag.confidence else frame.percent(flag.confidence),
        ),
    ]
    rows = "".join(f"<dt>{frame.esc(k)}</dt><dd>{frame.esc(v)}</dd>" for k, v in facts if v)
    verdict = "" if blind or standing is None else _verdict_line(found, flag)
    st.html(
        f"""<div class="mvcard"><b style="font-size:1.05rem">{frame.esc(seats_name(flag.seats))} · {frame.esc(flag_name(flag.kind))}</b>
        <div style="margin-top:.25rem"><span title="{frame.esc(severity_name(flag.severity))}">{frame.chip(flag.severity, severity_short(flag.severity))}</span>
        <span class="mvsoft"> {clock(flag.t0)}–{clock(flag.t1)} · {say("день", "day")} {flag.day} · {flags.index(flag) + 1}/{len(flags)}</span></div>
        <dl>{rows}</dl>{verdict}</div>"""
    )
    stills(now, flag)
    if now.rights.decide:
        _buttons(now, flag, flags, found)
    if blind:
        st.caption(
            say(
                "Слепой разбор: чужие решения откроются после вашего.",
                "Blind review: others' verdicts open after yours.",
            )
        )


def _verdict_line(found: Verdicts, flag: Flag) -> str:
    standing = found.standing[flag.id]
    r = standing.record
    verdict = str(r.payload.get("verdict"))
    reason = f" — {frame.esc(r.payload.get('reason'))}" if r.payload.get("reason") else ""
    line = f"{frame.chip(verdict, word(VERDICTS, verdict))} <span class='mvsoft'>{frame.esc(r.author)}, {moment(r.at)}{reason}</span>"
    if _differ(found, flag) or standing.disputed:
        said = [
            f"{frame.esc(author)}: {frame.esc(word(VERDICTS, own[flag.id].payload.get('verdict')))}"
            for author, own in found.own.items()
            if flag.id in own
        ]
        line += f"<br><span class='mvchip error'>{say('мнения разошлись', 'opinions differ')}</span> <span class='mvsoft'>{'; '.join(said)}</span>"
    return f"<div style='margin-top:.45rem'>{line}</div>"


def _buttons(now: Here, flag: Flag, flags: list[Flag], found: Verdicts) -> None:
    own = found.by(now.author, flag.id)
    st.text_input(
        say("Причина", "Reason"),
        key=f"reason-{flag.id}",
        placeholder=say("причина, если нужна", "a reason, if needed"),
        label_visibility="collapsed",
    )
    for column, (key, verdict) in zip(st.columns(3), KEYS.items(), strict=True):
        chosen = own is not None and own.payload.get("verdict") == verdict
        if column.button(
            f"{key} {word(VERDICTS, verdict)}",
            key=f"verdict-{verdict}",
            type="primary" if chosen else "secondary",
            width="stretch",
        ):
            _decide(now, flag, verdict, flags, found)
            st.rerun()
    back, forward, undo = st.columns(3)
    i = flags.index(flag)
    if back.button(say("P · назад", "P · back"), key="flag-back", disabled=i == 0, width="stretch"):
        _go(flags[i - 1])
        st.rerun()
    if forward.button(
        say("N · дальше", "N · next"), key="flag-next", disabled=i == len(flags) - 1, width="stretch"
    ):
        _go(flags[i + 1])
        st.rerun()
    if (
        undo.button(say("Отменить своё", "Undo mine"), key="flag-undo", disabled=own is None, width="stretch")
        and own
    ):
        now.undo(own.id)
        st.rerun()


def _list(current: Flag, flags: list[Flag], found: Verdicts) -> None:
    """All moments of the filter; a click goes there.

    Made when it is opened: a table costs the browser a third of a second that nobody waits for.
    """
    folded = st.expander(
        say(f"Все моменты ({len(flags)})", f"All moments ({len(flags)})"),
        key="flag-list-open",
        on_change="rerun",
    )
    if not folded.open:
        return
    marks = {"confirmed": "✔", "rejected": "✖", "cannot_tell": "?", None: "○"}
    rows = [
        {
            "": marks.get(found.of(f.id), "○"),
            say("время", "time"): clock(f.t0),
            say("место", "seat"): ", ".join(map(str, f.seats)),
            say("что", "what"): flag_name(f.kind),
            say("важность", "severity"): severity_short(f.severity),
        }
        for f in flags
    ]
    picked = folded.dataframe(
        rows,
        height=240,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key=f"flag-list-{len(flags)}",
    )
    chosen = picked.selection.rows
    if chosen and flags[chosen[0]].id != current.id and st.session_state.get("flag-list-last") != chosen[0]:
        st.session_state["flag-list-last"] = chosen[0]
        _go(flags[chosen[0]])
        st.rerun()


def _orphans(found: Verdicts) -> None:
    """Verdicts whose moment the machine no longer finds: shown, never dropped."""
    if not found.orphans:
        return
    frame.sub(say("Решения без момента", "Verdicts without their moment"))
    st.caption(
        say(
            "После новой разметки машина не находит этих моментов; решения людей сохранены.",
            "After the re-alignment the machine does not find these moments; people's verdicts are kept.",
        )
    )
    for s in found.orphans:
        t = s.record.target
        st.html(
            f"<div class='mvcard'>{frame.esc(flag_name(str(t.get('kind'))))} · № {frame.esc(', '.join(map(str, t.get('seats', []))))} · "
            f"{clock(float(t.get('t0', 0)))} · {frame.chip(str(s.record.payload.get('verdict')), word(VERDICTS, s.record.payload.get('verdict')))} "
            f"<span class='mvsoft'>{frame.esc(s.record.author)}</span></div>"
        )


def case_flags(case: Case) -> list[Flag]:
    return sorted(case.flags, key=lambda f: (EFFECT.get(f.severity, 3), f.t0))
