"""One night of a protocol: shots, who was killed, checks, removals."""

from __future__ import annotations

from dataclasses import replace

from mafiavar.engine import decide
from mafiavar.engine.audit.ballots import acting_after, missing_next
from mafiavar.engine.audit.day import Removal, book
from mafiavar.engine.audit.table import Table
from mafiavar.engine.record import CheckRecord, NightRecord
from mafiavar.engine.roles import only, where

SITES = ("polemica", "mafiaratings")


def audit_night(table: Table, night: NightRecord) -> None:
    before = table.departures
    _check_hints(table, night)
    _shots(table, night)
    killed, explained = _killed(table, night)
    claimed = _claimed(table, night, killed)
    if not explained and claimed != killed:
        table.note(
            "wrong_night_result", *sorted({s for s in (claimed, killed) if s is not None}),
            said=claimed, expected=killed,
        )  # fmt: skip
    _checks(table, night)
    removals = book(table, night.fouls, night.removed)
    if killed is not None:
        if night.night == 1:
            table.first_killed = killed
        table.leave((killed,), "shot")
    if claimed is not None:
        table.depart((claimed,))
    _remove(table, removals, night.night, {killed, claimed})
    quiet = table.departures == before
    table.quiet_nights = table.quiet_nights + 1 if quiet else 0
    if not quiet:
        table.quiet_days = 0
    missed = quiet and len(table.alive) == 4
    table.misses_at_four = table.misses_at_four + 1 if missed else 0
    if missed and table.misses_at_four == table.rules.four_player_misses_win:
        table.win("red")
    if decide.is_draw(table.rules, table.quiet_nights, table.quiet_days, at_end_of_day=False):
        table.win("draw")


# --- shots


def _shots(table: Table, night: NightRecord) -> None:
    seen: dict[int, int | None] = {}
    for shooter, target in night.shots or ():
        if not table.acts(shooter, "shot"):
            continue
        if table.role(shooter) in ("red", "sheriff"):
            table.note("shot_by_red", shooter)
        elif table.roles & where(shooter, "black"):
            table.roles &= where(shooter, "black")
        if shooter in seen:
            table.note("shot_twice", shooter, targets=(seen[shooter], target))
        seen[shooter] = target
        if target is not None and not 1 <= target <= table.rules.seats:
            table.note("seat_impossible", target, what="shot")
        elif target is not None and target not in table.present and target not in table.alive:
            table.note("shot_at_dead", shooter, target=target)
    shooters = [s for s in seen if table.role(s) not in ("red", "sheriff")]
    if len(shooters) > table.rules.blacks:
        table.note("shots_too_many", *shooters, count=len(shooters))


def _killed(table: Table, night: NightRecord) -> tuple[int | None, bool]:
    """Who is killed by the shots under the rules; and whether a doubt has been named already."""
    if night.shots is None:
        table.unchecked("shots_missing")
        victim = night.killed if night.killed_known and night.killed in table.alive else None
        return victim, True
    shots: dict[int, set[int | None]] = {}
    for shooter, target in night.shots:
        if shooter in table.present or shooter in table.alive:
            shots.setdefault(shooter, set()).add(target)
    shots = {s: t for s, t in shots.items() if table.role(s) not in ("red", "sheriff")}
    if any(len(t) > 1 for t in shots.values()):
        return None, False
    targets = {t for who in shots.values() for t in who}
    if len(targets) != 1 or None in targets:
        return None, False
    target = targets.pop()
    if target not in table.alive:
        return None, target in table.present
    idle = _idle(table, shots) - {target}
    if idle and not _only_unwritten(table, night, target, idle):
        return None, False
    return target, False


def _idle(table: Table, shots: dict[int, set[int | None]]) -> set[int]:
    """Blacks at the table without a shot in the protocol. One who is killed this night may lack his
    own: sites do not keep it."""
    return {s for s in table.blacks() if s in table.alive and s in table.present} - set(shots)


def _only_unwritten(table: Table, night: NightRecord, target: int | None, idle: set[int]) -> bool:
    """Is the missing shot rather a gap in the paper than a black who did not shoot? Sites store every
    shot; on paper a judge who names the killed has seen the shots."""
    if table.record.source in SITES:
        return False
    if night.killed_known and night.killed != target:
        return False
    table.note("shots_missing", *sorted(idle))
    return True


