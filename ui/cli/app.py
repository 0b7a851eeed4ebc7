"""The command tree and the exit codes (docs: contracts).

0 done · 1 unexpected failure · 2 wrong usage or unreadable input file · 3 media cannot be read ·
4 a model is missing · 10 findings.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
import traceback
from importlib.metadata import version
from pathlib import Path
from typing import Any

import typer
from platformdirs import user_log_path
from rich.console import Console

from mafiavar.analyzer.errors import MafiavarError
from mafiavar.models.errors import ModelMissing
from mafiavar.ui.cli import usage
from mafiavar.ui.cli.models import missing_sentence
from mafiavar.ui.language import language, language_from_environment, say, set_language

# Each module has `register(app)`; heavy libraries are imported inside its commands, not here.
COMMANDS = (
    "analyze",
    "batch",
    "case",
    "protocol",
    "score",
    "eval",
    "models",
    "doctor",
    "demo",
    "review",
    "studio",
    "audit",
)
BENCHES: tuple[str, ...] = (
    "bench_hearing",
    "bench_pipeline",
    "bench_timeline",
    "bench_ui",
    "bench_engine",
    "bench_vision",
    "bench_flags",
)


HELP_NAMES = ["-h", "--help"]


def build(lang: str) -> typer.Typer:
    """The command tree with its help in `lang`."""
    set_language(lang)
    app = typer.Typer(
        name="mafiavar",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": HELP_NAMES},
        help=say(
            "Видеосудья спортивной мафии: смотрит запись, считает кулаки, слышит выставления; решает человек.",
            "Video referee of sport Mafia: watches the recording, counts fists, hears nominations; a person decides.",
        ),
    )

    @app.callback()
    def root(
        lang: str = typer.Option(
            language(), "--lang", help=say("язык: ru или en", "language: ru or en"), envvar="MAFIAVAR_LANG"
        ),
    ) -> None:
        set_language(lang)

    for name in COMMANDS:
        importlib.import_module(f"mafiavar.ui.cli.{name}").register(app)
    if BENCHES:
        bench = typer.Typer(
            no_args_is_help=True, help=say("скорость и точность в цифрах", "speed and accuracy in figures")
        )
        app.add_typer(bench, name="bench")
        for name in BENCHES:
            importlib.import_module(f"mafiavar.ui.cli.{name}").register(bench)
    return app


def command(lang: str) -> Any:
    """The command tree ready to be called, its help pages and frames in `lang`."""
    tree = typer.main.get_command(build(lang))
    usage.translate_help(tree, HELP_NAMES)
    return tree


_CTRL_C = 130
"""What shells report for a program that Ctrl-C ended (128 + SIGINT)."""


def main() -> None:
    """Run the command; every expected failure is one sentence on stderr and its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A Windows console or a pipe may not be UTF-8; Russian must not end a run.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    lang = language_from_environment()
    arguments = sys.argv[1:]
    if "--lang" in arguments[:-1]:
        lang = "en" if arguments[arguments.index("--lang") + 1] == "en" else "ru"
    errors = Console(stderr=True, highlight=False)
    try:
        ended = command(lang)(prog_name="mafiavar", standalone_mode=False)
    except MafiavarError as error:
        errors.print(error.sentence(language()), style="red", soft_wrap=True, markup=False)
        raise SystemExit(error.exit_code) from None
    except ModelMissing as missing:
        errors.print(missing_sentence(missing), style="red", soft_wrap=True, markup=False)
        raise SystemExit(4) from None
    except KeyboardInterrupt:
        errors.print(stopped())
        raise SystemExit(_CTRL_C) from None
    except typer.Abort:
        errors.print(say("Прервано.", "Aborted."))
        raise SystemExit(1) from None
    except typer.TyperException as error:
        raise SystemExit(usage.tell(error, errors)) from None
    except Exception as error:  # the border of the process: nobody at a table reads a traceback
        if os.environ.get("MAFIAVAR_DEBUG"):
            raise
        where = keep_traceback()
        errors.print(
            say(
                f"Непредвиденная ошибка: {type(error).__name__}: {error}. Подробности: {where}. "
                "Готовые этапы сохранены; повторите команду, а если не поможет, пришлите этот файл.",
                f"Unexpected failure: {type(error).__name__}: {error}. Details: {where}. "
                "Finished stages are kept; repeat the command, and if that does not help, send this file.",
            ),
            style="red",
            soft_wrap=True,
            markup=False,
        )
        raise SystemExit(1) from None
    code = ended if isinstance(ended, int) else 0  # an Exit inside a command comes back as its code
    if code == _CTRL_C:  # typer turns Ctrl-C into its exit code and says nothing
        errors.print(stopped())
    raise SystemExit(code)


def stopped() -> str:
    return say(
        "Остановлено. Готовые этапы сохранены: та же команда продолжит с этого места.",
        "Stopped. Finished stages are kept: the same command goes on from here.",
    )


def keep_traceback() -> Path:
    """Write the traceback of the failure being handled where it can be sent from."""
    folder = user_log_path("mafiavar", appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir())
    path = folder / "last-failure.txt"
    path.write_text(f"mafiavar {version('mafiavar')}\n{traceback.format_exc()}", "utf-8")
    return path
