"""`mafiavar eval`: a case against a truth file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from mafiavar.ui.language import say


def register(app: typer.Typer) -> None:
    @app.command("eval", help=say("сравнить дело с истиной", "measure a case against a truth file"))
    def evaluate_command(
        pairs: list[Path] = typer.Argument(
            metavar=say("ИСТИНА ДЕЛО", "TRUTH CASE"),
            help=say(
                "файл истины и папка дела, сколько угодно пар; или папка с истинами и папка с делами тех же имён",
                "truth file and case folder, any number of pairs; or a folder of truths and one of cases of the same names",
            ),
        ),
        as_json: bool = typer.Option(False, "--json", help=say("вывод в JSON", "print JSON")),
        tolerance: float = typer.Option(
            1.0, "--tolerance", min=0.0, help=say("допуск времени события, с", "tolerance of event times, s")
        ),
    ) -> None:
        from mafiavar.analyzer.errors import UsageError
        from mafiavar.analyzer.evaluation import aggregate, evaluate, evaluate_parts
        from mafiavar.analyzer.evaluation.case import read_json

        if len(pairs) % 2:
            raise UsageError(
                "Нужны пары: файл истины и папка дела.", "Pairs are needed: a truth file and a case folder."
            )
        results = []
        for truth_file, case in _matched(pairs):
            truth = read_json(truth_file, "mafiavar/truth@1")
            if (
                case is None
            ):  # in a folder of many, a case that was never made is one in which nothing was found
                typer.echo(say(f"Дела нет: {truth_file.name}", f"No case: {truth_file.name}"), err=True)
                results.append(evaluate_parts(truth, tolerance=tolerance))
            else:
                results.append(evaluate(truth, case, tolerance))
        result = results[0] if len(results) == 1 else aggregate(results)
        if as_json:
            typer.echo(json.dumps(result, ensure_ascii=False, indent=1))
        else:
            _show(result)


def _matched(pairs: list[Path]) -> list[tuple[Path, Path | None]]:
    """Truth files with their cases. Two folders: NAME.truth.json of the first with the case NAME of the second."""
    from mafiavar.analyzer.errors import UsageError

    if not pairs[0].is_dir():
        return list(zip(pairs[::2], pairs[1::2], strict=True))
    found: list[tuple[Path, Path | None]] = []
    for truths, cases in zip(pairs[::2], pairs[1::2], strict=True):
        for file in sorted(truths.glob("*.truth.json")):
            case = cases / file.name.removesuffix(".truth.json")
            found.append((file, case if case.is_dir() else None))
    if not found:
        raise UsageError(
            f"В папке {pairs[0]} нет файлов *.truth.json.", f"There are no *.truth.json files in {pairs[0]}."
        )
    return found


def _number(value: Any) -> str:
    if value is None:
        return "—"
    if not isinstance(value, float):
        return str(value)
    return f"{value:.3f}".rstrip("0").rstrip(".").replace(".", say(",", "."))


def _interval(row: dict[str, Any], name: str) -> str:
    ends = row.get(f"{name}_interval")
    return _number(row[name]) + (
        f" [{_number(round(ends[0], 2))}–{_number(round(ends[1], 2))}]" if ends else ""
    )


_CLASSES = (
    ("no hand", "без руки"),
    ("hand, hidden", "рука скрыта"),
    ("hand, visible", "рука, видимая доля"),
    ("hand", "рука"),
    (" px", " пикс."),
    ("results", "итоги"),
    ("shots", "выстрелы"),
    ("checks", "проверки"),
)


def _class(name: str) -> str:
    """A class of the breakdown in the reader's language."""
    russian = name
    for english, ours in _CLASSES:
        russian = russian.replace(english, ours)
    return say(russian, name)


