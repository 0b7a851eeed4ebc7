"""What can happen at a table: one value per event kind of the truth vocabulary.

Fields are named exactly as in the truth and timeline files. Times and the day are not part of an
event: the day is state of the game, times belong to the recording. The only time a field names is
`VoteCast.contact`, which the engine carries and never reads.

`event_from("nominated", {"seat": 4, "target": 1, "accepted": True})` makes an event from a file's
fields (unknown keys such as t0, t1, day are ignored); `fields_of(event)` goes back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Literal

from mafiavar.engine.errors import RuleError

Seat = int
Winner = Literal["red", "black", "draw"]
Purpose = Literal["speech", "revote", "last_word", "protocol", "best_move"]
LeftBy = Literal["vote", "lift", "shot", "fouls", "technical", "removal", "team_defeat"]
FoulLevel = Literal["warning", "foul", "technical", "technical_big", "removal", "team_defeat"]


class Event:
    """Base of all events. `kind` is the stable name in files."""

    __slots__ = ()
    kind: ClassVar[str]


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """The judge has introduced the players."""

    kind: ClassVar[str] = "game_started"


@dataclass(frozen=True, slots=True)
class NightBegan(Event):
    """«Наступает ночь». Night 0 is the negotiation night; night n follows day n."""

    kind: ClassVar[str] = "night_began"
    night: int


@dataclass(frozen=True, slots=True)
class NegotiationBegan(Event):
    kind: ClassVar[str] = "negotiation_began"


@dataclass(frozen=True, slots=True)
class NegotiationEnded(Event):
    kind: ClassVar[str] = "negotiation_ended"


@dataclass(frozen=True, slots=True)
class RoleShown(Event):
    """Don or sheriff shows himself to the judge in the first night (an extension of the vocabulary)."""

    kind: ClassVar[str] = "role_shown"
    by: Literal["don", "sheriff"]


@dataclass(frozen=True, slots=True)
class FreeSeatingBegan(Event):
    kind: ClassVar[str] = "free_seating_began"


@dataclass(frozen=True, slots=True)
class DayBegan(Event):
    """Morning: day n + 1 after night n."""

    kind: ClassVar[str] = "day_began"


@dataclass(frozen=True, slots=True)
class FloorGiven(Event):
    """The judge gives `seat` the word for `seconds` (None: not said)."""

    kind: ClassVar[str] = "floor_given"
    seat: Seat
    seconds: float | None = None
    purpose: Purpose = "speech"


@dataclass(frozen=True, slots=True)
class FloorEnded(Event):
    kind: ClassVar[str] = "floor_ended"
    seat: Seat
    by: Literal["pas", "spasibo", "judge", "time"] | None = None


@dataclass(frozen=True, slots=True)
class Nominated(Event):
    """`seat` names `target`; `accepted` is the judge's answer. `reason` of a refusal (or of what
    was wrong with an accepted one): tense, second, already_nominated, dead, not_his_minute, ..."""

    kind: ClassVar[str] = "nominated"
    seat: Seat
    target: Seat
    accepted: bool = True
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class NominationWithdrawn(Event):
    kind: ClassVar[str] = "nomination_withdrawn"
    seat: Seat
    target: Seat


@dataclass(frozen=True, slots=True)
class VoteOpened(Event):
    """Round 1 is the first vote of a day, 2, 3, ... the re-votes. `candidates` in the order called;
    empty when the judge did not name them."""

    kind: ClassVar[str] = "vote_opened"
    round: int
    candidates: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class VoteCalled(Event):
    kind: ClassVar[str] = "vote_called"
    round: int
    target: Seat


@dataclass(frozen=True, slots=True)
class VoteCast(Event):
    """A hand of `seat` for `target`, seen; or with `remainder` the vote the rules assign to the last
    candidate. May come before `vote_called` (an early hand)."""

    kind: ClassVar[str] = "vote_cast"
    round: int
    target: Seat
    seat: Seat
    hand: Literal["left", "right", "both"] | None = None
    form: str | None = None
    contact: tuple[float, float] | None = None
    remainder: bool = False


@dataclass(frozen=True, slots=True)
class VoteClosed(Event):
    """«Стоп» / «спасибо». `unseen` (an extension): the seats whose hands nobody could see in this
    call; None when it is not known who was seen."""

    kind: ClassVar[str] = "vote_closed"
    round: int
    target: Seat
    unseen: tuple[Seat, ...] | None = None


@dataclass(frozen=True, slots=True)
class VoteAnnounced(Event):
    kind: ClassVar[str] = "vote_announced"
    round: int
    target: Seat
    count: int


@dataclass(frozen=True, slots=True)
class LiftCalled(Event):
    """«Кто за то, чтобы все голосуемые покинули стол?»"""

    kind: ClassVar[str] = "lift_called"
    candidates: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class LiftCast(Event):
    kind: ClassVar[str] = "lift_cast"
    seat: Seat
    yes: bool = True


@dataclass(frozen=True, slots=True)
class LiftResult(Event):
    kind: ClassVar[str] = "lift_result"
    yes: int
    no: int | None = None


@dataclass(frozen=True, slots=True)
class Eliminated(Event):
    """`seats` leave. A passed lift may be written as by "lift" or by "vote"."""

    kind: ClassVar[str] = "eliminated"
    seats: tuple[Seat, ...]
    by: LeftBy


@dataclass(frozen=True, slots=True)
class ShootingBegan(Event):
    kind: ClassVar[str] = "shooting_began"
    night: int | None = None


@dataclass(frozen=True, slots=True)
class Shot(Event):
    """`shooter` None: whose hand it was is not known. `target` None: he did not shoot."""

    kind: ClassVar[str] = "shot"
    night: int | None = None
    shooter: Seat | None = None
    target: Seat | None = None


@dataclass(frozen=True, slots=True)
class NightResult(Event):
    """`killed` None: a miss."""

    kind: ClassVar[str] = "night_result"
    night: int | None = None
    killed: Seat | None = None


@dataclass(frozen=True, slots=True)
class Check(Event):
    """`found`: for the don "this is the sheriff", for the sheriff "this one is black"; None unknown."""

    kind: ClassVar[str] = "check"
    by: Literal["don", "sheriff"]
    target: Seat
    night: int | None = None
    found: bool | None = None


@dataclass(frozen=True, slots=True)
class BestMove(Event):
    kind: ClassVar[str] = "best_move"
    seat: Seat
    targets: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Revealed(Event):
    """A player says his role aloud (an extension: clause 7.11 needs it). `claims`: sheriff, black, red."""

    kind: ClassVar[str] = "revealed"
    seat: Seat
    claims: str
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Foul(Event):
    """`ordinal`: which one of its level it is for this seat, when it was said. `violation` (an
    extension): the clause broken, e.g. "6.8.4" (clauses 6.9.5 and 6.10 need it)."""

    kind: ClassVar[str] = "foul"
    seat: Seat
    level: FoulLevel = "foul"
    ordinal: int | None = None
    violation: str | None = None


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    kind: ClassVar[str] = "game_ended"
    winner: Winner | None = None


EVENTS: Mapping[str, type[Event]] = {
    c.kind: c
    for c in (
        GameStarted, NightBegan, NegotiationBegan, NegotiationEnded, RoleShown, FreeSeatingBegan, DayBegan,
        FloorGiven, FloorEnded, Nominated, NominationWithdrawn, VoteOpened, VoteCalled, VoteCast, VoteClosed,
        VoteAnnounced, LiftCalled, LiftCast, LiftResult, Eliminated, ShootingBegan, Shot, NightResult, Check,
        BestMove, Revealed, Foul, GameEnded,
    )
}  # fmt: skip
"""kind -> class, in the order of the vocabulary."""

_FIELDS: Mapping[str, tuple[tuple[str, bool], ...]] = {
    kind: tuple((f.name, f.default is MISSING) for f in fields(cls))  # type: ignore[arg-type]
    for kind, cls in EVENTS.items()
}


def _value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def event_from(kind: str, values: Mapping[str, Any]) -> Event:
    """An event from the fields of a truth or timeline file; keys the kind does not know are ignored.

    Raises RuleError for an unknown kind or a missing field.

    >>> event_from("vote_called", {"round": 1, "target": 3, "t0": 50.5, "day": 1})
    VoteCalled(round=1, target=3)
    """
    if kind not in EVENTS:
        raise RuleError(f"unknown event kind {kind!r}")
    chosen = {}
    for name, required in _FIELDS[kind]:
        if name in values:
            chosen[name] = _value(values[name])
        elif required:
            raise RuleError(f"{kind}: field {name!r} is missing")
    return EVENTS[kind](**chosen)


def fields_of(event: Event) -> dict[str, Any]:
    """The fields as files carry them: tuples as lists, extensions left out while they say nothing.

    >>> fields_of(VoteOpened(1, (3, 5)))
    {'round': 1, 'candidates': [3, 5]}
    """
    out: dict[str, Any] = {}
    for name, _required in _FIELDS[event.kind]:
        value = getattr(event, name)
        if name in {"unseen", "violation"} and value is None:
            continue
        if name == "reason" and value is None:
            continue
        out[name] = list(value) if isinstance(value, tuple) else value
    return out


def seats_of(event: Event) -> Iterator[Seat]:
    """Every seat an event names, the one that acts first."""
    for name in ("seat", "shooter", "target"):
        value = getattr(event, name, None)
        if isinstance(value, int):
            yield value
    for name in ("seats", "candidates", "targets", "unseen"):
        yield from getattr(event, name, None) or ()
