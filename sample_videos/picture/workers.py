"""Painting in this process or in several: pieces of the recording, and what its truth says of the picture.

A worker builds its own stage (about a second a person) and shares the sprite store on disk with the others.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from mafiavar.sample_videos.bodies.source import cache_folder
from mafiavar.sample_videos.errors import StudioError
from mafiavar.sample_videos.picture.cast import scene
from mafiavar.sample_videos.picture.encode import write_piece
from mafiavar.sample_videos.picture.film import Film, Filming
from mafiavar.sample_videos.picture.stage import Stage
from mafiavar.sample_videos.script import Script
from mafiavar.sample_videos.sound.festival import Signal
from mafiavar.sample_videos.timing import Timed

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shoot:
    """Everything a worker needs. start: the second of the script at which this camera begins; cache: of sprites."""

    timed: Timed
    dry: Mapping[str, Signal]
    start: float
    cache: Path


@dataclass(frozen=True, slots=True)
class Measured:
    """video: the truth's part about the picture; first: the seat nearest the lower left corner."""

    video: dict[str, Any]
    first: int


class Crew(Protocol):
    """Who paints a recording."""

    def paint(self, folder: Path, progress: Callable[[float], None]) -> list[tuple[int, Path]]:
        """(first frame, file) of every piece, in order."""
        ...

    def measure(self, hands: list[dict[str, Any]], signs: list[dict[str, Any]]) -> Measured: ...


def stage_of(script: Script, cache: Path | None = None) -> Stage:
    """The stage that a script asks for in `picture`: camera, size, low_light, cast (seed), judge, passers."""
    p = script.picture
    size = p.get("size", [1920, 1080])
    seed = int(p.get("cast", script.seed))
    passers = p.get("passers")
    where = scene(
        seed,
        str(p.get("camera", "high")),
        (int(size[0]), int(size[1])),
        bool(p.get("low_light", False)),
        p.get("judge"),
        p.get("cards"),
        bool(p.get("judge_seen", False)),
        passers if isinstance(passers, int) else len(passers) if isinstance(passers, list) else 0,
    )
    return Stage(where, seed, (cache_folder() if cache is None else cache) / "sprites")


def film_of(shoot: Shoot) -> Film:
    script = shoot.timed.script
    filming = Filming.of(script)
    return Film(shoot.timed, shoot.dry, stage_of(script, shoot.cache), filming, shoot.start)


def _paint(film: Film, piece: range, folder: Path, progress: Callable[[], None] | None = None) -> Path:
    camera = film.stage.painter.camera
    size = (camera.width, camera.height)
    path = folder / f"{piece.start:07d}.mp4"
    coded = size[::-1] if film.filming.rotation in (90, 270) else size
    write_piece(path, film.frames(piece, progress), coded, film.filming.fps, film.filming.crf)
    film.stage.store.flush()
    return path


def _measure(film: Film, hands: list[dict[str, Any]], signs: list[dict[str, Any]]) -> Measured:
    measured = Measured(film.truth(hands, signs), film.stage.lower_left())
    film.stage.store.flush()
    return measured


class Alone:
    """Everything in this process."""

    def __init__(self, shoot: Shoot) -> None:
        self.film = film_of(shoot)

    def paint(self, folder: Path, progress: Callable[[float], None]) -> list[tuple[int, Path]]:
        done = 0

        def tick() -> None:
            nonlocal done
            done += 1
            if done % 25 == 0:
                progress(min(1.0, done / self.film.length))

        return [(p.start, _paint(self.film, p, folder, tick)) for p in self.film.pieces()]

    def measure(self, hands: list[dict[str, Any]], signs: list[dict[str, Any]]) -> Measured:
        return _measure(self.film, hands, signs)

    def close(self) -> None:
        self.film.stage.store.close()


_HIRED: list[Film] = []  # the film of this worker process


def _hire(shoot: Shoot) -> None:
    _HIRED.append(film_of(shoot))


def _pieces_there() -> list[range]:
    return _HIRED[0].pieces()


def _paint_there(piece: range, folder: Path) -> Path:
    return _paint(_HIRED[0], piece, folder)


def _measure_there(hands: list[dict[str, Any]], signs: list[dict[str, Any]]) -> Measured:
    return _measure(_HIRED[0], hands, signs)


class Several:
    """The pieces dealt out to spawned processes, whoever is free first."""

    def __init__(self, shoot: Shoot, workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_hire, initargs=(shoot,))

    def paint(self, folder: Path, progress: Callable[[float], None]) -> list[tuple[int, Path]]:
        pieces = self._done(self.pool.submit(_pieces_there))
        jobs = {self.pool.submit(_paint_there, p, folder): p for p in pieces}
        waiting = set(jobs)
        while waiting:
            ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for job in ready:
                self._done(job)
            progress(1 - len(waiting) / len(jobs))
        return sorted((p.start, job.result()) for job, p in jobs.items())

    def measure(self, hands: list[dict[str, Any]], signs: list[dict[str, Any]]) -> Measured:
        return self._done(self.pool.submit(_measure_there, hands, signs))

    @staticmethod
    def _done(job: Future[T]) -> T:
        try:
            return job.result()
        except BrokenProcessPool as error:
            raise StudioError(
                "Рабочий процесс не запустился или погиб (мало памяти? нет рендера?). Попробуйте --workers 1:"
                " причина будет названа",
                "a worker did not start or died (memory? no renderer?). Try --workers 1: it names the cause",
            ) from error

    def close(self) -> None:
        self.pool.shutdown(cancel_futures=True)


@contextmanager
def crew(shoot: Shoot, workers: int) -> Iterator[Crew]:
    """Those who paint. One worker is this process itself."""
    made = Alone(shoot) if workers < 2 else Several(shoot, workers)
    try:
        yield made
    finally:
        made.close()
