"""Words and speakers of the transcript against what was said.

WER: edits (substitution, insertion, deletion) per true word, numerals written as words on both
sides. Speaker accuracy: share of true utterances whose words mostly carry the right speaker; an
utterance without words, or said by "unknown", is not right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from mafiavar.analyzer.evaluation.matching import Record, ratio

_TOKEN = re.compile(r"[а-яёa-z]+|\d+")
_NUMERALS = {
    "0": "ноль", "1": "один", "2": "два", "3": "три", "4": "четыре", "5": "пять", "6": "шесть",
    "7": "семь", "8": "восемь", "9": "девять", "10": "десять", "20": "двадцать", "30": "тридцать",
    "40": "сорок", "60": "шестьдесят",
}  # fmt: skip


def tokens(text: str) -> list[str]:
    """
    >>> tokens("Игрок №5, тридцать секунд! Ещё.")
    ['игрок', 'пять', 'тридцать', 'секунд', 'еще']
    """
    return [_NUMERALS.get(t, t).replace("ё", "е") for t in _TOKEN.findall(text.lower())]


def edits(true: Sequence[str], found: Sequence[str]) -> int:
    """Levenshtein distance between word sequences.

    >>> edits(["а", "б", "в"], ["а", "в", "г"])
    2
    """
    names = {w: i for i, w in enumerate(dict.fromkeys([*true, *found]))}
    a, b = (np.array([names[w] for w in side], dtype=np.int64) for side in (true, found))
    index = np.arange(len(b) + 1)
    row = index.copy()
    for i, word in enumerate(a, 1):
        best = np.empty_like(row)
        best[0] = i
        best[1:] = np.minimum(row[1:] + 1, row[:-1] + (b != word))
        # An insertion chain to the left: min over k <= j of best[k] + (j - k).
        row = np.minimum.accumulate(best - index) + index
    return int(row[-1])


def _speaker(words: Sequence[Record]) -> Any:
    said = Counter(str(w.get("speaker", "unknown")) for w in words)
    return max(sorted(said), key=lambda s: said[s]) if said else None


def score_speech(speech: Sequence[Record], words: Sequence[Record] | None) -> dict[str, Any]:
    """`words` as in transcript.json, None when the case has no transcript."""
    true_words = sum(len(tokens(s["text"])) for s in speech)
    if words is None or not true_words:
        return {"wer": None, "words": true_words, "speaker_accuracy": None, "utterances": len(speech)}
    said = [t for s in sorted(speech, key=lambda s: float(s["t0"])) for t in tokens(s["text"])]
    heard = [t for w in sorted(words, key=lambda w: float(w["t0"])) for t in tokens(str(w["w"]))]
    right = 0
    by_role: dict[str, list[int]] = {"judge": [0, 0], "players": [0, 0]}
    for utterance in speech:
        inside = [
            w
            for w in words
            if utterance["t0"] - 0.1 <= (float(w["t0"]) + float(w["t1"])) / 2 <= utterance["t1"] + 0.1
        ]
        hit = _speaker(inside) == str(utterance["speaker"])
        role = by_role["judge" if utterance["speaker"] == "judge" else "players"]
        role[0] += hit
        role[1] += 1
        right += hit
    return {
        "wer": round(edits(said, heard) / true_words, 4),
        "words": true_words,
        "speaker_accuracy": ratio(right, len(speech)),
        "utterances": len(speech),
        **{f"speaker_accuracy_{name}": ratio(*pair) for name, pair in by_role.items()},
    }
