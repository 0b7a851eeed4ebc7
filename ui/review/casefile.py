"""A case folder as the review reads it: tolerant of what is missing, half written or foreign.

Nothing here raises for bad content: what cannot be read becomes a `Problem` that a page shows,
and the rest of the case keeps working. Times are seconds, as they stand in the files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from mafiavar.ui.review.flag import Flag, flag_of

Json = Mapping[str, Any]
Window = tuple[float, float]
T = TypeVar("T")

PARTS = ("case", "timeline", "votes", "flags", "transcript", "run")
SEATS = range(1, 11)


@dataclass(frozen=True, slots=True)
class Problem:
    """`part`.json is `missing`, `broken` (not JSON, half written) or `odd` (entries left out)."""

    part: str
    kind: Literal["missing", "broken", "odd"]
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """One recording of the case. `path` is where the file was found, None when it is gone.

    Local time + `offset` = the case's clock; `measured` is the offset the analysis found, where a
    person has set another.
    """

    number: int
    file: str
    sha256: str
    path: Path | None
    duration: float
    size: tuple[int, int] | None
    fps: float
    codec: str
    pixel_format: str
    variable_rate: bool
    container: str
    offset: float
    has_sound: bool
    measured: float = 0.0


@dataclass(frozen=True, slots=True)
class Event:
    id: str
    kind: str
    t0: float
    t1: float
    day: int
    fields: Json
    confidence: float
    basis: str
    evidence: tuple[Json, ...] = ()
    runners_up: tuple[Json, ...] = ()

    def get(self, name: str, default: Any = None) -> Any:
        return self.fields.get(name, default)


@dataclass(frozen=True, slots=True)
class SeatVote:
    """What one hand did in one call; `vote` is yes, no, unknown or out."""

    seat: int
    vote: str
    probability: float
    hand: str | None
    form: str
    contact: Window | None
    remainder: bool
    evidence: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class Ballot:
    """One call of one candidate: the ten seats between the call and the stop."""

    day: int
    round: int
    target: int
    candidates: tuple[int, ...]
    called: Window
    closed: Window | None
    announced: int | None
    counted: tuple[int, int]
    assigned: int | None
    seats: Mapping[int, SeatVote]

    @property
    def key(self) -> str:
        return f"{self.day}-{self.round}-{self.target}"

    @property
    def window(self) -> Window:
        """What a person wants to see: from before the call to after the count."""
        end = self.closed[1] if self.closed else self.called[1] + 4
        last = max([end, *(v.contact[1] for v in self.seats.values() if v.contact)])
        return self.called[0] - 1.0, min(last, end + 4) + 1.0


@dataclass(frozen=True, slots=True)
class Word:
    number: int
    text: str
    t0: float
    t1: float
    probability: float
    speaker: str
    speaker_probability: float


@dataclass(frozen=True, slots=True)
class Case:
    """One game. `revision` changes whenever any file of the folder does."""

    folder: Path
    name: str
    revision: str
    head: Json
    ruleset: str
    sources: tuple[Source, ...]
    events: tuple[Event, ...]
    ballots: tuple[Ballot, ...]
    flags: tuple[Flag, ...]
    words: tuple[Word, ...]
    problems: tuple[Problem, ...]
    run: Json = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What human records hold on to: the recordings and the game, not the folder's name."""
        hashes = [s.sha256 for s in self.sources if s.sha256]
        game = self.folder.name if self.folder.name.startswith("game-") else "game"
        return f"{hashes[0][:24]}/{game}" if hashes else f"folder/{self.name}"

    @property
    def duration(self) -> float:
        ends = [s.duration + s.offset for s in self.sources]
        ends += [e.t1 for e in self.events[-1:]] + [w.t1 for w in self.words[-1:]]
        return max(ends, default=0.0)

    def of_kind(self, *kinds: str) -> tuple[Event, ...]:
        return tuple(e for e in self.events if e.kind in kinds)

    def has(self, part: str) -> bool:
        return not any(p.part == part and p.kind != "odd" for p in self.problems)

    def flag(self, id_: str) -> Flag | None:
        return next((f for f in self.flags if f.id == id_), None)

    def with_source_at(self, number: int, path: Path) -> Case:
        """The same case with one recording found elsewhere."""
        return replace(
            self, sources=tuple(replace(s, path=path) if s.number == number else s for s in self.sources)
        )

    def with_offsets(self, offsets: Mapping[int, float]) -> Case:
        """The same case with the offsets a person has set for some recordings."""
        return replace(
            self, sources=tuple(replace(s, offset=offsets.get(s.number, s.offset)) for s in self.sources)
        )


