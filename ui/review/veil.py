"""What a person without the right to the night may know of a case.

One place decides: pages, JSON routes, media, clips, evidence and reports all go through the
veiled case. What cannot be shown to be daylight is night.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mafiavar.ui.review.casefile import Case, Event, Window
from mafiavar.ui.store.records import Record

# Events that hold a role or a choice made at night, wherever they lie in time.
SECRET_KINDS = frozenset({"shot", "check", "shooting_began", "negotiation_began", "negotiation_ended"})
# Public although they may overlap the night's last words: the judge says them to the table.
PUBLIC_KINDS = frozenset(
    {"night_began", "day_began", "night_result", "eliminated", "game_ended", "game_started", "floor_given"}
)
SECRET_FIELDS = frozenset(
    {"role", "roles", "shooter", "found", "sign", "number", "confidence_by_role", "runners_up"}
)
NIGHT_FLAGS = frozenset(
    {
        "mask_off_at_night",
        "mask_late",
        "head_up_at_night",
        "arms_down_at_night",
        "touch_at_night",
        "talk_at_night",
        "night_check_of_own_shot",
        "phrase_both_roles",
    }
)
# What judges write in their own words: a protest, the grounds of a decision, the reason of a verdict.
FREE_TEXT = frozenset({"protest", "grounds", "reason"})
# Of the head of a case only where the seats are and what rules hold; roles may stand beside them.
PUBLIC_HEAD = frozenset({"schema", "ruleset", "seats", "span"})
MARGIN = 0.5


@dataclass(frozen=True, slots=True)
class Nights:
    """The stretches to hide. `known` is False when the timeline does not tell: then all is hidden."""

    spans: tuple[Window, ...]
    known: bool

    def touches(self, t0: float, t1: float) -> bool:
        return not self.known or any(t0 < b and t1 > a for a, b in self.spans)


def nights(case: Case) -> Nights:
    """Night spans of the case, widened by `MARGIN`.

    A night runs from `night_began` to the next `day_began`; what lies before the first day of a
    recording that begins with the negotiation night is night too.
    """
    if not case.has("timeline") or not case.events:
        return Nights((), False)
    events = sorted(case.events, key=lambda e: e.t0)
    spans: list[Window] = []
    begun: float | None = None
    if starts_at_night(events):
        begun = 0.0
    for e in events:
        if e.kind == "night_began":
            # The announcement itself is public; what follows is not.
            begun = e.t1 if begun is None else begun
        elif e.kind == "day_began" and begun is not None:
            spans.append((max(0.0, begun - MARGIN), e.t0 + MARGIN))
            begun = None
        elif e.kind in SECRET_KINDS and begun is None:
            # A secret event outside every known night: the timeline is wrong somewhere; hide it.
            spans.append((e.t0 - 15, e.t1 + 15))
    if begun is not None:
        spans.append((max(0.0, begun - MARGIN), max(case.duration, begun) + 3600))
    return Nights(tuple(spans), True)


def starts_at_night(events: Iterable[Event]) -> bool:
    first = next((e for e in events if e.kind != "game_started"), None)
    return first is not None and first.kind in {"night_began", "free_seating_began", *SECRET_KINDS}


def ended(case: Case) -> bool:
    return bool(case.of_kind("game_ended"))


def veiled(case: Case) -> Case:
    """The case without roles, night facts, words said at night and evidence taken there."""
    hidden = nights(case)

    def day(t0: float, t1: float) -> bool:
        return not hidden.touches(t0, t1)

    events = tuple(
        replace(e, fields=_clean(e.fields), runners_up=(), evidence=_daylight(e.evidence, hidden))
        for e in case.events
        if e.kind not in SECRET_KINDS and (e.kind in PUBLIC_KINDS or day(e.t0, e.t1))
    )
    ballots = tuple(
        replace(b, seats={n: replace(v, evidence=_daylight(v.evidence, hidden)) for n, v in b.seats.items()})
        for b in case.ballots
        if day(*b.called)
    )
    flags = tuple(
        replace(f, evidence=_daylight(f.evidence, hidden), raw={})
        for f in case.flags
        if f.kind not in NIGHT_FLAGS and day(f.t0, f.t1)
    )
    return replace(
        case,
        head={k: v for k, v in case.head.items() if k in PUBLIC_HEAD},
        events=events if hidden.known else (),
        ballots=ballots,
        flags=flags,
        words=tuple(w for w in case.words if day(w.t0, w.t1)),
        run={},
    )


def veiled_records(records: Iterable[Record], hidden: Nights) -> tuple[Record, ...]:
    """What people wrote, without what they wrote of the night: a fact or a verdict tells a role as
    plainly as the machine's own finding. Snapshots hold whole findings and stay out altogether, and so
    do sentences that people wrote freely: nobody can tell whether they name a role."""
    return tuple(
        replace(r, snapshot={}, payload={k: v for k, v in r.payload.items() if k not in FREE_TEXT})
        for r in records
        if not _of_the_night(r, hidden)
    )


def _of_the_night(record: Record, hidden: Nights) -> bool:
    said = (record.target, record.payload)
    if record.kind in {"pin", "verdict"}:
        kinds = {str(x["kind"]) for x in said if x.get("kind")}
        if kinds & (SECRET_KINDS | NIGHT_FLAGS):
            return True
        if record.kind == "pin" and kinds and kinds <= PUBLIC_KINDS:
            return False
    if record.kind not in {"pin", "verdict", "word", "vote"}:
        return False
    return any(hidden.touches(*stretch) for x in said for stretch in _stretches(x))


def _stretches(what: Mapping[str, Any]) -> list[Window]:
    """Every time a record names."""
    starts = [what[k] for k in ("t0", "called") if isinstance(what.get(k), int | float)]
    end = what.get("t1")
    return [(float(t), max(float(t), float(end if isinstance(end, int | float) else t))) for t in starts]


def _clean(fields: Any) -> dict[str, Any]:
    return {k: v for k, v in fields.items() if k not in SECRET_FIELDS}


def _daylight(evidence: Iterable[Any], hidden: Nights) -> tuple[Any, ...]:
    """Evidence of daylight only; a piece without a time cannot be shown to be daylight."""
    return tuple(
        e for e in evidence if isinstance(e.get("t"), int | float) and not hidden.touches(e["t"], e["t"])
    )


def public_paths(case: Case) -> frozenset[str]:
    """Files of the case folder that a person without the right may fetch: named by daylight evidence."""
    seen = veiled(case)
    pieces = _all_evidence(seen)
    open_ = {str(e["path"]) for e in pieces if e.get("path")}
    closed = {str(e["path"]) for e in _all_evidence(case) if e.get("path") and e not in pieces}
    return frozenset(open_ - closed)


def _all_evidence(case: Case) -> list[Any]:
    pieces = [e for x in case.events for e in x.evidence] + [e for f in case.flags for e in f.evidence]
    return pieces + [e for b in case.ballots for v in b.seats.values() for e in v.evidence]
