"""How well the table was heard: cues against a truth file, kind by kind, before any help of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.speech.morphology import plain
from mafiavar.analyzer.transcript import Transcript

TOLERANCE: Micros = SECOND
"""A cue is right anywhere in the truth's span widened by this on both sides."""

BELIEVED = 0.5
"""Likelihood from which a cue counts as found."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What the truth says was uttered: a kind, its numbers (None: not compared), a span."""

    kind: CueKind
    span: Span
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """One kind's result. Times in seconds: absolute errors of the end of the cue."""

    truth: int
    found: int
    matched: int
    end_errors: tuple[float, ...]

    @property
    def precision(self) -> float:
        return self.matched / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.matched / self.truth if self.truth else 1.0

    @property
    def f1(self) -> float:
        total = self.found + self.truth
        return 2 * self.matched / total if total else 1.0

    @property
    def end_median(self) -> float | None:
        return median(self.end_errors) if self.end_errors else None

    def __add__(self, other: Score) -> Score:
        return Score(
            self.truth + other.truth,
            self.found + other.found,
            self.matched + other.matched,
            self.end_errors + other.end_errors,
        )


@dataclass(frozen=True, slots=True)
class Pairing:
    """Cues and expectations put together: pairs, misses and false ones, in order of time."""

    pairs: tuple[tuple[Expected, Cue], ...]
    missed: tuple[Expected, ...]
    false: tuple[Cue, ...]


_FOULS = {
    "warning": CueKind.WARNING,
    "foul": CueKind.FOUL,
    "technical": CueKind.TECHNICAL,
    "technical_big": CueKind.TECHNICAL,
    "removal": CueKind.REMOVAL,
    "team_defeat": CueKind.TEAM_DEFEAT,
}
_PLAIN = {
    "night_began": CueKind.NIGHT,
    "negotiation_began": CueKind.NEGOTIATION,
    "negotiation_ended": CueKind.NEGOTIATION_END,
    "free_seating_began": CueKind.FREE_SEATING,
    "day_began": CueKind.DAY,
    "floor_ended": CueKind.FLOOR_END,
    "vote_opened": CueKind.VOTE_OPEN,
    "vote_closed": CueKind.VOTE_STOP,
    "lift_called": CueKind.LIFT_CALL,
    "shooting_began": CueKind.SHOOTING,
    "game_ended": CueKind.GAME_END,
}
_NUMBERED = {
    "vote_called": (CueKind.VOTE_CALL, "target"),
    "vote_announced": (CueKind.VOTE_COUNT, "count"),
    "lift_result": (CueKind.VOTE_COUNT, "yes"),
    "nomination_withdrawn": (CueKind.WITHDRAWAL, "target"),
}


def expected(truth: Mapping[str, Any]) -> tuple[Expected, ...]:
    """What must be heard, from `events` of a `mafiavar/truth@1` (clipped ones left out)."""
    found: list[Expected] = []
    for event in truth["events"]:
        if event.get("clipped"):
            continue
        span = Span.of(event["t0"], event["t1"])
        found += [Expected(kind, span, number) for kind, number in _meaning(event)]
        if event["kind"] == "nominated" and event.get("accepted"):
            found += [Expected(CueKind.ACCEPTED, s) for s in _answer(truth["speech"], event)]
    unique = dict.fromkeys(found)
    return tuple(sorted(unique, key=lambda e: (e.span, e.kind, e.number or 0)))


def _meaning(event: Mapping[str, Any]) -> list[tuple[CueKind, int | None]]:
    kind = event["kind"]
    if kind in _PLAIN:
        return [(_PLAIN[kind], None)]
    if kind in _NUMBERED:
        cue, number = _NUMBERED[kind]
        return [(cue, event.get(number))]
    match kind:
        case "floor_given" if event.get("purpose") == "protocol":
            return [(CueKind.PROTOCOL_RIGHT, None)]
        case "floor_given":
            return [(CueKind.FLOOR, event["seat"])]
        case "nominated":
            return [] if event.get("reason") == "tense" else [(CueKind.NOMINATION, event["target"])]
        case "night_result":
            killed = event.get("killed")
            return [(CueKind.KILLED, killed) if killed else (CueKind.MISS, None)]
        case "eliminated" if event.get("by") in ("vote", "lift"):
            return [(CueKind.LEAVES, event["seats"][0])]
        case "foul":
            return [(_FOULS[event["level"]], event["seat"])] if event.get("level") in _FOULS else []
        case "best_move":
            return [(CueKind.BEST_MOVE, None)]
    return []


def _answer(speech: Sequence[Mapping[str, Any]], event: Mapping[str, Any]) -> list[Span]:
    """The judge's next sentence within four seconds of an accepted nomination."""
    for line in speech:
        if line["speaker"] == "judge" and event["t1"] - 0.1 <= line["t0"] <= event["t1"] + 4:
            return [Span.of(line["t0"], line["t1"])] if "рин" in line["text"] else []
    return []


