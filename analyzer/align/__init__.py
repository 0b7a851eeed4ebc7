"""The timeline as the most likely legal game that explains what was heard and seen.

    alignment = align(cues, ruleset, duration=duration)       # once
    aligner = Aligner(ruleset); aligner.align(cues, ...)      # again and again, with other pins

Without cues nothing is known, and the timeline is empty.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mafiavar.analyzer.align.decoder import Decoder
from mafiavar.analyzer.align.hands import hands_in
from mafiavar.analyzer.align.parameters import Parameters, default
from mafiavar.analyzer.align.result import Alignment, Ballot, Marked, build
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.span import Micros
from mafiavar.analyzer.timeline import Pin
from mafiavar.analyzer.vision.question import SeatHands
from mafiavar.engine.parameters import Ruleset

__all__ = ["Aligner", "Alignment", "Ballot", "Marked", "align"]


class Aligner:
    """Aligns and, when pins or answers change, aligns again from where something changed."""

    def __init__(self, ruleset: Ruleset, parameters: Parameters | None = None) -> None:
        self.ruleset = ruleset
        self.parameters = parameters or default()
        self._decoder = Decoder(ruleset, self.parameters)
        self._answers: tuple[SeatHands, ...] = ()

    def align(
        self,
        cues: Sequence[Cue],
        *,
        duration: Micros,
        answers: Sequence[SeatHands] = (),
        pins: Sequence[Pin] = (),
    ) -> Alignment:
        """The most likely game. `answers` are the hands seen so far; `pins` are hard."""
        if tuple(answers) != self._answers:
            changed = {*answers} ^ {*self._answers}
            self._answers = tuple(answers)
            self._decoder.look(hands_in(self._answers), min((a.window.t0 for a in changed), default=0))
        ordered = sorted(cues, key=lambda c: (c.span.t0, c.span.t1, c.kind))
        believed = self.parameters.believed
        decoded = self._decoder.decode(
            [replace(c, numbers=tuple(believed(n) for n in c.numbers)) for c in ordered], pins
        )
        return build(
            decoded,
            ordered,
            ruleset=self.ruleset.name,
            duration=duration,
            parameters=self.parameters,
            pins=pins,
        )


def align(
    cues: Sequence[Cue],
    ruleset: Ruleset,
    *,
    duration: Micros,
    protocol: Mapping[str, Any] | None = None,
    answers: Sequence[SeatHands] = (),
    pins: Sequence[Pin] = (),
    parameters: Parameters | None = None,
) -> Alignment:
    """Cues of one game -> its timeline (see `Aligner`).

    `protocol` (`mafiavar/protocol@1`) only lends its options to the rule set: what the official
    protocol says is compared afterwards, never believed beforehand.
    """
    options = (protocol or {}).get("options") or {}
    rules = ruleset.with_options(options) if options else ruleset
    with _lock:
        return _aligner_for(cues, rules, parameters).align(
            cues, duration=duration, answers=answers, pins=pins
        )


_KEPT = 2
_lock = threading.Lock()
_recent: OrderedDict[str, Aligner] = OrderedDict()


def _aligner_for(cues: Sequence[Cue], rules: Ruleset, parameters: Parameters | None) -> Aligner:
    """The aligner that has seen these cues before, if it is among the last ones: a person's next pin
    then costs only what follows it."""
    key = hashlib.sha256(repr((rules, parameters, list(cues))).encode()).hexdigest()
    aligner = _recent.pop(key, None) or Aligner(rules, parameters)
    _recent[key] = aligner
    while len(_recent) > _KEPT:
        _recent.popitem(last=False)
    return aligner
