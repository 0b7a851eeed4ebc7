"""Votes to the letter of the contract: yes, no, unknown, out, the remainder, the resting hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mafiavar.analyzer.align.result import Alignment, Ballot
from mafiavar.analyzer.span import Span, micros
from mafiavar.analyzer.timeline import Timeline, TimelineEvent
from mafiavar.analyzer.vision.question import Contact, SeatHands
from mafiavar.analyzer.votes import Votes, count, votes_json, with_votes
from mafiavar.engine.game import Game
from mafiavar.engine.ruleset import FSM_2026

WINDOW = Span.of(47.0, 70.0)


def ballot(target: int, call: float, *, announced: int | None = None, stop: bool = True) -> Ballot:
    """Called at `call`..+2, stop at +3.7..+4, count at +4.7..+5.5."""
    return Ballot(
        day=1, round=1, target=target, candidates=(3, 5), voters=(1, 2, 3, 4, 5, 6, 7, 8),
        called=Span.of(call, call + 2), stop=Span.of(call + 3.7, call + 4) if stop else None,
        count=Span.of(call + 4.7, call + 5.5) if announced is not None else None, announced=announced,
        until=micros(call + 8.5),
    )  # fmt: skip


BALLOTS = (ballot(3, 50.0, announced=1), ballot(5, 57.0, announced=7))


def alignment(ballots: Sequence[Ballot] = BALLOTS) -> Alignment:
    return Alignment(
        timeline=Timeline("fsm-2026", ()), ballots=tuple(ballots), questions=(), issues=(), unsatisfied=(),
        conflicts=(), nights=(), game=Game.new(FSM_2026), score=0.0, duration=micros(80),
    )  # fmt: skip


def hands(
    contacts: dict[int, list[tuple[float, float]]],
    *,
    hidden: Sequence[int] = (),
    p: float = 0.95,
    side: str = "right",
) -> list[SeatHands]:
    out = []
    for seat in range(1, 11):
        made = tuple(
            Contact(seat, Span.of(a, b), side, "fist_vertical", p)  # type: ignore[arg-type]
            for a, b in contacts.get(seat, [])
        )
        seen = () if seat in hidden else (WINDOW,)
        out.append(
            SeatHands(
                seat, WINDOW, made, seen, 0.9 if seat in hidden else 0.05, "hidden" if seat in hidden else ""
            )
        )
    return out


def words(votes: Votes, i: int) -> str:
    return "".join(
        {"yes": "y", "no": "-", "unknown": "?", "out": "."}[v.vote] for v in votes.ballots[i].seats.values()
    )


def test_yes_no_and_out() -> None:
    votes = count(alignment(), hands({2: [(52.4, 57.5)], 4: [(59.6, 63.0)]}))
    assert words(votes, 0) == "-y------.."
    assert words(votes, 1) == "---y----.."
    assert votes.ballots[0].counted == (1, 1)


def test_a_hand_resting_from_the_previous_call_belongs_to_that_call() -> None:
    votes = count(alignment(), hands({2: [(52.4, 60.0)]}))
    assert words(votes, 0)[1] == "y" and words(votes, 1)[1] == "-"


def test_an_early_hand_is_a_vote_for_the_coming_call() -> None:
    votes = count(alignment(), hands({2: [(49.2, 55.5)], 4: [(56.6, 62.0)]}))
    assert words(votes, 0) == "-y------.." and words(votes, 1) == "---y----.."


def test_a_withdrawn_hand_is_a_vote() -> None:
    votes = count(alignment(), hands({2: [(52.4, 52.9)]}))
    assert votes.ballots[0].seats[2].vote == "yes"


def test_a_hand_after_the_stop_is_no_vote_but_its_contact_is_kept() -> None:
    votes = count(alignment(), hands({2: [(54.2, 55.4)]}))
    late = votes.ballots[0].seats[2]
    assert late.vote == "no" and late.contact is not None and late.contact.span == Span.of(54.2, 55.4)


def test_a_doubt_beside_a_late_hand_does_not_hide_it() -> None:
    sure = hands({4: [(54.1, 55.0)]})
    doubt = replace(sure[3].contacts[0], side="left", probability=0.35)
    sure[3] = replace(sure[3], contacts=(doubt, *sure[3].contacts))
    vote = count(alignment(), sure).ballots[0].seats[4]
    assert vote.vote == "no" and vote.contact is not None and vote.contact.side == "right"


def test_what_was_not_seen_is_unknown_and_widens_the_count() -> None:
    votes = count(alignment(), hands({2: [(52.4, 57.5)]}, hidden=(7, 8)))
    assert words(votes, 0) == "-y----??.."
    assert votes.ballots[0].counted == (1, 3)


def test_a_doubtful_contact_is_neither_yes_nor_no() -> None:
    votes = count(alignment(), hands({2: [(52.4, 57.5)]}, p=0.35))
    assert votes.ballots[0].seats[2].vote == "unknown"


def test_nobody_asked_the_pictures() -> None:
    votes = count(alignment(), [])
    assert set(words(votes, 0)) == {"?", "."} and votes.ballots[0].counted == (0, 8) and not votes.looked


def test_the_remainder_goes_to_the_last_candidate_only_when_certain() -> None:
    votes = count(alignment(), hands({2: [(52.4, 57.5)], 4: [(59.6, 63.0)]}, hidden=(8,)))
    last = votes.ballots[1]
    assert [s for s, v in last.seats.items() if v.remainder] == [1, 3, 5, 6, 7]
    assert last.assigned == 5 and last.counted == (1, 2) and last.seats[1].vote == "no"
    assert not any(v.remainder for v in votes.ballots[0].seats.values())


def test_without_a_stop_the_count_closes_the_call() -> None:
    only = [ballot(3, 50.0, announced=1, stop=False), BALLOTS[1]]
    votes = count(alignment(only), hands({2: [(54.5, 57.5)], 6: [(54.9, 57.5)]}))
    assert votes.ballots[0].seats[2].vote == "yes" and votes.ballots[0].seats[6].vote == "no"


def test_two_hands_are_one_vote() -> None:
    both = hands({2: [(52.4, 57.5)]})
    left = hands({2: [(52.6, 57.0)]}, side="left")
    seat = count(alignment(), [*both, *left]).ballots[0].seats[2]
    assert seat.vote == "yes" and seat.hand == "both"


def test_the_file_has_all_ten_seats() -> None:
    data = votes_json(count(alignment(), hands({2: [(52.4, 57.5)]})))
    assert data["schema"] == "mafiavar/votes@1"
    first = data["rounds"][0]["ballots"][0]
    assert list(first["seats"]) == [str(n) for n in range(1, 11)]
    assert first["called"] == [50.0, 52.0] and first["closed"] == [53.7, 54.0] and first["announced"] == 1
    assert first["seats"]["2"]["contact"] == [52.4, 57.5] and first["seats"]["10"]["vote"] == "out"


def test_votes_join_the_timeline() -> None:
    votes = count(alignment(), hands({2: [(52.4, 57.5)], 4: [(59.6, 63.0)]}))
    events = with_votes(alignment(), votes).timeline.of_kind("vote_cast")
    cast = [(e.fields["target"], e.fields["seat"], e.fields["remainder"]) for e in events]
    assert (3, 2, False) in cast and (5, 4, False) in cast
    assert sorted(s for t, s, r in cast if r) == [1, 3, 5, 6, 7, 8]
    assert [e.id for e in events] == [f"e{i:04d}" for i in range(1, len(events) + 1)]


def leaving(*, yes: int, no: int) -> str:
    def event(kind: str, t: float, **fields: object) -> TimelineEvent:
        return TimelineEvent("", kind, Span.of(t, t + 1), 1, fields, 0.9, "observed")

    told = (
        event("lift_called", 60.0, candidates=[3, 5]),
        event("lift_result", 65.0, yes=yes, no=no),
        event("eliminated", 70.0, seats=[3, 5], by="vote"),
    )
    heard = replace(alignment(()), timeline=Timeline("fsm-2026", told))
    return str(with_votes(heard, count(heard, [])).timeline.events[-1].fields["by"])


def test_who_leaves_after_a_lift_left_by_the_lift() -> None:
    assert leaving(yes=6, no=2) == "lift"
    assert leaving(yes=3, no=5) == "vote"


def test_a_seat_that_was_out_of_sight_for_a_sixth_of_the_time_is_not_denied() -> None:
    for missed, word in ((0.1, "-"), (0.16, "?")):
        asked = [replace(h, p_missed=missed) if h.seat == 7 else h for h in hands({2: [(52.4, 57.5)]})]
        assert words(count(alignment(), asked), 0)[6] == word
