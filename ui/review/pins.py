"""People's facts about the timeline: laid over the machine's events, and handed to the alignment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mafiavar.analyzer.span import Span
from mafiavar.analyzer.timeline import Pin
from mafiavar.ui.review.casefile import Case, Event
from mafiavar.ui.store.records import Record, Standing, standing

# An event and a fact about it may lie this far apart and still be one.
NEAR = 2.0
# What tells two events of one kind apart, where several may share a moment.
IDENTITY = ("seat", "seats", "target", "round", "shooter", "by", "candidates", "night", "level")


@dataclass(frozen=True, slots=True)
class Shown:
    """An event as the page shows it. `state`: machine, pinned, moved, added, deleted."""

    event: Event
    state: str
    standing: Standing | None = None


def event_target(event: Event) -> dict[str, Any]:
    """Content, not an id: the kind, what tells it apart, and when."""
    return {
        "kind": event.kind,
        "t0": round(event.t0, 3),
        "t1": round(event.t1, 3),
        "fields": {k: event.fields[k] for k in IDENTITY if k in event.fields},
    }


def shown_events(case: Case, records: Iterable[Record]) -> tuple[tuple[Shown, ...], tuple[Standing, ...]]:
    """The timeline with people's facts, in order of time; and facts that found no event."""
    facts = list(standing(r for r in records if r.kind == "pin").values())
    about: dict[str, Standing] = {}
    orphans: list[Standing] = []
    added: list[Shown] = []
    for fact in facts:
        if fact.record.payload.get("op") == "add":
            found = _event_of(case.events, _stated(fact.record))
            if found is None or found.basis != "pinned":
                added.append(Shown(_made(fact.record), "added", fact))
            else:
                about[found.id] = fact
            continue
        target = _event_of(case.events, fact.record.target) or _event_of(case.events, _stated(fact.record))
        if target is not None:
            about[target.id] = fact
        elif fact.record.payload.get("op") != "delete":
            orphans.append(fact)
    out = [_shown(e, about.get(e.id)) for e in case.events] + added
    return tuple(sorted(out, key=lambda s: (s.event.t0, s.event.t1, s.event.kind))), tuple(orphans)


def as_decided(case: Case, records: Iterable[Record]) -> Case:
    """The case with its timeline as people corrected it: for the protocol, fouls and nights."""
    shown, _ = shown_events(case, records)
    return replace(case, events=tuple(s.event for s in shown if s.state != "deleted"))


def alignment_pins(records: Iterable[Record]) -> tuple[Pin, ...]:
    """What the alignment must obey."""
    out: list[Pin] = []
    for s in standing(r for r in records if r.kind == "pin").values():
        payload, target = s.record.payload, s.record.target
        if payload.get("op") in {"delete", "move"}:
            out.append(_pin(target, negated=True))
        if payload.get("op") in {"pin", "move", "add"}:
            out.append(_pin(_stated(s.record), negated=False))
    return tuple(sorted(out, key=lambda p: (p.span.t0, p.kind, p.negated)))


def _pin(what: Mapping[str, Any], *, negated: bool) -> Pin:
    t0, t1 = sorted((float(what["t0"]), float(what["t1"])))
    return Pin(str(what["kind"]), Span.of(t0, t1), dict(what.get("fields") or {}), negated)


def _stated(record: Record) -> dict[str, Any]:
    """What the person says happened."""
    p, t = record.payload, record.target
    return {k: p.get(k, t.get(k)) for k in ("kind", "t0", "t1", "fields")}


def _event_of(events: Iterable[Event], what: Mapping[str, Any]) -> Event | None:
    fields = {k: v for k, v in (what.get("fields") or {}).items() if k in IDENTITY}
    near = [
        e
        for e in events
        if e.kind == what.get("kind")
        and e.t0 <= float(what["t1"]) + NEAR
        and e.t1 >= float(what["t0"]) - NEAR
        and all(e.fields.get(k) == v for k, v in fields.items())
    ]
    return min(near, key=lambda e: abs(e.t0 - float(what["t0"])), default=None)


def _shown(event: Event, fact: Standing | None) -> Shown:
    if fact is None:
        return Shown(event, "machine")
    op = str(fact.record.payload.get("op"))
    if op == "delete":
        return Shown(event, "deleted", fact)
    made = _made(fact.record)
    state = "moved" if op == "move" else "pinned"
    return Shown(
        replace(
            event,
            t0=made.t0,
            t1=made.t1,
            fields={**event.fields, **made.fields},
            confidence=1.0,
            basis="pinned",
        ),
        state,
        fact,
    )


def _made(record: Record) -> Event:
    what = _stated(record)
    return Event(
        id=f"human-{record.id}",
        kind=str(what["kind"]),
        t0=float(what["t0"]),
        t1=float(what["t1"]),
        day=int(record.payload.get("day") or 0),
        fields=dict(what.get("fields") or {}),
        confidence=1.0,
        basis="pinned",
    )
