"""`mafiavar bench flags`: flags on written games with planted violations, given perfect or measured senses."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from mafiavar.ui.language import language, say

if TYPE_CHECKING:
    from mafiavar.analyzer.evaluation.stated import Sample

T = TypeVar("T")
_PULL = 0.5
"""So many flags' worth a kind is pulled towards all: five false ones of a kind are enough to doubt it."""
RULESETS = ("fsm-2026", "fsm-2026", "fsm-2026", "disbord", "legion")
"""The rule sets of the games in turn: most kinds are known to the first only."""
UNDELIVERED = frozenset({"gesture_during_vote"})
"""Kinds whose observation no part of the pipeline gives yet (docs/flags.md)."""
SENSES = ("cues", "words", "measured")
"""cues: every event heard, everything seen; words: every word heard, read by the grammar, everything
seen; measured: words and pictures lost and mistaken as often as was measured."""


def register(bench: typer.Typer) -> None:
    @bench.command(
        help=say(
            "отметки по написанным играм с нарушениями: точность и полнота, если слышно и видно",
            "flags of written games with planted violations: precision and recall, given hearing and seeing",
        )
    )
    def flags(
        games: int = typer.Option(20, min=1, help=say("сколько игр", "how many games")),
        seed: int = typer.Option(70_000, help=say("первое зерно", "first seed")),
        rate: float = typer.Option(4.0, help=say("частота нарушений", "how often rules are broken")),
        workers: int = typer.Option(1, min=1, help=say("процессов", "processes")),
        senses: str = typer.Option("all", help="cues | words | measured | all"),
        misses: bool = typer.Option(
            False, "--misses", help=say("показать промахи и лишние", "show what was missed and invented")
        ),
        first_page: bool = typer.Option(
            False,
            "--first-page",
            help=say(
                "вместо чисел показать первую страницу отчёта каждой игры",
                "instead of figures show the first page of each game's report",
            ),
        ),
        fit: Path | None = typer.Option(
            None,
            "--fit",
            help=say(
                "вместо чисел подогнать уверенность каждого вида и записать в файл",
                "instead of figures fit the confidence of each kind and write it to a file",
            ),
        ),
        as_json: bool = typer.Option(False, "--json", help=say("вывод в JSON", "print JSON")),
    ) -> None:
        if fit is not None:
            drawn = [(RULESETS[i % len(RULESETS)], seed + i, rate) for i in range(games)]
            samples = [s for game in _mapped(_raw, drawn, workers) for s in game]
            fit.write_text(_fitted(samples, f"--games {games} --seed {seed} --rate {rate:g}"), "utf-8")
            return
        chosen = SENSES if senses == "all" else (senses,)
        jobs = [(RULESETS[i % len(RULESETS)], seed + i, rate, name) for name in chosen for i in range(games)]
        if first_page:
            for rules, number, often, name in jobs:
                for line in _first_page(rules, number, often, name):
                    typer.echo(line)
            return
        measured = _mapped(_game, jobs, workers)
        report = {name: summed([m for m in measured if m["senses"] == name]) for name in chosen}
        if as_json:
            typer.echo(json.dumps(report, ensure_ascii=False, indent=1))
            return
        for line in table(report):
            typer.echo(line)
        if misses:
            for m in measured:
                for line in _told(m):
                    typer.echo(line)


def _mapped(work: Callable[[Any], T], jobs: Sequence[Any], workers: int) -> list[T]:
    if workers == 1:
        return [work(job) for job in jobs]
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        return list(pool.map(work, jobs))


def _raw(job: tuple[str, int, float]) -> list[Sample]:
    """Every flag of one written game, however unsure, with the confidence that its family reckons."""
    from mafiavar.analyzer.evaluation.flags import judged
    from mafiavar.analyzer.evaluation.observed import MEASURED
    from mafiavar.ui.cli.written import written

    rules, seed, rate = job
    truth = written(rules, seed, rate=rate, condensed=False)
    case = case_of(truth, MEASURED, seed, raw=True)
    told = [
        {**record, "line": flag.line}
        for record, flag in zip(case["flags"]["flags"], case["found"], strict=True)
    ]
    return judged(truth["flags"], told)


