"""Fouls: a ledger per seat, what the judge said against what the protocol has; differences first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from mafiavar.ui.language import say
from mafiavar.ui.review import frame
from mafiavar.ui.review.casefile import SEATS, Case, Event
from mafiavar.ui.review.decisions import verdicts
from mafiavar.ui.review.flag import Flag
from mafiavar.ui.review.official import official_protocol
from mafiavar.ui.review.pins import as_decided
from mafiavar.ui.review.player import goto, player
from mafiavar.ui.review.session import Here
from mafiavar.ui.review.words import LEVELS, VERDICTS, clock, flag_name, word


@dataclass(frozen=True, slots=True)
class Ledger:
    """One seat: fouls heard, fouls in the protocol (None: no protocol), flags that name a foul."""

    seat: int
    heard: tuple[Event, ...]
    recorded: tuple[Mapping[str, Any], ...] | None
    flags: tuple[Flag, ...]

    @property
    def differs(self) -> bool:
        return self.recorded is not None and levels(self.recorded) != levels([e.fields for e in self.heard])


def levels(fouls: Any) -> list[str]:
    return sorted(str(f.get("level") or "foul") for f in fouls)


def ledgers(case: Case, protocol: Mapping[str, Any] | None) -> list[Ledger]:
    """All ten seats, those that differ first."""
    out = [
        Ledger(
            seat,
            tuple(e for e in case.of_kind("foul") if e.get("seat") == seat),
            recorded(protocol, seat),
            tuple(f for f in case.flags if seat in f.seats and f.severity in {"foul", "error"}),
        )
        for seat in SEATS
    ]
    return sorted(out, key=lambda x: (not x.differs, x.seat))


def recorded(protocol: Mapping[str, Any] | None, seat: int) -> tuple[Mapping[str, Any], ...] | None:
    """The protocol's fouls of a seat, days and nights; None when there is no protocol."""
    if protocol is None:
        return None
    parts = [*(protocol.get("days") or ()), *(protocol.get("nights") or ())]
    return tuple(f for part in parts for f in part.get("fouls") or () if f.get("seat") == seat)


def show(now: Here) -> None:
    st.html(f"<h1>{say('Фолы', 'Fouls')}</h1>")
    if not now.case.has("timeline"):
        frame.not_yet(now, "timeline")
        return
    case = as_decided(now.case, now.records)
    protocol = official_protocol(now)
    rows = ledgers(case, protocol)
    found = verdicts(now.case, now.records)
    left, right = frame.halves(55, 45)
    with left:
        if protocol is None:
            st.caption(
                say(
                    "Официального протокола у дела нет: показано услышанное. Добавьте его на странице «Протокол».",
                    "The case has no official protocol: what was heard is shown. Add it on the page “Protocol”.",
                )
            )
        body = "".join(_row(x, found.of) for x in rows)
        st.html(
            f"<table class='mv'><tr><th>№</th><th>{say('услышано', 'heard')}</th><th>{say('в протоколе', 'recorded')}</th><th>{say('замечания', 'flags')}</th></tr>{body}</table>"
        )
        frame.veiled_note(now)
    with right:
        events = sorted((e for x in rows for e in x.heard), key=lambda e: e.t0)
        chosen = _pick(events)
        player(
            now,
            goto(
                f"foul-{chosen.id}",
                max(0.0, chosen.t0 - 4),
                chosen.t1,
                play=False,
                window=[chosen.t0 - 5, chosen.t1 + 2],
            )
            if chosen
            else None,
            key="fouls-player",
            listed=[
                {"id": e.id, **goto(f"foul-{e.id}", max(0.0, e.t0 - 4), e.t1, play=True)} for e in events
            ],
            max_height=280,
        )


def _pick(events: list[Event]) -> Event | None:
    if not events:
        st.info(
            say(
                "Судья не объявлял фолов, или их не расслышали.",
                "The judge announced no fouls, or they were not heard.",
            )
        )
        return None
    chosen: Event | None = st.selectbox(
        say("Фол", "Foul"),
        events,
        format_func=lambda e: (
            f"{clock(e.t0)} · № {e.get('seat')} · {word(LEVELS, e.get('level'))} {e.get('ordinal') or ''}"
        ),
        label_visibility="collapsed",
    )
    return chosen


def _row(ledger: Ledger, verdict_of: Any) -> str:
    heard = (
        "<br>".join(
            f"{clock(e.t0)} · {frame.esc(word(LEVELS, e.get('level')))} {e.get('ordinal') or ''}"
            for e in ledger.heard
        )
        or "—"
    )
    if ledger.recorded is None:
        written = ""
    else:
        written = (
            "<br>".join(
                f"{frame.esc(word(LEVELS, f.get('level')))} {f.get('ordinal') or ''}" for f in ledger.recorded
            )
            or "—"
        )
    flags = "<br>".join(
        f"{clock(f.t0)} · {frame.esc(flag_name(f.kind))}"
        + (
            f" <span class='mvsoft'>{frame.esc(word(VERDICTS, verdict_of(f.id)))}</span>"
            if verdict_of(f.id)
            else ""
        )
        for f in ledger.flags
    )
    return f"<tr class='{'diff' if ledger.differs else ''}'><td><b>{ledger.seat}</b></td><td>{heard}</td><td>{written}</td><td>{flags}</td></tr>"
