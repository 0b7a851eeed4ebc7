"""`mafiavar score GAME` and `mafiavar score --tournament DIR`."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mafiavar.analyzer.errors import UsageError, reason
from mafiavar.ui.language import language, say, set_language
from mafiavar.ui.points import kind_name, remark_sentence, shown

if TYPE_CHECKING:
    from rich.console import Console

    from mafiavar.engine.parameters import Ruleset
    from mafiavar.engine.record import Record
    from mafiavar.engine.scoring import GameScore, Played, Standing

SUFFIXES = {".json", ".csv", ".xlsx"}


@dataclass(frozen=True, slots=True)
class Scored:
    record: Record
    score: GameScore


def chosen_rules(record: Record, name: str | None, path: Path) -> Ruleset:
    """The rules of a protocol with its options. Raises UsageError for a name nobody knows."""
    from mafiavar.engine.audit import rules_of
    from mafiavar.engine.errors import RuleError
    from mafiavar.engine.ruleset import RULESETS

    if name is not None and name not in RULESETS:
        known = ", ".join(sorted(RULESETS))
        raise UsageError(
            f"Правила «{name}» неизвестны. Есть: {known}.", f"Unknown rules “{name}”. Known: {known}."
        )
    try:
        rules = rules_of(record, name)
        return rules if name else rules.with_options(record.site_options)
    except RuleError as problem:
        raise UsageError(
            f"{path}: настройки правил не читаются ({problem}).", f"{path}: bad options ({problem})."
        ) from problem


def score_file(path: Path, rules: str | None = None) -> Scored:
    """The points of one protocol. Raises UsageError for a file that cannot be read."""
    from mafiavar.analyzer.protocol import read_protocol
    from mafiavar.engine.scoring import score_game

    if path.is_dir():
        raise UsageError(
            f"{path}: это папка. Протокол одной игры: mafiavar score ФАЙЛ; таблица по всем протоколам папки: "
            f"mafiavar score --tournament {path}",
            f"{path} is a folder. One game: mafiavar score FILE; the table of all protocols in a folder: "
            f"mafiavar score --tournament {path}",
        )
    record = read_protocol(path).record
    if not record.roles_known:
        raise UsageError(
            f"{path}: роли записаны не все, баллы посчитать нельзя.",
            f"{path}: not all roles are written; points cannot be counted.",
        )
    return Scored(record, score_game(record, chosen_rules(record, rules, path)))


def game_json(scored: Scored) -> dict[str, Any]:
    """`mafiavar/score@1` of one game."""
    score = scored.score
    return {
        "schema": "mafiavar/score@1",
        "ruleset": score.ruleset,
        "winner": score.winner,
        "seats": {str(s): _seat_json(scored, s) for s in range(1, 11)},
        "remarks": [
            {"kind": r.kind, "clause": r.clause, "seats": list(r.seats), "text": remark_sentence(r.kind, r.seats, dict(r.params))}
            for r in score.remarks
        ],
        "differences": differences(scored),
    }  # fmt: skip


def _seat_json(scored: Scored, seat: int) -> dict[str, Any]:
    score = scored.score
    return {
        "role": scored.record.roles.get(seat),
        "total": score.total(seat) / 1000,
        "additional": score.additional(seat) / 1000,
        "parts": [
            {
                "kind": p.kind,
                "points": p.milli / 1000,
                "clause": p.clause,
                "text": kind_name(p.kind, dict(p.params)),
            }
            for p in score.points
            if p.seat == seat
        ],
    }


def differences(scored: Scored) -> list[dict[str, Any]]:
    """Where the points a file publishes are not those that follow."""
    return [
        {"seat": seat, "published": points, "counted": scored.score.total(seat) / 1000}
        for seat, points in sorted(scored.record.published.items())
        if round(points * 1000) != scored.score.total(seat)
    ]


def role_name(role: str | None) -> str:
    """The card in the user's language; a dash when it is not written."""
    names = {
        "red": say("мирный", "red"),
        "mafia": say("мафия", "mafia"),
        "don": say("дон", "don"),
        "sheriff": say("шериф", "sheriff"),
    }
    return names.get(role or "", "—")


