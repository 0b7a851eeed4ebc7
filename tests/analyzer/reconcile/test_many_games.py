"""Many written games, each protocol altered in one place: always found where the recording tells, never
called a difference where it does not."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from mafiavar.analyzer.export.protocol import protocol_of_timeline
from mafiavar.analyzer.reconcile import Verdict, reconcile
from mafiavar.analyzer.reconcile.compare import Line

Record = dict[str, Any]
GAMES = range(24)


@cache
def game(number: int) -> tuple[Record, Record, Record]:
    """(timeline, votes, protocol) of a written game in which everything was heard and seen."""
    from mafiavar.ui.cli.written import RULESETS, written

    truth = written(RULESETS[number % 3], 91_000 + number, condensed=True)
    floors = [e for e in truth["events"] if e["kind"] == "floor_given" and e["purpose"] == "speech"]
    # Written games without planted faults have no fouls: three seats get theirs here.
    fouls = [
        {"kind": "foul", "t0": f["t1"] + 1, "t1": f["t1"] + 2, "day": f["day"], "seat": seat, "level": "foul", "ordinal": 1}
        for f, seat in zip(floors, (2 + number % 3, 6, 9), strict=False)
    ]  # fmt: skip
    events = [{**e, "confidence": 0.95} for e in sorted([*truth["events"], *fouls], key=lambda e: e["t0"])]
    timeline = {"schema": "mafiavar/timeline@1", "ruleset": truth["ruleset"], "events": events}
    return timeline, votes_of(events), protocol_of_timeline(timeline)


def votes_of(events: list[Record]) -> Record:
    rounds = []
    for opened in (e for e in events if e["kind"] == "vote_opened"):
        inside = [e for e in events if (e["day"], e.get("round")) == (opened["day"], opened["round"])]
        cast = [e for e in inside if e["kind"] == "vote_cast"]
        voters = {e["seat"] for e in cast}
        ballots = []
        for target in opened["candidates"]:
            hands = {e["seat"] for e in cast if e["target"] == target and not e["remainder"]}
            rest = {e["seat"] for e in cast if e["target"] == target and e["remainder"]}
            called = next((e for e in inside if e["kind"] == "vote_called" and e["target"] == target), None)
            if called is None:
                continue
            seats = {
                str(s): {"vote": "out" if s not in voters else "yes" if s in hands else "no", "remainder": s in rest,
                         "contact": [called["t1"] + 0.4, called["t1"] + 3] if s in hands else None}
                for s in range(1, 11)
            }  # fmt: skip
            ballots.append(
                {
                    "target": target,
                    "called": [called["t0"], called["t1"]],
                    "counted": [len(hands)] * 2,
                    "seats": seats,
                }
            )
        rounds.append(
            {
                "day": opened["day"],
                "round": opened["round"],
                "candidates": opened["candidates"],
                "ballots": ballots,
            }
        )
    return {"schema": "mafiavar/votes@1", "rounds": rounds}


def other(*taken: int | None) -> int:
    return next(s for s in range(1, 11) if s not in taken)


Found = Callable[[Line], bool]
Forget = Callable[[Record], bool]


def alterations(protocol: Record) -> Iterator[tuple[str, Record, Found, Forget]]:
    """(name, altered protocol, is this the line of it, is this event what tells of it), one place each."""

    def altered(change: Callable[[Record], Any]) -> Record:
        out = copy.deepcopy(protocol)
        change(out)
        return out

    for i, day in enumerate(protocol["days"]):
        n = day["day"]
        for j, ballot in enumerate(day["ballots"]):
            targets = list(ballot["votes"])

            def here(line: Line, n: int = n, r: int = ballot["round"]) -> bool:
                return (line.day, line.round) == (n, r) and line.what in ("count", "votes")

            def tells(e: Record, n: int = n, r: int = ballot["round"]) -> bool:
                return e["day"] == n and e.get("round") == r

            if len(targets) >= 2 and ballot["votes"][targets[0]]:
                a, b = targets[:2]

                def move(p: Record, i: int = i, j: int = j, a: str = a, b: str = b) -> None:
                    votes = p["days"][i]["ballots"][j]["votes"]
                    votes[b].append(votes[a].pop())

                yield "wrong count", altered(move), here, tells
            if len(targets) >= 2 and ballot["votes"][targets[0]] and ballot["votes"][targets[1]]:

                def swap(p: Record, i: int = i, j: int = j, a: str = targets[0], b: str = targets[1]) -> None:
                    votes = p["days"][i]["ballots"][j]["votes"]
                    votes[a][0], votes[b][0] = votes[b][0], votes[a][0]

                yield "swapped seat", altered(swap), here, tells
        if day["nominations"]:

            def drop(p: Record, i: int = i) -> None:
                p["days"][i]["nominations"] = [x for x in p["days"][i]["nominations"] if x["accepted"]][1:]

            if any(x["accepted"] for x in day["nominations"]):
                yield (
                    "lost nomination", altered(drop),
                    lambda line, n=n: line.what == "nominations" and line.day == n,
                    lambda e, n=n: e["day"] == n and e["kind"] in ("nominated", "floor_given"),
                )  # fmt: skip
        if day["left"]:

            def stay(p: Record, i: int = i) -> None:
                p["days"][i]["left"] = [other(*p["days"][i]["left"])]

            yield (
                "another leaver", altered(stay),
                lambda line, n=n: line.what == "left" and line.day == n,
                lambda e, n=n: e["day"] == n and e["kind"] in ("eliminated", "night_began"),
            )  # fmt: skip
    fouls = [
        (i, k)
        for i, d in enumerate(protocol["days"])
        for k, f in enumerate(d["fouls"])
        if f["level"] == "foul"
    ]
    if len(fouls) >= 2:
        i, k = fouls[0]
        seat = protocol["days"][i]["fouls"][k]["seat"]
        yield (
            "lost foul", altered(lambda p: p["days"][i]["fouls"].pop(k)),
            lambda line: line.what == "fouls" and line.seat == seat,
            lambda e: e["kind"] == "foul" and e["seat"] == seat,
        )  # fmt: skip
    for i, night in enumerate(protocol["nights"]):
        number = night["night"]
        yield (
            "another killed", altered(lambda p, i=i: p["nights"][i].update(killed=other(p["nights"][i]["killed"]))),
            lambda line, number=number: line.what == "killed" and line.night == number,
            lambda e, number=number: e["kind"] == "night_result" and e["night"] == number,
        )  # fmt: skip
    if protocol["best_move"]:
        wrong = [other(*protocol["best_move"]["targets"]), *protocol["best_move"]["targets"][1:]]
        yield (
            "wrong best move", altered(lambda p: p["best_move"].update(targets=wrong)),
            lambda line: line.what == "best_move", lambda e: e["kind"] == "best_move",
        )  # fmt: skip
    if protocol["winner"]:
        yield (
            "another winner", altered(lambda p: p.update(winner="red" if p["winner"] == "black" else "black")),
            lambda line: line.what == "winner", lambda e: e["kind"] == "game_ended",
        )  # fmt: skip


@pytest.mark.parametrize("number", GAMES)
def test_the_games_own_protocol_has_no_difference(number: int) -> None:
    timeline, votes, protocol = game(number)
    lines = reconcile(timeline, votes, protocol)
    assert lines and [x for x in lines if x.verdict is Verdict.DIFFER] == []


@pytest.mark.parametrize("number", GAMES)
def test_one_altered_place_is_always_found(number: int) -> None:
    timeline, votes, protocol = game(number)
    places = list(alterations(protocol))
    assert places
    for name, altered, here, _ in places:
        differ = [x for x in reconcile(timeline, votes, altered) if x.verdict is Verdict.DIFFER]
        assert any(here(x) for x in differ), name
        assert all(here(x) for x in differ), f"{name}: nothing else is accused"


@pytest.mark.parametrize("number", GAMES)
def test_where_the_recording_does_not_tell_it_is_not_seen(number: int) -> None:
    timeline, votes, protocol = game(number)
    for name, altered, here, tells in alterations(protocol):
        deaf = {**timeline, "events": [e for e in timeline["events"] if not tells(e)]}
        rounds = [
            r
            for r in votes["rounds"]
            if not tells({"day": r["day"], "round": r["round"], "kind": "", "night": 0})
        ]
        lines = [x for x in reconcile(deaf, {**votes, "rounds": rounds}, altered) if here(x)]
        assert {x.verdict for x in lines} <= {Verdict.NOT_SEEN}, name
        # A foul that neither the protocol nor the recording has leaves nothing to show.
        assert lines or name == "lost foul"


def test_all_kinds_of_alteration_came_up() -> None:
    names = {name for number in GAMES for name, *_ in alterations(game(number)[2])}
    assert names >= {"wrong count", "swapped seat", "lost nomination", "another leaver", "another killed", "wrong best move", "another winner", "lost foul"}  # fmt: skip


def test_a_protocol_that_keeps_no_fouls_is_not_accused_but_the_fouls_are_told() -> None:
    timeline = {
        "events": [{"kind": "foul", "t0": 3.0, "t1": 4.0, "day": 1, "seat": 7, "level": "foul", "ordinal": 1}]
    }
    (line,) = reconcile(timeline, {}, {"days": [{"day": 1, "fouls": []}]})
    assert (line.verdict, line.heard, line.written, line.seat) == (Verdict.NOT_SEEN, 1, None, 7)
