"""`mafiavar protocol check` and `mafiavar protocol convert`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mafiavar.analyzer.errors import UsageError
from mafiavar.ui.findings import sentence
from mafiavar.ui.language import language, say, set_language

if TYPE_CHECKING:
    from rich.console import Console

    from mafiavar.analyzer.protocol import Problem, Reading
    from mafiavar.engine.audit import Audit

FINDINGS = 10
PROBLEM_SEVERITY = "error"


@dataclass(frozen=True, slots=True)
class Checked:
    """A protocol with its audit."""

    reading: Reading
    audit: Audit


def check(path: Path, rules: str | None = None) -> Checked:
    """Reads and audits a protocol. Raises UsageError for a file that cannot be read or unknown rules."""
    from mafiavar.analyzer.protocol import read_protocol
    from mafiavar.engine.audit import audit_file_rules
    from mafiavar.engine.errors import RuleError
    from mafiavar.engine.ruleset import RULESETS

    if rules is not None and rules not in RULESETS:
        known = ", ".join(sorted(RULESETS))
        raise UsageError(
            f"Правила «{rules}» неизвестны. Есть: {known}.", f"Unknown rules “{rules}”. Known: {known}."
        )
    reading = read_protocol(path)
    try:
        return Checked(reading, audit_file_rules(reading.record, rules))
    except RuleError as problem:
        raise UsageError(
            f"{path}: настройки правил в файле не читаются ({problem}).",
            f"{path}: bad rule options ({problem}).",
        ) from problem


def to_json(checked: Checked) -> dict[str, Any]:
    """`mafiavar/audit@1`."""
    audit = checked.audit
    return {
        "schema": "mafiavar/audit@1",
        "ruleset": audit.ruleset,
        "winner": audit.winner,
        "ended": {audit.ended[0]: audit.ended[1]} if audit.ended else None,
        "left": [{x.phase: x.number, "seats": list(x.seats), "by": x.by} for x in audit.left],
        "findings": [
            *(_problem(p) for p in checked.reading.problems),
            *(_finding(f) for f in audit.findings),
        ],
    }


def _finding(finding: Any) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "severity": finding.severity,
        "clause": finding.clause,
        "day": finding.day,
        "night": finding.night,
        "seats": list(finding.seats),
        "text": sentence(finding.kind, finding.seats, dict(finding.params)),
    }


def _problem(problem: Problem) -> dict[str, Any]:
    kind = "seat_impossible" if problem.kind == "seat_impossible" else f"reading_{problem.kind}"
    text = sentence(
        f"reading_{problem.kind}", problem.seats, {"where": problem.where, "value": problem.value}
    )
    return {
        "kind": kind, "severity": PROBLEM_SEVERITY, "clause": None, "day": problem.day, "night": problem.night,
        "seats": list(problem.seats), "text": text,
    }  # fmt: skip


def report(data: Mapping[str, Any], console: Console) -> None:
    """The audit as lines of text."""
    winner = {"red": say("красные", "red"), "black": say("чёрные", "black"), "draw": say("ничья", "draw")}
    console.print(say("Правила: ", "Rules: ") + str(data["ruleset"]), markup=False)
    for left in data["left"]:
        console.print(
            "  " + _place(left) + ", ".join(map(str, left["seats"])) + f" ({_by(left['by'])})", markup=False
        )
    said = winner.get(data["winner"] or "", say("не определена", "not decided"))
    console.print(say("Победа по записанному: ", "Winner by the facts: ") + said, markup=False)
    if not data["findings"]:
        console.print(say("Замечаний нет.", "No findings."))
    marks = {"error": say("ошибка", "error"), "warning": say("замечание", "warning"),
             "unchecked": say("не проверено", "unchecked")}  # fmt: skip
    for f in data["findings"]:
        clause = f" [{f['clause']}]" if f["clause"] else ""
        console.print(
            f"- {marks[f['severity']]}: {_place(f)}{f['text']}{clause}", markup=False, soft_wrap=True
        )


def _place(at: Mapping[str, Any]) -> str:
    if at.get("day") is not None:
        return say(f"день {at['day']}: ", f"day {at['day']}: ")
    return say(f"ночь {at['night']}: ", f"night {at['night']}: ") if at.get("night") is not None else ""


def _by(by: str) -> str:
    names = {
        "vote": say("голосование", "vote"), "lift": say("подъём", "lift"), "shot": say("убит", "shot"),
        "fouls": say("четыре фола", "four fouls"), "technical": say("технические фолы", "technical fouls"),
        "removal": say("удаление", "removal"), "team_defeat": say("ППК", "team defeat"),
    }  # fmt: skip
    return names[by]


def convert(path: Path, to: str, out: Path | None) -> Path:
    """Writes the protocol in another format beside the file, or to `out`; never over the source."""
    from mafiavar.analyzer.protocol import read_protocol, write_protocol
    from mafiavar.analyzer.protocol.write import SUFFIX
    from mafiavar.engine.audit import rules_of, settled

    if to not in SUFFIX:
        raise UsageError(
            f"Формат «{to}» неизвестен. Есть: {', '.join(SUFFIX)}.",
            f"Unknown format “{to}”. Known: {', '.join(SUFFIX)}.",
        )
    reading = read_protocol(path)
    target = out or path.with_name(path.stem + (".protocol" if to == "mafiavar" else "") + SUFFIX[to])
    if target.resolve() == path.resolve():
        raise UsageError(
            f"{target}: это исходный файл; укажите другое имя через --out.",
            f"{target} is the source; give another name with --out.",
        )
    rules = rules_of(reading.record).with_options(reading.record.site_options)
    write_protocol(settled(reading.record, rules), target, to)  # type: ignore[arg-type]
    return target


def register(app: typer.Typer) -> None:
    """Adds `protocol check` and `protocol convert`."""
    group = typer.Typer(
        no_args_is_help=True,
        help=say("протокол игры: проверить, перевести в другой формат", "a game's protocol: check, convert"),
    )
    lang_help = say("язык: ru или en", "language: ru or en")

    @group.command("check", help=say("проверить протокол по правилам", "check a protocol against the rules"))
    def check_command(
        file: Path = typer.Argument(
            ..., metavar=say("ФАЙЛ", "FILE"), help=say("файл протокола", "protocol file")
        ),
        rules: str | None = typer.Option(None, "--rules", help="fsm-2026 | disbord | legion"),
        as_json: bool = typer.Option(False, "--json", help=say("вывести JSON", "print JSON")),
        lang: str | None = typer.Option(None, "--lang", help=lang_help),
    ) -> None:
        from rich.console import Console

        set_language(lang or language())
        data = to_json(check(file, rules))
        if as_json:
            typer.echo(json.dumps(data, ensure_ascii=False, indent=1))
        else:
            report(data, Console(highlight=False))
        if data["findings"]:
            raise typer.Exit(FINDINGS)

    @group.command(
        "convert", help=say("перевести протокол в другой формат", "convert a protocol to another format")
    )
    def convert_command(
        file: Path = typer.Argument(
            ..., metavar=say("ФАЙЛ", "FILE"), help=say("файл протокола", "protocol file")
        ),
        to: str = typer.Option(..., "--to", help="mafiavar | csv | xlsx"),
        out: Path | None = typer.Option(None, "--out", help=say("куда записать", "where to write")),
        lang: str | None = typer.Option(None, "--lang", help=lang_help),
    ) -> None:
        set_language(lang or language())
        target = convert(file, to, out)
        typer.echo(say(f"Записано: {target}", f"Written: {target}"))

    app.add_typer(group, name="protocol")
