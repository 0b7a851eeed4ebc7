"""report.html: one self-contained page a panel can open, print or send in a chat.

Everything is computed from the case's JSON values and pictures; nothing here decides anything.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jinja2

from mafiavar.analyzer.flags.incidents import Incident, in_language, incidents_of
from mafiavar.analyzer.report import words
from mafiavar.analyzer.report.first_page import first_page

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReportInput:
    """What the report shows. `folder`: where the evidence paths of the JSON values are found;
    `clauses`: clause -> its text; `picture`: the whole game as SVG; `seats_picture`: path or ""."""

    case: Json
    timeline: Json
    votes: Json
    flags: Json
    transcript: Json
    folder: Path
    clauses: Mapping[str, str]
    picture: str = ""
    seats_picture: str = ""


def render(data: ReportInput, lang: words.Lang = "ru") -> str:
    """The report as one HTML text with its pictures inside."""
    data = replace(data, flags=in_language(data.flags, lang))
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("mafiavar.analyzer.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )

    def t(ru: str, en: str) -> str:
        return en if lang == "en" else ru

    environment.globals.update(
        t=t,
        clock=words.clock,
        pick=lambda table, key: words.pick(getattr(words, table).get(str(key)), lang, key),
        details=lambda event: words.event_details(event, lang),
        image=_embedder(data.folder),
        votes_of=_votes_of,
        verdict=lambda ballot: ballot_verdict(ballot, lang),
        offset=lambda t, origin: _offset(t, origin, lang),
        pictures_of=_pictures_of,
        numbers=lambda seats: words.seats_text(list(seats), lang),
    )
    return environment.get_template("report.html").render(
        lang=lang,
        case=data.case,
        events=data.timeline["events"],
        rounds=data.votes["rounds"],
        page=first_page(data.timeline, data.votes, data.flags, data.case, lang),
        incidents=[_with_clip(i) for i in incidents_of(data.flags["flags"])],
        words=data.transcript["words"],
        clauses=data.clauses,
        picture=data.picture,
        seats_picture=data.seats_picture,
    )


def _embedder(folder: Path) -> Callable[[str | None], str]:
    """Path inside the case -> data URL; "" when there is no such picture."""

    def image(path: str | None) -> str:
        if not path:
            return ""
        file = folder / path
        if not file.is_file():
            return ""
        return "data:image/jpeg;base64," + base64.b64encode(file.read_bytes()).decode("ascii")

    return image


def _votes_of(ballot: Json) -> list[tuple[int, Json]]:
    """Seats of a ballot in order of number."""
    return sorted(((int(seat), vote) for seat, vote in ballot["seats"].items()), key=lambda x: x[0])


def ballot_verdict(ballot: Json, lang: words.Lang) -> tuple[str, str]:
    """(css class, sentence): does the judge's count agree with the hands."""
    low, high = ballot["counted"]
    assigned, announced = ballot.get("assigned") or 0, ballot["announced"]
    seen = str(low) if low == high else f"{low}–{high}"
    rest = f" + {assigned}" if assigned else ""
    if announced is None:
        return "open", words.pick(
            (f"рук: {seen}{rest}; счёт судьи не расслышан", f"hands: {seen}{rest}; the count was not heard"),
            lang,
        )
    if low + assigned <= announced <= high + assigned or low <= announced <= high:
        kind = "agree" if low == high else "open"
        return kind, words.pick(
            (f"рук: {seen}{rest}; судья: {announced}", f"hands: {seen}{rest}; the judge: {announced}"), lang
        )
    return "differ", words.pick(
        (
            f"рук: {seen}{rest}; судья: {announced} — не сходится",
            f"hands: {seen}{rest}; the judge: {announced} — they differ",
        ),
        lang,
    )


def _offset(t: float | None, origin: float, lang: str) -> str:
    """A moment counted from another one, signed, two digits: what a panel compares."""
    if t is None:
        return "—"
    text = f"{t - origin:+.2f}".replace("-", "−")
    return text if lang == "en" else text.replace(".", ",")


def _with_clip(incident: Incident) -> Incident:
    """Values of older cases have no clip."""
    return Incident({"clip": "", **incident.first}, incident.others)


def _pictures_of(incident: Incident) -> list[Json]:
    """The pictures of all flags of an incident, each once, at most six."""
    found: dict[str, Json] = {}
    for flag in incident.all:
        for e in flag["evidence"]:
            if e.get("path"):
                found.setdefault(str(e["path"]), e)
    return list(found.values())[:6]
