"""`mafiavar models list|fetch|verify`: the weights on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mafiavar.analyzer.errors import reason_ru
from mafiavar.models.errors import ModelMissing
from mafiavar.ui.language import decimal, say

if TYPE_CHECKING:
    from mafiavar.models.fetch import Progress

EXIT_MODEL_MISSING = 4


def missing_sentence(missing: ModelMissing) -> str:
    """What a user reads when a model is not ready, with the command that mends it."""
    name, detail = missing.name, say(reason_ru(missing.detail), missing.detail)
    mend = f"mafiavar models fetch {name}"
    match missing.reason:
        case "absent":
            return say(
                f"Модель «{name}» не скачана (нет файла {detail}). Исправляет команда: {mend}",
                f"Model “{name}” has not been fetched (no file {detail}). Mend it with: {mend}",
            )
        case "altered":
            return say(
                f"Модель «{name}» испорчена или скачана не полностью (файл {detail}). Исправляет команда: {mend}",
                f"Model “{name}” is damaged or incomplete (file {detail}). Mend it with: {mend}",
            )
        case "unknown":
            return say(
                f"Модели «{name}» нет ни среди известных, ни среди папок. Известны: {detail}. Список: mafiavar models list",
                f"“{name}” is neither a known model nor a folder. Known: {detail}. See: mafiavar models list",
            )
        case "disk":
            return say(
                f"Модель «{name}» некуда записать: {detail}. Освободите место или укажите другую папку переменной MAFIAVAR_MODELS.",
                f"Model “{name}” cannot be written: {detail}. Make room or name another folder in MAFIAVAR_MODELS.",
            )
        case "not fetched":
            return say(
                f"Модель «{name}» не удалось скачать. Что ответили источники: {detail}. "
                f"Проверьте интернет и повторите: {mend}. Без интернета: скопируйте папку моделей с другого "
                f"компьютера и выполните: {mend} --from ПАПКА",
                f"Model “{name}” could not be fetched. What the sources said: {detail}. "
                f"Check the connection and repeat: {mend}. Offline: copy the models folder of another "
                f"computer and run: {mend} --from FOLDER",
            )
        case reason:
            return say(
                f"Модель «{name}» не готова: {reason}. Исправляет команда: {mend}",
                f"Model “{name}” is not ready: {reason}. Mend it with: {mend}",
            )


def megabytes(size: int | None) -> str:
    return "?" if size is None else f"{decimal(size / 1e6)} {say('МБ', 'MB')}"


def share(progress: Progress) -> str:
    """How much has come, of how much if that is known."""
    if not progress.done and not progress.total:
        return ""
    of = say(f" из {megabytes(progress.total)}", f" of {megabytes(progress.total)}") if progress.total else ""
    return f"{decimal(progress.done / 1e6)}{of}" if of else megabytes(progress.done)


def register(app: typer.Typer) -> None:
    models = typer.Typer(
        no_args_is_help=True,
        help=say("модели на этом компьютере: список, загрузка, проверка", "the models on this computer"),
    )
    app.add_typer(models, name="models")
    register_list(models)
    register_fetch(models)
    register_verify(models)


def state_word(state: str) -> str:
    words = {
        "ready": say("готова", "ready"),
        "absent": say("нет", "absent"),
        "altered": say("испорчена", "altered"),
    }
    return words[state]


def register_list(models: typer.Typer) -> None:
    @models.command("list", help=say("какие модели есть, сколько весят, чьи они", "which models there are"))
    def list_models(
        as_json: bool = typer.Option(False, "--json", help=say("для программ", "for programs")),
    ) -> None:
        from rich.console import Console
        from rich.table import Table

        from mafiavar.models.registry import check, models_folder, registry

        rows = [(entry, check(name).state) for name, entry in registry().items()]
        if as_json:
            content = [
                {
                    "name": entry.name,
                    "state": state,
                    "size": entry.size,
                    "licence": entry.licence,
                    "card": entry.card,
                    "about": entry.about,
                    "default": entry.default,
                }
                for entry, state in rows
            ]
            typer.echo(
                json.dumps({"folder": str(models_folder()), "models": content}, ensure_ascii=False, indent=1)
            )
            return
        table = Table(box=None, pad_edge=False)
        for title in (
            say("модель", "model"),
            say("состояние", "state"),
            say("размер", "size"),
            say("лицензия", "licence"),
            say("для чего", "purpose"),
        ):
            table.add_column(title, no_wrap=title != say("для чего", "purpose"))
        for entry, state in rows:
            table.add_row(
                entry.name,
                state_word(state) if entry.default or state != "absent" else say("по желанию", "optional"),
                megabytes(entry.size),
                entry.licence,
                say(entry.purpose_ru, entry.purpose_en),
            )
        console = Console(highlight=False)
        console.print(table)
        spare = next((e.name for e, state in rows if not e.default and state == "absent"), None)
        if spare:
            console.print(
                say(
                    f"Скачать модель по желанию: mafiavar models fetch {spare}",
                    f"To fetch an optional one: mafiavar models fetch {spare}",
                ),
                soft_wrap=True,
                markup=False,
            )
        console.print(
            say(f"Папка: {models_folder()}", f"Folder: {models_folder()}"), soft_wrap=True, markup=False
        )


def register_fetch(models: typer.Typer) -> None:
    @models.command(
        "fetch",
        help=say(
            "скачать модели (без имён: все нужные для разбора)",
            "fetch models (none named: all that are needed)",
        ),
    )
    def fetch_models(
        names: list[str] = typer.Argument(
            None, metavar=say("МОДЕЛЬ", "MODEL"), help=say("имена моделей", "names of models")
        ),
        source: Path = typer.Option(
            None,
            "--from",
            exists=True,
            file_okay=False,
            help=say("папка моделей с другого компьютера", "models folder of another computer"),
        ),
    ) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar

        from mafiavar.models.fetch import fetch

        console = Console(stderr=True, highlight=False)
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[size]}", markup=False),
        )
        with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
            task = bar.add_task(say("спрашиваю источники", "asking the sources"), total=None, size="")

            def watch(progress: Progress) -> None:
                what = progress.source if not progress.file else f"{progress.model}: {progress.source}"
                if progress.source == "another fetch":
                    what = say("жду: модели уже скачивает другая команда", "waiting for another fetch")
                bar.update(
                    task,
                    description=what,
                    completed=progress.done,
                    total=progress.total,
                    size=share(progress),
                )

            outcomes = fetch([full_name(n) for n in names or ()], watch, from_folder=source)
        for outcome in outcomes:
            if outcome.source:
                text = say(
                    f"{outcome.name}: готова ({outcome.source})", f"{outcome.name}: ready ({outcome.source})"
                )
            else:
                text = say(f"{outcome.name}: уже есть", f"{outcome.name}: already here")
            typer.echo(text)


def full_name(name: str) -> str:
    """`small` of `--asr small` is the model `whisper-small`."""
    from mafiavar.models.registry import registry

    return f"whisper-{name}" if name not in registry() and f"whisper-{name}" in registry() else name


def register_verify(models: typer.Typer) -> None:
    @models.command(
        "verify",
        help=say("прочесть каждый байт моделей и сверить SHA-256", "read every byte, compare SHA-256"),
    )
    def verify_models(
        names: list[str] = typer.Argument(
            None, metavar=say("МОДЕЛЬ", "MODEL"), help=say("имена моделей", "names of models")
        ),
    ) -> None:
        from mafiavar.models.registry import verify

        found = verify([full_name(n) for n in names or ()])
        for one in found:
            detail = f" ({one.detail})" if one.detail else ""
            typer.echo(f"{one.name}: {state_word(one.state)}{detail}")
        wrong = [one.name for one in found if one.state != "ready"]
        if wrong:
            mend = f"mafiavar models fetch {' '.join(wrong)}"
            typer.echo(say(f"Исправляет команда: {mend}", f"Mend it with: {mend}"), err=True)
            raise typer.Exit(EXIT_MODEL_MISSING)
