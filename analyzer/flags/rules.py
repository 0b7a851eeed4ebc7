"""What the engine says against the table's and the judge's moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.flags.flag import Flag, Maker
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.timeline import TimelineEvent
from mafiavar.analyzer.votes.count import Votes

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


_MISCOUNTS, _MISHEARD = 0.15, 0.03
_LOST = (0.2, 1.0)
"""An ordinal one too high is miscounted, or one is misheard or its foul invented; a foul is lost: what is
believed before the game has shown any, as so many lost ones of so many."""

_OF_THE_JUDGE = frozenset({"vote_count_mismatch", "wrong_vote_order"})
"""Kinds that are about the judge's word on the whole table: no seat stands for them."""


def flags_of_rules(alignment: Alignment, votes: Votes, make: Maker) -> Iterator[Flag | None]:
    """`votes`: a sum of announced counts accuses nobody where the hands agree with every count."""
    events = {e.id: e for e in alignment.timeline.events}
    for marked in alignment.issues:
        key = KINDS.get(marked.issue.kind)
        if key is None or marked.issue.severity == "unchecked":
            continue
        if key == "vote_count_mismatch" and _hands_agree(votes, marked.day, marked.span):
            continue
        event = events.get(marked.event)
        if key == "foul_ordinal_wrong":
            sure = _miscounted(event, alignment)
        else:
            sure = _confidence(event, alignment) * marked.probability
        yield make.flag(
            key,
            marked.span,
            marked.day,
            sure,
            clause=marked.issue.clause or None,
            seats=marked.issue.seats if key not in _OF_THE_JUDGE else (),
            params={
                "issue": marked.issue.kind,
                "seats": list(marked.issue.seats),
                **dict(marked.issue.params),
            },
            doubts=(("decoded", {}),),
            words=tuple((marked.span, e.note) for e in (event.evidence if event else ()) if e.note),
        )


def _hands_agree(votes: Votes, day: int, span: Span) -> bool:
    """Were the hands of the round that ends here seen, and does every announced count lie among them?

    Then a sum that does not add up comes from somebody wrongly thought to have left.
    """
    last = [
        b
        for b in votes.ballots
        if b.ballot.day == day and not b.ballot.lift and b.ballot.called.t0 <= span.t1
    ]
    if not votes.looked or not last:
        return False
    for b in votes.round_of(last[-1].ballot):
        low, high = b.counted
        if b.ballot.announced is None or any(v.vote == "unknown" for v in b.seats.values()):
            return False
        if not (
            low <= b.ballot.announced <= high or (b.last and low <= b.ballot.announced <= high + b.assigned)
        ):
            return False
    return True


def _miscounted(event: TimelineEvent | None, alignment: Alignment) -> float:
    """How likely an ordinal that does not follow is the judge's mistake, and not a foul that was not heard.

    The other ordinals of the game tell how many fouls its recording keeps: «третий» for a seat of whose
    fouls one was heard before shows that one is missing. An ordinal that is too low needs an invented foul.
    Whether the words were understood is a matter of the foul alone, not of the votes around it.
    """
    if event is None:
        return 0.0
    heard: Counter[int] = Counter()
    gaps = kept = jump = 0
    for e in alignment.timeline.of_kind("foul"):
        if e.fields.get("level") != "foul":
            continue
        seat, ordinal = int(e.fields["seat"]), e.fields.get("ordinal")
        ahead = 0 if ordinal is None else int(ordinal) - heard[seat] - 1
        heard[seat] += 1
        kept += 1
        if e.id == event.id:
            jump = ahead
        else:
            gaps += max(ahead, 0)
            heard[seat] += max(ahead, 0)
    lost = (gaps + _LOST[0]) / (gaps + kept + _LOST[1]) if jump > 0 else 0.0
    by = max(abs(jump), 1)
    said = [c for c in alignment.cues if c.kind is CueKind.FOUL and c.span & event.span and c.numbers]
    clear = max((c.likelihood * max(c.numbers[0].values()) for c in said), default=event.confidence)
    return clear * _BY_ORDINARY_ERROR * _MISCOUNTS**by / (_MISCOUNTS**by + lost**by + _MISHEARD)


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