def pair(cues: Iterable[Cue], truth: Iterable[Expected], kinds: frozenset[CueKind] | None = None) -> Pairing:
    """One cue for one expectation, the nearest in time first; a wrong number is a miss and a false one."""
    believed = [one for c in cues if _counts(c) and (kinds is None or c.kind in kinds) for one in _each(c)]
    wanted = [e for e in truth if kinds is None or e.kind in kinds]
    options = sorted(
        (abs(c.span.middle - e.span.middle), i, j)
        for i, e in enumerate(wanted)
        for j, c in enumerate(believed)
        if _fits(e, c)
    )
    left, right = set(range(len(wanted))), set(range(len(believed)))
    pairs = []
    for _, i, j in options:
        if i in left and j in right:
            left.remove(i)
            right.remove(j)
            pairs.append((wanted[i], believed[j]))
    return Pairing(
        tuple(sorted(pairs, key=lambda p: (p[0].span, p[0].kind))),
        tuple(wanted[i] for i in sorted(left)),
        tuple(believed[j] for j in sorted(right)),
    )


def _each(cue: Cue) -> tuple[Cue, ...]:
    """«Выставляю три, пять и семь» is three nominations in one cue."""
    if cue.kind is not CueKind.NOMINATION or len(cue.numbers) < 2:
        return (cue,)
    return tuple(replace(cue, numbers=(n,)) for n in cue.numbers)


def _counts(cue: Cue) -> bool:
    if cue.kind is CueKind.NOMINATION and cue.detail.get("tense") != "present":
        return False
    return cue.likelihood >= BELIEVED


# Said another way: «Остальные в номер два» calls the last candidate, «Переголосование» opens a vote,
# «Принято. Один, пять, девять» ends the word of a best move.
_ALSO = {
    CueKind.VOTE_CALL: CueKind.VOTE_REMAINDER,
    CueKind.VOTE_OPEN: CueKind.REVOTE,
    CueKind.FLOOR_END: CueKind.BEST_MOVE_READBACK,
}


def _same_kind(kind: CueKind, cue: CueKind) -> bool:
    return kind is cue or cue is _ALSO.get(kind)


def _fits(wanted: Expected, cue: Cue) -> bool:
    if not _same_kind(wanted.kind, cue.kind) or not (wanted.span.widened(TOLERANCE) & cue.span):
        return False
    return wanted.number is None or cue.number() == wanted.number


# Repeated announcements of one thing are not false: «Ночь. Наступает ночь», «Голосуем в этом порядке».
_MAY_REPEAT = frozenset(
    {CueKind.NIGHT, CueKind.DAY, CueKind.VOTE_OPEN, CueKind.SHOOTING, CueKind.FLOOR_END, CueKind.ACCEPTED}
)


def scores(cues: Sequence[Cue], truth: Mapping[str, Any]) -> dict[CueKind, Score]:
    """A score for every kind that the truth has."""
    wanted = expected(truth)
    cues = [c for c in cues if not (c.kind is CueKind.VOTE_STOP and _closes_lift(c, truth["events"]))]
    kinds = sorted({e.kind for e in wanted})
    made: dict[CueKind, Score] = {}
    for kind in kinds:
        made[kind] = _score(kind, pair(cues, wanted, kinds_of(kind)))
    return made


def _closes_lift(cue: Cue, events: Sequence[Mapping[str, Any]]) -> bool:
    """The truth has no event for the end of a lift ballot: such a «спасибо» is neither right nor wrong."""
    starts = [e["t1"] for e in events if e["kind"] == "lift_called"]
    ends = [e["t0"] for e in events if e["kind"] == "lift_result"]
    return any(a <= cue.span.middle / SECOND <= b for a, b in zip(starts, ends, strict=False))


def kinds_of(kind: CueKind) -> frozenset[CueKind]:
    """The kind and what counts as it."""
    return frozenset({kind, _ALSO.get(kind, kind)})


def _score(kind: CueKind, pairing: Pairing) -> Score:
    false = [c for c in pairing.false if not (kind in _MAY_REPEAT and _repeats(c, pairing))]
    errors = tuple(abs(c.span.t1 - e.span.t1) / SECOND for e, c in pairing.pairs)
    n = len(pairing.pairs)
    return Score(n + len(pairing.missed), n + len(false), n, errors)


def _repeats(cue: Cue, pairing: Pairing) -> bool:
    return any(e.span.widened(TOLERANCE) & cue.span for e, _ in pairing.pairs)


