"""The machine's findings with people's words laid over them; the machine's are never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mafiavar.ui.review.casefile import SEATS, Ballot, Case, SeatVote, Word
from mafiavar.ui.review.flag import Flag
from mafiavar.ui.store.attach import Attached, attach
from mafiavar.ui.store.records import Record, Standing, standing, standing_by_author

# A call may move by this much when the alignment runs again and still be the same call.
SAME_CALL = 3.0
SAME_WORD = 0.25


def flag_target(flag: Flag) -> dict[str, Any]:
    return {"kind": flag.kind, "seats": sorted(flag.seats), "day": flag.day, "t0": flag.t0, "t1": flag.t1}


def vote_target(ballot: Ballot, seat: int) -> dict[str, Any]:
    return {
        "day": ballot.day,
        "round": ballot.round,
        "target": ballot.target,
        "seat": seat,
        "called": round(ballot.called[0], 3),
    }


def word_target(word: Word) -> dict[str, Any]:
    return {"t0": round(word.t0, 3), "t1": round(word.t1, 3), "w": word.text}


# verdicts ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What stands for each flag, by everybody and by each; and what lost its flag."""

    standing: Mapping[str, Standing]
    own: Mapping[str, Mapping[str, Record]]
    orphans: tuple[Standing, ...]

    def of(self, flag_id: str) -> str | None:
        s = self.standing.get(flag_id)
        return str(s.record.payload.get("verdict")) if s else None

    def by(self, author: str, flag_id: str) -> Record | None:
        return self.own.get(author, {}).get(flag_id)


def verdicts(case: Case, records: Iterable[Record]) -> Verdicts:
    """Attach verdicts to the flags of today's revision."""
    entries = [r for r in records if r.kind == "verdict"]
    attached: Attached = attach([r for r in entries if r.undoes is None], case.flags)
    at_flag = {r.id: flag for flag, rs in attached.by_flag.items() for r in rs}
    stand: dict[str, Standing] = {}
    orphans: list[Standing] = []
    for s in standing(entries).values():
        flag = at_flag.get(s.record.id)
        if flag is None:
            orphans.append(s)
        else:
            stand[flag] = s
    own = {
        author: {at_flag[r.id]: r for r in rs.values() if r.id in at_flag}
        for author, rs in standing_by_author(entries).items()
    }
    return Verdicts(stand, own, tuple(orphans))


# votes ------------------------------------------------------------------------------------


def vote_corrections(case: Case, records: Iterable[Record]) -> dict[tuple[str, int], Standing]:
    """(ballot key, seat) -> the standing correction."""
    out: dict[tuple[str, int], Standing] = {}
    for s in standing(r for r in records if r.kind == "vote").values():
        ballot = _ballot_of(case, s.record.target)
        seat = s.record.target.get("seat")
        if ballot is not None and isinstance(seat, int):
            out[(ballot.key, seat)] = s
    return out


def orphaned_votes(case: Case, records: Iterable[Record]) -> tuple[Standing, ...]:
    """Corrections whose ballot the machine no longer knows."""
    corrections = standing(r for r in records if r.kind == "vote").values()
    return tuple(s for s in corrections if _ballot_of(case, s.record.target) is None)


def _ballot_of(case: Case, target: Mapping[str, Any]) -> Ballot | None:
    for b in case.ballots:
        if (b.day, b.round, b.target) == (target.get("day"), target.get("round"), target.get("target")):
            return b
    near = [b for b in case.ballots if b.target == target.get("target")]
    called = target.get("called")
    if isinstance(called, int | float):
        near = [b for b in near if abs(b.called[0] - called) <= SAME_CALL]
        return near[0] if near else None
    return None


def votes_as_decided(case: Case, records: Iterable[Record]) -> tuple[Ballot, ...]:
    """The ballots with people's corrections: votes, counted range and the remainder."""
    corrections = vote_corrections(case, records)
    changed = tuple(
        replace(b, seats={n: _corrected(v, corrections.get((b.key, n))) for n, v in b.seats.items()})
        for b in case.ballots
    )
    touched = {(b.day, b.round) for b in case.ballots for n in SEATS if (b.key, n) in corrections}
    return tuple(_recounted(b, changed) if (b.day, b.round) in touched else b for b in changed)


def _corrected(vote: SeatVote, correction: Standing | None) -> SeatVote:
    said = correction.record.payload.get("vote") if correction else None
    if said not in {"yes", "no", "unknown", "out"}:
        return vote
    return replace(
        vote, vote=said, probability=1.0, contact=vote.contact, remainder=vote.remainder and said != "yes"
    )


def _recounted(ballot: Ballot, ballots: Iterable[Ballot]) -> Ballot:
    """Counts follow the corrected hands; in the last call those without any vote are the remainder."""
    together = [b for b in ballots if (b.day, b.round) == (ballot.day, ballot.round)]
    last = max(together, key=lambda b: b.called[0])
    seats = dict(ballot.seats)
    if ballot.key == last.key and len(ballot.candidates) > 1:
        for n in SEATS:
            votes = [b.seats[n].vote for b in together]
            # Only a seat seen empty-handed everywhere is the remainder: "cannot tell" is no vote either way.
            seats[n] = replace(seats[n], remainder=all(v == "no" for v in votes))
    yes = sum(v.vote == "yes" for v in seats.values())
    unknown = sum(v.vote == "unknown" for v in seats.values())
    rest = sum(v.remainder for v in seats.values())
    return replace(
        ballot,
        seats=seats,
        counted=(yes, yes + unknown),
        assigned=yes + rest if rest else ballot.assigned and yes,
    )