def game_table(scored: Scored, console: Console, why: bool) -> None:
    from rich.table import Table

    score = scored.score
    table = Table(
        say("место", "seat"), say("роль", "role"), say("баллы", "points"), say("допы", "additional")
    )
    for seat in range(1, 11):
        table.add_row(
            str(seat),
            role_name(scored.record.roles.get(seat)),
            shown(score.total(seat)),
            shown(score.additional(seat)),
        )
    if all(r.kind != "no_points" for r in score.remarks):  # a table of noughts would look like a result
        console.print(table)
    if why:
        for p in score.points:
            console.print(
                f"{p.seat}: {shown(p.milli)} {kind_name(p.kind, dict(p.params))} [{p.clause}]", markup=False
            )
    for r in score.remarks:
        clause = f" [{r.clause}]" if r.clause else ""
        console.print(
            "- " + remark_sentence(r.kind, r.seats, dict(r.params)) + clause, markup=False, soft_wrap=True
        )
    for d in differences(scored):
        console.print(
            say(f"- место {d['seat']}: опубликовано {d['published']}, по правилам {d['counted']}",
                f"- seat {d['seat']}: published {d['published']}, by the rules {d['counted']}"), markup=False,
        )  # fmt: skip


# --- tournaments


def read_games(folder: Path, stage: str | None = None) -> list[Played]:
    """Every protocol below `folder`; a subfolder is a stage. Raises UsageError for a broken one."""
    from mafiavar.analyzer.protocol import read_protocol
    from mafiavar.engine.scoring import Played

    if not folder.is_dir():
        raise UsageError(
            f"{folder}: нужна папка с протоколами.", f"{folder}: a folder of protocols is needed."
        )
    games = []
    for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file()):
        parts = path.relative_to(folder).parts
        name = parts[0] if len(parts) > 1 else ""
        if stage is not None and name != stage:
            continue
        record = read_protocol(path).record
        if not all(record.nicknames.get(s) for s in range(1, 11)):
            raise UsageError(
                f"{path}: не у всех мест есть имена игроков; без них таблицу турнира не составить.",
                f"{path}: not every seat has a player's name; a tournament table needs them.",
            )
        games.append(Played("/".join(parts), record, name))
    if not games:
        raise UsageError(f"{folder}: протоколов не нашлось.", f"{folder}: no protocols found.")
    return games


def tournament_json(
    rules: Ruleset, table: Sequence[Standing], scored: Sequence[tuple[Played, GameScore]]
) -> dict[str, Any]:
    """`mafiavar/standings@1`."""
    return {
        "schema": "mafiavar/standings@1",
        "ruleset": rules.name,
        "players": [
            {
                "place": s.place, "player": s.player, "total": s.total / 1000, "additional": s.additional / 1000,
                "ci": s.ci / 1000, "games": s.games, "wins": s.wins, "don_sheriff_wins": s.don_sheriff_wins,
                "first_killed": s.first_killed, "lot": s.lot,
            }
            for s in table
        ],
        "games": [{"name": g.name, "stage": g.stage, **game_json(Scored(g.record, score))} for g, score in scored],
    }  # fmt: skip


HEADINGS = (
    ("место", "place"), ("игрок", "player"), ("баллы", "points"), ("допы", "additional"), ("Ci", "Ci"),
    ("игр", "games"), ("побед", "wins"), ("дон/шериф", "don/sheriff"), ("ПУ", "first killed"),
)  # fmt: skip


def standing_row(s: Standing) -> list[str]:
    place = f"{s.place}" + (say(" (жребий)", " (lot)") if s.lot else "")
    return [place, s.player, shown(s.total), shown(s.additional), shown(s.ci), str(s.games), str(s.wins),
            str(s.don_sheriff_wins), str(s.first_killed)]  # fmt: skip


