"""What the engine says against the table's and the judge's moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.flags.flag import Flag, Maker
from mafiavar.analyzer.timeline import TimelineEvent

# Issue of the engine -> kind of flag. Issues that are not here only mark the timeline.
KINDS: Mapping[str, str] = {
    "nomination_tense": "nomination_tense",
    "nomination_second": "nomination_second",
    "nomination_repeated": "nomination_repeated",
    "nomination_of_dead": "nomination_repeated",
    "wrong_opener": "wrong_opener",
    "wrong_vote_order": "wrong_vote_order",
    "wrong_person_left": "wrong_person_left",
    "not_left_though_voted": "wrong_person_left",
    "left_without_ground": "wrong_person_left",
    "vote_held_though_cancelled": "vote_held_though_cancelled",
    "vote_held_though_single": "vote_held_though_cancelled",
    "vote_not_held_though_due": "vote_not_held_though_due",
    "forbidden_split": "forbidden_split",
    "forbidden_lift": "forbidden_lift",
    "lift_of_whole_table": "forbidden_lift",
    "dead_player_acts": "dead_player_acts",
    "foul_ordinal_wrong": "foul_ordinal_wrong",
    "fourth_foul_not_enforced": "fourth_foul_not_enforced",
    "removal_not_enforced": "fourth_foul_not_enforced",
    "night_check_of_own_shot": "night_check_of_own_shot",
    "votes_do_not_add_up": "vote_count_mismatch",
    "votes_exceed_living": "vote_count_mismatch",
}
_BY_ORDINARY_ERROR = 0.85
"""How often an issue at a surely heard event is the table's doing and not a lost cue."""


def flags_of_rules(alignment: Alignment, make: Maker) -> Iterator[Flag | None]:
    events = {e.id: e for e in alignment.timeline.events}
    for marked in alignment.issues:
        key = KINDS.get(marked.issue.kind)
        if key is None or marked.issue.severity == "unchecked":
            continue
        event = events.get(marked.event)
        yield make.flag(
            key,
            marked.span,
            marked.day,
            _confidence(event, alignment),
            clause=marked.issue.clause or None,
            seats=marked.issue.seats if key != "vote_count_mismatch" else (),
            params={
                "issue": marked.issue.kind,
                "seats": list(marked.issue.seats),
                **dict(marked.issue.params),
            },
            doubts=(("decoded", {}),),
            words=tuple((marked.span, e.note) for e in (event.evidence if event else ()) if e.note),
        )


def _confidence(event: TimelineEvent | None, alignment: Alignment) -> float:
    """An issue is as sure as its event and as the nearest events it is judged by."""
    if event is None:
        return 0.0
    if event.basis == "pinned":
        return 0.95
    here = [
        e.confidence
        for e in alignment.timeline.events
        if e.day == event.day
        and e.kind in ("nominated", "vote_opened", "vote_announced", "eliminated", "floor_given")
        and e.span.t0 <= event.span.t0
    ]
    weakest = min(here[-4:], default=1.0)
    inferred = 0.7 if event.basis == "inferred" else 1.0
    return event.confidence * _BY_ORDINARY_ERROR * inferred * (0.5 + 0.5 * weakest)
