"""Questions to the pictures and their answers.

Only what the sound or the alignment asks for is decoded. An answer is yes, no or *cannot tell*:
abstention is a value (docs: house rules).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from mafiavar.analyzer.span import Micros, Span


class QuestionKind(StrEnum):
    HANDS = "hands"  # contacts of every hand of a seat with the table in the window
    MASK = "mask"  # is the mask on the eyes
    POSTURE = "posture"  # head and arms at night
    NUMBER = "number"  # which number the fingers show
    MOUTH = "mouth"  # does the seat speak
    PRESENCE = "presence"  # is somebody in the seat
    DAY = "day"  # a mask on the eyes by day (answer: MASK "eyes"), a short absence (answer: PRESENCE no)
    GESTURE = "gesture"  # a strong gesture (value "strong") or a blow on the table (value "knock")


class Tell(StrEnum):
    YES = "yes"
    NO = "no"
    CANNOT_TELL = "cannot_tell"


HandForm = Literal["fist_vertical", "fist_flat", "palm", "finger", "elbow", "unknown"]
Side = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Question:
    kind: QuestionKind
    seats: tuple[int, ...]
    window: Span


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture as evidence: exact by PTS, with the box that was looked at (x, y, w, h pixels)."""

    recording: int
    pts: int
    time_base: tuple[int, int]
    t: Micros
    box: tuple[int, int, int, int]
    landmarks: tuple[tuple[float, float], ...] = ()
    role: str = ""  # before | touch | rest | release | seen


@dataclass(frozen=True, slots=True)
class Contact:
    """A hand of one seat on the table from `span.t0` to `span.t1`.

    `probability`: that a hand of this seat touched the table then. `open_start`/`open_end`: the
    contact began before, or lasted beyond, the asked window.
    """

    seat: int
    span: Span
    side: Side | None
    form: HandForm
    probability: float
    open_start: bool = False
    open_end: bool = False
    evidence: tuple[Frame, ...] = ()

    @property
    def marks(self) -> tuple[tuple[float, float], ...]:
        """Pixels of the 21 landmarks at rest; none for what was not recognised as a hand."""
        return next((f.landmarks for f in self.evidence if f.landmarks), ())


@dataclass(frozen=True, slots=True)
class SeatHands:
    """The answer to a HANDS question for one seat.

    `seen`: spans in which the table before the seat could be judged at all; outside them nothing
    is claimed. `reason` (short key, e.g. "hidden", "too_small", "dark", "blur") says why not.
    `p_missed`: probability that a contact in the window went unnoticed.
    """

    seat: int
    window: Span
    contacts: tuple[Contact, ...]
    seen: tuple[Span, ...]
    p_missed: float
    reason: str = ""
    evidence: tuple[Frame, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to any other question for one seat and one stretch of time."""

    kind: QuestionKind
    seat: int
    tell: Tell
    probability: float
    span: Span
    value: str | int | None = None  # e.g. mask: eyes | forehead | off | held; number: 1..10
    evidence: tuple[Frame, ...] = ()
