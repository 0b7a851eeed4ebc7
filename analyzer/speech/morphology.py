"""Words to lemmas, and how far apart two words are."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

_STRIP = " \t\n.,!?;:…\"'«»„“”()[]{}–—-"


def plain(word: str) -> str:
    """Lower case, ё as е, without punctuation around.

    >>> plain("Всё,")
    'все'
    """
    return word.strip(_STRIP).lower().replace("ё", "е")


@lru_cache(maxsize=1)
def _analyzer() -> Any:
    import pymorphy3

    return pymorphy3.MorphAnalyzer(lang="ru")


@lru_cache(maxsize=65536)
def lemmas(word: str) -> frozenset[str]:
    """All dictionary forms a word may have (ё as е); the word itself is always among them.

    >>> sorted(lemmas("третью"))
    ['третий', 'третью']
    """
    text = plain(word)
    found = {text}
    for parse in _analyzer().parse(text)[:4]:
        if parse.score >= 0.05:
            found.add(str(parse.normal_form).replace("ё", "е"))
    return frozenset(found)


@lru_cache(maxsize=4096)
def forms(word: str) -> frozenset[str]:
    """All forms of a word, in all its readings (ё as е).

    >>> "третьей" in forms("третий")
    True
    """
    return frozenset(
        str(form.word).replace("ё", "е") for parse in _analyzer().parse(word)[:2] for form in parse.lexeme
    )


@lru_cache(maxsize=65536)
def known(word: str) -> bool:
    """Whether the dictionary has the word (a misheard word is often not a word at all)."""
    return bool(_analyzer().word_is_known(plain(word)))


@lru_cache(maxsize=65536)
def _letters(word: str) -> int:
    """A bit for every letter that the word has."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) & 63)
    return bits


def edits(a: str, b: str, most: int) -> int:
    """Edit distance with transpositions (optimal string alignment), cut off above `most`.

    >>> edits("шриф", "шериф", 2), edits("мафия", "магия", 2), edits("дон", "стол", 1)
    (1, 1, 2)
    """
    if abs(len(a) - len(b)) > most:
        return most + 1
    # Letters that only one of them has: each needs an edit of its own.
    mine, theirs = _letters(a), _letters(b)
    if max((mine & ~theirs).bit_count(), (theirs & ~mine).bit_count()) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row = row, [i]
        for j, y in enumerate(b, 1):
            best = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (x != y))
            if before and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        if min(row) > most:
            return most + 1
        before = previous
    return row[-1]
