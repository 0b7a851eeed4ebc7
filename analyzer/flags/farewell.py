"""Best moves and protocols: what is said beside the numbers, read back wrongly, said too early; shouts
between the break at ten players and the best move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.cue import CueKind
from mafiavar.analyzer.flags.flag import Flag, Maker
from mafiavar.analyzer.flags.speech import Floor, day_at, floors_of, voices_of
from mafiavar.analyzer.span import SECOND, Micros, Span, seconds
from mafiavar.analyzer.speech.numerals import distribution, number_of
from mafiavar.analyzer.timeline import TimelineEvent
from mafiavar.analyzer.transcript import Transcript, Word
from mafiavar.analyzer.vision.question import Answer, QuestionKind, Tell

_READ_BACK: Micros = 12 * SECOND
_LONGEST: Micros = 25 * SECOND
_ENTRY_AFTER: Micros = 6 * SECOND
_COLOURS = ("красн", "черн", "шериф", "дон", "мафи", "мирн")
_BORDERS = (CueKind.FLOOR, CueKind.DAY, CueKind.NIGHT, CueKind.PROTOCOL_RIGHT, CueKind.KILLED)
_FORMULA = frozenset({
    "игрок", "игрока", "игроки", "номер", "номера", "лучший", "лучшем", "ход", "ходе",
    "хода", "мой", "моя", "мои", "моем", "в", "и", "это", "этот",
    "вот", "пусть", "будет", "будут", "записывайте", "запишите", "пишите", "тройка", "тройку",
    "черная", "черных", "черные", "такой", "такая", "так", "следующие", "значит", "господин",
    "госпожа", "судья", "мафия", "спасибо", "все", "пас", "ну", "да",
})  # fmt: skip
"""Words that announce or close the three numbers and carry nothing of the game (4.8.2)."""


def flags_of_farewell(
    alignment: Alignment, transcript: Transcript, answers: Sequence[Answer], make: Maker
) -> Iterator[Flag | None]:
    floors = floors_of(alignment)
    moves = moves_of(alignment, transcript, floors)
    yield from _readback(alignment, transcript, make)
    yield from _talk(transcript, moves, make)
    yield from _early_protocol(transcript, floors, make)
    yield from _shouts(alignment, moves, transcript, answers, make)


def bare(text: str) -> str:
    """A word as it is compared: small letters, no marks, е for ё."""
    return text.strip(' .,!?:;«»"—-–…№()').lower().replace("ё", "е")


# ---- the best move ------------------------------------------------------------------------------
def _readback(alignment: Alignment, transcript: Transcript, make: Maker) -> Iterator[Flag | None]:
    """The judge repeats other numbers than were said (both heard surely enough)."""
    for said in alignment.timeline.of_kind("best_move"):
        targets = [int(t) for t in said.fields["targets"]]
        words = _judges_answer(alignment, transcript, said)
        repeated = [n for w in words if (n := number_of(bare(w.text))) is not None]
        numbers = [n for n, _ in repeated]
        if said.basis == "inferred" or len(numbers) != 3 or sorted(numbers) == sorted(targets):
            continue
        span = Span(words[0].span.t0, words[-1].span.t1)
        heard = min(w.probability for w in words if number_of(bare(w.text)) is not None)
        yield make.flag(
            "best_move_readback",
            span,
            said.day,
            min(heard, said.confidence) * (1 - min(1.0, 3 * _misheard(numbers, targets))),
            seats=(int(said.fields["seat"]),),
            params={"seat": said.fields["seat"], "said": targets, "repeated": numbers},
            doubts=(("numerals", {}),),
            words=((span, " ".join(w.text for w in words)),),
        )


def _judges_answer(alignment: Alignment, transcript: Transcript, said: TimelineEvent) -> list[Word]:
    """The judge's words after the numbers, from «принято» or the first number to the next announcement."""
    border = min(
        (c.span.t0 for c in alignment.cues if c.kind in _BORDERS and c.span.t0 > said.span.t1),
        default=alignment.duration,
    )
    window = Span(said.span.t1, max(said.span.t1, min(border, said.span.t1 + _READ_BACK)))
    words = [
        w for w in transcript.words if w.span.t0 in window and w.span.t0 < border and w.best_speaker()[0] == "judge"
    ]  # fmt: skip
    start = next(
        (
            i
            for i, w in enumerate(words)
            if bare(w.text).startswith("принят") or number_of(bare(w.text)) is not None
        ),
        len(words),
    )
    return words[start:]