# words ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SaidWord:
    """A word as shown: the machine's `word`, and what a person made of it."""

    word: Word
    text: str
    speaker: str
    by: str | None = None
    disputed: bool = False


def words_as_decided(case: Case, records: Iterable[Record]) -> tuple[SaidWord, ...]:
    """The transcript with people's corrections; a later transcript keeps them by time."""
    corrections = list(standing(r for r in records if r.kind == "word").values())
    corrections.sort(key=lambda s: float(s.record.target["t0"]))
    out: list[SaidWord] = []
    i = 0
    for w in case.words:
        while i < len(corrections) and float(corrections[i].record.target["t0"]) < w.t0 - SAME_WORD:
            i += 1
        found = next((s for s in corrections[i : i + 4] if _same_word(w, s.record.target)), None)
        payload = found.record.payload if found else {}
        out.append(
            SaidWord(
                w,
                str(payload.get("text", w.text)),
                str(payload.get("speaker", w.speaker)),
                found.record.author if found else None,
                found.disputed if found else False,
            )
        )
    return tuple(out)


def _same_word(word: Word, target: Mapping[str, Any]) -> bool:
    middle = (float(target["t0"]) + float(target["t1"])) / 2
    return abs(word.t0 - float(target["t0"])) <= SAME_WORD and word.t0 - 0.05 <= middle <= word.t1 + 0.05


# the protocol -----------------------------------------------------------------------------


def protocol(case: Case, ballots: Iterable[Ballot]) -> dict[str, Any]:
    """`mafiavar/protocol@1` of what the timeline and the (corrected) ballots say.

    Only facts that are there: a part that was not found is left out.
    """
    days: dict[int, dict[str, Any]] = {}
    nights: dict[int, dict[str, Any]] = {}
    out: dict[str, Any] = {"schema": "mafiavar/protocol@1", "ruleset": case.ruleset}
    for e in case.events:
        day = days.setdefault(e.day, {"day": e.day}) if e.day else {}
        if e.kind == "floor_given" and e.get("purpose") == "speech":
            day.setdefault("speakers", []).append(e.get("seat"))
        elif e.kind == "nominated":
            day.setdefault("nominations", []).append(
                {"seat": e.get("seat"), "target": e.get("target"), "accepted": e.get("accepted")}
            )
        elif e.kind == "vote_opened" and e.get("round") == 1:
            day["candidates"] = list(e.get("candidates") or [])
        elif e.kind == "lift_result":
            day["lift"] = {"yes": e.get("yes"), "no": e.get("no")}
        elif e.kind == "eliminated" and e.get("by") != "shot":
            day.setdefault("left", []).extend(e.get("seats") or [])
        elif e.kind == "foul":
            day.setdefault("fouls", []).append(
                {"seat": e.get("seat"), "level": e.get("level"), "ordinal": e.get("ordinal")}
            )
        elif e.kind in {"shot", "check", "night_result"}:
            _night(nights, e.get("night", e.day), e.kind, e.fields)
        elif e.kind == "best_move":
            out["best_move"] = {"seat": e.get("seat"), "targets": list(e.get("targets") or [])}
        elif e.kind == "game_ended":
            out["winner"] = e.get("winner")
    for b in ballots:
        _ballot_facts(days.setdefault(b.day, {"day": b.day}), b)
    out["days"] = [days[n] for n in sorted(days)]
    if nights:
        out["nights"] = [nights[n] for n in sorted(nights)]
    return out


def _night(nights: dict[int, dict[str, Any]], number: int, kind: str, fields: Mapping[str, Any]) -> None:
    night = nights.setdefault(number, {"night": number})
    if kind == "shot":
        night.setdefault("shots", {})[str(fields.get("shooter"))] = fields.get("target")
    elif kind == "check":
        night.setdefault("checks", []).append({k: fields.get(k) for k in ("by", "target", "found")})
    else:
        night["killed"] = fields.get("killed")


def _ballot_facts(day: dict[str, Any], ballot: Ballot) -> None:
    rounds = day.setdefault("ballots", [])
    entry = next((r for r in rounds if r["round"] == ballot.round), None)
    if entry is None:
        entry = {"round": ballot.round, "votes": {}, "remainder": []}
        rounds.append(entry)
    entry["votes"][str(ballot.target)] = [n for n, v in ballot.seats.items() if v.vote == "yes"]
    unknown = [n for n, v in ballot.seats.items() if v.vote == "unknown"]
    if unknown:
        entry.setdefault("cannot_tell", {})[str(ballot.target)] = unknown
    entry["remainder"] = sorted({*entry["remainder"], *(n for n, v in ballot.seats.items() if v.remainder)})


# effect on the result ---------------------------------------------------------------------


def doubtful(case: Case, ballot: Ballot) -> tuple[str, ...]:
    """Why a person should look at this ballot: `count`, `unknown`, `flags`; empty when all agrees."""
    why = []
    low, high = ballot.counted
    said = ballot.announced
    hands_and_rest = (low + _rest(ballot), high + _rest(ballot))
    if said is not None and not (low <= said <= high or hands_and_rest[0] <= said <= hands_and_rest[1]):
        why.append("count")
    if any(v.vote == "unknown" for v in ballot.seats.values()):
        why.append("unknown")
    a, b = ballot.window
    if any(f.severity != "note" and f.t0 < b and f.t1 > a for f in case.flags):
        why.append("flags")
    return tuple(why)


def _rest(ballot: Ballot) -> int:
    return sum(v.remainder for v in ballot.seats.values())
