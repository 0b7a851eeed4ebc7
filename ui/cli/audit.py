"""`mafiavar audit votes`: a tournament's ballots at a glance; `mafiavar verify`: is a case as it was sealed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from mafiavar.analyzer.seal.seal import NAME
from mafiavar.ui.language import language, say


def register(app: typer.Typer) -> None:
    audit = typer.Typer(
        no_args_is_help=True, help=say("сверка голосований турнира", "audit of a tournament's votes")
    )
    app.add_typer(audit, name="audit")

    @audit.command(
        "votes", help=say("таблица: судья, протокол, руки", "table: the judge, the protocol, the hands")
    )
    def votes(
        folder: Path = typer.Argument(
            metavar=say("ПАПКА", "DIR"), help=say("папка с делами", "folder of cases")
        ),
        out: Path = typer.Option(
            ..., "--out", help=say("файл .xlsx, .csv или .html", "a .xlsx, .csv or .html file")
        ),
    ) -> None:
        from mafiavar.analyzer.reconcile.tournament import audit_folder, write_audit

        rows = audit_folder(folder)
        write_audit(rows, out)
        typer.echo(_told([r.line.verdict.value for r in rows], out))

    @app.command("verify", help=say("проверить печать дела", "verify the seal of a case"))
    def verify_case(
        case: Path = typer.Argument(
            metavar=say("ДЕЛО", "CASE"),
            help=say("папка дела или папка с делами", "case folder, or a folder of cases"),
        ),
        sources: bool = typer.Option(
            True, "--sources/--no-sources", help=say("проверять и сами записи", "hash the recordings as well")
        ),
        as_json: bool = typer.Option(False, "--json", help=say("вывод в JSON", "print JSON")),
    ) -> None:
        from mafiavar.analyzer.seal import verify

        sealed = _sealed(case)
        checks = {one: verify(one, sources=sources) for one in sealed or [case]}
        if as_json:
            fields = ("head", "chain", "altered", "lost", "added", "sources", "unseen", "purged", "intact")
            values = {str(one): {f: getattr(c, f) for f in fields} for one, c in checks.items()}
            plain = values if len(sealed) > 1 or sealed != [case] else values[str(case)]
            typer.echo(json.dumps(plain, ensure_ascii=False, indent=1))
        else:
            for one, check in checks.items():
                if one != case:
                    typer.echo(f"{one}:")
                for line in _sentences(check):
                    typer.echo(line)
        if not all(check.intact for check in checks.values()):
            raise typer.Exit(10)

    @app.command("export", help=say("выгрузить дело для других программ", "export a case for other programs"))
    def export(
        case: Path = typer.Argument(metavar=say("ДЕЛО", "CASE"), help=say("папка дела", "case folder")),
        to: str = typer.Option(
            ...,
            "--to",
            help=say(
                "protocol, csv, xlsx — протокол по записи; pdf, html — отчёт; vtt — субтитры событий; eaf — ELAN; "
                "textgrid — Praat; boris — BORIS; otio — список клипов для монтажа; chapters — mp4 с главами",
                "protocol, csv, xlsx: the protocol that the recording tells; pdf, html: the report; vtt: captions of "
                "events; eaf: ELAN; textgrid: Praat; boris: BORIS; otio: list of clips for editors; chapters: mp4 with chapters",
            ),
        ),
        out: Path = typer.Option(..., "--out", help=say("куда записать", "where to write")),
    ) -> None:
        from mafiavar.analyzer.case.files import disk_sentences, write_text
        from mafiavar.analyzer.export import FILES, export_case

        if to in FILES:
            with disk_sentences(out):
                FILES[to](case, out, language())
        else:
            write_text(out, export_case(case, to))
        typer.echo(say(f"Записано: {out}", f"Written: {out}"))


def _sealed(folder: Path) -> list[Path]:
    """The case itself, else the cases in the folder and the games of its cases."""
    if (folder / NAME).is_file():
        return [folder]
    return sorted(p.parent for depth in ("*", "*/*") for p in folder.glob(f"{depth}/{NAME}"))


def _told(verdicts: Sequence[str], out: Path) -> str:
    agree, differ, unseen = (verdicts.count(v) for v in ("agree", "differ", "not_seen"))
    return say(
        f"Строк: {len(verdicts)}; сходится {agree}, расходится {differ}, не видно {unseen}. Записано: {out}",
        f"Rows: {len(verdicts)}; agree {agree}, differ {differ}, not seen {unseen}. Written: {out}",
    )


def _sentences(check: Any) -> list[str]:
    lines = []
    for names, ru, en in (
        (check.altered, "Изменён файл", "Altered"),
        (check.lost, "Пропал файл", "Lost"),
        (check.added, "Добавлен файл", "Added"),
        (check.sources, "Запись не та, что разбиралась", "Not the recording that was analysed"),
        (check.unseen, "Записи нет на месте, не проверена", "The recording is not in its place, not checked"),
    ):
        lines += [f"{say(ru, en)}: {name}" for name in names]
    if check.purged:
        lines.append(
            say(
                f"Промежуточные наблюдения удалены очисткой дела ({len(check.purged)}).",
                f"Intermediate observations were purged ({len(check.purged)}).",
            )
        )
    if not check.chain:
        lines.append(
            say(
                "Цепочка печати нарушена: изменён сам файл печати.",
                "The chain is broken: the seal itself was altered.",
            )
        )
    if check.intact:
        lines.append(say("Дело не изменялось.", "The case is as it was sealed."))
    lines.append(say(f"Печать: {check.head}", f"Seal: {check.head}"))
    return lines