def _fitted(samples: Sequence[Sample], how: str) -> str:
    """The text of flags/calibration.toml: a line for every kind, near that of all where there are few."""
    from mafiavar.analyzer.evaluation.fitting import by_line, calibrated

    whole = calibrated(samples)
    own = {"all": whole, **{kind: calibrated(mine, whole, _PULL) for kind, mine in by_line(samples).items()}}
    seen = {kind: [s.hit for s in samples if kind in ("all", s.line)] for kind in own}
    rows = [f"{kind} = [{a}, {b}]  # {sum(seen[kind])} of {len(seen[kind])}" for kind, (a, b) in own.items()]
    return "\n".join(
        (
            "# How sure a flag is: slope and shift of logit(confidence) by kind, so that of flags said to be .7 sure",
            '# seven in ten are right; "all" stands for kinds that were not seen. Behind #: how many were right.',
            f"# Written by `mafiavar bench flags --fit FILE {how}` (senses as measured).",
            "[calibration]",
            *rows,
            "",
        )
    )


def _game(job: tuple[str, int, float, str]) -> dict[str, Any]:
    """One written game, observed, aligned, flagged, compared with what was planted. Kinds that the rule
    set does not know are left out."""
    from mafiavar.analyzer.evaluation.flags import score_flags
    from mafiavar.analyzer.evaluation.observed import MEASURED, PERFECT
    from mafiavar.analyzer.flags.flag import kinds
    from mafiavar.ui.cli.written import written

    rules, seed, rate, name = job
    truth = written(rules, seed, rate=rate, condensed=False)
    found = case_of(truth, MEASURED if name == "measured" else PERFECT, seed, events=name == "cues")["flags"]
    known = {k.name for k in kinds().values() if rules in k.clauses}
    planted = [f for f in truth["flags"] if f["kind"] in known]
    return {
        "senses": name,
        "recording": truth["recording"],
        "duration": truth["duration"],
        "kinds": score_flags(planted, found["flags"]),
    }


def case_of(
    truth: Mapping[str, Any], senses: Any, seed: int, *, events: bool = False, raw: bool = False
) -> dict[str, Any]:
    """timeline, votes and flags (as in their files) that the analyzer makes of what `senses` bring of a
    truth, and the flags found; `events`: the cues of the truth's events instead of what the grammar reads; `raw`: all flags,
    with confidences as they are reckoned."""
    from mafiavar.analyzer.align import align
    from mafiavar.analyzer.evaluation.observed import Observer
    from mafiavar.analyzer.flags import find_flags, flags_json
    from mafiavar.analyzer.span import micros
    from mafiavar.analyzer.speech import cues_of
    from mafiavar.analyzer.votes import count, votes_json, with_votes
    from mafiavar.engine.ruleset import ruleset

    rules, duration = ruleset(truth["ruleset"]), micros(truth["duration"])
    observer = Observer(truth, senses, seed)
    transcript = observer.transcript()
    cues = observer.cues(transcript) if events else list(cues_of(transcript))
    questions = align(cues, rules, duration=duration).questions
    hands = observer.hands(questions)
    alignment = align(cues, rules, duration=duration, answers=hands)
    by_day = observer.by_day([s for _, s in alignment.nights])
    answers = (*observer.asked(questions), *by_day, *observer.touches(), *observer.undelivered())
    votes = count(alignment, hands)
    plain: dict[str, Any] = (
        {"thresholds": {"least_confidence": 0.02, "least_counted": 0.02}, "calibration": {}} if raw else {}
    )
    flags = find_flags(alignment, votes, transcript, rules, answers=answers, **plain)
    return {
        "timeline": with_votes(alignment, votes).timeline.to_json(),
        "votes": votes_json(votes),
        "flags": flags_json(flags, language()),
        "found": flags,
    }


def _first_page(rules: str, seed: int, rate: float, name: str) -> list[str]:
    """What a reader of this game's report sees first, beside what was planted."""
    from mafiavar.analyzer.evaluation.observed import MEASURED, PERFECT
    from mafiavar.analyzer.report.first_page import first_page
    from mafiavar.analyzer.report.words import clock
    from mafiavar.ui.cli.written import written

    truth = written(rules, seed, rate=rate, condensed=False)
    case = case_of(truth, MEASURED if name == "measured" else PERFECT, seed, events=name == "cues")
    page = first_page(case["timeline"], case["votes"], case["flags"], {}, language())
    lines = ["", f"{truth['recording']}, {clock(truth['duration'])}: {page.verdict(language())}"]
    lines += [f"  {clock(p.t or 0.0)} [{p.severity}] {p.text}" for p in page.disputed]
    lines.append(
        say(f"  ещё: {page.more}, замечаний: {page.notes}", f"  more: {page.more}, notes: {page.notes}")
    )
    planted = [f"{f['kind']} {clock(f['t0'])}" for f in truth["flags"]]
    return [*lines, say("  заложено: ", "  planted: ") + ", ".join(planted)]


