"""Which scene of the game a phrase is said in, as far as the phrases themselves tell.

«Три» is a vote call after «голосуем», a count after «стоп», a number called to the shooting mafia
after «мафия выходит на охоту», the floor for seat 3 after «пас». The scene follows the cues found
so far and forgets with time: it is a reading aid, not the rules (those are asked by align).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.span import SECOND, Micros

_FOREVER: Micros = 10**15
_LASTS: dict[str, Micros] = {
    "voting": 120 * SECOND,
    "called": 15 * SECOND,
    "stopped": 6 * SECOND,
    "shooting": 40 * SECOND,
    "night": 300 * SECOND,
    "between": 8 * SECOND,
    "nominated": 4 * SECOND,
    "best_move": 30 * SECOND,
    "best_move_said": 12 * SECOND,
    "farewell": 90 * SECOND,
    "speech": _FOREVER,
}
_VOTING = frozenset(
    {
        CueKind.VOTE_OPEN,
        CueKind.HANDS_DOWN,
        CueKind.VOTE_CALL,
        CueKind.VOTE_STOP,
        CueKind.VOTE_COUNT,
        CueKind.VOTE_REMAINDER,
        CueKind.VOTE_DEMAND,
        CueKind.REVOTE,
        CueKind.LIFT_CALL,
        CueKind.TIE,
    }
)
_NIGHT = frozenset(
    {
        CueKind.NEGOTIATION,
        CueKind.NEGOTIATION_END,
        CueKind.DON_SHOWS,
        CueKind.SHERIFF_SHOWS,
        CueKind.SHOOTING_END,
        CueKind.DON_WAKES,
        CueKind.DON_SLEEPS,
        CueKind.SHERIFF_WAKES,
        CueKind.SHERIFF_SLEEPS,
    }
)
_CALLS = frozenset({CueKind.VOTE_CALL, CueKind.VOTE_REMAINDER, CueKind.LIFT_CALL})


@dataclass(slots=True)
class Scene:
    """Scenes that hold, each with the moment it began or was last confirmed."""

    since: dict[str, Micros] = field(default_factory=dict)

    def names(self, t: Micros) -> frozenset[str]:
        """Scenes that hold at `t`."""
        return frozenset(n for n, since in self.since.items() if t - since <= _LASTS[n])

    def hear(self, cue: Cue) -> None:
        """Moves on by one cue. Cues too weak to believe change nothing."""
        if cue.likelihood < 0.5:
            return
        kind, t = cue.kind, cue.span.t1
        if kind in _VOTING:
            self._enter(t, "voting")
            if kind in _CALLS:
                self._enter(t, "called", leave=("stopped",))
            elif kind is CueKind.VOTE_STOP:
                self._enter(t, "stopped", leave=("called",))
            elif kind is not CueKind.HANDS_DOWN:
                self._leave("called", "stopped")
            self._leave("speech", "between", "shooting", "night", "best_move")
        elif kind is CueKind.NIGHT or kind in _NIGHT:
            self.since = {"night": t}
        elif kind is CueKind.SHOOTING:
            self.since = {"night": t, "shooting": t}
        elif kind in (CueKind.DAY, CueKind.KILLED, CueKind.MISS, CueKind.LEAVES):
            self.since = {"between": t, "farewell": t}
        elif kind is CueKind.FLOOR:
            self._floor(cue)
        elif kind is CueKind.BEST_MOVE:
            self._enter(t, "best_move_said", leave=("best_move",))
        elif kind is CueKind.BEST_MOVE_READBACK:
            self._leave("best_move", "best_move_said")
        elif kind is CueKind.NOMINATION:
            self._enter(t, "nominated")
        elif kind in (CueKind.ACCEPTED, CueKind.REFUSED):
            self._leave("nominated")
        elif kind is CueKind.PROTOCOL_RIGHT:
            self.since = {"farewell": t, "speech": t}
        elif kind is CueKind.FLOOR_END:
            self._enter(t, "between")

    def _floor(self, cue: Cue) -> None:
        purpose, t = cue.detail.get("purpose"), cue.span.t1
        if purpose == "best_move":
            self._enter(t, "best_move")
        elif purpose == "last_word":
            self.since = {"farewell": t, "speech": t}
        elif purpose == "revote":
            self._enter(t, "speech", leave=("called", "stopped", "between"))
        else:
            self.since = {"speech": t}

    def _enter(self, t: Micros, name: str, leave: tuple[str, ...] = ()) -> None:
        self._leave(*leave)
        self.since[name] = t

    def _leave(self, *names: str) -> None:
        for name in names:
            self.since.pop(name, None)
