"""Votes of seats: right, wrong, cannot tell, by how well the true hand is to be seen.

Only living seats are judged, ballot by ballot of the truth. A ballot that the case does not have is
"cannot tell" for every living seat (and counted as missing besides).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mafiavar.analyzer.evaluation.matching import Record

# Lower edges of the visibility classes of a true hand (share of the hand that is not hidden).
VISIBILITY_EDGES = (0.0, 0.3, 0.6)
# Lower edges of the sizes of a true hand (longer side, pixels of the recording).
SIZE_EDGES = (0, 20, 30, 40, 60)
SEATS = range(1, 11)


def out_before(events: Sequence[Record], t: float) -> set[int]:
    """Seats whose leaving was announced before `t`."""
    return {s for e in events if e["kind"] == "eliminated" and e["t0"] < t for s in e.get("seats", ())}


def _ballots(events: Sequence[Record]) -> Iterator[tuple[Record, dict[int, Record], set[int]]]:
    """Each true ballot with the hands cast in it and the seats that still play."""
    for call in events:
        if call["kind"] != "vote_called" or call.get("clipped"):
            continue
        same = [
            e
            for e in events
            if e["kind"] == "vote_cast"
            and not e.get("remainder")
            and (e.get("day"), e.get("round"), e.get("target"))
            == (call.get("day"), call.get("round"), call.get("target"))
        ]
        living = set(SEATS) - out_before(events, float(call["t0"]))
        yield call, {int(e["seat"]): e for e in same}, living


def _rendered(truth: Record, cast: Record | None) -> Record | None:
    """What the picture shows of the hand that made this vote; None without a picture or without a hand."""
    if cast is None:
        return None
    hands = truth.get("hands") or ()
    for rendered in (truth.get("video") or {}).get("hands", ()):
        # `index` points into the truth's hands; older renderings repeat the hand itself.
        hand = {**hands[rendered["index"]], **rendered} if "index" in rendered else rendered
        if hand["seat"] == cast["seat"] and abs(float(hand["t0"]) - float(cast["t0"])) < 0.05:
            return hand
    return None


def _visibility_class(shown: Record | None, cast: Record | None) -> str:
    if cast is None:
        return "no hand"
    if shown is None:
        return "hand, visibility unknown"
    visible = float(shown["visible"])
    edges = [e for e in VISIBILITY_EDGES if visible >= e]
    upper = [e for e in VISIBILITY_EDGES if e > visible]
    return f"hand, visible {edges[-1]:.1f}-{(upper or [1.0])[0]:.1f}"


def _size_class(shown: Record | None, cast: Record | None) -> str | None:
    """Only hands of which something is to be seen have a size in the picture."""
    if cast is None:
        return None
    if shown is None or "size_px" not in shown:
        return "hand, size unknown"
    if float(shown["visible"]) < VISIBILITY_EDGES[1]:
        return "hand, hidden"
    size = float(shown["size_px"])
    lower = [e for e in SIZE_EDGES if size >= e][-1]
    upper = next((e for e in SIZE_EDGES if e > size), None)
    return f"hand, {lower:02d}-{upper} px" if upper else f"hand, {lower}+ px"


def _found_ballots(votes: Record | None) -> dict[tuple[Any, Any, Any], Record]:
    return {
        (r.get("day"), r.get("round"), b.get("target")): b
        for r in (votes or {}).get("rounds", ())
        for b in r.get("ballots", ())
    }


def score_votes(truth: Record, votes: Record | None) -> dict[str, Any]:
    """`votes` is the content of votes.json (or None): the "votes" part of `mafiavar/eval@1`."""
    events = truth.get("events", [])
    found = _found_ballots(votes)
    classes: dict[str, dict[str, int]] = {}
    sizes: dict[str, dict[str, int]] = {}
    sums = {"right": 0, "wrong": 0, "cannot_tell": 0}
    ranges = {"inside": 0, "outside": 0, "missing": 0}
    errors: list[Record] = []
    missing = 0
    for call, cast, living in _ballots(events):
        key = (call.get("day"), call.get("round"), call.get("target"))
        ballot = found.get(key)
        missing += len(living) if ballot is None else 0
        ranges[_range(ballot, len(cast))] += 1
        for seat in sorted(living):
            said = ((ballot or {}).get("seats") or {}).get(str(seat), {}).get("vote", "unknown")
            true = "yes" if seat in cast else "no"
            outcome = "cannot_tell" if said == "unknown" else "right" if said == true else "wrong"
            sums[outcome] += 1
            mine = cast.get(seat)
            shown = _rendered(truth, mine)
            classes.setdefault(_visibility_class(shown, mine), dict.fromkeys(sums, 0))[outcome] += 1
            size = _size_class(shown, mine)
            if size is not None:
                sizes.setdefault(size, dict.fromkeys(sums, 0))[outcome] += 1
            if outcome == "wrong":
                day, number, target = key
                errors.append(
                    {
                        "day": day,
                        "round": number,
                        "target": target,
                        "seat": seat,
                        "truth": true,
                        "found": said,
                    }
                )
    return {
        **sums,
        "missing": missing,
        "counted": ranges,
        "by_visibility": [{"class": name, **classes[name]} for name in sorted(classes)],
        "by_size": [{"class": name, **sizes[name]} for name in sorted(sizes)],
        "errors": errors,
    }


def _range(ballot: Record | None, hands: int) -> str:
    counted = (ballot or {}).get("counted")
    if not counted:
        return "missing"
    return "inside" if counted[0] <= hands <= counted[1] else "outside"
