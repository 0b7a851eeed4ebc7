# ruff: noqa: ARG002 - every source of facts is asked the same questions, used or not
"""What happens in a game: who nominates, votes, shoots. Made up by a seed or taken from a protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from mafiavar.sample_videos.errors import ScriptError

BLACK = ("don", "mafia")


class Facts(Protocol):
    """Answers about one game. Seats are 1..10; `alive` are those in play."""

    roles: Mapping[int, str]  # don, mafia, sheriff, red

    def nomination(self, day: int, seat: int, alive: Sequence[int], taken: Sequence[int]) -> int | None: ...

    def votes(
        self, day: int, number: int, candidates: Sequence[int], alive: Sequence[int]
    ) -> dict[int, int]: ...

    def lift(self, day: int, alive: Sequence[int]) -> list[int]: ...

    def shots(self, night: int, alive: Sequence[int]) -> dict[int, int | None]: ...

    def check(self, night: int, by: str, alive: Sequence[int]) -> int | None: ...

    def best_move(self, seat: int, alive: Sequence[int]) -> tuple[int, ...]: ...


def deal(g: np.random.Generator) -> dict[int, str]:
    """Ten cards: a don, two mafia, a sheriff, six red."""
    cards = ["don", "mafia", "mafia", "sheriff", *["red"] * 6]
    order = g.permutation(10)
    return {seat: cards[int(order[seat - 1])] for seat in range(1, 11)}


class MadeUp:
    """A plausible game: the red follow each other's suspicions, the black mostly shoot together."""

    def __init__(self, seed: int) -> None:
        self.g = np.random.default_rng([seed, 71])
        self.roles: Mapping[int, str] = deal(self.g)
        self.checked: dict[str, list[int]] = {"don": [], "sheriff": []}

    def _pick(self, options: Sequence[int]) -> int:
        return int(options[int(self.g.integers(len(options)))])

    def nomination(self, day: int, seat: int, alive: Sequence[int], taken: Sequence[int]) -> int | None:
        if self.g.random() > (0.55 if len(taken) < 4 else 0.15):
            return None
        free = [s for s in alive if s not in taken and s != seat]
        if not free:
            return None
        if self.roles[seat] in BLACK:
            free = [s for s in free if self.roles[s] not in BLACK] or free
        return self._pick(free)

    def votes(self, day: int, number: int, candidates: Sequence[int], alive: Sequence[int]) -> dict[int, int]:
        if number == 1 and len(candidates) >= 2 and len(alive) % 2 == 0 and self.g.random() < 0.22:
            return self._tie(candidates, alive)
        if number == 2 and self.g.random() < 0.35:
            return self._tie(candidates, alive)
        weights = self.g.dirichlet([0.8] * len(candidates))
        return {s: int(candidates[int(self.g.choice(len(candidates), p=weights))]) for s in alive}

    def _tie(self, candidates: Sequence[int], alive: Sequence[int]) -> dict[int, int]:
        first, second = candidates[0], candidates[-1]
        order = [int(s) for s in self.g.permutation(list(alive))]
        half = len(order) // 2
        return {s: (first if k < half else second) for k, s in enumerate(order)}

    def lift(self, day: int, alive: Sequence[int]) -> list[int]:
        share = self.g.uniform(0.2, 0.9)
        return [s for s in alive if self.g.random() < share]

    def shots(self, night: int, alive: Sequence[int]) -> dict[int, int | None]:
        black = [s for s in alive if self.roles[s] in BLACK]
        victims = [s for s in alive if self.roles[s] not in BLACK]
        if not victims:
            return dict.fromkeys(black)
        common = self._pick(victims)
        return {s: common if self.g.random() < 0.93 else self._pick(victims) for s in black}

    def check(self, night: int, by: str, alive: Sequence[int]) -> int | None:
        me = next((s for s, r in self.roles.items() if r == by), None)
        if me not in alive:
            return None
        mine = {s for s in alive if s != me and s not in self.checked[by]}
        if by == "don":
            mine -= {s for s in mine if self.roles[s] in BLACK}
        if not mine:
            return None
        target = self._pick(sorted(mine))
        self.checked[by].append(target)
        return target

    def best_move(self, seat: int, alive: Sequence[int]) -> tuple[int, ...]:
        others = [s for s in alive if s != seat]
        return tuple(sorted(int(x) for x in self.g.choice(others, 3, replace=False)))


