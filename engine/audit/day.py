"""One day of a protocol: speeches, nominations, fouls and removals around the vote."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mafiavar.engine import decide
from mafiavar.engine.audit.ballots import audit_vote
from mafiavar.engine.audit.table import Table
from mafiavar.engine.events import LeftBy
from mafiavar.engine.record import DayRecord, FoulRecord, NominationRecord, RemovalRecord

BEFORE_VOTE = (None, "speech")
IN_VOTE = ("revote", "voting")


@dataclass(frozen=True, slots=True)
class Removal:
    """A removal with the phase it happened in; `written` is False when only the rules demand it."""

    seat: int
    by: LeftBy
    phase: str | None
    written: bool


def audit_day(table: Table, day: DayRecord) -> None:
    """Go through `day` in the order it was played."""
    before = table.departures
    for reveal in day.reveals:
        _reveal(table, reveal.seat, reveal.claims, reveal.withdrawn)
    silenced = _silenced_today(table, day)
    silent = {s for s in table.present if table.limit(s) == 0} | silenced
    present = set(table.present)
    opener = _speeches(table, day, silent)
    candidates = _nominations(table, day, opener)
    removals = [_placed(table, day, r) for r in book(table, day.fouls, day.removed)]
    table.owes -= silenced
    _remove(table, [r for r in removals if r.phase in BEFORE_VOTE], day)
    _check_all_spoke(table, day, silent, present)
    if not table.ended:
        during = [r for r in removals if r.phase in IN_VOTE]
        audit_vote(table, day, candidates, cancelled_now=tuple(r.seat for r in during))
        _remove(table, during, day)
    _remove(table, [r for r in removals if r.phase not in BEFORE_VOTE + IN_VOTE], day)
    if day.testament is not None or day.protocol is not None:
        _words(table, day)
    quiet = table.departures == before
    table.quiet_days = table.quiet_days + 1 if quiet and table.quiet_nights else 0
    if not quiet:
        table.quiet_nights = 0
    elif table.rules.draw == "nights_and_days" and decide.is_draw(
        table.rules, table.quiet_nights, table.quiet_days, at_end_of_day=True
    ):
        table.win("draw")


def _placed(table: Table, day: DayRecord, removal: Removal) -> Removal:
    """A removal without a phase of one who still voted came after the vote: whether before or after
    its result was known, nobody wrote."""
    if removal.phase == "last_word" and removal.seat not in table.alive and table.leaving(removal.seat):
        return replace(removal, phase="speech")  # the killed speaks in the morning, before the vote
    voted = any(removal.seat in who for b in day.ballots or () for _, who in b.votes)
    if removal.phase is not None or not voted:
        return removal
    table.unchecked("removal_phase_missing")
    return replace(removal, phase="unknown")


def _reveal(table: Table, seat: int, claims: str, withdrawn: bool) -> None:
    if not 1 <= seat <= table.rules.seats:
        table.note("seat_impossible", seat, what="reveal")
        return
    if seat not in table.present | table.alive and not table.leaving(seat):
        table.note("reveal_by_absent", seat)
        return
    # A plain red who takes it back has not revealed himself (7.11.2); sheriff and blacks have (7.11.1).
    role = table.role(seat) or claims
    black_or_sheriff = role in ("sheriff", "black", "don", "mafia")
    if withdrawn and not black_or_sheriff:
        table.revealed.discard(seat)
    else:
        table.revealed.add(seat)


# --- speeches


def _silenced_today(table: Table, day: DayRecord) -> set[int]:
    """Seats whose third foul comes this day and who do not speak any more: it came before their turn,
    and where a third foul silences, this was the minute it took."""
    if table.rules.third_foul != "silent" or day.speakers is None:
        return set()
    counts = {f.seat: table.fouls.get(f.seat, 0) for f in day.fouls}
    for foul in day.fouls:
        counts[foul.seat] += foul.level == "foul"
    third = table.rules.fouls_to_leave - 1
    return {
        s for s, n in counts.items() if n >= third and table.fouls.get(s, 0) < third and s not in day.speakers
    }


def _speeches(table: Table, day: DayRecord, silent: set[int]) -> int | None:
    """Checks the order of speakers; returns whose turn came first. Who is removed may be missing."""
    due = table.opener_due()
    speakers = day.speakers
    if speakers is None:
        table.unchecked("speakers_missing")
        table.previous_opener = due
        table.previous_closer = None
        _pay_third_fouls(table, sorted(table.present))
        return due
    if not speakers:
        table.previous_opener = due
        return due
    _check_speakers(table, speakers, due, silent | {r.seat for r in day.removed})
    _pay_third_fouls(table, [*speakers, *silent])
    table.previous_opener = speakers[0]
    table.previous_closer = speakers[-1]
    return due if due in silent and due not in speakers else speakers[0]


def _check_speakers(table: Table, speakers: tuple[int, ...], due: int | None, silent: set[int]) -> None:
    here = [s for s in dict.fromkeys(speakers) if table.acts(s, "speech")]
    for seat in sorted({s for s in speakers if speakers.count(s) > 1}):
        table.note("spoke_twice", seat)
    if not here or due is None:
        return
    first = here[0]
    # A silent opener still opens the round: the next one who speaks is heard first.
    may_open = {due}
    order = decide.speaking_order(sorted(table.present), due, table.rules.seats)
    may_open.update(order[: order.index(next((s for s in order if s not in silent), due)) + 1])
    if first not in may_open:
        table.note("wrong_opener", first, expected=due)
    order = decide.speaking_order(sorted(table.present), first, table.rules.seats)
    wanted = [s for s in order if s in here]
    if here != wanted:
        wrong = next(s for s, w in zip(here, wanted, strict=True) if s != w)
        table.note("speaker_order_wrong", wrong, expected=tuple(wanted))


def _check_all_spoke(table: Table, day: DayRecord, silent: set[int], present: set[int]) -> None:
    """Who of the living did not speak; when a removal ended the game the rest need not."""
    if day.speakers and not table.ended:
        missing = sorted(present - set(day.speakers) - silent - {r.seat for r in day.removed})
        if missing:
            table.note("speech_skipped", *missing)


def _pay_third_fouls(table: Table, spoke: list[int]) -> None:
    table.owes -= set(spoke)


# --- nominations


def _nominations(table: Table, day: DayRecord, opener: int | None) -> tuple[int, ...] | None:
    """Checks the nominations; returns the candidates in order (None: not written)."""
    if day.nominations is None:
        if day.candidates is None and day.ballots:
            table.unchecked("nominations_missing")
        return day.candidates
    order = decide.speaking_order(range(1, 11), opener or 1, table.rules.seats)
    nominations = list(day.nominations)
    if day.ordered:
        _check_order(table, nominations, order)
    else:
        nominations.sort(key=lambda n: order.index(n.seat) if n.seat in order else 99)
    candidates: list[int] = []
    nominated_by: dict[int, int] = {}
    for n in nominations:
        if not n.accepted:
            continue
        _check_nomination(table, n, candidates, nominated_by)
        nominated_by[n.seat] = nominated_by.get(n.seat, 0) + 1
        if n.target not in candidates:
            candidates.append(n.target)
    if day.candidates is not None:
        return _check_candidates(table, day.candidates, candidates)
    return tuple(candidates)


def _check_order(table: Table, nominations: list[NominationRecord], order: tuple[int, ...]) -> None:
    places = [order.index(n.seat) for n in nominations if n.seat in order]
    for i in range(1, len(places)):
        if places[i] < places[i - 1]:
            table.note("nomination_order_wrong", nominations[i].seat)
            return


def _check_nomination(table: Table, n: NominationRecord, candidates: list[int], by: dict[int, int]) -> None:
    table.acts(n.seat, "nomination")
    if not 1 <= n.target <= table.rules.seats:
        table.note("seat_impossible", n.target, what="nomination")
    elif n.target not in table.present and n.target not in table.alive:
        table.note("nomination_of_dead", n.target, by=n.seat)
    if n.target in candidates:
        table.note("nomination_repeated", n.seat, target=n.target)
    if by.get(n.seat, 0) >= table.rules.nominations_per_day:
        table.note("nomination_second", n.seat, target=n.target)


def _check_candidates(table: Table, written: tuple[int, ...], nominated: list[int]) -> tuple[int, ...]:
    """The candidates as written against those nominated; the vote is judged in the rules' order."""
    strangers = [c for c in written if c not in nominated]
    missing = [c for c in nominated if c not in written]
    if strangers:
        table.note("candidate_not_nominated", *strangers)
    if missing:
        table.note("candidate_missing", *missing)
    common = [c for c in written if c in nominated]
    if common != [c for c in nominated if c in written]:
        table.note("wrong_vote_order", *written, expected=tuple(nominated))
    return tuple(nominated)


