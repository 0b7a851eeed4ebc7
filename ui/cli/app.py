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
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import typer
from platformdirs import user_log_path

from mafiavar.analyzer.errors import MafiavarError
from mafiavar.models.errors import ModelMissing
from mafiavar.ui.cli import usage
from mafiavar.ui.language import language, language_from_environment, say, set_language

# Command -> the module that brings it by `register(app)`. Only the module of the command that was called
# is imported, and heavy libraries inside its commands: a wrong name must not cost seconds.
COMMANDS = {
    "analyze": "analyze",
    "batch": "batch",
    "case": "case",
    "protocol": "protocol",
    "score": "score",
    "eval": "eval",
    "models": "models",
    "doctor": "doctor",
    "demo": "demo",
    "review": "review",
    "studio": "studio",
    "audit": "audit",
    "verify": "audit",
    "export": "audit",
}
BENCHES = ("hearing", "pipeline", "timeline", "ui", "engine", "vision", "flags")


HELP_NAMES = ["-h", "--help"]


def build(lang: str, called: str | None = None) -> typer.Typer:
    """The command tree with its help in `lang`. `called`: the name of a command brings what belongs to
    it only, another word every command but the insides of `bench`, None simply everything."""
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

    one = {name: module for name, module in COMMANDS.items() if name == called}
    if called != "bench":
        for module in dict.fromkeys((one or COMMANDS).values()):
            importlib.import_module(f"mafiavar.ui.cli.{module}").register(app)
    if not one:
        bench = typer.Typer(
            no_args_is_help=True, help=say("скорость и точность в цифрах", "speed and accuracy in figures")
        )
        app.add_typer(bench, name="bench")
        for name in BENCHES if called in {"bench", None} else ():
            importlib.import_module(f"mafiavar.ui.cli.bench_{name}").register(bench)
    return app


def called_command(arguments: Sequence[str]) -> str:
    """The first word that is no option: the name of a command when the line is right; "" without one."""
    words = iter(arguments)
    for word in words:
        if word == "--lang":
            next(words, None)
        elif not word.startswith("-"):
            return word
    return ""


def command(lang: str, called: str | None = None) -> Any:
    """The command tree ready to be called, its help pages and frames in `lang`."""
    tree = typer.main.get_command(build(lang, called))
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
    elif "--lang=en" in arguments:
        lang = "en"
    try:
        ended = command(lang, called_command(arguments))(prog_name="mafiavar", standalone_mode=False)
    except MafiavarError as error:
        complain(error.sentence(language()))
        raise SystemExit(error.exit_code) from None
    except ModelMissing as missing:
        from mafiavar.ui.cli.models import missing_sentence

        complain(missing_sentence(missing))
        raise SystemExit(4) from None
    except KeyboardInterrupt:
        complain(stopped(), colour="")
        raise SystemExit(_CTRL_C) from None
    except typer.Abort:
        complain(say("Прервано.", "Aborted."), colour="")
        raise SystemExit(1) from None
    except typer.TyperException as error:
        from rich.console import Console

        raise SystemExit(usage.tell(error, Console(stderr=True, highlight=False))) from None
    except Exception as error:  # the border of the process: nobody at a table reads a traceback
        if os.environ.get("MAFIAVAR_DEBUG"):
            raise
        where = keep_traceback()
        complain(
            say(
                f"Непредвиденная ошибка: {type(error).__name__}: {error}. Подробности: {where}. "
                "Готовые этапы сохранены; повторите команду, а если не поможет, пришлите этот файл.",
                f"Unexpected failure: {type(error).__name__}: {error}. Details: {where}. "
                "Finished stages are kept; repeat the command, and if that does not help, send this file.",
            )
        )
        raise SystemExit(1) from None
    code = ended if isinstance(ended, int) else 0  # an Exit inside a command comes back as its code
    if code == _CTRL_C:  # typer turns Ctrl-C into its exit code and says nothing
        complain(stopped(), colour="")
    raise SystemExit(code)


def complain(sentence: str, colour: str = "red") -> None:
    """One sentence on stderr."""
    from rich.console import Console

    from mafiavar.ui.cli.program import callable_here

    Console(stderr=True, highlight=False).print(
        callable_here(sentence), style=colour, soft_wrap=True, markup=False
    )


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