class FromProtocol(MadeUp):
    """The facts of a `mafiavar/protocol@1`; what it does not say is made up.

    So is what can no longer happen: planted violations may send another seat away than the protocol did,
    and nobody nominates, shoots or checks a seat that has left.
    """

    def __init__(self, path: Path, seed: int) -> None:
        super().__init__(seed)
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ScriptError(
                path.name, f"протокол не читается: {error}", f"the protocol cannot be read: {error}"
            ) from error
        if not isinstance(data, dict) or data.get("schema") != "mafiavar/protocol@1":
            raise ScriptError(
                path.name,
                "ожидается протокол mafiavar/protocol@1 (mafiavar protocol convert FILE --to mafiavar)",
                "a mafiavar/protocol@1 is expected (mafiavar protocol convert FILE --to mafiavar)",
            )
        self.data: Mapping[str, Any] = data
        self.ruleset: str | None = data.get("ruleset")
        self.options: Mapping[str, Any] = data.get("options") or {}
        given = {int(k): str(v["role"]) for k, v in data.get("seats", {}).items() if v.get("role")}
        if len(given) == 10:
            self.roles = given
        self.days = {int(d["day"]): d for d in data.get("days", [])}
        self.nights = {int(n["night"]): n for n in data.get("nights", [])}

    def nomination(self, day: int, seat: int, alive: Sequence[int], taken: Sequence[int]) -> int | None:
        d = self.days.get(day)
        if d is None or "nominations" not in d:
            return super().nomination(day, seat, alive, taken)
        found = [int(x["target"]) for x in d["nominations"] if x["seat"] == seat and x.get("accepted", True)]
        return found[0] if found and found[0] in alive else None

    def votes(self, day: int, number: int, candidates: Sequence[int], alive: Sequence[int]) -> dict[int, int]:
        for b in self.days.get(day, {}).get("ballots", []):
            if b.get("round") == number:
                out = {
                    int(s): int(t) for t, seats in b["votes"].items() for s in seats if int(t) in candidates
                }
                return {s: out.get(s, int(candidates[-1])) for s in alive}
        return super().votes(day, number, candidates, alive)

    def lift(self, day: int, alive: Sequence[int]) -> list[int]:
        told = self.days.get(day, {})
        if told.get("lift"):
            return [int(s) for s in told["lift"].get("yes", []) if int(s) in alive]
        yes = super().lift(day, alive)
        if "left" not in told or told["left"] is None:
            return yes
        # the hands are not told, but their outcome is: more than half, or not
        rest = [s for s in alive if s not in yes]
        half = len(alive) // 2
        if told["left"]:
            return sorted([*yes, *rest[: max(0, half + 1 - len(yes))]])
        return yes[: max(0, min(len(yes), (len(alive) - 1) // 2))]

    def shots(self, night: int, alive: Sequence[int]) -> dict[int, int | None]:
        n = self.nights.get(night)
        made = super().shots(night, alive)
        if n is None:
            return made
        if not n.get("shots"):
            killed = n.get("killed", 0)
            if killed is None or killed in alive:
                return dict.fromkeys(made, killed)
            return made
        told = {int(s): None if t is None else int(t) for s, t in n["shots"].items() if int(s) in made}
        return told if self._possible(told, made, alive) else made

    @staticmethod
    def _possible(
        told: Mapping[int, int | None], made: Mapping[int, int | None], alive: Sequence[int]
    ) -> bool:
        """Can these shots be fired now: by all black seats that play, at seats that play?"""
        return set(told) == set(made) and all(t is None or t in alive for t in told.values())

    def check(self, night: int, by: str, alive: Sequence[int]) -> int | None:
        n = self.nights.get(night)
        if n is None or "checks" not in n:
            return super().check(night, by, alive)
        found = next((int(c["target"]) for c in n["checks"] if c["by"] == by), None)
        return found if found in alive and self._plays(by, alive) else None

    def _plays(self, role: str, alive: Sequence[int]) -> bool:
        return any(self.roles[s] == role for s in alive)

    def best_move(self, seat: int, alive: Sequence[int]) -> tuple[int, ...]:
        given = self.data.get("best_move")
        if given and given.get("seat") == seat:
            return tuple(int(x) for x in given["targets"])
        return super().best_move(seat, alive)
