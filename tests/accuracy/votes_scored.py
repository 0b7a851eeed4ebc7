"""One recording's votes against its truth: what the program says of every seat in every call.

The way of a run of `mafiavar analyze`, with the judge's words taken from the truth: hands are looked
for in the window of the round, counted for its ballots and flagged as early, late or withdrawn.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mafiavar.analyzer.align.result import Alignment, Ballot
from mafiavar.analyzer.flags.flag import Maker, default_thresholds
from mafiavar.analyzer.flags.hands import flags_of_hands
from mafiavar.analyzer.media.recording import index
from mafiavar.analyzer.seats import SeatMap
from mafiavar.analyzer.span import SECOND, Span, micros
from mafiavar.analyzer.timeline import Timeline
from mafiavar.analyzer.transcript import Transcript
from mafiavar.analyzer.vision import answer_hands
from mafiavar.analyzer.vision.question import Contact, Question, QuestionKind, SeatHands
from mafiavar.analyzer.vision.store import TileStore
from mafiavar.analyzer.votes import count
from mafiavar.engine.game import Game
from mafiavar.engine.ruleset import FSM_2026
from mafiavar.models.hands import HandModel

Row = dict[str, Any]
AROUND = 3 * SECOND
FLAGS = {"hand_early": "early", "hand_late": "late", "hand_withdrawn": "withdrawn"}


@dataclass(frozen=True, slots=True)
class Scored:
    """`votes`: a row per seat and call; `cpu`: seconds of looking."""

    votes: tuple[Row, ...]
    answers: tuple[SeatHands, ...]


def truth_of(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.with_suffix("").with_suffix(".truth.json").read_text("utf-8"))
    return value


def ballots_of(truth: dict[str, Any]) -> tuple[Ballot, ...]:
    """The ballots of a clip, or of the first round of a recording."""
    end = micros(truth["duration"])
    if "calls" in truth:
        words = [{k: Span.of(*v) for k, v in c.items()} for c in truth["calls"]]
        every = tuple(range(1, len(words) + 1))
        voters = [tuple(range(1, 11))] * len(words)
    else:
        words, every, voters = _spoken(truth)
    out = []
    for i, w in enumerate(words):
        following = words[i + 1]["called"].t1 if i + 1 < len(words) else end
        out.append(
            Ballot(
                day=1, round=1, target=every[i], candidates=every, voters=voters[i], called=w["called"],
                stop=w.get("stop"), count=w.get("count"), announced=None,
                until=min(w["count"].t1 + AROUND, following) if "count" in w else following,
            )
        )  # fmt: skip
    return tuple(out)


def _spoken(
    truth: dict[str, Any],
) -> tuple[list[dict[str, Span]], tuple[int, ...], list[tuple[int, ...]]]:
    opened = next(e for e in truth["events"] if e["kind"] == "vote_opened" and e["round"] == 1)
    mine = [e for e in truth["events"] if e.get("round") == 1 and e["day"] == opened["day"]]
    words = []
    for target in opened["candidates"]:
        w = {}
        for kind, key in (("vote_called", "called"), ("vote_closed", "stop"), ("vote_announced", "count")):
            for e in mine:
                if e["kind"] == kind and e["target"] == target:
                    w[key] = Span.of(e["t0"], e["t1"])
        words.append(w)
    gone = {
        s for e in truth["events"] if e["kind"] == "eliminated" and e["t0"] < opened["t0"] for s in e["seats"]
    }
    living = tuple(s for s in range(1, 11) if s not in gone)
    return words, tuple(opened["candidates"]), [living] * len(words)


def hands_of(truth: dict[str, Any], ballots: Sequence[Ballot]) -> list[list[Row]]:
    """The hands that belong to each ballot."""
    if "calls" in truth:
        return [[h for h in truth["hands"] if h["call"] == i] for i in range(len(ballots))]
    seen = [
        {**h, **{k: v for k, v in s.items() if k in ("visible", "size_px")}}
        for h, s in zip(truth["hands"], truth["video"]["hands"], strict=True)
    ]
    cast = [e for e in truth["events"] if e["kind"] == "vote_cast" and e.get("contact")]
    out: list[list[Row]] = [[] for _ in ballots]
    for h in seen:
        for i, b in enumerate(ballots):
            whole = Span(b.called.t0 - AROUND, b.until)
            mine = [e for e in cast if e["seat"] == h["seat"] and e["target"] == b.target]
            if any(e["contact"][0] == h["t0"] and micros(h["t0"]) in whole for e in mine):
                out[i].append(h)
    return out


def score(
    path: Path,
    truth: dict[str, Any],
    seats: SeatMap,
    model: HandModel,
    *,
    store: TileStore | None = None,
) -> Scored:
    """Look at the recording and say what was right, seat by seat."""
    recording = index(path)
    assert recording.video is not None
    ballots = ballots_of(truth)
    window = Span(ballots[0].called.t0 - AROUND, ballots[-1].until + AROUND) & recording.span
    assert window is not None
    question = Question(QuestionKind.HANDS, seats.numbers, window)
    answers = answer_hands(recording, seats, [question], model=model, store=store)
    return Scored(tuple(rows_of(truth, ballots, answers)), answers)


def rows_of(truth: dict[str, Any], ballots: Sequence[Ballot], answers: Sequence[SeatHands]) -> list[Row]:
    alignment = Alignment(
        timeline=Timeline("fsm-2026", ()), ballots=tuple(ballots), questions=(), issues=(), unsatisfied=(),
        conflicts=(), nights=(), game=Game.new(FSM_2026), score=0.0, duration=micros(truth["duration"]),
    )  # fmt: skip
    votes = count(alignment, answers)
    flags = [
        f
        for f in flags_of_hands(votes, Transcript(()), Maker(FSM_2026, default_thresholds()))
        if f is not None
    ]
    rows = []
    for i, (b, hands) in enumerate(zip(votes.ballots, hands_of(truth, ballots), strict=True)):
        for seat in b.ballot.voters:
            v = b.seats[seat]
            mine = [h for h in hands if h["seat"] == seat]
            row = _truth(mine, b.ballot)
            row |= {"call": i, "seat": seat, "said": v.vote, "p": v.probability, "reason": v.reason}
            row["flags"] = sorted(
                FLAGS[f.kind]
                for f in flags
                if f.kind in FLAGS and f.seats == (seat,) and f.params["target"] == b.ballot.target
            )
            row |= _compared(v.contact if v.vote != "unknown" else None, mine)
            rows.append(row)
    return rows


def _truth(hands: Sequence[Row], ballot: Ballot) -> Row:
    assert ballot.stop is not None
    stop = ballot.stop
    in_time = [h for h in hands if micros(h["t0"]) < stop.t1]
    wrong = []
    early = default_thresholds()["hand_early"]
    if any(micros(h["t0"]) < ballot.named - micros(early) for h in in_time):
        wrong.append("early")
    if in_time and all(micros(h["t1"]) < stop.t0 for h in in_time):
        wrong.append("withdrawn")
    if hands and not in_time:
        wrong.append("late")
    best = max(in_time or hands, key=lambda h: h["visible"], default=None)
    return {
        "truth": "yes" if in_time else "no",
        "visible": None if best is None else best["visible"],
        "size": None if best is None else best["size_px"],
        "wrong": wrong,
    }


def _compared(contact: Contact | None, hands: Sequence[Row]) -> Row:
    """Begin, end and form of the contact beside the hand it overlaps most."""
    if contact is None or not hands:
        return {}

    def common(h: Row) -> float:
        return min(contact.span.t1 / 1e6, h["t1"]) - max(contact.span.t0 / 1e6, h["t0"])

    hand = max(hands, key=common)
    if common(hand) <= 0:
        return {"elsewhere": True}
    return {
        "start": None if contact.open_start else round(contact.span.t0 / 1e6 - hand["t0"], 4),
        "end": None if contact.open_end else round(contact.span.t1 / 1e6 - hand["t1"], 4),
        "form": [hand["form"], contact.form],
        "side": [hand["hand"], contact.side],
    }