def summed(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Counts per kind over games, with severity and Wilson intervals; the sum of errors and fouls."""
    from mafiavar.analyzer.flags.flag import kinds

    rows: dict[str, dict[str, Any]] = {}
    for part in parts:
        for kind, row in part["kinds"].items():
            into = rows.setdefault(kind, {"truth": 0, "found": 0, "matched": 0})
            for field in into:
                into[field] += row[field]
    for kind, row in rows.items():
        row["severity"] = kinds()[kind].severity
        row["delivered"] = kind not in UNDELIVERED
    minutes = sum(float(p["duration"]) for p in parts) / 60
    grave = _pooled(r for r in rows.values() if r["severity"] in ("error", "foul"))
    delivered = _pooled(r for r in rows.values() if r["severity"] in ("error", "foul") and r["delivered"])
    return {
        "games": len(parts),
        "minutes": round(minutes, 1),
        "kinds": {k: {**r, **_shares(r)} for k, r in sorted(rows.items())},
        "error_and_foul": grave,
        "error_and_foul_delivered": delivered,
        "false_per_ten_minutes": round(10 * (grave["found"] - grave["matched"]) / minutes, 3),
        "all": _pooled(rows.values()),
    }


def _pooled(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    listed = list(rows)
    total = {f: sum(int(r[f]) for r in listed) for f in ("truth", "found", "matched")}
    return {**total, **_shares(total)}


def _shares(row: Mapping[str, Any]) -> dict[str, Any]:
    from mafiavar.analyzer.evaluation.aggregate import wilson

    return {
        "precision": round(row["matched"] / row["found"], 3) if row["found"] else None,
        "precision_interval": wilson(row["matched"], row["found"]),
        "recall": round(row["matched"] / row["truth"], 3) if row["truth"] else None,
        "recall_interval": wilson(row["matched"], row["truth"]),
    }


def table(report: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Markdown, as it stands in docs/accuracy.md."""
    lines = []
    for name, part in report.items():
        lines += [
            "",
            say(f"{name}: игр {part['games']}, минут {part['minutes']}", f"{name}: games {part['games']}, minutes {part['minutes']}"),
            "",
            "| kind | severity | planted | found | right | precision | recall |",
            "|---|---|---|---|---|---|---|",
        ]  # fmt: skip
        for kind, row in part["kinds"].items():
            mark = "" if row["delivered"] else " *"
            lines.append(f"| {kind}{mark} | {row['severity']} | {_numbers(row)} |")
        lines.append(f"| **error and foul** | | {_numbers(part['error_and_foul'])} |")
        lines.append(
            f"| **error and foul, delivered today** | | {_numbers(part['error_and_foul_delivered'])} |"
        )
        lines.append(f"| all | | {_numbers(part['all'])} |")
        lines.append("")
        lines.append(
            say("ложных (error, foul) за десять минут: ", "false (error, foul) in ten minutes: ")
            + str(part["false_per_ten_minutes"])
        )
    return lines


def _numbers(row: Mapping[str, Any]) -> str:
    return (
        f"{row['truth']} | {row['found']} | {row['matched']} | "
        f"{_share(row['precision'], row['precision_interval'])} | {_share(row['recall'], row['recall_interval'])}"
    )


def _share(value: float | None, interval: Sequence[float] | None) -> str:
    return "-" if value is None or interval is None else f"{value:.2f} [{interval[0]:.2f}, {interval[1]:.2f}]"


def _told(m: Mapping[str, Any]) -> list[str]:
    lines = []
    for kind, row in m["kinds"].items():
        for what in ("missed", "extra"):
            for f in row[what]:
                lines.append(
                    f"{m['senses']} {m['recording']} {what} {kind} {f['t0']}-{f['t1']} d{f['day']} {f['seats']}"
                )
    return lines