@dataclass(frozen=True, slots=True)
class Share:
    """`right` of `of`, with Wilson's 95 % interval."""

    right: int
    of: int

    @property
    def value(self) -> float:
        return self.right / self.of if self.of else 1.0

    @property
    def interval(self) -> tuple[float, float]:
        """
        >>> Share(9, 10).interval
        (0.596, 0.982)
        """
        if not self.of:
            return 0.0, 1.0
        z, p, n = 1.96, self.value, self.of
        middle, half = p + z * z / (2 * n), z * ((p * (1 - p) + z * z / (4 * n)) / n) ** 0.5
        scale = 1 + z * z / n
        return round((middle - half) / scale, 3), round((middle + half) / scale, 3)

    def __add__(self, other: Share) -> Share:
        return Share(self.right + other.right, self.of + other.of)


def speaker_shares(transcript: Transcript, truth: Mapping[str, Any]) -> dict[str, Share]:
    """Utterances of the truth whose words were given to the right speaker, by length; utterances of
    which no word was heard are not counted here (they are missed words, not wrong voices)."""
    shares = {"under_0.6": Share(0, 0), "0.6_to_1": Share(0, 0), "over_1": Share(0, 0)}
    words = transcript.words
    for line in truth["speech"]:
        span = Span.of(line["t0"], line["t1"])
        weights: dict[Any, float] = {}
        for word in words:
            if word.span.middle in span:
                for speaker, p in word.speaker.items():
                    weights[speaker] = weights.get(speaker, 0.0) + p * word.span.duration
        if not weights:
            continue
        best = max(weights, key=lambda s: weights[s])
        seconds = span.duration / SECOND
        name = "under_0.6" if seconds < 0.6 else "0.6_to_1" if seconds < 1 else "over_1"
        shares[name] += Share(int(best == line["speaker"]), 1)
    return shares


@dataclass(frozen=True, slots=True)
class Interjected:
    """Interjections: found ones of the truth's, right seats among those, false ones, seconds heard."""

    found: Share
    seat: Share
    false: int
    seconds: float

    @property
    def false_per_ten_minutes(self) -> float:
        return self.false / max(self.seconds, 1e-9) * 600


def interjected(transcript: Transcript, truth: Mapping[str, Any]) -> Interjected:
    """Against the truth's flags `speech_out_of_turn`; found: by a voice or by words given to a seat
    that did not have the floor."""
    wanted = [f for f in truth["flags"] if f["kind"] == "speech_out_of_turn"]
    heard = [s for s in transcript.sounds if s.kind == "interjection" and "judge" not in s.speaker]
    found = right = 0
    used: set[int] = set()
    for flag in wanted:
        span = Span.of(flag["t0"], flag["t1"]).widened(SECOND // 4)
        hits = [i for i, s in enumerate(heard) if s.span & span]
        used |= set(hits)
        seats = [max(heard[i].speaker.items(), key=lambda kv: kv[1])[0] for i in hits]
        seats += [
            w.best_speaker()[0]
            for w in transcript.words
            if w.span.middle in span and w.best_speaker()[0] == flag["seat"]
        ]
        found += bool(seats)
        right += flag["seat"] in seats
    false = [s for i, s in enumerate(heard) if i not in used and not _many_voices(s.span, truth)]
    return Interjected(Share(found, len(wanted)), Share(right, found), len(false), float(truth["duration"]))


def _many_voices(span: Span, truth: Mapping[str, Any]) -> bool:
    """Two speakers of the truth talk within the span (the judge's answer to an interjection)."""
    return len({x["speaker"] for x in truth["speech"] if Span.of(x["t0"], x["t1"]) & span}) > 1


def word_error_rate(transcript: Transcript, truth: Mapping[str, Any]) -> float:
    """Word edits per word of the truth, in order of time (overlapped speech counts against it)."""
    heard = [plain(w.text) for w in transcript.words if plain(w.text)]
    lines = sorted(truth["speech"], key=lambda line: line["t0"])
    said = [plain(w) for line in lines for w in line["text"].split() if plain(w)]
    row = list(range(len(heard) + 1))
    for i, word in enumerate(said, 1):
        previous, row = row, [i]
        for j, other in enumerate(heard, 1):
            row.append(min(previous[j] + 1, row[-1] + 1, previous[j - 1] + (word != other)))
    return row[-1] / max(len(said), 1)


CALIBRATION_STEPS = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1.01)


def calibration(cues: Sequence[Cue], truth: Mapping[str, Any]) -> list[tuple[float, Share]]:
    """How many cues of each likelihood were right: (mean likelihood, share right) per step. Only
    kinds that the truth speaks about."""
    wanted = expected(truth)
    kinds = {e.kind for e in wanted}
    rows = []
    low = 0.0
    for high in CALIBRATION_STEPS:
        some = [
            c
            for c in cues
            if c.kind in kinds
            and low <= c.likelihood < high
            and not (c.kind is CueKind.NOMINATION and c.detail.get("tense") != "present")
        ]
        right = sum(any(_fits(e, c) for e in wanted) for c in some)
        if some:
            rows.append((round(sum(c.likelihood for c in some) / len(some), 3), Share(right, len(some))))
        low = high
    return rows
