"""Names the pages share, in the chosen language; most come from the report's vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from mafiavar.analyzer.report.words import (
    EVENT_TITLES,
    FLAG_TITLES,
    FORM_WORDS,
    SEVERITY_WORDS,
    event_details,
    pick,
)
from mafiavar.ui.language import language, say
from mafiavar.ui.review.casefile import Event, Problem
from mafiavar.ui.review.flag import Flag

VERDICTS: Mapping[str, tuple[str, str]] = {
    "confirmed": ("подтверждено", "confirmed"),
    "rejected": ("отклонено", "rejected"),
    "cannot_tell": ("не видно", "cannot tell"),
}
VOTES: Mapping[str, tuple[str, str]] = {
    "yes": ("за", "voted"),
    "no": ("нет руки", "no hand"),
    "unknown": ("не видно", "cannot tell"),
    "out": ("вне игры", "out"),
}
ROLES: Mapping[str, tuple[str, str]] = {
    "head_judge": ("главный судья", "head judge"),
    "panel": ("апелляционная комиссия", "appeals panel"),
    "table_judge": ("судья стола", "table judge"),
    "viewer": ("зритель", "viewer"),
}
BASIS: Mapping[str, tuple[str, str]] = {
    "observed": ("увидено или услышано", "observed"),
    "inferred": ("выведено", "inferred"),
    "pinned": ("закреплено человеком", "pinned"),
}
PHASES: Mapping[str, tuple[str, str]] = {
    "night": ("ночь", "night"),
    "speech": ("речь", "speech"),
    "revote": ("переголосование, речь", "re-vote speech"),
    "last_word": ("последнее слово", "last word"),
    "best_move": ("лучший ход", "best move"),
    "protocol": ("протокол", "protocol"),
    "vote": ("голосование", "vote"),
}
COLOURS_OF_ROLES: Mapping[str, tuple[str, str]] = {
    "red": ("мирный", "citizen"),
    "mafia": ("мафия", "mafia"),
    "don": ("дон", "don"),
    "sheriff": ("шериф", "sheriff"),
}
WINNERS: Mapping[str, tuple[str, str]] = {
    "red": ("победа красных", "red wins"),
    "black": ("победа чёрных", "black wins"),
    "draw": ("ничья", "draw"),
}
LEVELS: Mapping[str, tuple[str, str]] = {
    "warning": ("предупреждение", "warning"),
    "foul": ("фол", "foul"),
    "technical": ("технический фол", "technical foul"),
    "technical_big": ("большой технический фол", "big technical foul"),
    "removal": ("удаление", "removal"),
    "team_defeat": ("ППК", "team defeat"),
}
# How an entry bears on the result: what a panel looks at first.
EFFECT = {"error": 0, "foul": 1, "note": 2}
_PARTS: Mapping[str, tuple[str, str]] = {
    "case": ("описание дела (case.json)", "the case head (case.json)"),
    "timeline": ("ход игры (timeline.json)", "the timeline (timeline.json)"),
    "votes": ("голоса (votes.json)", "the votes (votes.json)"),
    "flags": ("сомнительные моменты (flags.json)", "the flags (flags.json)"),
    "transcript": ("слова (transcript.json)", "the words (transcript.json)"),
    "run": ("сведения о запуске (run.json)", "the run (run.json)"),
}
SHORT_SEVERITIES = {"error": ("важное", "grave"), "foul": ("фол", "foul"), "note": ("замечание", "note")}


def word(table: Mapping[str, tuple[str, str]], key: object) -> str:
    return pick(table.get(str(key)), language(), key if key is not None else "—")


def flag_name(kind: str) -> str:
    return pick(FLAG_TITLES.get(kind), language(), kind)


def event_name(kind: str) -> str:
    return pick(EVENT_TITLES.get(kind), language(), kind)


def form_name(form: str) -> str:
    return pick(FORM_WORDS.get(form), language(), form)


def severity_name(severity: str) -> str:
    return pick(SEVERITY_WORDS.get(severity), language(), severity)


def severity_short(severity: str) -> str:
    """One word for a chip; `severity_name` says what it means."""
    return pick(SHORT_SEVERITIES.get(severity), language(), severity)


def details(event: Event) -> str:
    """The event's fields in words."""
    return event_details({"kind": event.kind, **event.fields}, language())


def phase_name(kind: str, number: Any) -> str:
    name = word(PHASES, kind)
    if kind == "vote":
        return f"{name} {number}"
    return f"{name} {number}" if kind == "night" else f"№ {number} · {name}"


def clock(t: float) -> str:
    """m:ss.t, for reading.

    >>> clock(75.04)
    '1:15.0'
    """
    sign, t = ("−", -t) if t < 0 else ("", t)
    minutes, rest = divmod(int(t * 10 + 0.5), 600)
    hours, minutes = divmod(minutes, 60)
    tail = f"{rest // 10:02d}.{rest % 10}"
    return f"{sign}{hours}:{minutes:02d}:{tail}" if hours else f"{sign}{minutes}:{tail}"


def speaker_name(speaker: str) -> str:
    if speaker.isdecimal():
        return f"№ {speaker}"
    names = {"judge": ("судья", "judge"), "audience": ("зал", "audience"), "unknown": ("кто-то", "someone")}
    return word(names, speaker)


_BOOKS = {
    "fsm-2026": ("ФСМ 2026", "FSM 2026"),
    "disbord": ("DISBORD", "DISBORD"),
    "legion": ("Legion", "Legion"),
}


def rules_name(ruleset: str) -> str:
    """A rule set as people call it."""
    return word(_BOOKS, ruleset)


def moment(at: str, *, zone: bool = False) -> str:
    """When a record was written (ISO 8601, UTC), by the clock of this machine; with its zone on paper."""
    here = datetime.fromisoformat(at).astimezone()
    text = here.strftime(say("%d.%m.%Y %H:%M", "%Y-%m-%d %H:%M"))
    if not zone:
        return text
    offset = here.strftime("%z")
    return f"{text} (UTC{offset[:3]}:{offset[3:5]})"


def clause_name(flag: Flag) -> str:
    """«п. 6.6.6 (ФСМ 2026)» from `fsm-2026:6.6.6`; lines of DISBORD stay lines."""
    if not flag.clause:
        return say("пункт не указан", "no clause")
    book, _, clause = str(flag.clause).rpartition(":")
    place = (
        say(f"строка {clause[1:]}", f"line {clause[1:]}")
        if clause[:1] == "l" and clause[1:].isdecimal()
        else say(f"п. {clause}", f"cl. {clause}")
    )
    return f"{place} · {rules_name(book)}" if book else place


def seats_name(seats: tuple[int, ...]) -> str:
    return "№ " + ", ".join(map(str, seats)) if seats else say("стол", "table")


def problem_sentence(problem: Problem) -> str:
    """What is wrong with a file of the case and what to do."""
    part = word(_PARTS, problem.part)
    if problem.kind == "broken":
        return say(
            f"Не читается {part}: файл записан не до конца или повреждён. Остальное работает. "
            "Запустите разбор ещё раз: готовые этапы не повторятся.",
            f"Cannot read {part}: the file is half written or damaged. The rest works. "
            "Run the analysis again: finished stages are not repeated.",
        )
    if problem.kind == "odd":
        return say(
            f"В файле «{part}» непонятных записей: {problem.detail}; они пропущены.",
            f"{problem.detail} entries of {part} make no sense and were left out.",
        )
    return say(f"Ещё нет: {part}.", f"Not there yet: {part}.")