def _show(result: dict[str, Any]) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:  # into a file or a pipe: nothing is cut
        console.width = max(console.width, _WIDE + 50)
    _show_table(console, say("События", "Events"), {**result["totals"], **result["events"]}, times=True)
    votes = result["votes"]
    console.print(
        say(
            f"Голоса мест: верно {votes['right']}, неверно {votes['wrong']}, «не видно» {votes['cannot_tell']}"
            f" (из них голосований не найдено: {votes['missing']})",
            f"Seats' votes: right {votes['right']}, wrong {votes['wrong']}, cannot tell {votes['cannot_tell']}"
            f" (ballots not found: {votes['missing']})",
        )
    )
    for part in ("by_visibility", "by_size", "by_picture"):
        for row in votes.get(part, ()):
            ends = row.get("right_of_given_interval")
            sure = say(" верно из данных ответов ", " right of the answers given ") + (
                _interval(row, "right_of_given") if ends else "—"
            )
            console.print(
                f"  {_class(row['class'])}: {row['right']} / {row['wrong']} / {row['cannot_tell']}"
                + (sure if "right_of_given" in row else ""),
                markup=False,
            )
    for row in result.get("by_sound", ()):
        console.print(
            say("  звук ", "  sound ")
            + f"{_class(row['class'])} ({row['recordings']}): F1 {_interval(row['heard'], 'f1')}, WER {_number(row['wer'])}",
            markup=False,
        )
    if result["flags"]:
        _show_table(console, say("Отметки", "Flags"), result["flags"], times=False)
    protocol, speech = result["protocol"], result["speech"]
    console.print(
        say(
            f"Факты протокола: верно {protocol['right']} из {protocol['facts']}; различий {len(protocol['differences'])}",
            f"Protocol facts: {protocol['right']} of {protocol['facts']} right; {len(protocol['differences'])} differences",
        )
    )
    for d in protocol["differences"]:
        lost = say("нет", "none")
        truth, found = (lost if d[side] is None else d[side] for side in ("truth", "found"))
        console.print(
            say(
                f"  {d['fact']}: было {truth}, найдено {found}",
                f"  {d['fact']}: truth {truth}, found {found}",
            ),
            markup=False,
        )
    night = "; ".join(
        f"{_class(name)} {row['right']} / {row['truth']}" for name, row in result["night"].items()
    )
    console.print(say("Ночи, верно: ", "Nights, right: ") + night, markup=False)
    console.print(
        say(
            f"Речь: WER {_number(speech['wer'])}, верный говорящий {_number(speech['speaker_accuracy'])}",
            f"Speech: WER {_number(speech['wer'])}, right speaker {_number(speech['speaker_accuracy'])}",
        )
    )


_WIDE = 110
"""Columns of a terminal from which intervals stand inside the table."""
_GROUPS = {
    "all": ("всего", "all"),
    "heard": ("слышимые", "can be heard"),
    "seen": ("видимые", "can be seen"),
    "phases": ("фазы", "phases"),
    "nominations": ("выставления и ответы", "nominations and answers"),
}


def _title(kind: str) -> str:
    from mafiavar.analyzer.report.words import EVENT_TITLES, FLAG_TITLES

    russian, english = _GROUPS.get(kind) or EVENT_TITLES.get(kind) or FLAG_TITLES.get(kind) or (kind, kind)
    return say(f"{russian} ({kind})", english if kind in _GROUPS else f"{english} ({kind})")


def _show_table(console: Any, title: str, rows: dict[str, dict[str, Any]], *, times: bool) -> None:
    from rich.table import Table

    wide = console.width >= _WIDE
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column(say("вид", "kind"), overflow="fold")
    heads = [
        say("было", "truth"), say("найдено", "found"), say("верно", "right"),
        say("точн.", "prec."), say("полн.", "recall"), "F1",
    ]  # fmt: skip
    for head in heads + ([say("Δt, с", "Δt, s"), "p90"] if times else []):
        table.add_column(head, justify="right", no_wrap=True)
    for kind, row in rows.items():
        cells = [_number(row["truth"]), _number(row["found"]), _number(row["matched"])]
        cells += [_interval(row, n) if wide else _number(row[n]) for n in ("precision", "recall", "f1")]
        if times:
            cells += [_number(row.get("dt_median")), _number(row.get("dt_p90"))]
        table.add_row(_title(kind), *cells)
    console.print(table)
