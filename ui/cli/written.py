"""Games written by the studio, put on a clock without speaking them: truths for fitting and proofs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_BEFORE_WORD, _PER_LETTER, _GAP = 0.12, 0.055, 0.03


@dataclass(frozen=True, slots=True)
class Spoken:
    """An utterance as long as its letters."""

    duration: float
    words: tuple[tuple[float, float], ...]


def spoken(text: str) -> Spoken:
    t, words = 0.0, []
    for word in text.split():
        length = _BEFORE_WORD + _PER_LETTER * len(word)
        words.append((t, t + length - _GAP))
        t += length
    return Spoken(max(t, 0.2), tuple(words))


def written(ruleset: str, seed: int, *, rate: float = 0.0, condensed: bool = False) -> dict[str, Any]:
    """A truth (`mafiavar/truth@1`) of a written game; `rate` plants violations."""
    from mafiavar.sample_videos.timing import place
    from mafiavar.sample_videos.truth import truth_of
    from mafiavar.sample_videos.writer.game import Wishes, write_game

    script = write_game(Wishes(ruleset=ruleset, seed=seed, rate=rate, condensed=condensed))
    timed = place(script, {line.id: spoken(line.text) for line in script.lines})
    return truth_of(timed, f"{ruleset}-{seed}.ogg", {})


RULESETS = ("fsm-2026", "disbord", "legion")


def games(
    count: int, first_seed: int, *, rate: float = 0.0, condensed: bool = False
) -> Iterator[dict[str, Any]]:
    """`count` games, the rule sets in turn."""
    for i in range(count):
        yield written(RULESETS[i % len(RULESETS)], first_seed + i, rate=rate, condensed=condensed)
