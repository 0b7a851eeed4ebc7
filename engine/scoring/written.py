"""Testament and protocol of one who leaves (FSM 8.3.8 and 8.3.9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FIRST_BLACK, NEXT_BLACK = 200, 300
FIRST_RED, NEXT_RED, MOST_RED = 100, 200, 800
ONE_RED_WRONG, MORE_RED_WRONG = -200, -400
VERSION = 400
ASIDE_RED, ASIDE_BLACK, ASIDE_WRONG = 100, 400, -200
MOST = 800
SILENT_REVEAL = -200
TESTAMENT_VALUES = frozenset({-400, -300, -200, 0, 200, 300, 400})
AGREED_TESTAMENT = frozenset({300, 400})
"""For one who is not the first killed the chief judge must agree (8.3.8.3)."""


@dataclass(frozen=True, slots=True)
class Written:
    """A protocol as left: colours in the order written. `version`: the seat taken for the sheriff;
    `version_colours`: seats whose colour follows from it. `sure`: certain colours (nothing is given);
    `near`: nearly certain ones (half). `checked`: reds the sheriff himself had checked. `aside`: besides
    two versions (8.3.9.11)."""

    seat: int
    blacks: tuple[int, ...] = ()
    reds: tuple[int, ...] = ()
    version: int | None = None
    version_colours: frozenset[int] = frozenset()
    sure: frozenset[int] = frozenset()
    near: frozenset[int] = frozenset()
    checked: frozenset[int] = frozenset()
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the reckoning: the seat written about, thousandths, and the topic of its clause."""

    seat: int
    milli: int
    topic: str


def is_black(roles: Mapping[int, str | None], seat: int) -> bool:
    return roles.get(seat) in ("don", "mafia")


def protocol_points(written: Written, roles: Mapping[int, str | None]) -> tuple[int, tuple[Entry, ...]]:
    """(thousandths, the lines they come from) of the protocol of the first killed, by the true roles.

    >>> truth = {1: "don", 2: "mafia", 3: "mafia", 4: "sheriff"}
    >>> protocol_points(Written(9, blacks=(1, 2, 5)), truth)[0]      # .2 + .3 - .2
    300
    >>> protocol_points(Written(9, reds=(5, 6, 7)), truth)[0]        # .1 + .2 + .2
    500
    """
    if written.aside:
        entries = _aside(written, roles)
    else:
        entries = (*_blacks(written, roles), *_reds(written, roles), *_version(written, roles))
    return min(sum(e.milli for e in entries), MOST), entries


def _blacks(written: Written, roles: Mapping[int, str | None]) -> tuple[Entry, ...]:
    out, right, wrong = [], 0, 0
    for seat in written.blacks:
        near = seat in written.near
        if is_black(roles, seat):
            gained = FIRST_BLACK if right == 0 else NEXT_BLACK
            if _free(written, seat):
                out.append(Entry(seat, 0, "protocol_sure"))
                continue
            out.append(
                Entry(
                    seat, FIRST_BLACK // 2 if near else gained, "protocol_near" if near else "protocol_black"
                )
            )
            right += not near
        else:
            lost = FIRST_BLACK if wrong == 0 else NEXT_BLACK
            out.append(Entry(seat, -lost, "protocol_black"))
            wrong += 1
    return tuple(out)


def _reds(written: Written, roles: Mapping[int, str | None]) -> tuple[Entry, ...]:
    out, right, gained, wrong = [], 0, 0, 0
    for seat in written.reds:
        if is_black(roles, seat):
            wrong += 1
            # one error costs .2, two or more .4 together
            cost = ONE_RED_WRONG if wrong == 1 else MORE_RED_WRONG - ONE_RED_WRONG if wrong == 2 else 0
            out.append(Entry(seat, cost, "protocol_red"))
            continue
        if _free(written, seat) or seat in written.checked:
            out.append(Entry(seat, 0, "protocol_checked" if seat in written.checked else "protocol_sure"))
            continue
        near = seat in written.near
        worth = FIRST_RED // 2 if near else FIRST_RED if right == 0 else NEXT_RED
        worth = min(worth, MOST_RED - gained)
        gained += worth
        right += not near
        out.append(Entry(seat, worth, "protocol_near" if near else "protocol_red"))
    return tuple(out)


def _version(written: Written, roles: Mapping[int, str | None]) -> tuple[Entry, ...]:
    if written.version is None:
        return ()
    right = roles.get(written.version) == "sheriff"
    return (Entry(written.version, VERSION if right else -VERSION, "protocol_version"),)


def _aside(written: Written, roles: Mapping[int, str | None]) -> tuple[Entry, ...]:
    out = []
    for seat in written.reds:
        out.append(Entry(seat, ASIDE_WRONG if is_black(roles, seat) else ASIDE_RED, "protocol_aside"))
    for seat in written.blacks:
        out.append(Entry(seat, ASIDE_BLACK if is_black(roles, seat) else ASIDE_WRONG, "protocol_aside"))
    return tuple(out)


def _free(written: Written, seat: int) -> bool:
    """Certain anyway, or following from the version: no plus (8.3.9.7, 8.3.9.8)."""
    return seat in written.sure or seat in written.version_colours


def written_of(data: object) -> Written | None:
    """From the `protocol` of a day: {"seat", "blacks", "reds", "version", "version_colours", "sure", "near",
    "checked", "aside"}; None when it has no seat."""
    if not isinstance(data, Mapping):
        return None
    seat = data.get("seat")
    if not isinstance(seat, int) or not _is_seat(seat):
        return None
    version = data.get("version")
    return Written(
        seat,
        blacks=seats_of_list(data.get("blacks")),
        reds=seats_of_list(data.get("reds")),
        version=version if _is_seat(version) else None,
        version_colours=frozenset(seats_of_list(data.get("version_colours"))),
        sure=frozenset(seats_of_list(data.get("sure"))),
        near=frozenset(seats_of_list(data.get("near"))),
        checked=frozenset(seats_of_list(data.get("checked"))),
        aside=data.get("aside") is True,
    )


def _is_seat(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 10


def seats_of_list(value: object) -> tuple[int, ...]:
    """The seats in a list of a file, each once; anything else is left out."""
    return tuple(dict.fromkeys(v for v in value if _is_seat(v))) if isinstance(value, (list, tuple)) else ()
