"""Votes: ballot by ballot, ten seats with pictures on one axis; one click corrects a seat."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import streamlit as st

from mafiavar.ui.language import say
from mafiavar.ui.review import frame
from mafiavar.ui.review.casefile import SEATS, Ballot, SeatVote
from mafiavar.ui.review.components import component
from mafiavar.ui.review.decisions import (
    doubtful,
    orphaned_votes,
    vote_corrections,
    vote_target,
    votes_as_decided,
)
from mafiavar.ui.review.lanes import count_time
from mafiavar.ui.review.official import official_protocol, official_votes
from mafiavar.ui.review.player import goto, marks_of, player
from mafiavar.ui.review.session import Here
from mafiavar.ui.review.stills import seen_by
from mafiavar.ui.review.words import VOTES, clock, flag_name, form_name, word
from mafiavar.ui.store.records import Standing

WHY = {
    "count": ("счёт не сходится", "the count differs"),
    "unknown": ("не все руки видны", "not all hands are seen"),
    "flags": ("есть замечания", "there are flags"),
}


def show(now: Here) -> None:
    case = now.case
    if not case.has("votes"):
        frame.title(say("Голоса", "Votes"))
        frame.not_yet(now, "votes")
        return
    ballots = votes_as_decided(case, now.records)
    if not ballots:
        frame.title(say("Голоса", "Votes"))
        st.info(say("Голосований в записи не найдено.", "No votes were found in the recording."))
        return
    current = _choose(now, ballots)
    corrections = vote_corrections(case, now.records)
    hidden = _owed(now, current, corrections)
    left, right = frame.halves(41, 59)
    with left:
        result = player(
            now,
            ballot_goto(current),
            key="votes-player",
            keys={"g": "open"},
            listed=[{"id": b.key, **ballot_goto(b)} for b in ballots],
            ballot={
                "called": list(current.called),
                "closed": list(current.closed) if current.closed else None,
                "window": list(current.window),
            },
            marks=[] if hidden else marks_of(case, *current.window),
            max_height=300,
        )
        _summary(now, current, hidden=hidden)
    with right:
        answer = component("ballot")(
            key="board",
            data=board(now, current, corrections),
            on_decided_change=lambda: None,
            on_undo_change=lambda: None,
        )
    if answer.decided and now.rights.correct:
        _correct(now, current, int(answer.decided["seat"]), str(answer.decided["vote"]), corrections)
        st.rerun()
    if answer.undo and now.rights.correct:
        now.undo(int(answer.undo["record"]))
        st.rerun()
    if result is not None and result.chosen and result.chosen["id"] != current.key:
        _go(str(result.chosen["id"]))
        st.rerun()
    if result is not None and result.key and result.key["do"] == "open":
        _next_disputed(now, ballots, current)
        st.rerun()
    _orphans(now)


def ballot_goto(ballot: Ballot) -> dict[str, Any]:
    a, b = ballot.window
    return goto(
        f"ballot-{ballot.key}", ballot.called[1], None, window=[a, b], play=False, view=[a - 1, b + 1]
    )


def _choose(now: Here, ballots: tuple[Ballot, ...]) -> Ballot:
    """The ballot in the address, else the first disputed one: that is what people come for."""
    asked = st.query_params.get("ballot") or st.session_state.get("ballot")
    current = next((b for b in ballots if b.key == asked), None)
    if current is None:
        current = next((b for b in ballots if doubtful(now.case, b)), ballots[0])
    title, pick, step = frame.row("head", 1.5, 9, 2.1)
    title.html(f"<h1>{say('Голоса', 'Votes')}</h1>")
    labels = {b.key: _label(now, b) for b in ballots}
    picked = pick.pills(
        say("Голосование", "Ballot"),
        list(labels),
        default=current.key,
        format_func=labels.get,
        label_visibility="collapsed",
        key=f"pick-{current.key}",
    )
    if picked and picked != current.key:
        _go(picked)
        st.rerun()
    if step.button(say("G · спорный →", "G · disputed →"), key="next-disputed", width="stretch"):
        _next_disputed(now, ballots, current)
        st.rerun()
    st.session_state["ballot"] = current.key
    st.query_params["ballot"] = current.key
    return current


def _label(now: Here, b: Ballot) -> str:
    again = "" if b.round == 1 else f"·{b.round}"
    mark = "⚠ " if doubtful(now.case, b) else ""
    return f"{mark}{say('Д', 'D')}{b.day}{again} № {b.target}"


def _go(key: str) -> None:
    st.session_state["ballot"] = key
    st.query_params["ballot"] = key


def _next_disputed(now: Here, ballots: tuple[Ballot, ...], current: Ballot) -> None:
    i = ballots.index(current)
    following = [b for b in (*ballots[i + 1 :], *ballots[:i]) if doubtful(now.case, b)]
    if following:
        _go(following[0].key)


# the board --------------------------------------------------------------------------------


def board(now: Here, ballot: Ballot, corrections: dict[tuple[str, int], Standing]) -> dict[str, Any]:
    """Everything the board draws."""
    count = count_time(now.case, ballot.day, ballot.round, ballot.target)
    a, b = ballot.window
    end = max(b, (count[1] if count else 0) + 0.3)
    blind = bool(now.room.setting("blind", False, now.case.key))
    return {
        "key": ballot.key,
        "axis": [round(a + 0.4, 3), round(min(end, a + 14), 3)],
        "called": list(ballot.called),
        "closed": list(ballot.closed) if ballot.closed else None,
        "count": count,
        "announced": ballot.announced,
        "can": now.rights.correct,
        "seats": [
            _seat(now, ballot, ballot.seats[n], corrections.get((ballot.key, n)), blind=blind) for n in SEATS
        ],
        "text": _text(),
    }


def _seat(
    now: Here, ballot: Ballot, vote: SeatVote, correction: Standing | None, *, blind: bool
) -> dict[str, Any]:
    hidden = blind and not _answered(now, correction) and vote.vote != "out"
    flags = [
        f
        for f in now.case.flags
        if vote.seat in f.seats and f.t0 < ballot.window[1] and f.t1 > ballot.window[0]
    ]
    unseen = _unseen(now, vote.seat)
    notes = [] if hidden else [flag_name(f.kind) for f in flags]
    if unseen and vote.vote != "out":
        notes.append(say("камера не видит места", "not seen by the camera"))
    contact = None if hidden else vote.contact
    return {
        "seat": vote.seat,
        "vote": "" if hidden else vote.vote,
        "p": 0 if hidden else vote.probability,
        "contact": list(contact) if contact else None,
        "remainder": vote.remainder and not hidden,
        "form_name": form_name(vote.form)
        if contact and vote.form not in {"unknown", "fist_vertical", "none"}
        else "",
        "offset": _offset(ballot, contact),
        "notes": notes,
        "alarm": not hidden and (any(f.severity != "note" for f in flags) or vote.vote == "unknown"),
        "crops": _crops(now, ballot, vote, hidden=hidden),
        "by": correction.record.author if correction and not hidden else None,
        "record": correction.record.id if correction else None,
        "disputed": bool(correction and correction.disputed),
    }


def _offset(ballot: Ballot, contact: tuple[float, float] | None) -> str:
    """The touch from the end of the call, the release from the stop, in seconds."""
    if contact is None:
        return ""

    def signed(t: float) -> str:
        return f"{t:+.2f}".replace(".", say(",", ".")).replace("-", "−")

    touch = say(
        f"вызов {signed(contact[0] - ballot.called[1])}", f"call {signed(contact[0] - ballot.called[1])}"
    )
    if not ballot.closed:
        return touch
    release = signed(contact[1] - ballot.closed[0])
    return say(f"{touch} · стоп {release}", f"{touch} · stop {release}")


def _crops(now: Here, ballot: Ballot, vote: SeatVote, *, hidden: bool) -> list[dict[str, Any]]:
    """Before, touch, release: the pictures the machine judged by, else the seat at those moments;
    without a contact: call, between, stop."""
    stop = ballot.closed[0] if ballot.closed else ballot.called[1] + 1.5
    if vote.contact and not hidden:
        a, b = vote.contact
        wanted = [
            (("before",), a - 0.25, say("до касания", "before"), ""),
            (("touch",), min(a + 0.08, b), say("касание", "touch"), "touch"),
            (
                ("release", "rest"),
                max(a, b - 0.04),
                say("последний миг касания", "last moment of the touch"),
                "",
            ),
        ]
    else:
        wanted = [
            ((), ballot.called[1], say("конец вызова", "end of the call"), ""),
            ((), (ballot.called[1] + stop) / 2, say("между вызовом и «стоп»", "between call and stop"), ""),
            ((), stop, say("«стоп»", "stop"), ""),
        ]
    kept = {
        str(e.get("role")): e
        for e in vote.evidence
        if str(e.get("path", "")).startswith("evidence/") and "t" in e
    }
    out = []
    for roles, t, label, at in wanted:
        e = next((kept[r] for r in roles if r in kept), None)
        if e is not None:
            src: str | None = f"/media/{quote(now.case.name)}/{quote(str(e['path']))}"
            out.append(
                {"t": float(e["t"]), "seat": vote.seat, "label": label, "at": at, "src": src, "kept": True}
            )
        else:
            moment, src = _cut(now, vote.seat, t)
            out.append({"t": moment, "seat": vote.seat, "label": label, "at": at, "src": src, "kept": False})
    return out


def _cut(now: Here, seat: int, t: float) -> tuple[float, str | None]:
    """A seat at a moment, cut on demand: (the moment to the millisecond, the address)."""
    source = seen_by(now, seat, t)
    if source is None:
        return t, None
    camera = now.room.camera(now.case, source.number)
    local = max(0, round((t - source.offset) * 1000))
    known = camera is not None and seat in camera.seats
    src = f"/media/{quote(now.case.name)}/crop/{source.number}/{local}/{seat}.jpg?h=144" if known else None
    return local / 1000 + source.offset, src


def _unseen(now: Here, seat: int) -> bool:
    cameras = [now.room.camera(now.case, s.number) for s in now.case.sources]
    told = [c for c in cameras if c is not None]
    return bool(told) and all(seat in c.unseen for c in told)


def _correct(
    now: Here, ballot: Ballot, seat: int, vote: str, corrections: dict[tuple[str, int], Standing]
) -> None:
    if seat not in SEATS or vote not in {"yes", "no", "unknown"}:
        return
    machine = next(b for b in now.case.ballots if b.key == ballot.key).seats[seat]
    standing = corrections.get((ballot.key, seat))
    now.write(
        "vote",
        dict(standing.record.target) if standing else vote_target(ballot, seat),
        {"vote": vote},
        snapshot={
            "machine": {"vote": machine.vote, "probability": machine.probability, "contact": machine.contact},
            "called": list(ballot.called),
            "closed": list(ballot.closed) if ballot.closed else None,
            "revision": now.case.revision,
        },
        based_on=standing.record.id if standing else None,
    )


# the sums ---------------------------------------------------------------------------------


def _owed(now: Here, ballot: Ballot, corrections: dict[tuple[str, int], Standing]) -> bool:
    """Blind review: is there a seat of this ballot for which this person has not answered yet?"""
    return bool(now.room.setting("blind", False, now.case.key)) and any(
        v.vote != "out" and not _answered(now, corrections.get((ballot.key, n)))
        for n, v in ballot.seats.items()
    )


def _answered(now: Here, correction: Standing | None) -> bool:
    return correction is not None and any(r.author == now.author for r in correction.history)


def _summary(now: Here, ballot: Ballot, *, hidden: bool) -> None:
    """Announced, counted, protocol, and why to look: the numbers a panel compares."""
    if hidden:
        st.html(
            f'<div class="mvcard"><b>{say("против", "against")} № {ballot.target}</b> · {clock(ballot.called[0])}'
            f'<div class="mvsoft">{say("Слепой разбор: ответьте за каждое место, тогда откроются счёт, протокол и чужие ответы.", "Blind review: answer for every seat; then the count, the protocol and the others’ answers open.")}</div></div>'
        )
        return
    low, high = ballot.counted
    official = official_votes(official_protocol(now), ballot)
    rest = [n for n, v in ballot.seats.items() if v.remainder]
    yes = [n for n, v in ballot.seats.items() if v.vote == "yes"]
    unknown = [n for n, v in ballot.seats.items() if v.vote == "unknown"]
    cells = [
        (
            "announced",
            say("объявлено", "announced"),
            "—" if ballot.announced is None else str(ballot.announced),
        ),
        ("hands", say("рук", "hands"), str(low) if low == high else f"{low}–{high}"),
        ("remainder", say("остаток", "remainder"), str(len(rest)) if rest else "—"),
        ("official", say("в протоколе", "protocol"), str(len(official)) if official is not None else "—"),
    ]
    boxes = "".join(
        f'<div style="flex:1;text-align:center"><div style="font-size:1.7rem;font-weight:700;line-height:1.1" data-sum="{name}">{frame.esc(v)}</div><div class="mvsoft">{frame.esc(k)}</div></div>'
        for name, k, v in cells
    )
    why = doubtful(now.case, ballot)
    signs = " ".join(
        frame.chip("error" if w == "count" else "foul", say(*WHY[w])) for w in why
    ) or frame.chip("confirmed", say("всё сходится", "all agrees"))
    lines = [
        f"<b>{say('Руки', 'Hands')}:</b> {', '.join(map(str, yes)) or '—'}",
        f"<b>{say('Остаток', 'Remainder')}:</b> {', '.join(map(str, rest))}" if rest else "",
        f"<b>{say('Не видно', 'Cannot tell')}:</b> {', '.join(map(str, unknown))}" if unknown else "",
        _difference(ballot, official),
    ]
    st.html(
        f'<div class="mvcard"><div class="mvsoft">{say("день", "day")} {ballot.day}, {say("голосование", "round")} {ballot.round}, '
        f"{say('против', 'against')} <b>№ {ballot.target}</b> · {clock(ballot.called[0])} · {say('порядок', 'order')}: {', '.join(map(str, ballot.candidates))}</div>"
        f'<div style="display:flex;margin:.3rem 0 .4rem">{boxes}</div>{signs}<div style="font-size:.92rem;margin-top:.3rem">{"<br>".join(x for x in lines if x)}</div></div>'
    )


def _difference(ballot: Ballot, official: list[int] | None) -> str:
    if official is None:
        return ""
    ours = {n for n, v in ballot.seats.items() if v.vote == "yes" or v.remainder}
    more, less = sorted(ours - set(official)), sorted(set(official) - ours)
    if not more and not less:
        return say("С протоколом совпадает.", "Agrees with the protocol.")
    parts = []
    if more:
        parts.append(
            say(
                f"в записи есть, в протоколе нет: {', '.join(map(str, more))}",
                f"seen, not in the protocol: {', '.join(map(str, more))}",
            )
        )
    if less:
        parts.append(
            say(
                f"в протоколе есть, в записи нет: {', '.join(map(str, less))}",
                f"in the protocol, not seen: {', '.join(map(str, less))}",
            )
        )
    return f'<span style="color:#8a3c00">{"; ".join(parts)}</span>'


def _orphans(now: Here) -> None:
    lost = orphaned_votes(now.case, now.records)
    if lost:
        frame.sub(say("Исправления без голосования", "Corrections without their ballot"))
        for s in lost:
            t = s.record.target
            st.write(
                say(
                    f"День {t.get('day')}, против № {t.get('target')}, место {t.get('seat')}: {word(VOTES, s.record.payload.get('vote'))} — {s.record.author}",
                    f"Day {t.get('day')}, against {t.get('target')}, seat {t.get('seat')}: {word(VOTES, s.record.payload.get('vote'))} — {s.record.author}",
                )
            )


def _text() -> dict[str, Any]:
    return {
        "seat": say("место", "seat"), "before": say("до", "before"), "touch": say("касание", "touch"), "release": say("конец", "end"),
        "call": say("вызов", "call"), "stop": say("стоп", "stop"), "count": say("счёт", "count"), "verdict": say("что видно", "what is seen"),
        "result": say("итог", "result"), "remainder": say("остаток", "remainder"), "contact": say("касание", "contact"), "out": say("вне игры", "out of play"),
        "no_picture": say("нет картинки: место не отмечено или запись недоступна", "no picture: the seat is not marked or the recording is missing"),
        "undo": say("исправлено человеком; нажмите, чтобы вернуть машинное", "corrected by a person; click to go back to the machine's"),
        "disputed": say("исправляли двое, не видя друг друга; нажмите, чтобы отменить последнее", "two people corrected without seeing each other; click to undo the last"),
        "s": say("с", "s"),
        "sign": {"yes": "●", "no": "○", "unknown": "?"},
        "vote": {k: word(VOTES, k) for k in ("yes", "no", "unknown")},
        "title": {
            "yes": say("рука была на столе вовремя (V)", "the hand was on the table in time (V)"),
            "no": say("руки не было или поздно (X)", "no hand, or late (X)"),
            "unknown": say("по картинке не понять (U)", "the picture does not tell (U)"),
        },
    }  # fmt: skip
