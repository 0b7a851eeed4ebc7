"""What a truth file must not contradict: the rules' engine, the definitions of the flags, and itself.

`contradictions(truth)` derives anew, from hands, masks, postures, voices and events alone, which flags the
definitions (design, FLAGS) raise, and compares them with the flags that the truth names: a violation that
nobody planted would be as wrong as a planted one that cannot be seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

from mafiavar.engine.events import event_from
from mafiavar.engine.game import Game
from mafiavar.engine.ruleset import ruleset

Truth = Mapping[str, Any]
Record = Mapping[str, Any]
Key = tuple[str, int]  # kind of a flag, seat

# What the engine finds by itself; other issues it raises follow from these.
BY_ENGINE = {
    "foul_ordinal_wrong",
    "wrong_vote_order",
    "nomination_tense",
    "nomination_second",
    "nomination_repeated",
    "night_check_of_own_shot",
    "wrong_opener",
    "wrong_person_left",
    "vote_held_though_cancelled",
    "vote_not_held_though_due",
    "forbidden_split",
    "forbidden_lift",
    "dead_player_acts",
    "fourth_foul_not_enforced",
}
ONE_KIND = {"vote_held_though_single": "vote_held_though_cancelled"}
"""Issues of the engine that are one kind of flag."""
FOLLOWS = {
    "two_candidates": {"votes_exceed_living", "votes_do_not_add_up", "vote_count_mismatch"},
    "vote_count_mismatch": {"votes_do_not_add_up", "votes_exceed_living"},
}
BY_WORDS = {
    "asked_nominations", "address_to_judge", "phrase_oath", "phrase_obscene", "phrase_appeal", "phrase_reveal",
    "phrase_team_defeat", "phrase_best_move", "phrase_both_roles", "best_move_talk", "protocol_early",
    "best_move_readback", "speech_overtime", "time_cut_short", "vote_missing", "shout_before_best_move",
}  # fmt: skip


@dataclass(frozen=True)
class Ballot:
    day: int
    round: int
    target: int
    called: Record
    closed: Record
    told: Record

    @property
    def named(self) -> float:
        return float(self.called["t1"])


def events(truth: Truth, *kinds: str) -> list[Record]:
    return [e for e in truth["events"] if e["kind"] in kinds]


def ballots(truth: Truth) -> list[Ballot]:
    def same(kind: str, c: Record) -> Record:
        return next(
            e
            for e in events(truth, kind)
            if all(e[k] == c[k] for k in ("day", "round", "target")) and e["t0"] > c["t0"]
        )

    return [
        Ballot(c["day"], c["round"], c["target"], c, same("vote_closed", c), same("vote_announced", c))
        for c in events(truth, "vote_called")
    ]


def nights(truth: Truth) -> list[tuple[float, float]]:
    """From the end of «наступает ночь» to the begin of the morning (or the recording's end)."""
    out: list[tuple[float, float]] = []
    start: float | None = None
    for e in events(truth, "night_began", "day_began"):
        if e["kind"] == "night_began":
            start = float(e["t1"])
        elif start is not None:
            out.append((start, float(e["t0"])))
            start = None
    if start is not None:
        out.append((start, float(truth["duration"])))
    return out


def gone_at(truth: Truth, t: float) -> set[int]:
    return {int(s) for e in events(truth, "eliminated") if e["t0"] < t for s in e["seats"]}


def votes_derived(truth: Truth) -> Iterator[Key]:
    all_ballots = ballots(truth)
    touched: dict[tuple[int, int, int], set[int]] = {}
    for k, b in enumerate(all_ballots):
        begin = b.named - 0.6
        following = all_ballots[k + 1].named - 0.6 if k + 1 < len(all_ballots) else float(truth["duration"])
        end = min(following, b.told["t1"] + 1.5)
        mine = [h for h in truth["hands"] if h["on_table"] and begin <= h["t0"] < end]
        dead = gone_at(truth, b.named)
        yield from [("dead_player_acts", 0)] * len({h["seat"] for h in mine} & dead)
        mine = [h for h in mine if h["seat"] not in dead]
        yes = {h["seat"] for h in mine if h["t0"] <= b.closed["t1"]}
        for seat in sorted({h["seat"] for h in mine}):
            yield from _hand_flags(b, [h for h in mine if h["seat"] == seat])
            before = touched.setdefault((b.day, b.round, seat), set())
            if before and seat in yes:
                yield "two_candidates", seat
            if seat in yes:
                before.add(b.target)
        casts = [
            e for e in events(truth, "vote_cast")
            if (e["day"], e["round"], e["target"]) == (b.day, b.round, b.target)
        ]  # fmt: skip
        remainder = {e["seat"] for e in casts if e["remainder"]}
        if {e["seat"] for e in casts if not e["remainder"]} != yes:
            yield "!casts differ from hands", 0
        if b.told["count"] != len(yes) + len(remainder):
            yield "vote_count_mismatch", 0


def _hand_flags(b: Ballot, hands: list[Record]) -> Iterator[Key]:
    seat, first, last = hands[0]["seat"], min(h["t0"] for h in hands), max(h["t1"] for h in hands)
    if first > b.closed["t1"]:
        yield "hand_late", seat
        return
    if first < b.named - 0.1:
        yield "hand_early", seat
    if last < b.closed["t0"]:
        yield "hand_withdrawn", seat
    elif last < b.told["t0"]:
        yield "hand_released_before_count", seat
    if any(h["form"] != "fist_vertical" for h in hands):
        yield "hand_form", seat
    for x, y in combinations(hands, 2):
        if x["hand"] != y["hand"] and min(x["t1"], y["t1"]) - max(x["t0"], y["t0"]) >= 0.2:
            yield "two_hands", seat


def floors(truth: Truth) -> list[tuple[float, float, int]]:
    out = []
    for e in events(truth, "floor_given"):
        ends = [
            x["t1"]
            for x in truth["events"]
            if x["t0"] > e["t0"]
            and (
                (x["kind"] == "floor_ended" and x["seat"] == e["seat"])
                or (x["kind"] == "eliminated" and e["seat"] in x["seats"])
                or (x["kind"] == "floor_given" and x["seat"] != e["seat"])
            )
        ]
        out.append((float(e["t0"]), min(ends, default=float(truth["duration"])), int(e["seat"])))
    return out


def voices_derived(truth: Truth) -> Iterator[Key]:
    given, dark = floors(truth), nights(truth)
    votes = [
        (o["t1"], max(b.told["t1"] for b in ballots(truth) if (b.day, b.round) == (o["day"], o["round"])))
        for o in events(truth, "vote_opened")
        if any((b.day, b.round) == (o["day"], o["round"]) for b in ballots(truth))
    ]
    for s in truth["speech"]:
        if not isinstance(s["speaker"], int):
            continue
        if any(f["kind"] == "shout_before_best_move" and f["t0"] == s["t0"] for f in truth["flags"]):
            continue
        seat, long = s["speaker"], s["t1"] - s["t0"]
        mine = any(a <= s["t0"] and s["t1"] <= b + 0.01 for a, b, who in given if who == seat)
        if any(a <= s["t0"] < b for a, b in dark):
            if not mine and long >= 0.3:
                yield "talk_at_night", seat
        elif any(a < s["t1"] and s["t0"] < b for a, b in votes):
            if long >= 0.3:
                yield "talk_during_vote", seat
        elif not mine and long >= 0.35:
            yield "speech_out_of_turn", seat


def _holes(spans: Iterable[tuple[float, float]], a: float, b: float) -> list[tuple[float, float]]:
    """What the spans leave free of [a, b]."""
    out, at = [], a
    for t0, t1 in sorted(spans):
        if t0 > at:
            out.append((at, min(t0, b)))
        at = max(at, t1)
    if at < b:
        out.append((at, b))
    return [(x, y) for x, y in out if y - x > 1e-6]


def masks_derived(truth: Truth) -> Iterator[Key]:
    end = float(truth["duration"])
    for a, b in nights(truth):
        out = gone_at(truth, a)
        for seat in (s for s in range(1, 11) if s not in out):
            on = [(m["t0"], m["t1"]) for m in truth["masks"] if m["seat"] == seat]
            called = [
                (p["t0"] - 0.1, p["t1"] + 0.1) for p in truth["posture"] if p["seat"] == seat and p["legit"]
            ]
            if (
                end > a + 3
                and not any(t0 <= a + 3 < t1 for t0, t1 in on)
                and not any(t0 <= a + 3 < t1 for t0, t1 in called)
            ):
                yield "mask_late", seat
            first = min((t0 for t0, t1 in on if t1 > a), default=b)
            for t0, t1 in _holes([*on, *called], max(first, a), b):
                if t1 - t0 > 0.5:
                    yield "mask_off_at_night", seat
    days = [
        (e["t1"] + 5, min((x for x, _ in nights(truth) if x > e["t0"]), default=end))
        for e in events(truth, "day_began")
    ]
    for a, b in days:
        for m in truth["masks"]:
            if min(m["t1"], b) - max(m["t0"], a) > 1.0:
                yield "mask_by_day", m["seat"]


def bodies_derived(truth: Truth) -> Iterator[Key]:
    dark = nights(truth)
    for p in truth["posture"]:
        night = any(a <= p["t0"] < b for a, b in dark)
        long = p["t1"] - p["t0"]
        if p["state"] == "touching" and long >= 0.5:
            yield ("touch_at_night" if night else "touch_by_day"), p["seat"]
        elif not p["legit"] and night and p["state"] in ("head_up", "arms_down") and long >= 1.0:
            yield f"{p['state']}_at_night", p["seat"]
        elif not p["legit"] and night and p["state"] == "mask_held" and long > 0.5:
            yield "mask_off_at_night", p["seat"]
    for x in truth["away"]:
        if x["seat"] not in gone_at(truth, x["t0"]) and x["t1"] - x["t0"] > 2:
            yield "left_table", x["seat"]
    for x in truth["knocks"]:
        yield "table_knock", x["seat"]
    for x in truth["gestures"]:
        if not any(a <= x["t0"] < b for a, b in dark):
            yield "gesture_during_vote", x["seat"]


def flag_differences(truth: Truth) -> Iterator[str]:
    issues = [(kind, 0) for kind in engine_issues(truth) if kind in BY_ENGINE]
    derived = Counter(
        [
            *votes_derived(truth),
            *voices_derived(truth),
            *masks_derived(truth),
            *bodies_derived(truth),
            *issues,
        ]
    )
    named = Counter(
        (f["kind"], 0 if f["kind"] in BY_ENGINE or not f["seats"] else f["seats"][0])
        for f in truth["flags"]
        if f["kind"] not in BY_WORDS
    )
    for kind, seat in sorted((derived - named).elements()):
        yield f"{kind} of seat {seat} happens but is not named"
    for kind, seat in sorted((named - derived).elements()):
        yield f"{kind} of seat {seat} is named but does not happen"


def engine_issues(truth: Truth) -> list[str]:
    """Kinds of what the engine finds wrong with the truth's events, played in the order of their times."""
    roles = {s: truth["roles"].get(str(s), "red") for s in range(1, 11)}
    rules = ruleset(truth["ruleset"])
    game = Game.excerpt(rules) if truth["excerpt"] else Game.new(rules, roles)
    out: list[str] = []
    for e in truth["events"]:
        game, found = game.apply(event_from(e["kind"], dict(e)))
        out += [ONE_KIND.get(i.kind, i.kind) for i in found]
    return out


def engine_differences(truth: Truth) -> Iterator[str]:
    planted = {f["kind"] for f in truth["flags"]}
    allowed = planted | {x for k in planted for x in FOLLOWS.get(k, ())}
    for kind in engine_issues(truth):
        if kind not in allowed:
            yield f"the engine finds {kind}, which nobody planted"


def clock_differences(truth: Truth) -> Iterator[str]:
    end = float(truth["duration"]) + 1e-6
    for name in (
        "speech",
        "music",
        "masks",
        "hands",
        "posture",
        "away",
        "signs",
        "knocks",
        "events",
        "flags",
    ):
        for x in truth[name]:
            if not 0 <= x["t0"] <= x["t1"] <= end:
                yield f"{name}: {x['t0']}-{x['t1']} is outside the recording or backwards"
    times = [e["t0"] for e in truth["events"]]
    if times != sorted(times):
        yield "events are not in order"
    for who in {s["speaker"] for s in truth["speech"]}:
        mine = sorted((s["t0"], s["t1"]) for s in truth["speech"] if s["speaker"] == who)
        for (_, a), (b, _) in pairwise(mine):
            if b < a - 1e-6:
                yield f"{who} speaks over themselves at {b}"


def overtime_differences(truth: Truth) -> Iterator[str]:
    """Nobody speaks more than two seconds over the limit without being named for it."""
    for given in events(truth, "floor_given"):
        if given["purpose"] not in ("speech", "revote", "last_word") or not given.get("seconds"):
            continue
        seat, start = given["seat"], float(given["t1"])
        ended = [e for e in events(truth, "floor_ended") if e["seat"] == seat and e["t0"] >= start]
        end = float(ended[0]["t1"]) if ended else start
        named = any(
            f["kind"] == "speech_overtime" and f["seat"] == seat and start <= f["t0"] <= end
            for f in truth["flags"]
        )
        if end - start > given["seconds"] + 2 and not named and seat not in gone_at(truth, end):
            yield f"seat {seat} speaks {end - start:.1f} s of {given['seconds']} from {start} on"


def presence_differences(truth: Truth) -> Iterator[str]:
    """The dead and the absent do nothing; one body does not do two things."""
    for name in ("hands", "signs", "gestures", "posture", "knocks", "masks"):
        for x in truth[name]:
            left = [
                e["t0"] for e in events(truth, "eliminated") if x["seat"] in e["seats"] and e["by"] != "shot"
            ]
            if left and x["t0"] > left[0]:
                yield f"{name}: seat {x['seat']} at {x['t0']} has left the table"
            if name != "masks" and any(
                a["seat"] == x["seat"] and a["t0"] < x["t1"] and x["t0"] < a["t1"] for a in truth["away"]
            ):
                yield f"{name}: seat {x['seat']} at {x['t0']} is not there"
    for e in events(truth, "eliminated"):
        for seat in e["seats"]:
            stays = min(
                (a["t0"] for a in truth["away"] if a["seat"] == seat and a["t0"] >= e["t0"]), default=None
            )
            night = [a for a, _ in nights(truth) if a > e["t0"] + 1]
            if night and (stays is None or stays > night[0]):
                yield f"seat {seat}, out since {e['t0']}, still sits at the table in the night at {night[0]}"
    for sign in (
        *truth["signs"],
        *(x for x in truth["gestures"] if any(a <= x["t0"] < b for a, b in nights(truth))),
    ):
        ok = any(
            p["legit"] and p["seat"] == sign["seat"] and p["t0"] <= sign["t0"] and sign["t1"] <= p["t1"]
            for p in truth["posture"]
        )
        if not ok:
            yield f"seat {sign['seat']} shoots or shows at {sign['t0']} without having been called"


def contradictions(truth: Truth) -> list[str]:
    """Every sentence names one contradiction; none = the truth is one piece."""
    return [
        *clock_differences(truth), *overtime_differences(truth), *engine_differences(truth), *flag_differences(truth), *presence_differences(truth),
    ]  # fmt: skip
