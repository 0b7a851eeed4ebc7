"""Tables for the terminal: events, ballots, flags, costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from mafiavar.analyzer.case.stages import StageRun
from mafiavar.analyzer.report import words
from mafiavar.ui.cli.progress import stage_name
from mafiavar.ui.language import decimal, say

Json = Mapping[str, Any]
_SURE = 0.7


def event_table(events: Sequence[Json], lang: str) -> Table:
    """Everything that happened but the single votes."""
    table = Table(box=None, pad_edge=False, title=say("Ход игры", "What happened"), title_justify="left")
    for name in (say("время", "time"), say("событие", "event"), "", say("уверенность", "confidence")):
        table.add_column(name)
    for e in events:
        if e["kind"] == "vote_cast":
            continue
        style = "" if e["confidence"] >= _SURE else "yellow"
        table.add_row(
            words.clock(e["t0"]),
            words.pick(words.EVENT_TITLES.get(e["kind"]), lang, e["kind"]),
            words.event_details(e, lang),
            f"{e['confidence'] * 100:.0f} %",
            style=style,
        )
    return table


def ballot_table(round_: Json) -> Table:
    """A round of the vote: per candidate the count heard, the hands counted, and ten seats."""
    title = say(
        f"Голосование: день {round_['day']}, круг {round_['round']}",
        f"Vote: day {round_['day']}, round {round_['round']}",
    )
    table = Table(title=title, title_justify="left", pad_edge=False)
    table.add_column(say("против", "against"))
    table.add_column(say("судья", "judge"), justify="right")
    table.add_column(say("руки", "hands"), justify="right")
    for seat in range(1, 11):
        table.add_column(str(seat), justify="center")
    signs = {
        "yes": Text("●", "bold blue"),
        "no": Text("·", "dim"),
        "unknown": Text("?", "magenta"),
        "out": Text(" "),
    }
    for ballot in round_["ballots"]:
        low, high = ballot["counted"]
        hands = str(low) if low == high else f"{low}–{high}"
        if ballot.get("assigned"):
            hands += f" + {ballot['assigned']}"
        table.add_row(
            f"№ {ballot['target']}",
            "?" if ballot["announced"] is None else str(ballot["announced"]),
            hands,
            *(signs[ballot["seats"][str(s)]["vote"]] for s in range(1, 11)),
        )
    table.caption = say("● рука была · нет  ? не видно", "● hand  · none  ? cannot tell")
    table.caption_justify = "left"
    return table


def flag_lines(flags: Sequence[Json], lang: str) -> Iterator[Text]:
    """A line a flag, the gravest first."""
    order = {"error": 0, "foul": 1, "note": 2}
    colours = {"error": "bold dark_orange", "foul": "blue", "note": "dim"}
    for f in sorted(flags, key=lambda f: (order[f["severity"]], f["t0"])):
        seats = f" № {words.seats_text(f['seats'], lang)}" if f["seats"] else ""
        title = words.pick(words.FLAG_TITLES.get(f["kind"]), lang, f["kind"])
        yield Text.assemble(
            (f"{words.clock(f['t0'])} ", "cyan"),
            (f"{title}{seats}", colours[f["severity"]]),
            (f" [{f['clause']}] ", "dim"),
            f["seen"] or "",
        )


def cost_table(costs: Sequence[StageRun], duration: float) -> Table:
    """CPU-seconds per second of the recording, stage by stage."""
    table = Table(box=None, pad_edge=False, title=say("Затраты", "Costs"), title_justify="left")
    for name in (
        say("этап", "stage"),
        say("секунд процессора", "CPU seconds"),
        say("на секунду записи", "per second of recording"),
        "",
    ):
        table.add_column(name, justify="left" if name in (say("этап", "stage"), "") else "right")
    # A stage that ran several times, and stages that are one thing to whoever reads, are one line.
    for name in dict.fromkeys(stage_name(run.name) for run in costs):
        mine = [run for run in costs if stage_name(run.name) == name]
        spent = sum(run.cpu for run in mine)
        table.add_row(
            name,
            decimal(spent),
            decimal(spent / duration, 3) if duration else "",
            say("из прошлого запуска", "from an earlier run") if all(run.cached for run in mine) else "",
        )
    total = sum(r.cpu for r in costs)
    table.add_row(
        say("всего", "total"),
        decimal(total),
        decimal(total / duration, 3) if duration else "",
        "",
        style="bold",
    )
    return table