def is_case(folder: Path) -> bool:
    return any((folder / f"{part}.json").is_file() for part in ("case", "timeline", "flags", "votes"))


def read_case(folder: Path, name: str) -> Case:
    """Read what the folder holds; cached until a file of it changes."""
    return _read(folder, name, revision_of(folder))


def read_results(folder: Path) -> tuple[tuple[Event, ...], tuple[Ballot, ...], tuple[Flag, ...]]:
    """Events, ballots and flags of a revision's folder, read as tolerantly as a case's."""
    problems: list[Problem] = []
    return (
        _entries(_load(folder, "timeline", problems).get("events"), _event, "timeline", problems),
        _ballots(_load(folder, "votes", problems), problems),
        _flags(_load(folder, "flags", problems), problems),
    )


def revision_of(folder: Path) -> str:
    """A short text that changes with any of the case's files."""
    marks = []
    for part in PARTS:
        try:
            stat = (folder / f"{part}.json").stat()
            marks.append(f"{stat.st_mtime_ns:x}.{stat.st_size:x}")
        except OSError:
            marks.append("-")
    return "_".join(marks)


@lru_cache(maxsize=12)
def _read(folder: Path, name: str, revision: str) -> Case:
    problems: list[Problem] = []
    parts = {part: _load(folder, part, problems) for part in PARTS}
    head = parts["case"]
    return Case(
        folder=folder,
        name=name,
        revision=revision,
        head=head,
        ruleset=str(
            parts["timeline"].get("ruleset")
            or _nested(head, "ruleset", "config.ruleset", "config.rules")
            or ""
        ),
        sources=_sources(head, folder, problems),
        events=_entries(parts["timeline"].get("events"), _event, "timeline", problems),
        ballots=_ballots(parts["votes"], problems),
        flags=_flags(parts["flags"], problems),
        words=_words(parts["transcript"], problems),
        problems=tuple(problems),
        run=parts["run"],
    )


def _load(folder: Path, part: str, problems: list[Problem]) -> dict[str, Any]:
    path = folder / f"{part}.json"
    try:
        value = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        if part != "run":
            problems.append(Problem(part, "missing"))
        return {}
    except (OSError, ValueError) as error:
        problems.append(Problem(part, "broken", str(error)[:200]))
        return {}
    if not isinstance(value, dict):
        problems.append(Problem(part, "broken", "not an object"))
        return {}
    return value


def _nested(value: Json, *paths: str) -> Any:
    for path in paths:
        at: Any = value
        for step in path.split("."):
            at = at.get(step) if isinstance(at, Mapping) else None
        if at not in (None, ""):
            return at
    return None


def _entries(raw: Any, read: Callable[[Json], T], part: str, problems: list[Problem]) -> tuple[T, ...]:
    """Each entry on its own: one bad entry does not take the others with it."""
    out: list[T] = []
    bad = 0
    for entry in raw if isinstance(raw, list) else []:
        try:
            out.append(read(entry))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            bad += 1
    if bad:
        problems.append(Problem(part, "odd", str(bad)))
    return tuple(out)


def _sources(head: Json, folder: Path, problems: list[Problem]) -> tuple[Source, ...]:
    raw = _nested(head, "sources", "recordings", "source", "files") or []
    raw = raw if isinstance(raw, list) else [raw]
    numbered = list(enumerate(x for x in raw if isinstance(x, Mapping)))

    def read(pair: Any) -> Source:
        number, entry = pair
        return _source(number, entry, folder)

    return _entries(numbered, read, "case", problems)


