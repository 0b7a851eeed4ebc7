"""Russian numerals of a table of ten, and templates that use them."""

from __future__ import annotations

import re
from dataclasses import dataclass

CARDINAL = ("ноль", "один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "десять")
ORDINAL = (
    "",
    "первый",
    "второй",
    "третий",
    "четвёртый",
    "пятый",
    "шестой",
    "седьмой",
    "восьмой",
    "девятый",
    "десятый",
)
ORDINAL_GEN = ("", "первого", "второго", "третьего", "четвёртого", "пятого", "шестого", "седьмого", "восьмого", "девятого", "десятого")  # fmt: skip
ORDINAL_DAT = ("", "первому", "второму", "третьему", "четвёртому", "пятому", "шестому", "седьмому", "восьмому", "девятому", "десятому")  # fmt: skip
ORDINAL_INS = ("", "первым", "вторым", "третьим", "четвёртым", "пятым", "шестым", "седьмым", "восьмым", "девятым", "десятым")  # fmt: skip
NICK = ("", "единичка", "двойка", "тройка", "четвёрка", "пятёрка", "шестёрка", "семёрка", "восьмёрка", "девятка", "десятка")  # fmt: skip
NICK_ACC = tuple(w[:-1] + "у" if w else "" for w in NICK)
NICK_GEN = ("", "единички", "двойки", "тройки", "четвёрки", "пятёрки", "шестёрки", "семёрки", "восьмёрки", "девятки", "десятки")  # fmt: skip
FORMS = {"n": CARDINAL, "ord": ORDINAL, "gen": ORDINAL_GEN, "dat": ORDINAL_DAT, "ins": ORDINAL_INS, "nick": NICK, "nacc": NICK_ACC, "ngen": NICK_GEN}  # fmt: skip
COUNT_ORDINAL = ("", "первый", "второй", "третий", "четвёртый")
_SLOT = re.compile(r"\{(\w)?:?(\w+)\}")


def votes(count: int) -> str:
    """How a judge says a number of votes."""
    if count == 0:
        return "Ноль голосов"
    word = "голос" if count == 1 else "голоса" if count < 5 else "голосов"
    return f"{CARDINAL[count].capitalize()} {word}"


def listed(numbers: tuple[int, ...] | list[int]) -> str:
    return ", ".join(CARDINAL[n] for n in numbers)


@dataclass(frozen=True, slots=True)
class Sentence:
    """text, and the count of words up to the end of the first number in it (0 = it names none)."""

    text: str
    named: int


def fill(template: str, **numbers: int) -> Sentence:
    """Fill `{a:gen}`-like slots: letter = which number, word = which form. A capital begins the sentence."""
    named = 0
    out, last = "", 0
    for m in _SLOT.finditer(template):
        who, form = (m.group(1), m.group(2)) if m.group(1) else ("a", m.group(2))
        word = FORMS[form][numbers[who]]
        out += template[last : m.start()] + word
        last = m.end()
        if not named:
            named = len(out.split())
    out += template[last:]
    return Sentence(out[0].upper() + out[1:], named)