def _misheard(numbers: Sequence[int], targets: Sequence[int]) -> float:
    """How likely the recogniser turned the same numbers into these: of the differing ones, in the
    kindest pairing."""
    left = [t for t in targets if t not in numbers]
    wrong = [n for n in numbers if n not in targets]
    p = 1.0
    for n in wrong:
        alike = distribution(n, 0.8)
        best = max((alike.get(t, 0.0) for t in left), default=0.0)
        p *= best
    return p


@dataclass(frozen=True, slots=True)
class Move:
    """A best move being said: whose, from when, until when at most, how sure it is that it was one."""

    seat: int
    start: Micros
    until: Micros
    day: int
    confidence: float


def moves_of(alignment: Alignment, transcript: Transcript, floors: Sequence[Floor]) -> list[Move]:
    """The floors of best moves; best moves whose floor was not heard being given; and the judge's
    «номер восемь, лучший ход» where neither stands in the timeline."""
    out = [
        Move(f.seat, f.given.span.t1, f.span.t1, f.given.day, f.given.confidence)
        for f in floors
        if f.purpose == "best_move"
    ]
    for said in alignment.timeline.of_kind("best_move"):
        if not any(m.start - SECOND <= said.span.t0 <= m.until for m in out):
            until = _next_border(alignment, said.span.t1)
            out.append(Move(int(said.fields["seat"]), said.span.t0, until, said.day, said.confidence))
    for seat, span, p in _offers(transcript):
        if not any(m.start - 5 * SECOND <= span.t1 <= m.until for m in out):
            until = min(_next_border(alignment, span.t1), span.t1 + _LONGEST)
            out.append(Move(seat, span.t1, until, day_at(alignment, span.t0), p))
    return sorted(out, key=lambda m: m.start)


def _next_border(alignment: Alignment, t: Micros) -> Micros:
    return min(
        (c.span.t0 for c in alignment.cues if c.kind in _BORDERS and c.span.t0 > t),
        default=alignment.duration,
    )


def _offers(transcript: Transcript) -> Iterator[tuple[int, Span, float]]:
    """(seat, span, probability) of every «... номер восемь ... лучший ход» of the judge."""
    words = [w for w in transcript.words if w.best_speaker()[0] == "judge"]
    for i in range(1, len(words)):
        if not bare(words[i].text).startswith("ход") or not bare(words[i - 1].text).startswith("лучш"):
            continue
        near = [w for w in words[max(0, i - 9) : i] if words[i].span.t0 - w.span.t1 <= 6 * SECOND]
        named = [(n[0], w) for w in near if (n := number_of(bare(w.text))) is not None and 1 <= n[0] <= 10]
        if named:
            # «Игрок номер десять, у вас двадцать секунд ...»: the first number is the seat.
            seat, word = named[0]
            yield seat, Span(word.span.t0, words[i].span.t1), word.probability * words[i].best_speaker()[1]


def _talk(transcript: Transcript, moves: Sequence[Move], make: Maker) -> Iterator[Flag | None]:
    """Words of a best move that are neither its numbers nor their formula, before «принято»."""
    for move in moves:
        until = _answered(transcript, move)
        own = [
            w
            for w in transcript.words
            if move.start <= w.span.t0 < until
            and w.best_speaker()[0] == move.seat
            and w.best_speaker()[1] >= make.thresholds["least_evidence"]
        ]
        extra = [w for w in own if bare(w.text) not in _FORMULA and number_of(bare(w.text)) is None]
        if len(extra) < make.thresholds["best_move_words"]:
            continue
        span = Span(extra[0].span.t0, max(w.span.t1 for w in extra))
        said = " ".join(w.text for w in own if w.span & span)
        p = sum(w.best_speaker()[1] * w.probability for w in extra) / len(extra)
        yield make.flag(
            "best_move_talk",
            span,
            move.day,
            min(p, move.confidence),
            seats=(move.seat,),
            params={"seat": move.seat, "words": said},
            doubts=(("best_move_meaning", {}), ("who_spoke", {"percent": round(100 * p)})),
            words=((span, said),),
        )


