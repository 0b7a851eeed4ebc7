"""All families together: one list, ordered by what an incident does to the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.flags.durations import flags_of_durations
from mafiavar.analyzer.flags.farewell import flags_of_farewell
from mafiavar.analyzer.flags.flag import (
    SEVERITIES,
    Flag,
    Line,
    Maker,
    default_calibration,
    default_thresholds,
    kinds,
)
from mafiavar.analyzer.flags.gestures import flags_of_gestures
from mafiavar.analyzer.flags.ghosts import flags_of_calls, flags_of_ghosts
from mafiavar.analyzer.flags.hands import flags_of_hands
from mafiavar.analyzer.flags.night import as_the_table_woke, flags_of_night
from mafiavar.analyzer.flags.nominations import flags_of_nominations
from mafiavar.analyzer.flags.rules import flags_of_rules
from mafiavar.analyzer.flags.speech import flags_of_speech
from mafiavar.analyzer.span import SECOND, Span, seconds
from mafiavar.analyzer.transcript import Transcript
from mafiavar.analyzer.vision.question import Answer
from mafiavar.analyzer.votes.count import Votes
from mafiavar.analyzer.votes.export import frame_json
from mafiavar.engine.clauses import clause as clause_of
from mafiavar.engine.clauses import exists
from mafiavar.engine.parameters import Ruleset

SCHEMA = "mafiavar/flags@1"
_INCIDENT_GAP = SECOND
_ROUND = 60 * SECOND
"""The counts of one round lie no further apart."""


def find_flags(
    alignment: Alignment,
    votes: Votes,
    transcript: Transcript,
    rules: Ruleset,
    *,
    answers: Sequence[Answer] = (),
    thresholds: Mapping[str, float] | None = None,
    calibration: Mapping[str, Line] | None = None,
) -> tuple[Flag, ...]:
    """Every flag of the game, the gravest first. `answers`: masks, postures, presence,
    gestures by night and day.

    Nothing is decoded here: other `thresholds` give other flags at once; `calibration` stands for
    the fitted lines of confidence.
    """
    lines = default_calibration() if calibration is None else calibration
    make = Maker(rules, {**default_thresholds(), **(thresholds or {})}, lines)
    alignment = as_the_table_woke(alignment, answers, make)

    def all_of_them() -> Iterator[Flag | None]:
        yield from flags_of_hands(votes, transcript, make)
        yield from flags_of_rules(alignment, votes, make)
        yield from flags_of_ghosts(alignment, votes, answers, make)
        yield from flags_of_calls(alignment, make)
        yield from flags_of_speech(alignment, transcript, make)
        yield from flags_of_durations(alignment, transcript, make)
        yield from flags_of_nominations(alignment, transcript, make)
        yield from flags_of_farewell(alignment, transcript, answers, make)
        yield from flags_of_night(alignment, votes, transcript, answers, make)
        yield from flags_of_gestures(alignment, answers, make)

    found = _once(_without_sums([f for f in all_of_them() if f is not None]))
    ordered = sorted(_with_incidents(found), key=_rank)
    return tuple(ordered)


def _without_sums(flags: list[Flag]) -> list[Flag]:
    """A count that differs from its hands, or a seat that voted twice, explains why the counts of the
    round do not add up: one flag."""
    counted = [
        f
        for f in flags
        if f.kind == "two_candidates" or (f.kind == "vote_count_mismatch" and "announced" in f.params)
    ]
    return [
        f
        for f in flags
        if f.kind != "vote_count_mismatch"
        or "announced" in f.params
        or not any(c.day == f.day and c.span.widened(_ROUND) & f.span for c in counted)
    ]


def _once(flags: list[Flag]) -> list[Flag]:
    """Two sources that tell of the same incident (hands and engine on one count) are one flag."""
    kept: list[Flag] = []
    for flag in sorted(flags, key=lambda f: -f.confidence):
        same = (
            k
            for k in kept
            if k.kind == flag.kind and k.day == flag.day and k.span.widened(_INCIDENT_GAP) & flag.span
            and (k.seats == flag.seats or not k.seats or not flag.seats)
        )  # fmt: skip
        if next(same, None) is None:
            kept.append(flag)
    return kept


def _with_incidents(flags: list[Flag]) -> list[Flag]:
    """Flags of one seat that meet in time are one incident; so is one count with its ballot's hands."""
    out: list[Flag] = []
    groups: list[tuple[set[int], Span]] = []
    for flag in sorted(flags, key=lambda f: (f.span, f.kind)):
        number = None
        for i, (seats, span) in enumerate(groups):
            if (
                seats & set(flag.seats)
                and len(flag.seats) == 1
                and span.widened(_INCIDENT_GAP // 2) & flag.span
            ):
                number = i
                groups[i] = (seats | set(flag.seats), span | flag.span)
                break
        if number is None:
            number = len(groups)
            groups.append((set(flag.seats) if len(flag.seats) == 1 else set(), flag.span))
        out.append(replace(flag, incident=number + 1))
    return out


def _rank(flag: Flag) -> tuple[int, int, float, int, str]:
    """What decides who leaves first, then what may, then other errors, fouls, notes; the surer first."""
    effect = kinds()[flag.template or flag.kind].effect == "result"
    weight = 0 if flag.params.get("decides") else 1 if effect else 2
    return SEVERITIES.index(flag.severity), weight, -flag.confidence, flag.span.t0, flag.kind


def flags_json(flags: Sequence[Flag], lang: str = "ru") -> dict[str, Any]:
    """flags.json. Ids follow the order; "incident" groups flags of one happening; "twin" holds the
    sentences in the other language."""
    return {
        "schema": SCHEMA,
        "lang": lang,
        "flags": [_flag_json(f, i + 1, lang) for i, f in enumerate(flags)],
    }


def _certainty(clause: str | None) -> str | None:
    """How sure the number of the clause is (A sure .. D guessed), as far as the engine knows."""
    return clause_of(clause).certainty if clause is not None and exists(clause) else None


def _flag_json(flag: Flag, number: int, lang: str) -> dict[str, Any]:
    return {
        "id": f"f{number:03d}",
        "kind": flag.kind,
        "clause": flag.clause,
        "clause_certainty": _certainty(flag.clause),
        "seats": list(flag.seats),
        "t0": seconds(flag.span.t0),
        "t1": seconds(flag.span.t1),
        "day": flag.day,
        "severity": flag.severity,
        "confidence": round(flag.confidence, 3),
        **flag.sentences(lang),
        "speed": flag.speed,
        "incident": flag.incident,
        "twin": dict(flag.sentences("ru" if lang == "en" else "en")),
        "evidence": [
            *(frame_json(f) for f in flag.frames),
            *(
                {
                    "recording": 0,
                    "pts": None,
                    "time_base": None,
                    "t": seconds(s.t0),
                    "path": None,
                    "note": text,
                }
                for s, text in flag.words
            ),
        ],
    }