def to_xlsx(table: Sequence[Standing], scored: Sequence[tuple[Played, GameScore]]) -> bytes:
    """A workbook: the table, and every point of every game with its clause."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = say("Таблица", "Table")
    sheet.append([say(*h) for h in HEADINGS])
    for s in table:
        sheet.append([s.place, _text(s.player), s.total / 1000, s.additional / 1000, s.ci / 1000, s.games, s.wins,
                      s.don_sheriff_wins, s.first_killed])  # fmt: skip
    points = book.create_sheet(say("Баллы", "Points"))
    points.append([say("игра", "game"), say("место", "seat"), say("игрок", "player"), say("баллы", "points"),
                   say("за что", "for"), say("пункт", "clause")])  # fmt: skip
    for game, score in scored:
        for p in score.points:
            points.append([_text(game.name), p.seat, _text(game.player(p.seat) or ""), p.milli / 1000,
                           kind_name(p.kind, dict(p.params)), p.clause])  # fmt: skip
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _text(value: str) -> str:
    """Never a formula."""
    return "'" + value if value[:1] in "=+-@" else value


def register(app: typer.Typer) -> None:
    """Adds `score`."""

    @app.command(
        "score",
        help=say(
            "баллы игры или таблица турнира по протоколам",
            "points of a game, or a tournament's table, from protocols",
        ),
    )
    def score(
        file: Path | None = typer.Argument(None, metavar=say("ПРОТОКОЛ", "PROTOCOL"), help=say("протокол игры", "a game's protocol")),
        tournament: Path | None = typer.Option(None, "--tournament", help=say("папка протоколов; подпапка — этап", "folder of protocols; a subfolder is a stage")),
        stage: str | None = typer.Option(None, "--stage", help=say("только этот этап", "only this stage")),
        rules: str | None = typer.Option(None, "--rules", help="fsm-2026 | disbord | legion"),
        why: bool = typer.Option(False, "--why", help=say("объяснить каждый балл", "explain every point")),
        xlsx: Path | None = typer.Option(None, "--xlsx", help=say("записать таблицу XLSX", "write an XLSX table")),
        as_json: bool = typer.Option(False, "--json", help=say("вывести JSON", "print JSON")),
        appeals: Path | None = typer.Option(None, "--appeals", help=say("список апелляций на баллы (JSON или CSV)", "a list of appeals on points (JSON or CSV)")),
        last_round: int | None = typer.Option(None, "--last-round", help=say("номер последнего тура (для апелляций)", "number of the last round (for appeals)")),
        lang: str | None = typer.Option(None, "--lang", help=say("язык: ru или en", "language: ru or en")),
    ) -> None:  # fmt: skip
        from rich.console import Console

        from mafiavar.ui.cli.appeals import appeals_table

        set_language(lang or language())
        if appeals is not None:
            appeals_table(appeals, rules, last_round, as_json)
            if file is None and tournament is None:
                return
        if (file is None) == (tournament is None):
            raise UsageError(
                "Укажите либо протокол игры, либо --tournament ПАПКА.",
                "Give either a game's protocol or --tournament FOLDER.",
            )
        console = Console(highlight=False)
        if file is not None:
            _one_game(file, rules, why, xlsx, as_json, console)
        elif tournament is not None:
            _tournament(tournament, stage, rules, why, xlsx, as_json, console)


def _one_game(
    file: Path, rules: str | None, why: bool, xlsx: Path | None, as_json: bool, console: Console
) -> None:
    from mafiavar.engine.scoring import Played

    scored = score_file(file, rules)
    if as_json:
        typer.echo(json.dumps(game_json(scored), ensure_ascii=False, indent=1))
    else:
        game_table(scored, console, why)
    if xlsx is not None:
        _write(xlsx, to_xlsx((), [(Played(file.name, scored.record), scored.score)]))


def _tournament(
    folder: Path,
    stage: str | None,
    rules: str | None,
    why: bool,
    xlsx: Path | None,
    as_json: bool,
    console: Console,
) -> None:
    from rich.table import Table

    from mafiavar.engine.scoring import standings

    games = read_games(folder, stage)
    chosen = chosen_rules(games[0].record, rules, folder)
    table, scored = standings(games, chosen)
    if as_json:
        typer.echo(json.dumps(tournament_json(chosen, table, scored), ensure_ascii=False, indent=1))
    else:
        lines = Table(*(say(*h) for h in HEADINGS))
        for s in table:
            lines.add_row(*standing_row(s))
        console.print(lines)
        for game, score in scored if why else ():
            console.print(game.name, markup=False)
            game_table(Scored(game.record, score), console, why=True)
    if xlsx is not None:
        _write(xlsx, to_xlsx(table, scored))


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as problem:
        raise UsageError(
            f"{path}: записать не получилось: {reason(problem)}.",
            f"{path}: cannot be written ({problem.strerror or problem}).",
        ) from problem
    typer.echo(say(f"Записано: {path}", f"Written: {path}"), err=True)
