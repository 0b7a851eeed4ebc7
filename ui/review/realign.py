"""Aligning again after a person stated a fact: a new numbered revision beside the machine's own.

Revisions lie in the library's `.mafiavar/revisions/<case>/NNNN`; the case folder is not touched.
A revision names the state of the case folder and the facts it was made from: a new analysis or an
undone fact makes it stale, and the case's own files stand again.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from mafiavar.analyzer.errors import MediaError
from mafiavar.analyzer.span import seconds
from mafiavar.ui.language import decimal, language, say
from mafiavar.ui.review.casefile import Case, read_results, revision_of
from mafiavar.ui.review.pins import alignment_pins
from mafiavar.ui.review.traces import revisions_of
from mafiavar.ui.store.records import Record

if TYPE_CHECKING:
    from mafiavar.ui.review.room import Room
    from mafiavar.ui.review.session import Here

LONGEST = 120.0


def realign(now: Here) -> bool:
    """Align again with the facts that stand now; False when that was not possible.

    The page shows people's facts over the machine's events either way.
    """
    case = now.room.full(now.case.name)
    assert case is not None
    records = now.room.records(case.key)
    pins = alignment_pins(records)
    if not pins:
        return True
    began = time.perf_counter()
    facts = [{**asdict(p), "t0": seconds(p.span.t0), "t1": seconds(p.span.t1)} for p in pins]
    for f in facts:
        del f["span"]
    folder = revisions(now.room, case) / f"{_next(now.room, case):04d}-{_mark(case, records)}"
    try:
        now.room.aligner.call(
            "align", case=str(case.folder), pins=facts, out=str(folder), lang=language(), timeout=LONGEST
        )
    except MediaError as error:
        st.toast(say(error.russian, error.english), icon=":material/info:")
        return False
    took = time.perf_counter() - began
    st.toast(
        say(f"Размечено заново за {decimal(took)} с.", f"Aligned again in {took:.1f} s."),
        icon=":material/check:",
    )
    return True


def with_revision(room: Room, case: Case, records: tuple[Record, ...]) -> Case:
    """The case with the results of the revision that fits today's facts, if there is one."""
    if not any(r.kind == "pin" for r in records):
        return case
    mark = _mark(case, records)
    found = sorted(revisions(room, case).glob(f"*-{mark}"))
    if not found:
        return case
    events, ballots, flags = read_results(found[-1])
    return replace(
        case, events=events, ballots=ballots, flags=flags, revision=f"{case.revision}_{found[-1].name}"
    )


def revisions(room: Room, case: Case) -> Path:
    return revisions_of(room.home, case.key)


def _next(room: Room, case: Case) -> int:
    """Revision 1 is the case folder's own."""
    made = [int(p.name.partition("-")[0]) for p in revisions(room, case).glob("[0-9]*-*")]
    return max(made, default=1) + 1


def _mark(case: Case, records: tuple[Record, ...]) -> str:
    """Stands for the case's files and the facts laid over them."""
    facts = [[p.kind, p.span.t0, p.span.t1, dict(p.fields), p.negated] for p in alignment_pins(records)]
    text = json.dumps([revision_of(case.folder), facts], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
