"""Looking: where the seats are, and what the pictures answer in the windows that were asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from mafiavar.analyzer.case.files import write_text
from mafiavar.analyzer.case.stages import described, key_of
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.pipeline import following, steps
from mafiavar.analyzer.pipeline.context import LIMIT, VERSIONS, Context
from mafiavar.analyzer.pipeline.results import heads_hash
from mafiavar.analyzer.pipeline.table import (
    Placed,
    answer_on_game_clock,
    best_answers,
    best_views,
    on_game_clock,
    questions_on,
)
from mafiavar.analyzer.seats import Found, SeatMap, draft_toml, find_seats_file, read_seats
from mafiavar.analyzer.seats.number import Numbering, turns_of
from mafiavar.analyzer.span import Span, seconds
from mafiavar.analyzer.vision import answer_hands
from mafiavar.analyzer.vision.by_day import answer_by_day
from mafiavar.analyzer.vision.night import answer_night
from mafiavar.analyzer.vision.presence import answer_presence
from mafiavar.analyzer.vision.question import Answer, Question, QuestionKind, SeatHands
from mafiavar.analyzer.vision.signs import answer_signs
from mafiavar.analyzer.vision.store import TileStore
from mafiavar.analyzer.vision.tiles import OBSERVE_VERSION
from mafiavar.models import registry
from mafiavar.models.errors import ModelMissing
from mafiavar.models.pose.landmarker import MODEL as POSE

COST = 3.0
"""Expected CPU-seconds per second of a vote's window; only for the time left."""
LEAST_TRUST = 0.5
"""Below it the places found are not believed."""


def drawn(run: Context, table: Sequence[Placed]) -> dict[int, SeatMap]:
    """The seats that somebody has drawn: `--seats`, else a file beside the recording.

    Asked before anything is heard, so that a wrong file does not cost an hour.

    Raises:
        UsageError: a map cannot be read.
    """
    maps: dict[int, SeatMap] = {}
    for placed in table:
        video = placed.recording.video
        file = run.options.seats or find_seats_file(placed.recording.path)
        if video is None or file is None:
            continue
        size = video.size if video.rotation % 180 == 0 else (video.size[1], video.size[0])
        maps[placed.number] = read_seats(file, placed.recording.path.name, size)
    return maps


def seats(
    run: Context, table: Sequence[Placed], cues: Sequence[Cue], drawn: Mapping[int, SeatMap]
) -> dict[int, SeatMap]:
    """The seats of each recording with a picture: drawn, else found and numbered by whom the judge
    gives the floor."""
    maps = dict(drawn)
    for placed in table:
        if placed.recording.video is not None and placed.number not in maps:
            found = _found_seats(run, placed, cues)
            if found is not None:
                maps[placed.number] = found
    return maps