# --- the judge's book


def book(table: Table, fouls: tuple[FoulRecord, ...], removed: tuple[RemovalRecord, ...]) -> list[Removal]:
    """Counts fouls and returns the removals of this day or night: those written, and those the fouls
    demand though nobody wrote them."""
    demanded: list[Removal] = []
    written = {r.seat for r in removed}
    for foul in fouls:
        if not 1 <= foul.seat <= table.rules.seats:
            table.note("seat_impossible", foul.seat, what="foul")
            continue
        if foul.seat not in table.present and foul.seat not in table.alive and not _may_still_be_fouled(foul):
            table.note("foul_to_absent", foul.seat, level=foul.level)
        by = _count(table, foul)
        if by is not None and foul.seat in table.present and foul.seat in table.alive:
            demanded.append(Removal(foul.seat, by, foul.phase, foul.seat in written))
    out = []
    for r in removed:
        if not table.leaving(r.seat) and not table.acts(r.seat, "removal"):
            continue
        out.append(_written_removal(table, r, demanded))
    for d in demanded:
        if d.seat not in written and d.phase != "last_word":
            table.note(
                "fourth_foul_not_enforced" if d.by == "fouls" else "removal_not_enforced", d.seat, by=d.by
            )
            out.append(d)
    return out


def _may_still_be_fouled(foul: FoulRecord) -> bool:
    """The killed has his last word in the morning, and with it his fouls."""
    return foul.phase in ("last_word", None, "night")


