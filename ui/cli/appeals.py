"""`mafiavar score --appeals FILE`: which appeals on points may be heard (FSM 8.9)."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.protocol.appeals import read_appeals
from mafiavar.engine.errors import RuleError
from mafiavar.engine.ruleset import ruleset
from mafiavar.engine.scoring.appeals import check_appeals
from mafiavar.ui.language import say
from mafiavar.ui.points import remark_sentence


def appeals_table(path: Path, rules: str | None, last_round: int | None, as_json: bool) -> None:
    """Prints every appeal with what stands against hearing it. Raises UsageError for a broken list."""
    try:
        chosen = ruleset(rules or "fsm-2026")
    except RuleError as problem:
        raise UsageError(f"Правила «{rules}» неизвестны.", f"Unknown rules “{rules}”.") from problem
    if chosen.appeals_limit is None:
        raise UsageError(
            f"Правила {chosen.name} апелляций на баллы не описывают.",
            f"The rules {chosen.name} know no appeals on points.",
        )
    found = check_appeals(read_appeals(path), chosen, last_round)
    rows = [
        {
            "player": a.player, "given": a.given, "asked": a.asked, "heard": not against,
            "against": [{"kind": r.kind, "clause": r.clause, "text": remark_sentence(r.kind, r.seats, dict(r.params))} for r in against],
        }
        for a, against in found
    ]  # fmt: skip
    if as_json:
        typer.echo(
            json.dumps({"schema": "mafiavar/appeals@1", "appeals": rows}, ensure_ascii=False, indent=1)
        )
        return
    for a, against in found:
        head = f"{a.player}: {a.given:g} -> {a.asked:g}: "
        if not against:
            typer.echo(head + say("рассматривается", "may be heard"))
        for r in against:
            typer.echo(head + remark_sentence(r.kind, r.seats, dict(r.params)) + f" [{r.clause}]")
