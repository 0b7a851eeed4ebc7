"""Timeline: table and picture; pin, move, delete, add; the alignment runs again at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from mafiavar.ui.language import say
from mafiavar.ui.review import frame
from mafiavar.ui.review.casefile import Event
from mafiavar.ui.review.pins import Shown, event_target, shown_events
from mafiavar.ui.review.player import goto, player
from mafiavar.ui.review.realign import realign
from mafiavar.ui.review.session import Here
from mafiavar.ui.review.words import BASIS, clock, details, event_name, moment, word
from mafiavar.ui.store.records import Standing

# kind -> the fields a person may state, in the order of the form
FIELDS: Mapping[str, tuple[str, ...]] = {
    "game_started": (), "night_began": ("night",), "negotiation_began": (), "negotiation_ended": (), "free_seating_began": (),
    "day_began": (), "floor_given": ("seat", "purpose"), "floor_ended": ("seat", "by"), "nominated": ("seat", "target", "accepted"),
    "nomination_withdrawn": ("seat", "target"), "vote_opened": ("round", "candidates"), "vote_called": ("round", "target"),
    "vote_closed": ("round", "target"), "vote_announced": ("round", "target", "count"), "lift_called": ("candidates",),
    "lift_result": ("yes", "no"), "eliminated": ("seats", "by"), "shooting_began": ("night",), "night_result": ("night", "killed"),
    "shot": ("night", "shooter", "target"), "check": ("night", "by", "target", "found"), "best_move": ("seat", "targets"),
    "foul": ("seat", "level", "ordinal"), "game_ended": ("winner",),
}  # fmt: skip
CHOICES: Mapping[str, tuple[str, ...]] = {
    "purpose": ("speech", "revote", "last_word", "protocol", "best_move"),
    "level": ("warning", "foul", "technical", "technical_big", "removal", "team_defeat"),
    "winner": ("red", "black", "draw"),
}
BY: Mapping[str, tuple[str, ...]] = {
    "floor_ended": ("pas", "spasibo", "judge", "time"),
    "eliminated": ("vote", "lift", "shot", "fouls", "technical", "removal", "team_defeat"),
    "check": ("don", "sheriff"),
}
LISTS = frozenset({"candidates", "seats", "targets"})
FLAGS = frozenset({"accepted", "found"})
NAMES: Mapping[str, tuple[str, str]] = {
    "seat": ("место", "seat"), "target": ("кого / против кого", "target"), "round": ("круг голосования", "round"), "count": ("счёт", "count"),
    "candidates": ("кандидаты по порядку", "candidates in order"), "seats": ("места", "seats"), "targets": ("три номера", "three numbers"),
    "by": ("как", "by"), "purpose": ("зачем", "purpose"), "night": ("ночь", "night"), "killed": ("убит (пусто — промах)", "killed (empty: miss)"),
    "shooter": ("стрелял", "shooter"), "found": ("найден", "found"), "accepted": ("принято", "accepted"), "level": ("уровень", "level"),
    "ordinal": ("какой по счёту", "ordinal"), "winner": ("победа", "winner"), "yes": ("за", "yes"), "no": ("против", "no"),
}  # fmt: skip
QUIET = frozenset({"vote_cast", "lift_cast"})
MARKS = {"machine": "", "pinned": "●", "moved": "↔", "added": "+", "deleted": "×"}


def show(now: Here) -> None:
    case = now.case
    if not case.has("timeline"):
        frame.title(say("Ход игры", "Timeline"))
        frame.not_yet(now, "timeline")
        return
    shown, orphans = shown_events(case, now.records)
    listed = _filter(shown)
    chosen = _chosen(listed)
    left, right = frame.halves(45, 55)
    with right:
        _table(listed, chosen)
        frame.veiled_note(now)
    with left:
        result = player(
            now,
            goto(
                f"event-{chosen.event.id}",
                chosen.event.t0,
                chosen.event.t1,
                loop=None,
                window=[chosen.event.t0 - 2, chosen.event.t1 + 2],
            )
            if chosen
            else None,
            key="timeline-player",
            keys={"m": "move", "i": "insert"} if now.rights.correct else {},
            listed=[
                {"id": s.event.id, **goto(f"event-{s.event.id}", s.event.t0, s.event.t1)} for s in listed
            ],
            max_height=280,
        )
        at = _acted(now, result, chosen)
        if now.rights.correct:
            _form(now, chosen, at)
    _orphans(now, orphans)


def _filter(shown: tuple[Shown, ...]) -> list[Shown]:
    title, day, kind, sure = frame.row("head", 2, 4, 3, 3)
    title.html(f"<h1>{say('Ход игры', 'Timeline')}</h1>")
    days = sorted({s.event.day for s in shown})
    wanted = day.pills(
        say("День", "Day"),
        days,
        selection_mode="multi",
        format_func=lambda d: say(f"день {d}", f"day {d}") if d else say("до дня 1", "before day 1"),
        label_visibility="collapsed",
        key="tl-day",
    )
    kinds = sorted({s.event.kind for s in shown}, key=event_name)
    only = kind.selectbox(
        say("Событие", "Event"),
        kinds,
        index=None,
        format_func=event_name,
        placeholder=say("все события", "all events"),
        label_visibility="collapsed",
        key="tl-kind",
    )
    doubtful = sure.toggle(
        say("только сомнительные", "only doubtful"),
        help=say("неуверенно услышанные и исправленные людьми", "unsurely heard, and corrected by people"),
        key="tl-unsure",
    )
    return [
        s
        for s in shown
        if (not wanted or s.event.day in wanted)
        and (s.event.kind == only if only else s.event.kind not in QUIET)
        and (not doubtful or s.state != "machine" or s.event.confidence < 0.7 or s.event.basis == "inferred")
    ]


def _chosen(listed: list[Shown]) -> Shown | None:
    asked = st.session_state.get("event") or st.query_params.get("event")
    return next((s for s in listed if s.event.id == asked), listed[0] if listed else None)


def _table(listed: list[Shown], chosen: Shown | None) -> None:
    rows = [
        {
            "": MARKS[s.state] or ("?" if s.event.confidence < 0.7 else ""),
            say("время", "time"): clock(s.event.t0),
            say("событие", "event"): event_name(s.event.kind),
            say("что именно", "details"): details(s.event),
            say("уверенность", "confidence"): frame.percent(s.event.confidence),
        }
        for s in listed
    ]
    if not rows:
        st.info(say("Под отбор не попало ни одно событие.", "No event matches the filter."))
        return
    picked = st.dataframe(
        rows,
        height=560,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key="events",
        column_config={
            "": st.column_config.TextColumn(width=30),
            say("время", "time"): st.column_config.TextColumn(width=70),
            say("событие", "event"): st.column_config.TextColumn(width=165),
            say("уверенность", "confidence"): st.column_config.TextColumn(width=90),
        },
    )
    row = picked.selection.rows
    if row and row[0] < len(listed) and (chosen is None or listed[row[0]].event.id != chosen.event.id):
        last = st.session_state.get("events-last")
        st.session_state["events-last"] = row[0]
        if last != row[0]:
            st.session_state["event"] = listed[row[0]].event.id
            st.rerun()


def _acted(now: Here, result: Any, chosen: Shown | None) -> float | None:
    """Keys in the player: M moves the chosen event to the picture, I begins a new one there."""
    if result is None:
        return None
    if result.chosen:
        st.session_state["event"] = result.chosen["id"]
        st.rerun()
    if result.key and now.rights.correct:
        at = float(result.key["t"])
        if result.key["do"] == "move" and chosen is not None:
            _move(now, chosen, at)
        elif result.key["do"] == "insert":
            st.session_state["insert-at"] = at
    found = st.session_state.get("insert-at")
    return float(found) if found is not None else None


def _move(now: Here, chosen: Shown, at: float) -> None:
    e = chosen.event
    _fact(
        now,
        chosen,
        "move",
        {
            "kind": e.kind,
            "t0": round(at, 3),
            "t1": round(at + e.t1 - e.t0, 3),
            "fields": dict(_own(e)),
            "day": e.day,
        },
    )


def _own(event: Event) -> dict[str, Any]:
    return {k: event.fields[k] for k in FIELDS.get(event.kind, ()) if k in event.fields}


def _fact(now: Here, chosen: Shown | None, op: str, said: dict[str, Any]) -> None:
    """Write the fact, then align again."""
    based = chosen.standing.record if chosen and chosen.standing else None
    if based is not None:
        target: dict[str, Any] = dict(based.target)
    elif chosen is not None:
        target = event_target(chosen.event)
    else:
        target = {k: said[k] for k in ("kind", "t0", "t1")}
    snapshot = {
        "event": {"kind": chosen.event.kind, **chosen.event.fields} if chosen else None,
        "revision": now.case.revision,
    }
    if now.write("pin", target, {"op": op, **said}, snapshot=snapshot, based_on=based.id if based else None):
        realign(now)
        st.rerun()


def _form(now: Here, chosen: Shown | None, at: float | None) -> None:
    change, new = st.tabs(
        [say("Исправить выбранное", "Correct the chosen one"), say("Добавить событие", "Add an event")]
    )
    with change:
        if chosen is None:
            st.write(say("Выберите событие в таблице.", "Choose an event in the table."))
        else:
            _change(now, chosen)
    with new:
        _add(now, at)


def _change(now: Here, chosen: Shown) -> None:
    e = chosen.event
    st.html(
        f"<b>{clock(e.t0)}–{clock(e.t1)} · {frame.esc(event_name(e.kind))}</b> "
        f"<span class='mvsoft'>{frame.esc(details(e))} · {frame.esc(word(BASIS, e.basis))}</span>"
    )
    if chosen.standing is not None:
        r = chosen.standing.record
        st.html(
            f"<span class='mvchip confirmed'>{MARKS[chosen.state]} {frame.esc(r.author)}</span> <span class='mvsoft'>{moment(r.at)}</span>"
            + (
                f" <span class='mvchip error'>{say('исправляли двое', 'corrected by two')}</span>"
                if chosen.standing.disputed
                else ""
            )
        )
    if e.runners_up:
        others = "; ".join(
            f"{_short(r)} ({frame.percent(float(r.get('confidence') or 0))})" for r in e.runners_up[:3]
        )
        st.caption(say(f"Другие прочтения: {others}", f"Other readings: {others}"))
    with st.form(f"event-{e.id}-{e.t0}", border=False):
        fields = _inputs(e.kind, e.fields, e.id)
        a, b, c = st.columns(3)
        pin = a.form_submit_button(say("Закрепить", "Pin"), type="primary", width="stretch")
        delete = b.form_submit_button(say("Этого не было", "Did not happen"), width="stretch")
        undo = c.form_submit_button(say("Вернуть", "Undo"), disabled=chosen.standing is None, width="stretch")
    st.caption(
        say(
            "M в проигрывателе — сдвинуть событие на показанный кадр.",
            "M in the player moves the event to the frame shown.",
        )
    )
    if pin:
        _fact(
            now,
            chosen,
            "move" if chosen.state == "moved" else "pin" if chosen.state != "added" else "add",
            {"kind": e.kind, "t0": e.t0, "t1": e.t1, "fields": fields, "day": e.day},
        )
    if delete:
        _fact(now, chosen, "delete", {})
    if undo and chosen.standing is not None:
        now.undo(chosen.standing.record.id)
        realign(now)
        st.rerun()


def _short(reading: Mapping[str, Any]) -> str:
    return ", ".join(f"{k} {v}" for k, v in reading.items() if k != "confidence")


def _add(now: Here, at: float | None) -> None:
    kind = st.selectbox(
        say("Событие", "Event"), [k for k in FIELDS if k not in QUIET], format_func=event_name, key="add-kind"
    )
    with st.form(f"add-{kind}", border=False):
        t = st.number_input(
            say(
                "Секунда записи (I в проигрывателе — показанный кадр)",
                "Second of the recording (I in the player: the frame shown)",
            ),
            min_value=0.0,
            value=round(at or 0.0, 3),
            step=0.04,
            format="%.3f",
        )
        day = st.number_input(say("День", "Day"), min_value=0, max_value=20, value=1, step=1)
        fields = _inputs(kind, {}, "new")
        if st.form_submit_button(say("Добавить", "Add"), type="primary"):
            st.session_state.pop("insert-at", None)
            _fact(
                now,
                None,
                "add",
                {"kind": kind, "t0": round(t, 3), "t1": round(t + 0.5, 3), "fields": fields, "day": int(day)},
            )


def _inputs(kind: str, values: Mapping[str, Any], key: str) -> dict[str, Any]:
    """One input for each field of the kind; empty means: not stated."""
    names = FIELDS.get(kind, ())
    out: dict[str, Any] = {}
    for name, column in zip(names, st.columns(max(1, len(names))), strict=False):
        label, value, id_ = say(*NAMES.get(name, (name, name))), values.get(name), f"in-{key}-{kind}-{name}"
        options = BY.get(kind) if name == "by" else CHOICES.get(name)
        with column:
            if options:
                said = st.selectbox(
                    label, options, index=options.index(value) if value in options else None, key=id_
                )
            elif name in FLAGS:
                said = st.selectbox(
                    label,
                    (True, False),
                    index=None if value is None else int(not value),
                    format_func=lambda v: say("да", "yes") if v else say("нет", "no"),
                    key=id_,
                )
            elif name in LISTS:
                text = st.text_input(label, ", ".join(map(str, value or [])), key=id_)
                said = [
                    int(x) for x in text.replace(",", " ").split() if x.isdecimal() and 1 <= int(x) <= 10
                ] or None
            else:
                said = st.number_input(
                    label,
                    min_value=0,
                    max_value=10,
                    value=value if isinstance(value, int) else None,
                    step=1,
                    key=id_,
                )
        if said is not None or (name == "killed" and kind == "night_result"):
            out[name] = said
    return out


def _orphans(now: Here, orphans: tuple[Standing, ...]) -> None:
    if not orphans:
        return
    frame.sub(say("Факты без события", "Facts without their event"))
    for s in orphans:
        left, right = st.columns([6, 1])
        left.write(
            f"{clock(float(s.record.target['t0']))} · {event_name(str(s.record.target['kind']))} · {json.dumps(s.record.payload.get('fields') or {}, ensure_ascii=False)} — {s.record.author}"
        )
        if now.rights.correct and right.button("↶", key=f"orphan-{s.record.id}"):
            now.undo(s.record.id)
            st.rerun()
