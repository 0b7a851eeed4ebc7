"""`mafiavar review`: the review room over a folder of cases."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path

import typer

from mafiavar.analyzer.errors import UsageError
from mafiavar.ui.language import say


def register(app: typer.Typer) -> None:
    @app.command(
        help=say("открыть комнату просмотра над папкой дел", "open the review room over a folder of cases")
    )
    def review(
        folder: Path = typer.Argument(
            Path(),
            metavar=say("ПАПКА", "DIR"),
            help=say("папка с делами (или одно дело)", "folder of cases (or one case)"),
        ),
        port: int = typer.Option(8501, "--port", min=1, max=65535, help=say("порт", "port")),
        host: str = typer.Option(
            "127.0.0.1",
            "--host",
            help=say(
                "адрес; по умолчанию только эта машина", "address; only this machine unless told otherwise"
            ),
        ),
        database: str | None = typer.Option(
            None,
            "--database",
            envvar="MAFIAVAR_DATABASE",
            help=say(
                "база решений, адрес SQLAlchemy (postgresql://...); по умолчанию SQLite в DIR/.mafiavar",
                "database of decisions, SQLAlchemy URL (postgresql://...); SQLite in DIR/.mafiavar by default",
            ),
        ),
        sign_in: Path | None = typer.Option(
            None,
            "--sign-in",
            metavar=say("ФАЙЛ", "FILE"),
            envvar="MAFIAVAR_SIGN_IN",
            help=say(
                "файл TOML: вход через провайдера клуба (OpenID Connect) и роли, см. docs/review.ru.md",
                "TOML file: sign in through the club's provider (OpenID Connect) and roles, see docs/review.md",
            ),
        ),
        show: bool | None = typer.Option(
            None,
            "--open/--no-open",
            help=say(
                "открыть страницу в браузере; само собой — при запуске из терминала",
                "open the page in the browser; by itself when started from a terminal",
            ),
        ),
        add_account: str | None = typer.Option(
            None,
            "--add-account",
            metavar=say("ИМЯ:РОЛЬ", "NAME:ROLE"),
            help=say(
                "завести учётную запись (head_judge, panel, table_judge, viewer) и выйти; пароль спросят",
                "make an account (head_judge, panel, table_judge, viewer) and exit; the password is asked for",
            ),
        ),
    ) -> None:
        if add_account is not None:
            _add_account(folder, database, add_account)
            return
        from mafiavar.ui.review.server import greeting, serve

        typer.echo(say("Запускаю просмотр...", "Starting the review..."), err=True)
        opens = show if show is not None else sys.stdout.isatty()

        def told(address: str) -> None:
            typer.echo(greeting(address))
            if opens:
                webbrowser.open(address)

        serve(folder, host=host, port=port, database=database, sign_in=sign_in, told=told)


def _add_account(folder: Path, database: str | None, wanted: str) -> None:
    from mafiavar.ui.review.room import Room

    name, _, role = wanted.rpartition(":")
    if not name:
        raise UsageError(
            "Напишите имя и роль через двоеточие: --add-account Иван:panel.",
            "Write name and role with a colon: --add-account Ivan:panel.",
        )
    if not folder.is_dir():
        raise UsageError(f"Папки {folder} нет.", f"There is no folder {folder}.")
    room = Room(folder, database=database)
    try:
        if room.accounts is None:
            assert room.store_problem is not None
            raise room.store_problem
        password = typer.prompt(
            say(f"Пароль для «{name}»", f"Password for “{name}”"), hide_input=True, confirmation_prompt=True
        )
        room.accounts.add(name, role, password)
    finally:
        room.close()
    typer.echo(say(f"Учётная запись «{name}» ({role}) заведена.", f"Account “{name}” ({role}) made."))
