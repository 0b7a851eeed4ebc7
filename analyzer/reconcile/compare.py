"""Line by line: agree, differ, or not seen. What the recording does not tell is never a difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Json = Mapping[str, Any]
SURE = 0.5
"""A fact of the timeline less sure than this counts as not heard."""


class Verdict(StrEnum):
    AGREE = "agree"
    DIFFER = "differ"
    NOT_SEEN = "not_seen"


@dataclass(frozen=True, slots=True)
class Line:
    """One fact in its accounts; None: this account does not have it.

    `what`: count | votes | nominations | lift | left | killed | fouls | best_move | winner.
    `heard`: from the judge's words; `counted`: (low, high) by the hands; `written`: the protocol.
    `t`: seconds in the recording where to look, None when nothing is there.
    """

    what: str
    verdict: Verdict
    day: int | None = None
    night: int | None = None
    round: int | None = None
    seat: int | None = None
    heard: Any = None
    counted: tuple[int, int] | None = None
    written: Any = None
    t: float | None = None


def reconcile(timeline: Json, votes: Json, protocol: Json | None) -> tuple[Line, ...]:
    """`protocol` as `mafiavar/protocol@1`, or None: then only words and hands are compared."""
    events = [e for e in timeline.get("events", ()) if float(e.get("confidence", 1.0)) >= SURE]
    written = protocol or {}
    lines: list[Line] = []
    lines += _counts(events, votes, written)
    if protocol is not None:
        lines += _voters(votes, written)
        lines += _nominations(events, written)
        lines += _lifts(events, written)
        lines += _left(events, written)
        lines += _killed(events, written)
        lines += _fouls(events, written)
        lines += _ending(events, written)
    return tuple(lines)


def _verdict(heard: Any, written: Any) -> Verdict:
    if heard is None:
        return Verdict.NOT_SEEN
    return Verdict.AGREE if heard == written else Verdict.DIFFER


# --- ballots


def _ballots_written(protocol: Json) -> dict[tuple[int, int, int], list[int]]:
    """(day, round, target) -> seats that voted so, the remainder with the last candidate."""
    out: dict[tuple[int, int, int], list[int]] = {}
    for day in protocol.get("days") or ():
        for b in day.get("ballots") or ():
            cast = b.get("votes") or {}
            candidates = b.get("candidates") or day.get("candidates") or [int(t) for t in cast]
            for target in candidates:
                seats = list(cast.get(str(target), ()))
                if target == candidates[-1]:
                    seats += [s for s in b.get("remainder") or () if s not in seats]
                out[day["day"], b.get("round", 1), int(target)] = seats
    return out


def _ballots_seen(votes: Json) -> dict[tuple[int, int, int], tuple[Json, Json]]:
    return {
        (r["day"], r["round"], b["target"]): (r, b)
        for r in votes.get("rounds", ())
        for b in r.get("ballots", ())
    }


def _counts(events: Sequence[Json], votes: Json, protocol: Json) -> Iterator[Line]:
    written, seen = _ballots_written(protocol), _ballots_seen(votes)
    heard = {
        (e["day"], e["round"], e["target"]): (e["count"], e["t0"])
        for e in events
        if e["kind"] == "vote_announced"
    }
    for key in sorted({*written, *seen, *heard}):
        day, round_, target = key
        number = len(written[key]) if key in written else None
        said, t = heard.get(key, (None, None))
        counted = _range(*seen[key]) if key in seen else None
        if t is None and key in seen:
            t = seen[key][1]["called"][0]
        yield Line(
            "count", _count_verdict(said, counted, number, protocol_given=bool(written)), day=day, round=round_,
            seat=target, heard=said, counted=counted, written=number, t=t,
        )  # fmt: skip


def _range(r: Json, ballot: Json) -> tuple[int, int] | None:
    """Votes by the hands, the remainder with the last candidate; None when no seat was seen."""
    states = [v["vote"] for v in ballot["seats"].values() if v["vote"] != "out"]
    if not states or all(s == "unknown" for s in states):
        return None
    low, high = ballot["counted"]
    if r.get("candidates") and ballot["target"] == r["candidates"][-1]:
        others = [b for b in r["ballots"] if b["target"] != ballot["target"]]
        if len(others) < len(r["candidates"]) - 1:
            return None
        voters = len(states)
        low = max(low, voters - sum(b["counted"][1] for b in others))
        high = voters - sum(b["counted"][0] for b in others)
    return int(low), int(high)


def _count_verdict(
    said: int | None, counted: tuple[int, int] | None, number: int | None, *, protocol_given: bool
) -> Verdict:
    if said is None and counted is None:
        return Verdict.NOT_SEEN
    known = [n for n in (said, number) if n is not None]
    if len(set(known)) > 1:
        return Verdict.DIFFER
    if counted is not None and any(not counted[0] <= n <= counted[1] for n in known):
        return Verdict.DIFFER
    if protocol_given and number is None:
        return Verdict.DIFFER if said else Verdict.NOT_SEEN
    return Verdict.AGREE if known else Verdict.NOT_SEEN


def _voters(votes: Json, protocol: Json) -> Iterator[Line]:
    """Seats whose hand and whose written vote are not the same. A seat nobody saw is no difference."""
    written, seen = _ballots_written(protocol), _ballots_seen(votes)
    for key, (r, ballot) in sorted(seen.items()):
        if key not in written:
            continue
        last = bool(r.get("candidates")) and ballot["target"] == r["candidates"][-1]
        for seat, v in sorted(ballot["seats"].items(), key=lambda kv: int(kv[0])):
            stated = int(seat) in written[key]
            hand = {"yes": True, "no": False}.get(v["vote"])
            if v.get("remainder"):
                hand = True
            # For the last candidate a seat without a hand may still be the remainder.
            if hand is None or hand == stated or (last and not hand and stated):
                continue
            t = (v.get("contact") or ballot["called"])[0]
            yield Line(
                "votes", Verdict.DIFFER, day=key[0], round=key[1], seat=int(seat),
                heard=None, written=(ballot["target"] if stated else None), counted=(int(hand), int(hand)), t=t,
            )  # fmt: skip


def _nominations(events: Sequence[Json], protocol: Json) -> Iterator[Line]:
    for day in protocol.get("days") or ():
        if day.get("nominations") is None:
            continue
        written = [[n["seat"], n["target"]] for n in day["nominations"] if n.get("accepted", True)]
        mine = [
            e for e in events if e["kind"] == "nominated" and e.get("accepted") and e["day"] == day["day"]
        ]
        heard = [[e["seat"], e["target"]] for e in mine]
        covered = any(e["day"] == day["day"] and e["kind"] == "floor_given" for e in events)
        yield Line(
            "nominations", _verdict(heard if covered else None, written), day=day["day"], heard=heard or None,
            written=written, t=mine[0]["t0"] if mine else None,
        )  # fmt: skip


def _lifts(events: Sequence[Json], protocol: Json) -> Iterator[Line]:
    results = {e["day"]: e for e in events if e["kind"] == "lift_result"}
    for day in protocol.get("days") or ():
        lift = day.get("lift")
        if not lift or lift.get("yes") is None:
            continue
        e = results.get(day["day"])
        heard = e["yes"] if e else None
        yield Line(
            "lift", _verdict(heard, len(lift["yes"])), day=day["day"], heard=heard, written=len(lift["yes"]),
            t=e["t0"] if e else None,
        )  # fmt: skip


def _left(events: Sequence[Json], protocol: Json) -> Iterator[Line]:
    for day in protocol.get("days") or ():
        if day.get("left") is None:
            continue
        mine = [
            e
            for e in events
            if e["kind"] == "eliminated" and e["day"] == day["day"] and e["by"] in ("vote", "lift")
        ]
        heard = sorted(s for e in mine for s in e["seats"])
        # Nobody heard leaving is an answer only when the night that follows was heard.
        closed = bool(mine) or any(e["kind"] == "night_began" and e["day"] == day["day"] for e in events)
        yield Line(
            "left", _verdict(heard if closed else None, sorted(day["left"])), day=day["day"],
            heard=heard if closed else None, written=sorted(day["left"]), t=mine[0]["t0"] if mine else None,
        )  # fmt: skip


def _killed(events: Sequence[Json], protocol: Json) -> Iterator[Line]:
    results = {e["night"]: e for e in events if e["kind"] == "night_result"}
    for night in protocol.get("nights") or ():
        if "killed" not in night:
            continue
        e = results.get(night["night"])
        heard = (e["killed"],) if e else None
        yield Line(
            "killed", _verdict(heard, (night["killed"],)), night=night["night"], heard=e["killed"] if e else None,
            written=night["killed"], t=e["t0"] if e else None,
        )  # fmt: skip


def _fouls(events: Sequence[Json], protocol: Json) -> Iterator[Line]:
    """The ledger per seat: fouls heard against fouls written.

    Many protocols keep no fouls: one without any is not taken at its word, but what was heard is told.
    """
    parts = [*(protocol.get("days") or ()), *(protocol.get("nights") or ())]
    keeps = any(p.get("fouls") for p in parts)
    written: dict[int, int] = {}
    for p in parts:
        for f in p.get("fouls") or ():
            if f.get("level", "foul") == "foul":
                written[f["seat"]] = written.get(f["seat"], 0) + 1
    heard: dict[int, list[Json]] = {}
    for e in events:
        if e["kind"] == "foul" and e.get("level") == "foul":
            heard.setdefault(e["seat"], []).append(e)
    for seat in sorted({*written, *heard}):
        mine = heard.get(seat, [])
        known = max([len(mine), *(e.get("ordinal") or 0 for e in mine)]) if mine else None
        stated = written.get(seat, 0) if keeps else None
        yield Line(
            "fouls", _verdict(known, stated) if keeps else Verdict.NOT_SEEN, seat=seat, heard=known, written=stated,
            t=mine[-1]["t0"] if mine else None,
        )  # fmt: skip


def _ending(events: Sequence[Json], protocol: Json) -> Iterator[Line]:
    move = protocol.get("best_move")
    if move:
        e = next((x for x in events if x["kind"] == "best_move" and x["seat"] == move["seat"]), None)
        heard = sorted(e["targets"]) if e else None
        yield Line(
            "best_move", _verdict(heard, sorted(move["targets"])), seat=move["seat"], heard=heard,
            written=sorted(move["targets"]), t=e["t0"] if e else None,
        )  # fmt: skip
    if protocol.get("winner"):
        e = next((x for x in events if x["kind"] == "game_ended" and x.get("winner")), None)
        yield Line(
            "winner", _verdict(e["winner"] if e else None, protocol["winner"]), heard=e["winner"] if e else None,
            written=protocol["winner"], t=e["t0"] if e else None,
        )  # fmt: skip