def _found_seats(run: Context, placed: Placed, cues: Sequence[Cue]) -> SeatMap | None:
    """A map nobody has drawn, or None with a warning that says what is missing."""
    name, stem = placed.recording.path.name, placed.recording.path.stem
    try:
        pose = registry.locate(POSE)
    except ModelMissing as error:
        run.warn(
            f"Места на {name} не искались: нет модели {error.name}. Поставьте её (mafiavar models fetch) или положите "
            f"рядом {stem}.seats.toml.",
            f"The seats of {name} were not looked for: the model {error.name} is missing. Fetch it (mafiavar models "
            f"fetch) or put {stem}.seats.toml beside the recording.",
        )
        return None
    key = key_of("places", VERSIONS["places"], {"pose": run.fingerprint(POSE)}, placed.key)
    places: Found | None = run.value(
        "places", key, 10.0, Found | None,  # type: ignore[arg-type]  # a union is no `type`
        lambda: run.worker(steps.places_of, placed.index, pose, limit=LIMIT),
    )  # fmt: skip
    if places is None or places.trust < LEAST_TRUST:
        run.warn(
            f"На {name} не видно стола на десятерых: руки и ночи не считаются. Положите рядом {stem}.seats.toml "
            "или укажите --seats.",
            f"No table for ten is seen in {name}: hands and nights are not looked at. Put {stem}.seats.toml beside "
            "it or give --seats.",
        )
        return None
    turns = [
        replace(t, span=Span(t.span.t0 - placed.shift, t.span.t1 - placed.shift)) for t in turns_of(cues)
    ]
    key = key_of(
        "numbers",
        VERSIONS["numbers"],
        {"seats": described(places.seats), "turns": described(turns)},
        placed.key,
    )
    told = run.value(
        "numbers", key, 0.5 * len(turns), Numbering,
        lambda: run.worker(steps.numbers_of, placed.index, places.seats, turns, limit=LIMIT),
    )  # fmt: skip
    draft = run.folder.file(f"{stem}.seats.toml")
    write_text(draft, draft_toml(told.seats))
    if not told.seats.numbered:
        run.warn(
            f"Места на {name} найдены, но по речам не понять, где какой номер (речей разных игроков: {told.turns}): "
            f"руки и ночи не считаются. Впишите first и direction в {draft.name} в папке дела, положите его рядом "
            "с записью и запустите разбор ещё раз.",
            f"The places in {name} were found, but the speeches do not tell their numbers ({told.turns} speakers): "
            f"hands and nights are not looked at. Fill in first and direction in {draft.name} of the case folder, "
            "put it beside the recording and run again.",
        )
        return None
    run.warn(
        f"Места на {name} найдены и пронумерованы по речам (уверенность {told.probability:.2f}): проверьте номера на "
        f"картинке мест в отчёте. Если неверно, поправьте {draft.name} из папки дела, положите рядом с записью и "
        "запустите разбор ещё раз.",
        f"The seats in {name} were found and numbered by the speeches (confidence {told.probability:.2f}): check them "
        f"in the report. If they are wrong, correct {draft.name} of the case folder, put it beside the recording and "
        "run again.",
    )
    return told.seats


def hands(
    run: Context, table: Sequence[Placed], places: following.Stays, questions: Sequence[Question]
) -> tuple[tuple[SeatHands, ...], list[str]]:
    """Whose hand touched the table when, in the windows that the sound asks about.

    One stage a window: a killed run loses one window at most.
    """
    wanted = [q for q in questions if q.kind == QuestionKind.HANDS]
    asked = [
        (p, q, m)
        for p in table
        if p.number in places
        for q, m in following.views(questions_on(p, wanted), places[p.number])
    ]
    if not asked:
        return (), []
    registry.locate("hand-landmarker")
    model = run.fingerprint("hand-landmarker")
    answers: list[SeatHands] = []
    keys: list[str] = []
    for placed, question, seat_map in asked:
        key = key_of(
            "hands", VERSIONS["hands"],
            {"model": model, "seats": described(seat_map), "question": described(question)},
            placed.key,
        )  # fmt: skip
        store = _tiles(run, placed, seat_map, model)
        found = _window(run, placed, seat_map, question, key, store)
        answers += [on_game_clock(placed, h) for h in found]
        keys.append(key)
    return best_views(answers), keys


def _tiles(run: Context, placed: Placed, seat_map: SeatMap, model: str) -> TileStore:
    """The half seconds of this recording that were looked at, in this run or before."""
    key = key_of("tiles", OBSERVE_VERSION, {"model": model, "seats": described(seat_map)}, placed.key)
    run.stages.used.append(("tiles", key))
    store = TileStore(run.stages.path("tiles", key))
    store.tidy()
    return store


