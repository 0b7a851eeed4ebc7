"""What a testament may hold to be worth a plus (FSM 8.3.8.4 - 8.3.8.10, 8.3.9.11).

The judge gives the points; where the protocol says what was left, the engine checks it against the
text. The `testament` of a day may carry: "blacks", "reds"; "sure" (seats whose colour a reveal had made
certain); "inexact" («среди 9 и 10 есть чёрный») and "two_blacks_out" (an inexact one that makes sure of
two blacks); "special" (one of the cases of 8.3.8.4); "aside" (besides two versions, 8.3.9.11).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mafiavar.engine.scoring.written import seats_of_list

LEAST_COLOURS = 2
ASIDE_REDS, ASIDE_BLACKS = 3, 1
ASIDE_VALUES = frozenset({-200, 0, 200, 300})
BOTH_ASIDE = 4


@dataclass(frozen=True, slots=True)
class Opinion:
    """Colours named in a last word, as the judge wrote them down."""

    seat: int
    blacks: tuple[int, ...]
    reds: tuple[int, ...]
    sure: frozenset[int] = frozenset()
    inexact: bool = False
    two_blacks_out: bool = False
    special: bool = False
    aside: bool = False

    @property
    def named(self) -> frozenset[int]:
        return frozenset((*self.blacks, *self.reds))


def opinion_of(data: Mapping[str, object], seat: int) -> Opinion | None:
    """The opinion of a file's `testament`; None when no colours were written down."""
    blacks, reds = seats_of_list(data.get("blacks")), seats_of_list(data.get("reds"))
    if not blacks and not reds and data.get("inexact") is not True:
        return None
    return Opinion(
        seat, blacks, reds, frozenset(seats_of_list(data.get("sure"))), data.get("inexact") is True,
        data.get("two_blacks_out") is True, data.get("special") is True, data.get("aside") is True,
    )  # fmt: skip


def against_a_plus(
    opinion: Opinion, *, first_killed: bool, black_checks: frozenset[int]
) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """(kind of remark, topic of its clause, seats) for everything that stands against a plus.

    >>> bare = Opinion(5, (), (6,))
    >>> [kind for kind, _, _ in against_a_plus(bare, first_killed=False, black_checks=frozenset())]
    ['opinion_few']
    """
    if opinion.inexact and not opinion.two_blacks_out:
        yield "opinion_inexact", "opinion_inexact", ()
    if sure := tuple(sorted(opinion.named & opinion.sure)):
        yield "opinion_sure", "opinion_sure", sure
    if checked := tuple(sorted(frozenset(opinion.blacks) & black_checks)):
        yield "opinion_checked", "opinion_checked", checked
    if opinion.aside:
        if len(opinion.reds) < ASIDE_REDS and len(opinion.blacks) < ASIDE_BLACKS:
            yield "opinion_few_aside", "opinion_aside", ()
    elif not opinion.special and not opinion.inexact:
        yield from _enough(opinion, first_killed)


def _enough(opinion: Opinion, first_killed: bool) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    if first_killed:
        # One black is enough for the first killed (8.3.8.4); reds alone must be two (8.3.8.5).
        if not opinion.blacks and len(opinion.reds) < LEAST_COLOURS:
            yield "opinion_few", "opinion_few_first", ()
    elif len(opinion.named) < LEAST_COLOURS:
        yield "opinion_few", "opinion_few", ()
