"""Best moves and protocols: what is said beside the numbers, read back wrongly, said too early; shouts
between the break at ten players and the best move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.cue import Speaker
from mafiavar.analyzer.flags.flag import Flag, Maker
from mafiavar.analyzer.flags.floors import Floor, floors_of, voices_of
from mafiavar.analyzer.flags.moves import BORDERS, Move, bare, moves_of
from mafiavar.analyzer.span import SECOND, Micros, Span, seconds
from mafiavar.analyzer.speech.numerals import distribution, number_of
from mafiavar.analyzer.timeline import TimelineEvent
from mafiavar.analyzer.transcript import Transcript, Word
from mafiavar.analyzer.vision.question import Answer, QuestionKind, Tell

_READ_BACK: Micros = 12 * SECOND
_ENTRY_AFTER: Micros = 6 * SECOND
_COLOURS = ("красн", "черн", "шериф", "дон", "мафи", "мирн")
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


# ---- the best move ------------------------------------------------------------------------------
def _readback(alignment: Alignment, transcript: Transcript, make: Maker) -> Iterator[Flag | None]:
    """The judge repeats other numbers than were said (both heard surely enough)."""
    for said in alignment.timeline.of_kind("best_move"):
        targets = [int(t) for t in said.fields["targets"]]
        words = _judges_answer(alignment, transcript, said)
        words = _to_third_number(words)
        numbers = [n[0] for w in words if (n := number_of(bare(w.text))) is not None]
        if said.basis == "inferred" or len(numbers) != 3 or sorted(numbers) == sorted(targets):
            continue
        span = Span(words[0].span.t0, words[-1].span.t1)
        heard = min(w.probability for w in words if number_of(bare(w.text)) is not None)
        other = 1 - min(1.0, 3 * _misheard(numbers, targets, heard))
        yield make.flag(
            "best_move_readback",
            span,
            said.day,
            min(heard, said.confidence) * other,
            seats=(int(said.fields["seat"]),),
            params={"seat": said.fields["seat"], "said": targets, "repeated": numbers},
            doubts=(("numerals", {}),),
            words=((span, " ".join(w.text for w in words)),),
        )


def _judges_answer(alignment: Alignment, transcript: Transcript, said: TimelineEvent) -> list[Word]:
    """The judge's words after the numbers, from «принято» or the first number to the next announcement."""
    border = min(
        (c.span.t0 for c in alignment.cues if c.kind in BORDERS and c.span.t0 > said.span.t1),
        default=alignment.duration,
    )
    window = Span(said.span.t1, max(said.span.t1, min(border, said.span.t1 + _READ_BACK)))
    words = []
    accepted: set[Speaker] = {"judge"}
    for w in transcript.words:
        if w.span.t0 not in window or w.span.t0 >= border:
            continue
        who = w.best_speaker()[0]
        if bare(w.text).startswith("принят"):
            accepted.add(who)  # a voice that says so is the judge's, whatever it was taken for
        if who in accepted:
            words.append(w)
    start = next(
        (
            i
            for i, w in enumerate(words)
            if bare(w.text).startswith("принят") or number_of(bare(w.text)) is not None
        ),
        len(words),
    )
    return words[start:]


def _to_third_number(words: Sequence[Word]) -> list[Word]:
    """The words up to the end of the list of numbers: the next announcement may name one more."""
    counted = 0
    for i, word in enumerate(words):
        if number_of(bare(word.text)) is not None:
            counted += 1
        elif counted >= 3:
            return list(words[:i])
    return list(words)


def _misheard(numbers: Sequence[int], targets: Sequence[int], heard: float) -> float:
    """How likely the recogniser turned the same numbers into these: of the differing ones, in the
    kindest pairing."""
    left = [t for t in targets if t not in numbers]
    wrong = [n for n in numbers if n not in targets]
    p = 1.0
    for n in wrong:
        alike = distribution(n, heard)
        best = max((alike.get(t, 0.0) for t in left), default=0.0)
        p *= best
    return p


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
    """When the judge accepted the best move: his «принято», else the end of the floor. Nobody else says that
    word there, whosesoever voice it seems to be."""
    said = (
        w.span.t0 for w in transcript.words if move.start < w.span.t0 and bare(w.text).startswith("принят")
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
def breaks_of(alignment: Alignment, moves: Sequence[Move]) -> list[tuple[int, int, Span]]:
    """(whose best move, day, from the deciding count at ten players to the best move)."""
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
            out.append((move.seat, move.day, Span(max(counts), move.start)))
    return out


def _shouts(
    alignment: Alignment,
    moves: Sequence[Move],
    transcript: Transcript,
    answers: Sequence[Answer],
    make: Maker,
) -> Iterator[Flag | None]:
    least = make.thresholds["least_evidence"]
    for whose, day, window in breaks_of(alignment, moves):
        for seat, span, p, text in voices_of(transcript, least):
            if (
                seat != whose
                and span.t0 in window
                and seconds(span.duration) >= make.thresholds["talk_during_vote"]
            ):
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
