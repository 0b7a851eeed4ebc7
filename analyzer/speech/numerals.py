"""Russian numerals as they are spoken at the table, in every form, with what they are mistaken for.

A seat is called «три», «третий», «третьего», «тройка», «номер три», «№3»; a count «трое», «три
голоса», «ноль». What the recogniser writes is evidence, not truth: `distribution` spreads it over
the numbers that sound alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache

from mafiavar.analyzer.speech.morphology import lemmas, plain


class Form(StrEnum):
    """How a number was said."""

    DIGITS = "digits"
    CARDINAL = "cardinal"
    ORDINAL = "ordinal"
    COLLECTIVE = "collective"
    NICKNAME = "nickname"


_CARDINALS = {
    "ноль": 0, "нуль": 0, "один": 1, "два": 2, "три": 3, "четыре": 4, "пять": 5, "шесть": 6,
    "семь": 7, "восемь": 8, "девять": 9, "десять": 10, "двадцать": 20, "тридцать": 30,
    "сорок": 40, "пятьдесят": 50, "шестьдесят": 60,
}  # fmt: skip
_ORDINALS = {
    "первый": 1, "второй": 2, "третий": 3, "четвертый": 4, "пятый": 5, "шестой": 6,
    "седьмой": 7, "восьмой": 8, "девятый": 9, "десятый": 10,
}  # fmt: skip
_COLLECTIVES = {
    "двое": 2, "трое": 3, "четверо": 4, "пятеро": 5, "шестеро": 6, "семеро": 7, "восьмеро": 8,
    "девятеро": 9, "десятеро": 10,
}  # fmt: skip
_NICKNAMES = {
    "единица": 1, "единичка": 1, "двойка": 2, "двоечка": 2, "тройка": 3, "троечка": 3,
    "четверка": 4, "четверочка": 4, "пятерка": 5, "пятерочка": 5, "шестерка": 6, "шестерочка": 6,
    "семерка": 7, "семерочка": 7, "восьмерка": 8, "восьмерочка": 8, "девятка": 9, "девяточка": 9,
    "десятка": 10, "десяточка": 10,
}  # fmt: skip
_TABLES: tuple[tuple[Form, Mapping[str, int]], ...] = (
    (Form.CARDINAL, _CARDINALS),
    (Form.ORDINAL, _ORDINALS),
    (Form.COLLECTIVE, _COLLECTIVES),
    (Form.NICKNAME, _NICKNAMES),
)
# Forms whose dictionary lemma misleads: «семью» is the family as often as the number.
_NOT_NUMERALS = frozenset({"семью", "сорока", "сороки", "сороку"})
# «первое», «второе» count arguments ("firstly"), not seats, unless the recogniser is sure of a gender.
_NEUTER = frozenset({"первое", "второе", "третье"})


@lru_cache(maxsize=4096)
def number_of(word: str) -> tuple[int, Form] | None:
    """The number a word says and how, or None.

    >>> number_of("тройку"), number_of("3-го"), number_of("семья")
    ((3, <Form.NICKNAME: 'nickname'>), (3, <Form.ORDINAL: 'ordinal'>), None)
    """
    text = plain(word)
    digits = text.lstrip("№#")
    head = digits.split("-")[0]
    if head.isascii() and head.isdigit():
        value = int(head)
        return (value, Form.ORDINAL if "-" in digits else Form.DIGITS) if value <= 99 else None
    if text in _NOT_NUMERALS or text in _NEUTER:
        return None
    for lemma in lemmas(text):
        for form, table in _TABLES:
            if lemma in table:
                return table[lemma], form
    return None


def plain_cardinal(word: str) -> bool:
    """«три», «3», not «трёх», «третий», «тройка»."""
    text = plain(word)
    return text in _CARDINALS or (text.isascii() and text.isdigit())


# P(heard | said) for pairs that sound alike, from the confusions seen with Whisper base on the
# fitting recordings (docs/hearing.md); the rest of the mass is spread evenly.
_ALIKE: Mapping[frozenset[int], float] = {
    frozenset(pair): weight
    for pair, weight in {
        (5, 9): 0.25, (9, 10): 0.25, (7, 8): 0.20, (6, 7): 0.12, (1, 5): 0.10, (5, 6): 0.15,
        (2, 3): 0.10, (1, 9): 0.05, (4, 10): 0.05, (5, 10): 0.15, (8, 5): 0.06, (6, 10): 0.08,
        (1, 10): 0.06, (3, 6): 0.06, (1, 4): 0.04, (4, 6): 0.05,
    }.items()
}  # fmt: skip
_ORDINARY = 0.02


def distribution(value: int, confidence: float, *, highest: int = 10, lowest: int = 1) -> dict[int, float]:
    """What was said, given that `value` was written with `confidence` (0..1).

    The heard value keeps `confidence`; what is left is shared by how alike the numbers sound.
    Values outside `lowest`..`highest` give an empty distribution.

    >>> d = distribution(5, 0.9)
    >>> max(d, key=d.get), round(sum(d.values()), 6), d[9] > d[2]
    (5, 1.0, True)
    """
    if not lowest <= value <= highest:
        return {}
    others = {
        n: _ALIKE.get(frozenset((n, value)), _ORDINARY) for n in range(lowest, highest + 1) if n != value
    }
    total = sum(others.values()) or 1.0
    spread = {n: round((1 - confidence) * w / total, 6) for n, w in others.items()}
    return {value: round(confidence, 6), **spread}
