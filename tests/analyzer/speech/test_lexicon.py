"""The lexicon's little language, and a club's own file."""

from __future__ import annotations

from pathlib import Path

import pytest
from speech_helpers import transcript

from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.speech import cues_of
from mafiavar.analyzer.speech.lattice import build
from mafiavar.analyzer.speech.morphology import edits
from mafiavar.analyzer.speech.numerals import distribution, number_of
from mafiavar.analyzer.speech.patterns import PatternError, match_at, parse


def matches(pattern: str, said: str, phrases: dict[str, str] | None = None) -> bool:
    lattice = build(transcript(*said.split("//")).words, {})
    compiled = parse(pattern, phrases)
    return any(match_at(compiled, lattice, n) for n in range(len(lattice.tokens)))


@pytest.mark.parametrize(
    ("pattern", "said", "expected"),
    [
        ("игрок", "игроку", True),
        ("=игрок", "игроку", False),
        ("перестрелк*", "перестрелкой", True),
        ("=пас", "спасибо", False),
        ("=пас", "опасный", False),
        ("{номер}", "семья", False),
        ("{номер}", "смотри", False),
        ("{номер}", "одинаковый", False),
        ("{номер}", "одиннадцать", False),
        ("а [б] в", "а в", True),
        ("а [б] в", "а б в", True),
        ("а (б|г) в", "а г в", True),
        ("а (б|г) в", "а в", False),
        ("а ... в", "а раз два три в", True),
        ("а ... в", "а раз два три четыре в", False),
        ("^ стоп $", "стоп", True),
        ("^ стоп $", "стоп машина", False),
        ("^ стоп $", "не стоп", False),
        ("<x> раз", "три раз", True),
        ("шериф", "шриф", True),
        ("дон", "дно", False),
        ("раз два", "раз // два", True),
        ("{номера} всё", "три и пять всё", True),
        ("{людей}", "пятеро", True),
        ("{людей}", "пять", False),
    ],
)
def test_patterns(pattern: str, said: str, expected: bool) -> None:
    assert matches(pattern, said, {"x": "{номер}"}) is expected


@pytest.mark.parametrize("bad", ["(а", "а]", "{рост}", "<нет>", "а | (б", "«а»"])
def test_a_pattern_that_cannot_be_read_says_so(bad: str) -> None:
    with pytest.raises(PatternError):
        parse(bad)


def test_a_phrase_made_of_itself() -> None:
    with pytest.raises(PatternError, match="made of itself"):
        parse("<а>", {"а": "раз <а>"})


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("три", 3), ("тройкой", 3), ("третьим", 3), ("№3", 3), ("3.", 3), ("10-го", 10), ("ноль", 0),
        ("шестерых", 6), ("десяточку", 10), ("восьми", 8), ("семью", None), ("первое", None), ("пас", None),
        ("сорок", 40), ("тридцать", 30), ("120", None),
    ],
)  # fmt: skip
def test_numerals(word: str, value: int | None) -> None:
    found = number_of(word)
    assert (found[0] if found else None) == value


@pytest.mark.parametrize("value", range(1, 11))
def test_confusion_sets_are_distributions(value: int) -> None:
    spread = distribution(value, 0.8)
    assert sum(spread.values()) == pytest.approx(1.0, abs=1e-4)
    assert max(spread, key=lambda n: spread[n]) == value
    assert set(spread) == set(range(1, 11))


def test_edit_distance_is_symmetric_and_cut_off() -> None:
    for a, b in (("шериф", "шриф"), ("пять", "девять"), ("мафия", "амфия"), ("а", "")):
        assert edits(a, b, 5) == edits(b, a, 5)
    assert edits("мафия", "амфия", 2) == 1
    assert edits("стол", "голосование", 2) == 3


def test_a_club_adds_its_words(tmp_path: Path) -> None:
    own = tmp_path / "lexicon.toml"
    own.write_text(
        '[[rule]]\ncue = "night"\nsay = ["гасим свет"]\nlikelihood = 0.9\n'
        '[[alias]]\nmeans = "пас"\nheard = ["квас"]\np = 0.9\n',
        encoding="utf-8",
    )
    said = transcript("Гасим свет.", "Спасибо, квас.")
    assert cues_of(said) == () or CueKind.NIGHT not in {c.kind for c in cues_of(said)}
    found = cues_of(said, lexicon=own)
    assert [c.kind for c in found] == [CueKind.NIGHT, CueKind.FLOOR_END]


@pytest.mark.parametrize(
    "content",
    [
        "[[rule",
        '[[rule]]\ncue = "nothing"\nsay = []',
        '[[rule]]\ncue = "night"\nsay = ["(а"]',
        '[[rule]]\nsay = ["а"]',
    ],
)
def test_a_broken_club_lexicon_is_a_sentence(tmp_path: Path, content: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=r"own\.toml"):
        cues_of(transcript("Ночь."), lexicon=own)


def test_a_judges_phrase_in_a_players_voice_is_believed_less() -> None:
    judge = cues_of(transcript("Наступает ночь.", speaker={"judge": 0.95}))[0]
    player = cues_of(transcript("Наступает ночь.", speaker={4: 0.95, "judge": 0.03}))[0]
    assert player.likelihood < 0.5 < judge.likelihood
    assert judge.speaker == {"judge": 0.95}


def test_a_quoted_nomination_by_the_judge_is_believed_less() -> None:
    seat = cues_of(transcript("Выставляю пятого.", speaker={2: 0.9}))[0]
    judge = cues_of(transcript("Выставляю пятого.", speaker={"judge": 0.95}))[0]
    assert judge.likelihood < seat.likelihood


def test_a_threat_by_a_player_is_no_sentence_by_the_judge() -> None:
    """«Поражение команды»: from the judge a penalty, from a player a threat."""
    judge = cues_of(transcript("Поражение команды.", speaker={"judge": 0.95}))
    seat = cues_of(transcript("Дождётесь поражения команды.", speaker={3: 0.95}))
    assert [c.kind for c in judge] == [CueKind.TEAM_DEFEAT]
    assert [(c.kind, c.detail["phrase"]) for c in seat] == [(CueKind.HINT, "team_defeat")]


def test_a_repeated_number_accepts_though_the_word_is_lost() -> None:
    """«Номер три» right after a nomination is the judge's answer; much later it is not."""
    said = transcript("Выставляю номер три.", "Номер три в инии.")
    assert [(c.kind, c.number()) for c in cues_of(said)] == [(CueKind.NOMINATION, 3), (CueKind.ACCEPTED, 3)]
    refused = transcript("Выставляю номер три.", "Номер три не принят.")
    assert CueKind.ACCEPTED not in {c.kind for c in cues_of(refused) if c.likelihood >= 0.5}
    late = transcript("Выставляю номер три.", "Номер три в инии.", gap=8.0)
    assert CueKind.ACCEPTED not in {c.kind for c in cues_of(late)}
