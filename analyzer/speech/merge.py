"""Two hearings of the same sound made one, word by word.

The decoding with a prompt spells the commands better but swallows or copies; the one without is
freer but loops. Where they agree the word is surer; where they differ the likelier stands and the
other is kept as a variant; what only one of them heard stands if nothing contradicts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from mafiavar.analyzer.speech.morphology import plain
from mafiavar.analyzer.speech.numerals import number_of
from mafiavar.models.speech import HeardWord

_FAVOUR = 0.03
"""What the hearing with the prompt is believed more, in probability."""
_ALONE = 0.30
"""Mean probability below which words that only one hearing has are dropped."""
_LONGEST_VARIANT = 6


@dataclass(frozen=True, slots=True)
class Slot:
    """Words that stand, and what the other hearing had in their place."""

    words: tuple[HeardWord, ...]
    other: tuple[HeardWord, ...] = ()
    weight: float = 0.0


def merge(prompted: Sequence[HeardWord], free: Sequence[HeardWord]) -> tuple[Slot, ...]:
    """Slots in order of time."""
    a, b = [_key(w) for w in prompted], [_key(w) for w in free]
    slots: list[Slot] = []
    for tag, i0, i1, j0, j1 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        left, right = tuple(prompted[i0:i1]), tuple(free[j0:j1])
        if tag == "equal":
            slots += [Slot((_agreed(x, y),)) for x, y in zip(left, right, strict=True)]
        elif tag == "replace":
            slots += _replaced(left, right)
        else:
            words = left or right
            if _mean(words) >= _ALONE:
                slots.append(Slot(words))
    return tuple(sorted((s for s in slots if s.words), key=lambda s: s.words[0].start))


def in_order(slots: Iterable[Slot]) -> tuple[Slot, ...]:
    """The same words with starts that never go back, so that every run of them is a stretch of time.

    Two hearings may place one word seconds apart, and a second listening may reach over words that
    stand already. A slot torn like that is cut into its words, and its other hearing, which no longer
    has one place, is dropped.
    """
    left = sorted((s for s in slots if s.words), key=lambda s: s.words[0].start)
    torn = {i for i, s in enumerate(left) if not _ascending(s.words)}
    torn |= {i for i, (s, after) in enumerate(pairwise(left)) if s.words[-1].start > after.words[0].start}
    whole = [s for i, s in enumerate(left) if i not in torn]
    loose = [Slot((w,)) for i in torn for w in left[i].words]
    cut = (*whole, *loose)
    return in_order(cut) if torn else tuple(left)


def _ascending(words: Sequence[HeardWord]) -> bool:
    return all(a.start <= b.start for a, b in pairwise(words))


def _key(word: HeardWord) -> str:
    """«три», «3» and «третий» are not the same, but «три» and «3» are."""
    text = plain(word.text)
    number = number_of(text)
    if number and (text.isdigit() or number[1] == "cardinal"):
        return str(number[0])
    return text


def _agreed(a: HeardWord, b: HeardWord) -> HeardWord:
    """Heard twice: surer than either; times of the surer one, spelling of the prompted one."""
    best = a if a.probability >= b.probability else b
    sure = 1 - (1 - a.probability) * (1 - 0.5 * b.probability)
    return HeardWord(a.text, best.start, best.end, sure)


def _replaced(left: tuple[HeardWord, ...], right: tuple[HeardWord, ...]) -> list[Slot]:
    """The two disagree over a stretch; where one of them is silent for long, both stand."""
    if not _overlap(left, right):
        return [Slot(w) for w in (left, right) if _mean(w) >= _ALONE]
    p, q = _mean(left) + _FAVOUR, _mean(right)
    covered_left, covered_right = _covered(left), _covered(right)
    if covered_right > 2 * covered_left + 1.0:
        p *= 0.5
    if covered_left > 2 * covered_right + 1.0:
        q *= 0.5
    first, second, weight = (left, right, q / (p + q)) if p >= q else (right, left, p / (p + q))
    if len(second) > _LONGEST_VARIANT or len(first) > _LONGEST_VARIANT:
        second = ()
    return [Slot(first, second, weight if second else 0.0)]


def _overlap(a: Sequence[HeardWord], b: Sequence[HeardWord]) -> bool:
    return min(a[-1].end, b[-1].end) > max(a[0].start, b[0].start) - 0.1


def _covered(words: Sequence[HeardWord]) -> float:
    return words[-1].end - words[0].start


def _mean(words: Sequence[HeardWord]) -> float:
    return sum(w.probability for w in words) / len(words) if words else 0.0
