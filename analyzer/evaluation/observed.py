"""What a recording would give the analyzer, made from its truth: words, hands, masks, postures.

Nothing is rendered or recognised. With `PERFECT` senses every word, hand and posture of the truth
arrives as it is: what then goes wrong is the fault of grammar, alignment and flags. With `MEASURED`
senses things are lost and mistaken as often as was measured (docs/accuracy.md); what was not
measured (false night departures, invented words) is not imitated.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from mafiavar.analyzer.cue import Cue, CueKind, Speaker
from mafiavar.analyzer.evaluation.spoken import spoken
from mafiavar.analyzer.span import Micros, Span, micros
from mafiavar.analyzer.speech import cues_of
from mafiavar.analyzer.speech.numerals import number_of
from mafiavar.analyzer.transcript import Sound, Transcript, Utterance, Word
from mafiavar.analyzer.vision.question import (
    Answer,
    Contact,
    HandForm,
    Question,
    QuestionKind,
    SeatHands,
    Tell,
)

Truth = Mapping[str, Any]
_BEFORE_WORD, _PER_LETTER, _GAP = 0.12, 0.055, 0.03
_NUMERALS = ("один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "десять")
_READ = frozenset({
    CueKind.HINT, CueKind.ASKED_NOMINATIONS, CueKind.ADDRESS_TO_JUDGE, CueKind.KNOCK, CueKind.INTERJECTION,
    CueKind.PROTOCOL_ENTRY, CueKind.VOTE_DEMAND, CueKind.BEST_MOVE_READBACK, CueKind.MUSIC, CueKind.TIME_WARNING,
    CueKind.DON_WAKES, CueKind.DON_SLEEPS, CueKind.SHERIFF_WAKES, CueKind.SHERIFF_SLEEPS, CueKind.SHOOTING_END,
    CueKind.HANDS_DOWN,
})  # fmt: skip
"""Cues that stand for no event of their own: they are read in the words."""
_SURE = 0.97
"""A right voice: nine of ten runs were surer."""
_BREATH = 1.0
"""Seconds of silence that end a run of one voice."""
_SHOW = 0.05
"""Least length of a stretch worth telling, seconds."""


@dataclass(frozen=True, slots=True)
class Senses:
    """How much of the truth arrives. Shares unless said otherwise.

    `overlapped`: lines said into another's speech that are heard; `broke_in`: lines of players among
    those not heard that are still told clearly as a voice, the right seat's and a wrong one's; `alone`:
    other lines heard;
    `numeral`: numerals heard as another; `border`: standard deviation of word borders, seconds;
    `voice`: right speakers of lines over 1 s, 0.6-1 s, shorter; `hand_unseen` / `table_unseen`: seats
    of a ballot that cannot be told, with and without a hand; `contact`: standard deviation of
    contact times, seconds; `form`: forms told; `mask`, `head`, `arms`: departures found; `by_day`:
    masks and empty chairs of the day found; `touch`: hands on neighbours found; `held`: masks held to the face found;
    `knock`: hard knocks that are heard and seen.
    """

    overlapped: float = 1.0
    broke_in: tuple[float, float] = (0.0, 0.0)
    alone: float = 1.0
    numeral: float = 0.0
    border: float = 0.0
    voice: tuple[float, float, float] = (1.0, 1.0, 1.0)
    hand_unseen: float = 0.0
    table_unseen: float = 0.0
    contact: float = 0.0
    form: float = 1.0
    mask: float = 1.0
    head: float = 1.0
    arms: float = 1.0
    by_day: float = 1.0
    touch: float = 1.0
    held: float = 1.0
    knock: float = 1.0


PERFECT = Senses()
MEASURED = Senses(
    overlapped=0.20, broke_in=(0.38, 0.05), alone=0.96, numeral=0.05, border=0.10,
    voice=(0.978, 0.909, 0.851), hand_unseen=0.22,
    table_unseen=0.35, contact=0.01, form=0.80, mask=0.58, head=0.86, arms=0.86, by_day=0.67, touch=0.33,
    held=0.34, knock=0.59,
)  # fmt: skip
"""docs/accuracy.md, Hearing (g610180; `broke_in`: 8 and 1 of 21 interjections of the fitting recordings) and
Seeing (votes of ten casts: 114 of 529 hands, hidden ones among them, and 258 of 743 empty places cannot be
told); Nights (spells without the mask 15 of 26, departures of heads and arms 19 of 22, by day 4 of 6; hands on
neighbours 2 of 10 by night, 4 of 8 by day; `held`: 52 of 154 stills of models/heads/card.md); Flags
(knocks: 30 of 41 heard in speech, 22 of 27 seen). `voice`: runs of words of one voice
(tests/accuracy/voice_runs.py) in g4870, g4875, g610180 and dev_excerpt, right of all by length: 400 of 409
over 1 s, 60 of 66, 40 of 47."""
_MISTAKEN: tuple[tuple[tuple[Speaker | Literal["seat"], float], ...], ...] = (
    (
        ("unknown", 0.39), ("unknown", 0.96), ("unknown", 0.99), ("unknown", 1.0),
        ("judge", 0.58), ("judge", 1.0), ("judge", 1.0), ("judge", 1.0), ("seat", 0.9),
    ),
    (("seat", 0.7), ("seat", 0.77), ("seat", 0.79), ("seat", 0.98), ("seat", 1.0), ("judge", 0.94)),
    (
        ("unknown", 0.17), ("unknown", 0.2), ("unknown", 0.21), ("unknown", 0.64),
        ("judge", 0.95), ("seat", 0.82), ("seat", 0.89),
    ),
)  # fmt: skip
"""Whom the wrong runs were given to, and how surely: over 1 s, 0.6-1 s, shorter."""


@dataclass(frozen=True, slots=True)
class Observer:
    """A truth seen through `senses`; the same seed gives the same observations."""

    truth: Truth
    senses: Senses = PERFECT
    seed: int = 0

    # ---- hearing --------------------------------------------------------------------------------
    def transcript(self) -> Transcript:
        """The words, with their speakers, knocks as the sound stage gives them (nobody's), and voices of
        which no word was heard."""
        dice = random.Random(f"{self.seed} words")
        lines = sorted(self.truth.get("speech", ()), key=lambda line: (line["t0"], line["t1"]))
        voices = [voice for run in _runs(lines) for voice in self._voices(run, dice)]
        heard = [(x, self._line(x, who, dice)) for x, who in voices]
        utterances = [u for _, u in heard if u is not None]
        utterances.sort(key=lambda u: (u.span.t0, u.span.t1))
        music = tuple(_span(m) for m in self.truth.get("music", ()))
        knocks = tuple(Sound("knock", _span(k), 0.5) for k in self.truth.get("knocks", ()))
        broke_in = self._broke_in([x for x, u in heard if u is None and x.get("overlaps")])
        return Transcript(tuple(utterances), music, (), (*knocks, *broke_in))

    def _broke_in(self, lost: Sequence[Truth]) -> Iterator[Sound]:
        dice = random.Random(f"{self.seed} broke in")
        right, wrong = self.senses.broke_in
        for line in lost:
            chance, other = dice.random(), dice.randrange(1, 10)
            seat = line["speaker"]
            if isinstance(seat, int) and chance < right + wrong:
                who = seat if chance < right else 1 + (seat - 1 + other) % 10
                yield Sound("interjection", _span(line), 0.9, {who: 0.9})

    def _line(self, line: Truth, who: Mapping[Speaker, float], dice: random.Random) -> Utterance | None:
        heard = self.senses.overlapped if line.get("overlaps") else self.senses.alone
        lost = dice.random() >= heard
        words = []
        for text, t0, t1 in _spread(str(line["text"]), float(line["t0"]), float(line["t1"])):
            number = number_of(text.strip(' .,!?:;«»"—-№').lower())
            wrong = number is not None and dice.random() < self.senses.numeral
            said = dice.choice(_NUMERALS) if wrong else text
            a, b = t0 + dice.gauss(0, self.senses.border), t1 + dice.gauss(0, self.senses.border)
            a = max(a, 0.0)
            words.append(Word(said, Span.of(a, max(a + 0.02, b)), 0.95, who))
        return None if lost or not words else Utterance(_in_order(words))

    def _voices(
        self, run: Sequence[Truth], dice: random.Random
    ) -> Iterator[tuple[Truth, Mapping[Speaker, float]]]:
        """Whose the lines of one voice are heard to be: where one is mistaken, it is one line of them."""
        length = float(run[-1]["t1"]) - float(run[0]["t0"])
        mistaken = self._speaker(run[0]["speaker"], length, dice)
        at = dice.randrange(len(run))
        for i, line in enumerate(run):
            true: Speaker = line["speaker"]
            yield line, mistaken if i == at else {true: _SURE}

    def _speaker(self, true: Speaker, length: float, dice: random.Random) -> Mapping[Speaker, float]:
        kind = 0 if length > 1.0 else 1 if length >= 0.6 else 2
        if dice.random() < self.senses.voice[kind]:
            return {true: _SURE}
        taken, p = dice.choice(_MISTAKEN[kind])
        others: list[Speaker] = [s for s in range(1, 11) if s != true]
        wrong: Speaker = dice.choice(others) if taken == "seat" else taken
        if wrong == true:
            wrong = dice.choice(others)
        return {wrong: p, true: round(0.9 * (1 - p), 4)}

    def cues(self, transcript: Transcript) -> list[Cue]:
        """The cues of the truth's events, each heard for certain, and what the grammar reads in the words
        beside them (hints, questions to the judge, knocks, interjections)."""
        events = [
            self._counted(c) for c in spoken([dict(e) for e in self.truth["events"]]) if c.kind not in _READ
        ]
        read = [c for c in cues_of(transcript) if c.kind in _READ]
        return sorted([*events, *read], key=lambda c: (c.span.t0, c.span.t1))

    def _counted(self, cue: Cue) -> Cue:
        """A foul with the ordinal that its words name."""
        if cue.kind is not CueKind.FOUL:
            return cue
        said = " ".join(
            line["text"].lower()
            for line in self.truth.get("speech", ())
            if line["speaker"] == "judge" and _span(line) & cue.span
        )
        number = next((n for stem, n in (("втор", 2), ("трет", 3), ("четв", 4)) if stem in said), None)
        return replace(cue, detail={**cue.detail, "ordinal": number}) if number else cue

    # ---- seeing ---------------------------------------------------------------------------------
    def hands(self, questions: Sequence[Question]) -> tuple[SeatHands, ...]:
        """The answers to HANDS questions."""
        dice = random.Random(f"{self.seed} hands")
        return tuple(
            self._seat_hands(seat, q.window, dice)
            for q in questions
            if q.kind is QuestionKind.HANDS
            for seat in q.seats
        )

    def _seat_hands(self, seat: int, window: Span, dice: random.Random) -> SeatHands:
        mine = [
            h
            for h in self.truth.get("hands", ())
            if h["seat"] == seat and h.get("on_table", True) and _span(h) & window
        ]
        if dice.random() < (self.senses.hand_unseen if mine else self.senses.table_unseen):
            return SeatHands(seat, window, (), (), 0.9, "hidden")
        contacts = tuple(c for h in mine if (c := self._contact(h, window, dice)) is not None)
        return SeatHands(seat, window, contacts, (window,), 0.02)

    def _contact(self, hand: Truth, window: Span, dice: random.Random) -> Contact | None:
        form: HandForm = hand["form"] if dice.random() < self.senses.form else "unknown"
        shift = micros(dice.gauss(0, self.senses.contact)), micros(dice.gauss(0, self.senses.contact))
        t0, t1 = micros(hand["t0"]) + shift[0], micros(hand["t1"]) + shift[1]
        inside = Span(t0, max(t0, t1)) & window
        if inside is None:
            return None
        return Contact(
            int(hand["seat"]), inside, hand["hand"], form, 0.97, t0 < window.t0, t1 > window.t1
        )  # fmt: skip

    def asked(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        """The answers to MASK, POSTURE and NUMBER questions: what the pipeline is given today."""
        dice = random.Random(f"{self.seed} night")
        others = random.Random(f"{self.seed} held")
        out: list[Answer] = []
        for q in questions:
            for seat in q.seats:
                if q.kind is QuestionKind.MASK:
                    off = self._unmasked(seat, q.window)
                    out += _kept(off, QuestionKind.MASK, seat, "off", self.senses.mask, dice)
                    held = self._postures(seat, "mask_held", q.window)
                    out += _kept(held, QuestionKind.MASK, seat, "held", self.senses.held, others)
                elif q.kind is QuestionKind.POSTURE:
                    for state, share in (("head_up", self.senses.head), ("arms_down", self.senses.arms)):
                        spans = self._postures(seat, state, q.window)
                        out += _kept(spans, QuestionKind.POSTURE, seat, state, share, dice)
                elif q.kind is QuestionKind.NUMBER:
                    out += [
                        Answer(QuestionKind.NUMBER, seat, Tell.YES, 0.97, _span(s), int(s["number"]))
                        for s in self.truth.get("signs", ())
                        if s["seat"] == seat and _span(s) & q.window
                    ]
        return tuple(out)

    def by_day(self, nights: Sequence[Span]) -> tuple[Answer, ...]:
        """Masks on the eyes by day and chairs that are left, as the key frames of the day show them, and whose
        hand knocked."""
        dice = random.Random(f"{self.seed} day")
        out: list[Answer] = []
        for a in self.truth.get("away", ()):
            if dice.random() < self.senses.by_day:
                out.append(Answer(QuestionKind.PRESENCE, a["seat"], Tell.NO, 0.97, _span(a)))
        for m in self.truth.get("masks", ()):
            if not any(_span(m) & n for n in nights) and dice.random() < self.senses.by_day:
                out.append(_yes(QuestionKind.MASK, m["seat"], _span(m), "eyes"))
        for k in self.truth.get("knocks", ()):
            if dice.random() < self.senses.knock:
                out.append(_yes(QuestionKind.GESTURE, k["seat"], _span(k), "knock"))
        return tuple(out)

    def touches(self) -> tuple[Answer, ...]:
        """Hands on neighbours, by night and from the key frames of the day."""
        dice = random.Random(f"{self.seed} touch")
        touching = (p for p in self.truth.get("posture", ()) if p["state"] == "touching")
        return tuple(
            _yes(QuestionKind.POSTURE, p["seat"], _span(p), "touching")
            for p in touching
            if dice.random() < self.senses.touch
        )

    def undelivered(self) -> tuple[Answer, ...]:
        """Answers the flags understand but no part of the pipeline gives: strong gestures."""
        return tuple(
            _yes(QuestionKind.GESTURE, g["seat"], _span(g), "strong") for g in self.truth.get("gestures", ())
        )

    def _unmasked(self, seat: int, window: Span) -> Iterator[Span]:
        """Where in the window the eyes are free."""
        t = window.t0
        on = sorted(s for m in self.truth.get("masks", ()) if m["seat"] == seat and (s := _span(m) & window))
        for span in on:
            if span.t0 > t:
                yield Span(t, span.t0)
            t = max(t, span.t1)
        if t < window.t1:
            yield Span(t, window.t1)

    def _postures(self, seat: int, state: str, window: Span) -> Iterator[Span]:
        for p in self.truth.get("posture", ()):
            inside = _span(p) & window
            if p["seat"] == seat and p["state"] == state and inside is not None:
                yield inside


def _runs(lines: Sequence[Truth]) -> list[list[Truth]]:
    """Lines that one voice says one after the other, less than a second apart."""
    runs: list[list[Truth]] = []
    for line in lines:
        last = runs[-1][-1] if runs else None
        if last and last["speaker"] == line["speaker"] and line["t0"] - last["t1"] < _BREATH:
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def _span(item: Truth) -> Span:
    return Span.of(float(item["t0"]), float(item["t1"]))


def _yes(kind: QuestionKind, seat: int, span: Span, value: str) -> Answer:
    return Answer(kind, int(seat), Tell.YES, 0.97, span, value)


def _kept(
    spans: Iterator[Span], kind: QuestionKind, seat: int, value: str, share: float, dice: random.Random
) -> list[Answer]:
    return [
        _yes(kind, seat, s, value) for s in spans if s.duration >= micros(_SHOW) and dice.random() < share
    ]


def _spread(text: str, t0: float, t1: float) -> Iterator[tuple[str, float, float]]:
    """The words of a sentence over its time, by their letters."""
    words = text.split()
    lengths = [_BEFORE_WORD + _PER_LETTER * len(w) for w in words]
    scale, t = (t1 - t0) / max(sum(lengths), 1e-9), t0
    for word, length in zip(words, lengths, strict=True):
        yield word, t, t + scale * (length - _GAP)
        t += scale * length


def _in_order(words: Sequence[Word]) -> tuple[Word, ...]:
    """Blurred borders must not let words overtake each other."""
    out: list[Word] = []
    last: Micros = 0
    for word in words:
        t0 = max(word.span.t0, last)
        out.append(replace(word, span=Span(t0, max(word.span.t1, t0 + 10_000))))
        last = t0
    return tuple(out)
