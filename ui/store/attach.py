"""Putting verdicts back on flags after the machine counted again.

A verdict addresses what was shown (kind, seats, day, span), not a flag's number. After
re-alignment flags may have moved, merged or gone: each verdict takes the best free flag of its
kind and seats; one that finds none is orphaned and shown, never dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from mafiavar.ui.store.records import Record

# A flag may move by as much as a call moves when a missed «стоп» is found.
NEAR = 2.0


class FlagLike(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def seats(self) -> tuple[int, ...]: ...
    @property
    def t0(self) -> float: ...
    @property
    def t1(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Attached:
    """`by_flag`: flag id -> its entries in order; `orphans`: entries whose flag is gone."""

    by_flag: Mapping[str, tuple[Record, ...]]
    orphans: tuple[Record, ...]


def attach(records: Iterable[Record], flags: Iterable[FlagLike]) -> Attached:
    """Match targets with flags, one to one, the closest pairs first."""
    by_address: dict[str, list[Record]] = {}
    for r in records:
        by_address.setdefault(r.address, []).append(r)
    pool = list(flags)
    pairs = sorted(
        (
            (distance, address, flag.id)
            for address, rs in by_address.items()
            for flag in pool
            if (distance := _distance(rs[0].target, flag)) is not None
        )
    )
    by_flag: dict[str, tuple[Record, ...]] = {}
    placed: set[str] = set()
    for _, address, flag_id in pairs:
        if address not in placed and flag_id not in by_flag:
            by_flag[flag_id] = tuple(by_address[address])
            placed.add(address)
    orphans = tuple(r for a, rs in by_address.items() if a not in placed for r in rs)
    return Attached(by_flag, orphans)


def _distance(target: Mapping[str, Any], flag: FlagLike) -> float | None:
    """0 for the same span, growing as they part; None when they cannot be the same thing."""
    if target.get("kind") != flag.kind or sorted(target.get("seats") or ()) != sorted(flag.seats):
        return None
    t0, t1 = float(target["t0"]), float(target["t1"])
    gap = max(flag.t0 - t1, t0 - flag.t1, 0.0)
    if gap > NEAR:
        return None
    return abs(flag.t0 - t0) + abs(flag.t1 - t1)