def _count(table: Table, foul: FoulRecord) -> LeftBy | None:
    seat, rules = foul.seat, table.rules
    if foul.level == "warning":
        return None
    if foul.level in ("technical", "technical_big"):
        return _count_technical(table, foul, foul.level)
    if foul.level in ("removal", "team_defeat"):
        return foul.level  # type: ignore[return-value]
    if table.fouls[seat] + 1 >= rules.fouls_to_leave and rules.spares_hand(foul.violation):
        table.note("hand_foul_not_technical", seat)
        return _count_technical(table, replace(foul, ordinal=None), "technical")
    table.fouls[seat] += 1
    count = table.fouls[seat]
    _ordinal(table, foul, count)
    if count == rules.fouls_to_leave - 1:
        table.owes.add(seat)
    if count > rules.fouls_to_leave:
        table.note("too_many_fouls", seat, count=count)
    return "fouls" if count == rules.fouls_to_leave else None


def _count_technical(table: Table, foul: FoulRecord, level: str) -> LeftBy | None:
    seat, rules = foul.seat, table.rules
    if not rules.technical_fouls:
        table.note("technical_unknown", seat)
        return None
    table.technical[seat].append(level)
    count = len(table.technical[seat])
    _ordinal(table, foul, count)
    if rules.technical_to_leave is not None and count > rules.technical_to_leave:
        table.note("third_technical", seat, count=count)
    removes = count == rules.technical_to_leave and rules.technical_removes(count, foul.violation)
    return "technical" if removes else None


def _ordinal(table: Table, foul: FoulRecord, count: int) -> None:
    if foul.ordinal is not None and foul.ordinal != count:
        table.note("foul_ordinal_wrong", foul.seat, said=foul.ordinal, expected=count, level=foul.level)


def _written_removal(table: Table, r: RemovalRecord, demanded: list[Removal]) -> Removal:
    by: LeftBy = r.reason if r.reason in ("fouls", "technical", "removal", "team_defeat") else "removal"  # type: ignore[assignment]
    match = next((d for d in demanded if d.seat == r.seat), None)
    if by in ("fouls", "technical") and table.record.fouls_known and match is None:
        have = table.fouls[r.seat] if by == "fouls" else len(table.technical[r.seat])
        needed = table.rules.fouls_to_leave if by == "fouls" else table.rules.technical_to_leave
        if needed is None or have < needed:
            table.note("removed_without_ground", r.seat, by=by, count=have)
    if r.violation in table.rules.last_minute_offences and r.phase == "last_word" and by == "removal":
        table.note("removal_is_team_defeat", r.seat, violation=r.violation)
        by = "team_defeat"
    phase = r.phase or (match.phase if match else None)
    return Removal(r.seat, by, phase, True)


def _remove(table: Table, removals: list[Removal], day: DayRecord) -> None:
    """Takes the removed from the table and cancels the vote that falls because of it."""
    for r in removals:
        leaving = r.seat not in table.present
        if table.rules.removal_cancels_vote and not table.ended:
            _cancel(table, r, day, leaving)
        table.remove(r.seat, r.by)
        if r.written:
            table.depart((r.seat,))


def _cancel(table: Table, r: Removal, day: DayRecord, leaving: bool) -> None:
    number = day.day
    if leaving and not table.rules.removal_of_killed_cancels:
        return
    if r.phase == "unknown":
        return
    after = r.phase == "after_result" or (r.phase == "last_word" and bool(day.ballots or day.left))
    cancelled = number + 1 if after else number
    table.votes_off.add(cancelled)
    table.cancelled_by[cancelled] = (*table.cancelled_by.get(cancelled, ()), r.seat)


def _words(table: Table, day: DayRecord) -> None:
    """A testament needs somebody who has left: last night or by this day's vote."""
    left = [x for x in table.left if (x.phase, x.number) in (("day", day.day), ("night", day.day - 1))]
    if not any(x.by in ("vote", "lift", "shot") for x in left):
        table.note("testament_without_right")
