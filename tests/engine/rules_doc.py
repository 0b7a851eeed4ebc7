"""Writes docs/rules.md: clause -> where it lives -> its test. `python tests/engine/rules_doc.py`.

A test keeps the file equal to what this makes from the code.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

from differences import POINTS, UNCLEAR

from mafiavar.engine.clauses import clause
from mafiavar.engine.kinds import TOPICS
from mafiavar.engine.parameters import OPTIONS, Ruleset
from mafiavar.engine.ruleset import RULESETS

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "docs" / "rules.md"
HEAD = """# The rules in the code

Written by `python tests/engine/rules_doc.py` and kept true by a test: clause -> parameters and kinds of issue -> where they
live -> what tests them. Texts: `engine/clauses` (certainty of a number: A printed in the text, B and C counted with
support, D counted). Values: `engine/set_*.py`. A site's house rule is one option of `mafiavar/protocol@1`.

The rules of the RFM and other clubs are not here: the sources at hand name no numbers of theirs, and none is made up. A
further rule set is one more value; `FOURTH` in `tests/engine/test_legal_games.py` is such a one (rotation by the closer,
third foul without effect, re-votes in reversed order, lifts by the votes cast, a draw after four nights), and plays and
is audited like the three.

How to read: **bold** is a parameter with its value, `code` a kind of issue. "both" means the game that follows a table
and the audit that follows a protocol.
"""


@cache
def sources(folder: str) -> dict[str, str]:
    return {
        str(p.relative_to(ROOT)): p.read_text("utf-8")
        for p in sorted((ROOT / folder).rglob("*.py"))
        if "clauses" not in p.parts
        and p.name not in {"kinds.py", "rules_doc.py"}
        and not p.name.startswith("set_")
    }


def using(pattern: str, folder: str) -> list[str]:
    return [name for name, text in sources(folder).items() if re.search(pattern, text)]


def shown(value: object) -> str:
    if isinstance(value, frozenset):
        return (
            ", ".join(sorted("/".join(map(str, v)) if isinstance(v, tuple) else str(v) for v in value))
            or "none"
        )
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return "no such rule" if value is None else str(value)


def by_clause(rules: Ruleset) -> dict[str, tuple[list[str], list[str]]]:
    """citation -> (parameters, kinds of issue)."""
    out: dict[str, tuple[list[str], list[str]]] = {}
    for topic, number in rules.clauses.items():
        cell = out.setdefault(number, ([], []))
        if topic in OPTIONS:
            cell[0].append(topic)
        if topic.startswith("offence:"):
            cell[0].append(topic)
        cell[1].extend(kind for kind, (t, _) in TOPICS.items() if t == topic)
    return out


def in_text_order(rules: Ruleset, number: str) -> int:
    return clause(f"{rules.name}:{number}").line


def row(rules: Ruleset, number: str, parameters: list[str], kinds: list[str]) -> str:
    says = [
        f"{p.partition(':')[2]}: {rules.penalty(p.partition(':')[2])}"
        if ":" in p
        else f"**{p}** {shown(getattr(rules, p))}"
        for p in dict.fromkeys(parameters)
    ] + [f"`{k}`" for k in dict.fromkeys(kinds)]
    where = {
        *(f for p in parameters if ":" not in p for f in using(rf"rules\.{p}\b", "engine")),
        *(f for k in kinds for f in using(rf'"{k}"', "engine")),
    }
    tests = {
        *(f for k in kinds for f in using(rf'"{k}"', "tests/engine")),
        *(f for p in parameters if ":" not in p for f in using(rf"\b{p}\b", "tests/engine")),
    }
    sure = clause(f"{rules.name}:{number}").certainty
    names = [
        ", ".join(sorted(n.split("/", 1)[1] if n.startswith("engine/") else Path(n).name for n in x))
        for x in (where, tests)
    ]
    return f"| {number} ({sure}) | {'; '.join(says)} | {names[0]} | {names[1]} |"


@cache
def docstrings() -> dict[str, str]:
    """Parameter -> its docstring."""
    tree = ast.parse((ROOT / "engine" / "parameters.py").read_text("utf-8"))
    body = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Ruleset").body
    return {
        field.target.id: " ".join(doc.value.value.split())
        for field, doc in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        and isinstance(doc, ast.Expr) and isinstance(doc.value, ast.Constant) and isinstance(doc.value.value, str)
    }  # fmt: skip


def readings() -> list[str]:
    """The unclear places with the options that answer them, their value and why."""
    out = []
    for number, question, names in UNCLEAR:
        out.append(f"- {number}. {question}." if number != "+" else f"- Also: {question}.")
        for name in names:
            values = {r.name: shown(getattr(r, name)) for r in RULESETS.values()}
            value = (
                values["fsm-2026"]
                if len(set(values.values())) == 1
                else "; ".join(f"{r} {v}" for r, v in values.items())
            )
            out.append(f"  - **{name}** = {value}. {docstrings().get(name, '')}".rstrip())
        if not names:
            out.append("  - One copy is kept; no option is needed, the copies say the same.")
    return out


def compared() -> list[str]:
    """The points of the comparison: parameter, value and clause in each text."""
    out = ["| # | point | parameter | " + " | ".join(RULESETS) + " |", "|---|---|---|---|---|---|"]
    for number, title, rows in POINTS:
        for name, *_ in rows:
            cells = []
            for rules in RULESETS.values():
                offence = name.startswith("offence:")
                value = rules.penalty(name.partition(":")[2]) if offence else getattr(rules, name)
                where = (rules.clause(name) or "").partition(":")[2]
                text = "not named" if offence and value is None else shown(value)
                cells.append(text + (f" ({where})" if where else ""))
            out.append(f"| {number} | {title} | {name} | " + " | ".join(cells) + " |")
    return out


def render() -> str:
    parts = [HEAD, "## Unclear places: the readings chosen\n", *readings(), ""]
    parts += ["## The points on which the texts differ\n", *compared(), ""]
    for rules in RULESETS.values():
        parts += [
            f"## {rules.name}\n",
            "| clause | what it sets or finds | lives in (engine/) | tested in (tests/engine/) |",
            "|---|---|---|---|",
        ]
        cells = by_clause(rules)
        for number in sorted(cells, key=lambda n: (in_text_order(rules, n), n)):
            parts.append(row(rules, number, *cells[number]))
        parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    DOC.write_text(render(), "utf-8")
