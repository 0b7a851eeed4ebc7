"""What a person's pin costs, and what a game costs by its length."""

from __future__ import annotations

import random
import time
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mafiavar.analyzer.align import Aligner, Alignment
from mafiavar.analyzer.align.parameters import Parameters, default
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.evaluation.noise import Noise, noisy
from mafiavar.analyzer.evaluation.spoken import spoken
from mafiavar.analyzer.span import SECOND, Span, micros
from mafiavar.analyzer.timeline import Pin, TimelineEvent
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.ruleset import ruleset

PINNED = {
    "nominated": ("seat", "target", "accepted"),
    "vote_announced": ("round", "target", "count"),
    "night_result": ("night", "killed"),
    "eliminated": ("seats", "by"),
    "floor_given": ("seat",),
}
"""What people correct, and the fields they set."""


@dataclass(frozen=True, slots=True)
class Repinned:
    """One true fact pinned in an aligned game. `place`: where in the recording, 0..1; `corrects`: the
    timeline had it otherwise or not at all; `first`, `again`: CPU seconds of the whole alignment and of
    the one with the pin; `seconds`: length of the recording; `same`: is the result that of an alignment
    from nothing with the pin? `met`: is the pin satisfied?"""

    recording: str
    place: float
    kind: str
    corrects: bool
    first: float
    again: float
    seconds: float
    same: bool
    met: bool


def lengthened(truth: Mapping[str, Any], seconds: float) -> Mapping[str, Any]:
    """The same game with longer speeches, so that it lasts `seconds`: every speaker goes on talking for
    an equal while before he ends."""
    speaking: dict[int, float] = {}
    ends: list[float] = []
    for e in sorted(truth["events"], key=lambda e: (e["t0"], e["t1"])):
        if e["kind"] == "floor_given" and e["purpose"] == "speech":
            speaking[e["seat"]] = e["t1"]
        elif e["kind"] == "floor_ended" and speaking.pop(e["seat"], None) is not None:
            ends.append(e["t0"])
    more = max(0.0, seconds - float(truth["duration"])) / max(len(ends), 1)

    def later(item: Mapping[str, Any]) -> dict[str, Any]:
        by = more * bisect_right(ends, float(item["t0"]) + 1e-6)
        return {**item, "t0": float(item["t0"]) + by, "t1": float(item["t1"]) + by}

    whole = {name: [later(x) for x in truth[name]] for name in ("events", "speech")}
    return {**truth, **whole, "duration": float(truth["duration"]) + more * len(ends)}


def heard(truth: Mapping[str, Any], noise: Noise, seed: int) -> list[Cue]:
    clean = spoken(truth["events"], speech=truth["speech"])
    return noisy(clean, noise, micros(truth["duration"]), seed)


def repinned(
    truth: Mapping[str, Any], noise: Noise, seed: int, count: int, parameters: Parameters | None = None
) -> list[Repinned]:
    """`count` single pins, one after another, spread over the game; every second one corrects the
    timeline where it is wrong."""
    rules, duration = ruleset(truth["ruleset"]), micros(truth["duration"])
    cues = heard(truth, noise, seed)
    aligner = Aligner(rules, parameters or default())
    first, found = _timed(aligner, cues, duration, ())
    dice = random.Random(f"{seed} pins")
    right, wrong = _facts(truth["events"], found)
    out = []
    for i in range(count):
        pins, t = (wrong if i % 2 else right), (i + dice.random()) / count * duration
        pin = min(pins, key=lambda p: abs(p.span.t0 - t), default=None)
        if pin is None:
            continue
        aligner.align(cues, duration=duration)  # back to no pins: not part of what is measured
        again, result = _timed(aligner, cues, duration, (pin,))
        _, fresh = _timed(Aligner(rules, parameters or default()), cues, duration, (pin,))
        out.append(
            Repinned(
                truth["recording"], pin.span.t0 / duration, pin.kind, bool(i % 2), first, again,
                duration / SECOND, result.timeline.to_json() == fresh.timeline.to_json(),
                not result.unsatisfied,
            )
        )  # fmt: skip
    return out


def _facts(events: Sequence[Mapping[str, Any]], found: Alignment) -> tuple[list[Pin], list[Pin]]:
    """True facts as pins: those that the timeline has, and those that it has not."""
    right: list[Pin] = []
    wrong: list[Pin] = []
    for e in events:
        if e["kind"] not in PINNED:
            continue
        fields = {name: e[name] for name in PINNED[e["kind"]]}
        pin = Pin(e["kind"], Span.of(float(e["t0"]), float(e["t1"])), fields)
        (right if any(_same(pin, f) for f in found.timeline.events) else wrong).append(pin)
    return right, wrong


def _same(pin: Pin, event: TimelineEvent) -> bool:
    near = abs(event.span.t0 - pin.span.t0) <= 2 * SECOND
    return (
        event.kind == pin.kind
        and near
        and all(_plain(event.fields.get(k)) == _plain(v) for k, v in pin.fields.items())
    )


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple | list) else value


def _timed(
    aligner: Aligner, cues: Sequence[Cue], duration: int, pins: Sequence[Pin]
) -> tuple[float, Alignment]:
    start = time.process_time()
    result = aligner.align(cues, duration=duration, pins=pins)
    return time.process_time() - start, result


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds for the first `cues` cues of a game."""

    cues: int
    cpu: float


def costs(
    truth: Mapping[str, Any], noise: Noise, seed: int, parts: int, parameters: Parameters | None = None
) -> list[Cost]:
    """What the first 1/`parts`, 2/`parts`, ... of a game's cues cost, each decoded from nothing."""
    rules: Ruleset = ruleset(truth["ruleset"])
    cues = heard(truth, noise, seed)
    out = []
    for i in range(1, parts + 1):
        some = cues[: len(cues) * i // parts]
        end = max((c.span.t1 for c in some), default=1)
        cpu, _ = _timed(Aligner(rules, parameters or default()), some, Span(0, end).t1, ())
        out.append(Cost(len(some), cpu))
    return out
