"""The course of an audit: day and night in turn, then what concerns the whole game."""

from __future__ import annotations

from dataclasses import replace

from mafiavar.engine.audit.closing import close
from mafiavar.engine.audit.day import audit_day
from mafiavar.engine.audit.findings import Audit, Finding
from mafiavar.engine.audit.night import audit_night
from mafiavar.engine.audit.table import Table
from mafiavar.engine.errors import RuleError
from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.record import DayRecord, NightRecord, Record
from mafiavar.engine.ruleset import RULESETS, ruleset

DEFAULT = "fsm-2026"


def rules_of(record: Record, name: str | None = None) -> Ruleset:
    """The rules a protocol is to be read under: `name`, else the protocol's own, else fsm-2026; with
    the options the file itself gives. Raises RuleError for an unknown name or option."""
    chosen = name or record.ruleset or DEFAULT
    return ruleset(chosen).with_options(record.options)


def audit_file_rules(record: Record, name: str | None = None) -> Audit:
    """The audit of a file as the command runs it.

    A file of a site that plays by house rules is read under them; where the plain rule set sees a
    difference, that is added as a warning. Asked for a rule set by `name`, only that counts.
    """
    rules = rules_of(record, name)
    if name is not None or not record.site_options:
        return audit(record, rules)
    house = audit(record, rules.with_options(record.site_options))
    plain = audit(record, rules)
    seen = {(f.kind, f.day, f.night, f.seats) for f in house.findings}
    extra = [
        replace(f, severity="warning") if f.severity == "error" else f
        for f in plain.findings
        if f.kind in HOUSE_DIFFERENCES and (f.kind, f.day, f.night, f.seats) not in seen
    ]
    return replace(house, findings=in_order([*house.findings, *extra]))


HOUSE_DIFFERENCES = frozenset({
    "vote_not_held_though_due", "vote_held_though_single", "vote_held_though_cancelled", "forbidden_lift",
    "forbidden_split", "lift_of_whole_table", "lift_without_tie", "lift_not_held_though_due", "day_one_tie_voted_on",
    "night_check_of_own_shot", "withdrawal_not_allowed", "wrong_person_left", "revote_after_decision",
})  # fmt: skip
"""Kinds by which a house rule shows."""


def audit(record: Record, rules: Ruleset) -> Audit:
    """What follows from the facts of `record` under `rules`, and every place where it says otherwise."""
    table = examine(record, rules)
    return Audit(rules.name, table.winner, table.ended, tuple(table.left), in_order(table.findings))


def examine(record: Record, rules: Ruleset) -> Table:
    """The audit's working state at the end: for those who need more than its findings (the scores)."""
    table = Table(record, rules)
    days, nights = _by_number(table, record.days, record.nights)
    last = max([*days, *nights, 0])
    for number in range(1, last + 1):
        _one_day(table, number, days, last)
        _one_night(table, number, nights, days, last)
    table.day = table.night = None
    close(table)
    return table


def _by_number(
    table: Table, days: tuple[DayRecord, ...], nights: tuple[NightRecord, ...]
) -> tuple[dict[int, DayRecord], dict[int, NightRecord]]:
    by_day: dict[int, DayRecord] = {}
    by_night: dict[int, NightRecord] = {}
    for day in days:
        if day.day in by_day:
            table.day = day.day
            table.note("double_entry", what="day")
        else:
            by_day[day.day] = day
    table.day = None
    for night in nights:
        if night.night in by_night:
            table.night = night.night
            table.note("double_entry", what="night")
        else:
            by_night[night.night] = night
    table.night = None
    return by_day, by_night


def _one_day(table: Table, number: int, days: dict[int, DayRecord], last: int) -> None:
    day = days.get(number)
    table.day, table.night = number, None
    if table.ended:
        if day is not None and _something_happened(day) and not table.of_kind_noted("played_after_end"):
            table.note("played_after_end", winner=table.winner)
        return
    if day is None:
        if table.record.nights or number < last:
            table.note("day_missing")
        table.goes_on()
        with table.silent_about("speakers_missing", "nominations_missing", "ballots_missing"):
            audit_day(table, DayRecord(number))
        return
    table.goes_on()
    audit_day(table, day)


def _one_night(
    table: Table, number: int, nights: dict[int, NightRecord], days: dict[int, DayRecord], last: int
) -> None:
    night = nights.get(number)
    table.day, table.night = None, number
    if table.ended:
        played = night is not None and (night.shots or night.killed or night.checks)
        if played and not table.of_kind_noted("played_after_end"):
            table.note("played_after_end", winner=table.winner)
        return
    if night is None:
        if number + 1 in days and number < last:
            table.note("night_missing")
        elif number == last:
            return
        table.goes_on()
        with table.silent_about("shots_missing", "checks_missing"):
            audit_night(table, NightRecord(number))
        return
    table.goes_on()
    audit_night(table, night)


def _something_happened(day: DayRecord) -> bool:
    return bool(day.speakers or day.nominations or day.ballots or day.left or day.lift)


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """By the course of the game; what concerns all of it comes last."""

    def when(finding: Finding) -> tuple[int, int]:
        if finding.day is not None:
            return finding.day, 0
        return (finding.night, 1) if finding.night is not None else (10**6, 0)

    return tuple(sorted(findings, key=when))


__all__ = ["DEFAULT", "RULESETS", "RuleError", "audit", "audit_file_rules", "rules_of"]