def _claimed(table: Table, night: NightRecord, killed: int | None) -> int | None:
    if night.killed_known:
        if night.killed is None:
            return None
        if not 1 <= night.killed <= table.rules.seats:
            table.note("seat_impossible", night.killed, what="killed")
            return None
        if night.killed not in table.present and night.killed not in table.alive:
            table.note("left_twice", night.killed, by="shot")
            return None
        return night.killed
    victim = killed if killed is not None else _shot_but_out(table, night)
    if victim is None:
        # A site stores no victim: whoever is missing from the next vote is the one the table took for killed.
        gone = missing_next(table, night.night)
        return next(iter(gone)) if len(gone) == 1 and table.alive == table.present else None
    return None if victim in acting_after(table, night.night) else victim


def _shot_but_out(table: Table, night: NightRecord) -> int | None:
    """All shots agree on one who sat at the table though the rules had him out: he is gone now too."""
    targets = {t for _, t in night.shots or ()}
    target = next(iter(targets)) if len(targets) == 1 else None
    return target if target in table.present and target not in table.alive else None


def _check_hints(table: Table, night: NightRecord) -> None:
    """8.5: who did not shoot or did not check this night (counted over the game)."""
    if night.shots is not None:
        for seat in table.blacks() & table.alive & table.present:
            mine = [t for s, t in night.shots if s == seat]
            others = {t for s, t in night.shots if s != seat}
            # Sites store every shot, but not that of a black killed this night; on paper a gap is a gap.
            idle = mine == [None] or (not mine and others != {seat} and table.record.source in SITES)
            if idle:
                table.idle_blacks.setdefault(seat, []).append(night.night)
    if night.checks is not None and not any(c.by == "sheriff" for c in night.checks):
        sheriff = next((s for s, r in table.record.roles.items() if r == "sheriff"), None)
        if sheriff in table.alive and sheriff in table.present:
            table.idle_sheriff.append(night.night)


# --- checks


def _checks(table: Table, night: NightRecord) -> None:
    if night.checks is None:
        table.unchecked("checks_missing")
        return
    checks = [_by_role(table, c) for c in night.checks]
    for by in ("don", "sheriff"):
        holder = next((s for s, r in table.record.roles.items() if r == by), None)
        mine = [c for c in checks if c.by == by]
        if len(mine) > 1:
            table.note("two_checks", *([holder] if holder else []), by=by, count=len(mine))
        if mine and holder is not None and holder not in table.alive and holder not in table.present:
            table.note("check_by_dead", holder, by=by)
        for check in mine:
            _one_check(table, night, check, holder)
    for check in checks:
        if check.by not in ("don", "sheriff"):
            seats = [check.seat] if check.seat is not None else []
            dead = check.seat is not None and check.seat not in table.alive | table.present
            table.note("check_by_dead" if dead else "check_by_wrong_role", *seats, by=check.by)


def _by_role(table: Table, check: CheckRecord) -> CheckRecord:
    """A checker named by his seat is the don or the sheriff when that is his role."""
    role = table.role(check.seat) if check.seat is not None else None
    return replace(check, by=role) if role in ("don", "sheriff") else check


def _one_check(table: Table, night: NightRecord, check: CheckRecord, holder: int | None) -> None:
    target = check.target
    if not 1 <= target <= table.rules.seats:
        table.note("seat_impossible", target, what="check")
        return
    if target not in table.present and target not in table.alive:
        table.note("check_of_dead", target, by=check.by)
    if check.found is not None:
        _answer(table, check)
    if check.by == "don" and night.night == 1 and table.rules.don_first_night_ban:
        shots = dict(night.shots or ())
        own = shots.get(holder) if holder is not None else None
        unknown_don = holder is None and len(shots) >= table.rules.blacks and set(shots.values()) == {target}
        if own == target or unknown_don:
            table.note("night_check_of_own_shot", *([holder] if holder else []), target=target)


def _answer(table: Table, check: CheckRecord) -> None:
    sheriff = where(check.target, "sheriff")
    black = where(check.target, "black")
    yes = sheriff if check.by == "don" else black
    mask = yes if check.found else ~yes
    if table.roles & mask:
        table.roles &= mask
    else:
        table.note("check_answer_wrong", check.target, by=check.by, said=check.found)


# --- removals


def _remove(table: Table, removals: list[Removal], number: int, killed: set[int | None]) -> None:
    for r in removals:
        spared = r.seat in killed and not table.rules.removal_of_killed_cancels
        if table.rules.removal_cancels_vote and not spared and not table.ended:
            table.votes_off.add(number + 1)
            table.cancelled_by[number + 1] = (*table.cancelled_by.get(number + 1, ()), r.seat)
        table.remove(r.seat, r.by)
        if r.written:
            table.depart((r.seat,))


def known_assignment(table: Table) -> bool:
    """Do the facts leave exactly one assignment of roles?"""
    return only(table.roles) is not None