def _source(number: int, entry: Json, folder: Path) -> Source:
    video = entry.get("video") or {}
    file = str(entry.get("path") or entry.get("file") or "")
    size = video.get("size")
    return Source(
        number=number,
        file=Path(file).name,
        sha256=str(entry.get("sha256") or ""),
        path=find_recording(file, folder),
        duration=float(entry.get("duration") or 0),
        size=(int(size[0]), int(size[1])) if size else None,
        fps=float(video.get("fps") or 0),
        codec=str(video.get("codec") or ""),
        pixel_format=str(video.get("pixel_format") or ""),
        variable_rate=bool(video.get("variable_rate")),
        container=str(entry.get("container") or ""),
        offset=float(entry.get("offset") or 0),
        has_sound=bool(entry.get("audio")),
        measured=float(entry.get("offset") or 0),
    )


def find_recording(file: str, folder: Path) -> Path | None:
    """The recording where the case says it is, else beside or above the case folder."""
    if not file:
        return None
    named = Path(file)
    places = [named] if named.is_absolute() else []
    places += [
        base / part for base in (folder, folder.parent, folder.parent.parent) for part in (file, named.name)
    ]
    return next((p for p in places if p.is_file()), None)


_COMMON = {"id", "kind", "t0", "t1", "day", "confidence", "basis", "evidence", "runners_up"}


def _event(raw: Json) -> Event:
    return Event(
        id=str(raw.get("id", "")),
        kind=str(raw["kind"]),
        t0=float(raw["t0"]),
        t1=float(raw["t1"]),
        day=int(raw.get("day") or 0),
        fields={k: v for k, v in raw.items() if k not in _COMMON},
        confidence=float(raw.get("confidence", 1.0)),
        basis=str(raw.get("basis") or "observed"),
        evidence=tuple(e for e in raw.get("evidence") or () if isinstance(e, Mapping)),
        runners_up=tuple(e for e in raw.get("runners_up") or () if isinstance(e, Mapping)),
    )


def _window(raw: Any) -> Window | None:
    return (float(raw[0]), float(raw[1])) if raw else None


def _seat_vote(seat: int, raw: Json) -> SeatVote:
    return SeatVote(
        seat=seat,
        vote=str(raw.get("vote") or "unknown"),
        probability=float(raw.get("probability") or 0),
        hand=raw.get("hand"),
        form=str(raw.get("form") or "unknown"),
        contact=_window(raw.get("contact")),
        remainder=bool(raw.get("remainder")),
        evidence=tuple(e for e in raw.get("evidence") or () if isinstance(e, Mapping)),
    )


def _ballots(votes: Json, problems: list[Problem]) -> tuple[Ballot, ...]:
    def rounds(entry: Json) -> tuple[Ballot, ...]:
        return tuple(_ballot(entry, b) for b in entry["ballots"])

    return tuple(b for group in _entries(votes.get("rounds"), rounds, "votes", problems) for b in group)


def _ballot(entry: Json, raw: Json) -> Ballot:
    counted = raw.get("counted") or (0, 10)
    seats = raw.get("seats") or {}
    called = _window(raw.get("called"))
    if called is None:
        raise ValueError("a ballot without the call has no place in time")
    return Ballot(
        day=int(entry["day"]),
        round=int(entry["round"]),
        target=int(raw["target"]),
        candidates=tuple(int(c) for c in entry.get("candidates") or ()),
        called=called,
        closed=_window(raw.get("closed")),
        announced=None if raw.get("announced") is None else int(raw["announced"]),
        counted=(int(counted[0]), int(counted[1])),
        assigned=None if raw.get("assigned") is None else int(raw["assigned"]),
        seats={n: _seat_vote(n, seats.get(str(n)) or {"vote": "unknown"}) for n in SEATS},
    )


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _flags(data: Json, problems: list[Problem]) -> tuple[Flag, ...]:
    lang = str(data.get("lang") or "ru")
    return _entries(data.get("flags"), lambda raw: flag_of(raw, lang), "flags", problems)


def _list(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _words(transcript: Json, problems: list[Problem]) -> tuple[Word, ...]:
    raw = transcript.get("words")
    numbered = list(enumerate(raw)) if isinstance(raw, list) else []

    def read(pair: Any) -> Word:
        number, w = pair
        return Word(
            number,
            str(w["w"]),
            float(w["t0"]),
            float(w["t1"]),
            float(w.get("p") or 0),
            _text(w.get("speaker") or "unknown"),
            float(w.get("speaker_p") or 0),
        )

    return _entries(numbered, read, "transcript", problems)