def _window(
    run: Context, placed: Placed, seat_map: SeatMap, question: Question, key: str, store: TileStore
) -> tuple[SeatHands, ...]:
    def seen() -> tuple[SeatHands, ...]:
        return answer_hands(
            placed.recording, seat_map, [question],
            workers=run.options.workers, progress=run.progress.share, store=store,
        )  # fmt: skip

    cost = COST * seconds(question.window.duration) / run.options.workers
    return run.value("hands", key, cost, tuple[SeatHands, ...], seen)


def answers(
    run: Context, table: Sequence[Placed], places: following.Stays, questions: Sequence[Question]
) -> tuple[tuple[Answer, ...], list[str]]:
    """Masks, postures and finger numbers in the nights that were asked about, masks on the eyes by day,
    and empty chairs all along; one stage a window.

    Of two cameras the one that can tell is believed: `cannot_tell` yields to an answer.
    """
    found: list[Answer] = []
    keys: list[str] = []
    for look in (_NIGHT, _SIGNS, _SEATED, _DAY):
        wanted = [q for q in questions if q.kind in look.kinds]
        models: dict[str, str] = {}
        if wanted and look.model and places:
            registry.locate(look.model)
            models[look.model] = run.fingerprint(look.model)
        for placed in table:
            if placed.number not in places:
                continue
            by_window: dict[Span, tuple[SeatMap, list[Question]]] = {}
            for question, seat_map in following.views(questions_on(placed, wanted), places[placed.number]):
                by_window.setdefault(question.window, (seat_map, []))[1].append(question)
            for _window, (seat_map, asked) in sorted(by_window.items(), key=lambda x: x[0]):
                key = key_of(
                    "look", VERSIONS["look"],
                    {
                        "seats": described(seat_map), "questions": described(asked),
                        "heads": heads_hash(), **models,
                    },
                    placed.key,
                )  # fmt: skip
                found += _look(run, placed, seat_map, asked, key, look.cost, look.answer)
                keys.append(key)
    return best_answers(found), keys


class _Answering(Protocol):
    """What looks at one recording's windows (`answer_night`, `answer_signs`)."""

    def __call__(
        self,
        recording: Recording,
        seats: SeatMap,
        questions: Sequence[Question],
        *,
        workers: int,
        progress: Callable[[float], None] | None,
        number: int,
    ) -> tuple[Answer, ...]: ...


@dataclass(frozen=True, slots=True)
class _Look:
    """One way of looking: the questions it answers, expected CPU-seconds per second of window."""

    kinds: tuple[QuestionKind, ...]
    cost: float
    answer: _Answering
    model: str = ""


_NIGHT = _Look((QuestionKind.MASK, QuestionKind.POSTURE), 0.5, answer_night)
_SIGNS = _Look((QuestionKind.NUMBER,), 1.5, answer_signs, "hand-landmarker")
_SEATED = _Look((QuestionKind.PRESENCE,), 0.03, answer_presence)
_DAY = _Look((QuestionKind.DAY,), 0.05, answer_by_day)


def _look(
    run: Context,
    placed: Placed,
    seat_map: SeatMap,
    asked: Sequence[Question],
    key: str,
    cost: float,
    answer: _Answering,
) -> list[Answer]:
    def seen() -> tuple[Answer, ...]:
        return answer(
            placed.recording, seat_map, asked,
            workers=run.options.workers, progress=run.progress.share, number=placed.number,
        )  # fmt: skip

    expected = cost * seconds(asked[0].window.duration) / run.options.workers
    said = run.value("look", key, expected, tuple[Answer, ...], seen)
    return [answer_on_game_clock(placed, a) for a in said]


def seats_picture(run: Context, placed: Placed, seat_map: SeatMap) -> bytes:
    """JPEG: the seats drawn on a frame of the recording."""
    key = key_of("seats", VERSIONS["seats"], {"seats": described(seat_map)}, placed.key)

    def fill(part: Path) -> None:
        run.worker(steps.seats_to, placed.index, seat_map, part, limit=LIMIT)

    return (run.stage("seats", key, 1.0, fill) / "seats.jpg").read_bytes()
