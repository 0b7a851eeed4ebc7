"""What a tired head judge reads first: what happened, what is disputed, what cannot be told.

The same lines stand on the first page of the HTML and of the PDF.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mafiavar.analyzer.flags.incidents import Incident, incidents_of
from mafiavar.analyzer.report import words

Json = Mapping[str, Any]
UNSURE = 0.7
"""An event less sure than this cannot be told."""
MOST = 8
"""So many disputed incidents are named on the first page; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Point:
    """One line: when (seconds, None: the whole game), what, and how grave (severity or "")."""

    t: float | None
    text: str
    severity: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class FirstPage:
    """`more`: disputed incidents that did not fit; `notes`: incidents without a penalty; `errors`, `fouls`:
    how many there are of each."""

    happened: tuple[Point, ...]
    disputed: tuple[Point, ...]
    cannot: tuple[Point, ...]
    more: int
    notes: int
    errors: int
    fouls: int

    def verdict(self, lang: words.Lang) -> str:
        """The game in one sentence."""
        errors, fouls = self.errors, self.fouls
        if not errors and not fouls:
            return words.pick(
                ("Спорного, что меняло бы результат или стоило бы фола, не замечено.",
                 "Nothing was noticed that would change the result or cost a foul."), lang,
            )  # fmt: skip
        ru = f"Посмотрите: меняют результат или грозят удалением — {errors}, фолы — {fouls}. Решать вам."
        en = f"Have a look: {errors} may change the result or cost a removal, {fouls} are fouls. You decide."
        return words.pick((ru, en), lang)


def first_page(timeline: Json, votes: Json, flags: Json, case: Json, lang: words.Lang = "ru") -> FirstPage:
    """From the values of the case's files."""
    incidents = incidents_of(flags["flags"])
    grave = [i for i in incidents if i.first["severity"] != "note"]
    return FirstPage(
        tuple(_happened(timeline["events"], lang)),
        tuple(disputed(i, lang) for i in grave[:MOST]),
        tuple(_cannot(timeline["events"], votes, case, lang)),
        len(grave) - len(grave[:MOST]),
        len(incidents) - len(grave),
        sum(i.first["severity"] == "error" for i in grave),
        sum(i.first["severity"] == "foul" for i in grave),
    )


def disputed(incident: Incident, lang: words.Lang) -> Point:
    """An incident in one line: what, who, what was seen; other kinds of it in brackets."""
    first = incident.first
    title = words.pick(words.FLAG_TITLES.get(str(first["kind"])), lang, first["kind"])
    seats = f" — № {words.seats_text(list(first['seats']), lang)}" if first["seats"] else ""
    also = sorted(
        {words.pick(words.FLAG_TITLES.get(str(f["kind"])), lang, f["kind"]) for f in incident.others}
        - {title}
    )
    more = f" ({words.pick(('также', 'also'), lang)}: {', '.join(also)})" if also else ""
    margin = f" {first['margin']}" if first.get("margin") else ""
    title = title[:1].upper() + title[1:]
    return Point(
        float(first["t0"]), f"{title}{seats}.{margin}{more}", str(first["severity"]), str(first.get("id", ""))
    )


def _happened(events: Sequence[Json], lang: words.Lang) -> list[Point]:
    """Who left and how, nights, the end; the number of votes first."""
    votes = sum(e["kind"] == "vote_opened" for e in events)
    lifts = sum(e["kind"] == "lift_called" for e in events)
    fouls = sum(e["kind"] == "foul" and e.get("level") == "foul" for e in events)
    out = [
        Point(None, words.pick((
            f"Голосований {votes}, подъёмов {lifts}; фолов услышано {fouls}.",
            f"Votes: {votes}, lifts: {lifts}; fouls heard: {fouls}."), lang)),
    ]  # fmt: skip
    for e in events:
        if e["kind"] in ("eliminated", "night_result", "best_move", "game_ended"):
            title = words.pick(words.EVENT_TITLES.get(str(e["kind"])), lang, e["kind"])
            sure = float(e.get("confidence", 1.0))
            doubt = f" ({words.pick(('уверенность', 'confidence'), lang)} {round(100 * sure)} %)" if sure < UNSURE else ""  # fmt: skip
            out.append(Point(float(e["t0"]), f"{title}: {words.event_details(e, lang)}{doubt}"))
    return out


def _cannot(events: Sequence[Json], votes: Json, case: Json, lang: words.Lang) -> list[Point]:
    out: list[Point] = []
    out += _unseen_hands(votes, lang)
    silent = [b for r in votes.get("rounds", ()) for b in r["ballots"] if b["announced"] is None]
    if silent:
        targets = ", ".join(f"№ {b['target']}" for b in silent)
        out.append(Point(float(silent[0]["called"][0]) if silent[0].get("called") else None, words.pick(
            (f"Объявленный счёт не расслышан: {targets}.", f"The announced count was not heard: {targets}."), lang)))  # fmt: skip
    unsure: dict[str, list[Json]] = {}
    for e in events:
        if float(e.get("confidence", 1.0)) < UNSURE and e["kind"] not in ("vote_cast", "lift_cast"):
            unsure.setdefault(str(e["kind"]), []).append(e)
    for kind, found in sorted(unsure.items(), key=lambda kv: (-len(kv[1]), kv[0])):
        title = words.pick(words.EVENT_TITLES.get(kind), lang, kind)
        moments = ", ".join(words.clock(float(e["t0"])) for e in found[:4]) + (" …" if len(found) > 4 else "")
        out.append(Point(None, words.pick((
            f"Расслышано неуверенно: {title}, {len(found)} ({moments}).",
            f"Heard unsurely: {title}, {len(found)} ({moments})."), lang)))  # fmt: skip
    out += [Point(None, str(w)) for w in case.get("warnings", ())]
    return out


def _unseen_hands(votes: Json, lang: words.Lang) -> list[Point]:
    """Seats never seen voting, and how many single hands could not be told."""
    states: dict[int, list[str]] = {}
    for r in votes.get("rounds", ()):
        for ballot in r["ballots"]:
            for seat, vote in ballot["seats"].items():
                if vote["vote"] != "out":
                    states.setdefault(int(seat), []).append(vote["vote"])
    never = sorted(s for s, seen in states.items() if set(seen) == {"unknown"})
    single = sum(seen.count("unknown") for s, seen in states.items() if s not in never)
    out = []
    if never:
        out.append(Point(None, words.pick((
            f"Рук этих мест камера не показывает ни в одном голосовании: {words.seats_text(never, lang)}.",
            f"The camera shows the hands of these seats in no vote: {words.seats_text(never, lang)}."), lang)))  # fmt: skip
    if single:
        out.append(Point(None, words.pick((
            f"Ещё в {single} случаях не видно, была ли рука на столе.",
            f"In {single} more cases it is not seen whether the hand was on the table."), lang)))  # fmt: skip
    return out