def _answered(transcript: Transcript, move: Move) -> Micros:
    """When the judge accepted the best move: his «принято», else the end of the floor."""
    said = (
        w.span.t0
        for w in transcript.words
        if move.start < w.span.t0 and bare(w.text).startswith("принят") and w.best_speaker()[0] == "judge"
    )
    return min(move.until, next(said, move.until))


# ---- the protocol -------------------------------------------------------------------------------
def _early_protocol(transcript: Transcript, floors: Sequence[Floor], make: Maker) -> Iterator[Flag | None]:
    """«Протокол: первый чёрный, ...» said in the last word, before the judge gave the right to it.

    Colours without the word are a testament, which anybody may leave.
    """
    for floor in floors:
        if floor.purpose != "last_word":
            continue
        inside = [w for w in transcript.words if w.span.t0 in floor.span and w.best_speaker()[0] != "judge"]
        for i, word in enumerate(inside):
            told = _coloured(inside[i + 1 :], word.span.t1 + _ENTRY_AFTER)
            if not bare(word.text).startswith("протокол") or not told:
                continue
            who, p = word.best_speaker()
            span = Span(word.span.t0, max(w.span.t1 for w in told))
            said = " ".join(w.text for w in (word, *told))
            heard = min(w.probability for w in told)
            yield make.flag(
                "protocol_early",
                span,
                floor.given.day,
                heard * min(p if who == floor.seat else 0.6, floor.given.confidence),
                seats=(floor.seat,),
                params={"seat": floor.seat, "words": said},
                doubts=(("right_unheard", {}),),
                words=((span, said),),
            )
            break


def _coloured(words: Sequence[Word], until: Micros) -> list[Word]:
    """The words up to the last «number colour» before `until`; empty when there is none."""
    near = [w for w in words if w.span.t0 <= until]
    last = 0
    for i, word in enumerate(near):
        colour = bare(word.text).startswith(_COLOURS)
        if colour and any(number_of(bare(w.text)) is not None for w in near[max(0, i - 3) : i]):
            last = i + 1
    return near[:last]


# ---- between the break and the best move --------------------------------------------------------
def breaks_of(alignment: Alignment, moves: Sequence[Move]) -> list[tuple[int, Span]]:
    """(day, from the deciding count at ten players to the best move)."""
    out = []
    timeline = alignment.timeline
    for move in moves:
        gone = [e for e in timeline.of_kind("eliminated") if e.span.t0 <= move.until]
        today = [e for e in gone if e.day == move.day and e.fields["by"] in ("vote", "lift")]
        counts = [
            e.span.t1
            for e in timeline.of_kind("vote_announced", "lift_result")
            if e.day == move.day and e.span.t1 <= move.start
        ]
        if today and len(gone) == len(today) and counts:
            out.append((move.day, Span(max(counts), move.start)))
    return out


def _shouts(
    alignment: Alignment,
    moves: Sequence[Move],
    transcript: Transcript,
    answers: Sequence[Answer],
    make: Maker,
) -> Iterator[Flag | None]:
    least = make.thresholds["least_evidence"]
    for day, window in breaks_of(alignment, moves):
        for seat, span, p, text in voices_of(transcript, least):
            if span.t0 in window and seconds(span.duration) >= make.thresholds["talk_during_vote"]:
                yield make.flag(
                    "shout_before_best_move", span, day, p, seats=(seat,),
                    params={"seat": seat, "words": text, "how": "voice"},
                    doubts=(("who_spoke", {"percent": round(100 * p)}),), words=((span, text),),
                )  # fmt: skip
        for a in answers:
            strong = a.kind is QuestionKind.GESTURE and a.tell is Tell.YES and a.value == "strong"
            if strong and a.span.t0 in window and a.probability >= least:
                yield make.flag(
                    "shout_before_best_move", a.span, day, a.probability, seats=(a.seat,),
                    params={"seat": a.seat, "how": "gesture"}, doubts=(("gesture_meaning", {}),), frames=a.evidence,
                )  # fmt: skip
