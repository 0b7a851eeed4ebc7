"""Game scripts (`mafiavar/script@1`): what is said and done, tied to the words, not yet to the clock.

A script says "seat 4 touches the table 0.24 s before the number has been said"; the clock comes when the
lines are spoken (timing.py). Times of gestures are anchors: [line, edge, plus].
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mafiavar.sample_videos.errors import ScriptError

SCHEMA = "mafiavar/script@1"
JUDGE = "judge"
EDGES = ("start", "named", "end")
FORMS = ("fist_vertical", "fist_flat", "palm", "finger", "elbow")
GESTURES = ("shot", "point", "wave", "write")
POSTURES = ("head_up", "arms_down", "mask_off", "mask_held", "leaning", "touching", "standing")
RULESETS = ("fsm-2026", "disbord", "legion")
BEGIN, END = "@begin", "@end"  # anchors on the recording itself

Speaker = int | str  # seat 1..10, "judge" or "audience"
Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Anchor:
    """`plus` seconds after an edge of a line: start, end, or named (the end of its marked word)."""

    line: str
    edge: str = "start"
    plus: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """One utterance.

    gap: seconds of silence before it, counted from the end of the line before. over: instead, it begins
    `gap` seconds after the *start* of that line and moves nothing (an interjection). named: how many
    words belong to the call (the end of word `named`, counted from 1, is the edge `named`); 0 = all.
    events: events whose span is this utterance (a field "upto": "named" ends it at the number).
    """

    id: str
    speaker: Speaker
    text: str
    gap: float = 0.4
    over: str | None = None
    named: int = 0
    events: tuple[Fields, ...] = ()
    trap: Fields | None = None


@dataclass(frozen=True, slots=True)
class Act:
    """Something a seat does from one anchor to another. kind: hand, mask, posture, away, sign, gesture, knock, music.

    fields: what the truth says of it (hand: hand, form; posture: state, legit; sign: number; gesture: form).
    """

    kind: str
    seat: int
    start: Anchor
    stop: Anchor
    fields: Fields = field(default_factory=dict)
    event: Fields | None = None  # an event made by the act (vote_cast): span and contact are the act's


@dataclass(frozen=True, slots=True)
class Planted:
    """A violation that was planted on purpose: flag kind, seats, clause, from when to when."""

    kind: str
    seats: tuple[int, ...]
    start: Anchor
    stop: Anchor
    day: int
    clause: str | None = None
    fields: Fields = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Script:
    ruleset: str
    seed: int
    lines: tuple[Line, ...]
    acts: tuple[Act, ...] = ()
    flags: tuple[Planted, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    voices: Mapping[str, Fields] = field(default_factory=dict)
    sound: Fields = field(default_factory=dict)
    picture: Fields = field(default_factory=dict)
    excerpt: bool = False
    lead: float = 0.9  # silence before the first line, seconds
    tail: float = 1.2  # and after the last
    notes: Fields = field(default_factory=dict)

    def with_settings(self, settings: Iterable[str]) -> Script:
        """The same game with single conditions set by `sound.clatter=true`, `picture.noise=2.5`.

        Values are JSON, or plain words. Raises ScriptError for anything else.
        """
        parts: dict[str, dict[str, Any]] = {"sound": {}, "picture": {}}
        for text in settings:
            path, equals, value = text.partition("=")
            part, _, name = path.strip().partition(".")
            if not equals or part not in parts or not name:
                raise ScriptError(
                    text,
                    "пишите sound.ИМЯ=ЗНАЧЕНИЕ или picture.ИМЯ=ЗНАЧЕНИЕ",
                    "write sound.NAME=VALUE or picture.NAME=VALUE",
                )
            try:
                parts[part][name] = json.loads(value)
            except json.JSONDecodeError:
                parts[part][name] = value.strip()
        return self.with_conditions(parts["sound"], parts["picture"])

    def with_conditions(self, sound: Fields | None = None, picture: Fields | None = None) -> Script:
        """The same game under other conditions (given keys replace)."""
        return replace(
            self, sound={**self.sound, **(sound or {})}, picture={**self.picture, **(picture or {})}
        )


# ---- reading and writing ------------------------------------------------------------------------
def _anchor_out(a: Anchor) -> list[Any]:
    return [a.line, a.edge, round(a.plus, 3)]


def as_json(s: Script) -> dict[str, Any]:
    """Plain values in a fixed order; `dumps` of it is byte-identical for equal scripts."""
    lines = []
    for x in s.lines:
        item: dict[str, Any] = {"id": x.id, "speaker": x.speaker, "text": x.text, "gap": round(x.gap, 3)}
        if x.over is not None:
            item["over"] = x.over
        if x.named:
            item["named"] = x.named
        if x.events:
            item["events"] = [dict(e) for e in x.events]
        if x.trap is not None:
            item["trap"] = dict(x.trap)
        lines.append(item)
    acts = []
    for a in s.acts:
        item = {
            "kind": a.kind,
            "seat": a.seat,
            "from": _anchor_out(a.start),
            "to": _anchor_out(a.stop),
            **a.fields,
        }
        if a.event is not None:
            item["event"] = dict(a.event)
        acts.append(item)
    flags = [
        {
            "kind": f.kind,
            "seats": list(f.seats),
            "day": f.day,
            "clause": f.clause,
            "from": _anchor_out(f.start),
            "to": _anchor_out(f.stop),
            **f.fields,
        }
        for f in s.flags
    ]
    return {
        "schema": SCHEMA, "ruleset": s.ruleset, "seed": s.seed, "excerpt": s.excerpt, "lead": s.lead, "tail": s.tail,
        "roles": dict(s.roles), "voices": {k: dict(v) for k, v in s.voices.items()}, "sound": dict(s.sound),
        "picture": dict(s.picture), "notes": dict(s.notes), "lines": lines, "acts": acts, "flags": flags,
    }  # fmt: skip


def save(script: Script, path: Path) -> None:
    text = json.dumps(as_json(script), ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def load(path: Path) -> Script:
    """Read and check a script. Raises ScriptError naming the item at fault."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptError(path.name, f"не читается: {error}", f"cannot be read: {error}") from error
    except json.JSONDecodeError as error:
        where = f"{path.name}, строка {error.lineno}"
        raise ScriptError(where, f"это не JSON: {error.msg}", f"not JSON: {error.msg}") from error
    return from_json(data)


def _anchor_in(where: str, value: Any) -> Anchor:
    if not (
        isinstance(value, list)
        and len(value) == 3
        and isinstance(value[0], str)
        and isinstance(value[2], int | float)
    ):
        raise ScriptError(
            where, "якорь пишется как [реплика, край, сдвиг в секундах]", "an anchor is [line, edge, seconds]"
        )
    if value[1] not in EDGES:
        raise ScriptError(
            where,
            f"край реплики: {', '.join(EDGES)}, а не {value[1]!r}",
            f"edge is one of {', '.join(EDGES)}, not {value[1]!r}",
        )
    return Anchor(value[0], value[1], float(value[2]))


def _need(where: str, item: Any, *keys: str) -> Fields:
    if not isinstance(item, dict):
        raise ScriptError(where, "здесь должен быть объект {...}", "an object is expected here")
    for k in keys:
        if k not in item:
            raise ScriptError(where, f"нет поля «{k}»", f"field {k!r} is missing")
    return item


def from_json(data: Any) -> Script:
    """A checked script from parsed JSON. Raises ScriptError naming the item at fault."""
    top = _need("script", data, "schema", "ruleset", "seed", "lines")
    if top["schema"] != SCHEMA:
        raise ScriptError(
            "schema",
            f"ожидается {SCHEMA}, а не {top['schema']!r}",
            f"expected {SCHEMA}, not {top['schema']!r}",
        )
    lines = []
    for i, raw in enumerate(top["lines"]):
        where = f"lines[{i}]"
        x = _need(where, raw, "id", "speaker", "text")
        lines.append(Line(
            str(x["id"]), x["speaker"], str(x["text"]), _number(where, "gap", x.get("gap", 0.4)), x.get("over"),
            int(x.get("named", 0)), tuple(x.get("events", ())), x.get("trap"),
        ))  # fmt: skip
    acts = []
    for i, raw in enumerate(top.get("acts", ())):
        where = f"acts[{i}]"
        x = _need(where, raw, "kind", "seat", "from", "to")
        rest = {k: v for k, v in x.items() if k not in ("kind", "seat", "from", "to", "event")}
        acts.append(
            Act(
                str(x["kind"]),
                x["seat"],
                _anchor_in(where, x["from"]),
                _anchor_in(where, x["to"]),
                rest,
                x.get("event"),
            )
        )
    flags = []
    for i, raw in enumerate(top.get("flags", ())):
        where = f"flags[{i}]"
        x = _need(where, raw, "kind", "seats", "day", "from", "to")
        rest = {k: v for k, v in x.items() if k not in ("kind", "seats", "day", "clause", "from", "to")}
        flags.append(
            Planted(
                str(x["kind"]),
                tuple(x["seats"]),
                _anchor_in(where, x["from"]),
                _anchor_in(where, x["to"]),
                int(x["day"]),
                x.get("clause"),
                rest,
            )
        )
    script = Script(
        str(top["ruleset"]), int(top["seed"]), tuple(lines), tuple(acts), tuple(flags), top.get("roles", {}),
        top.get("voices", {}), top.get("sound", {}), top.get("picture", {}), bool(top.get("excerpt", False)),
        float(top.get("lead", 0.9)), float(top.get("tail", 1.2)), top.get("notes", {}),
    )  # fmt: skip
    check(script)
    return script


def _number(where: str, name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ScriptError(
            where,
            f"«{name}» должно быть числом секунд, а не {value!r}",
            f"{name!r} must be seconds, not {value!r}",
        )
    return float(value)


# ---- checking -----------------------------------------------------------------------------------
def _seat(where: str, seat: Any) -> None:
    if isinstance(seat, bool) or not isinstance(seat, int) or not 1 <= seat <= 10:
        raise ScriptError(
            where, f"места за столом от 1 до 10, а не {seat!r}", f"seats are 1..10, not {seat!r}"
        )


def check(script: Script) -> None:
    """What can be refused before anything is spoken. Raises ScriptError."""
    if script.ruleset not in RULESETS:
        raise ScriptError(
            "ruleset", f"неизвестные правила {script.ruleset!r}", f"unknown rules {script.ruleset!r}"
        )
    if not script.lines:
        raise ScriptError("lines", "в сценарии нет ни одной реплики", "the script has no lines")
    known: set[str] = set()
    for i, x in enumerate(script.lines):
        where = f"lines[{i}]"
        if x.id in known or x.id in (BEGIN, END):
            raise ScriptError(where, f"реплика с именем {x.id!r} уже есть", f"line {x.id!r} already exists")
        if x.speaker not in (JUDGE, "audience"):
            _seat(where, x.speaker)
        if not x.text.strip():
            raise ScriptError(where, "пустая реплика", "an empty line")
        if x.over is not None and x.over not in known:
            raise ScriptError(
                where, f"реплика {x.over!r} ещё не звучала", f"line {x.over!r} has not been said yet"
            )
        if x.over is None and x.gap < 0:
            raise ScriptError(
                where, "время идёт назад: пауза меньше нуля", "time goes back: the gap is negative"
            )
        if x.named > len(x.text.split()):
            raise ScriptError(where, f"в реплике нет слова {x.named}", f"the line has no word {x.named}")
        known.add(x.id)
    named = {x.id for x in script.lines} | {BEGIN, END}
    anchored = [(f"acts[{i}]", a.start, a.stop) for i, a in enumerate(script.acts)]
    anchored += [(f"flags[{i}]", f.start, f.stop) for i, f in enumerate(script.flags)]
    for where, *ends in anchored:
        for end in ends:
            if end.line not in named:
                raise ScriptError(where, f"нет реплики {end.line!r}", f"there is no line {end.line!r}")
    for i, act in enumerate(script.acts):
        _check_act(f"acts[{i}]", act)
    for i, flag in enumerate(script.flags):
        for seat in flag.seats:
            _seat(f"flags[{i}]", seat)
    speakers = {str(x.speaker) for x in script.lines}
    for who in script.voices:
        if who not in (JUDGE, "audience"):
            _seat("voices", int(who) if who.isdigit() else who)
    missing = sorted(speakers - set(script.voices)) if script.voices else []
    if missing:
        raise ScriptError(
            "voices", f"нет голоса для: {', '.join(missing)}", f"no voice for: {', '.join(missing)}"
        )


def _check_act(where: str, act: Act) -> None:
    if act.kind == "music":
        return
    _seat(where, act.seat)
    f = act.fields
    if act.kind == "hand":
        if f.get("form") not in FORMS:
            raise ScriptError(
                where, f"форма руки: {', '.join(FORMS)}", f"hand form is one of {', '.join(FORMS)}"
            )
        if f.get("hand") not in ("left", "right"):
            raise ScriptError(where, "рука: left или right", "hand is left or right")
    elif act.kind == "posture":
        if f.get("state") not in POSTURES:
            raise ScriptError(
                where, f"поза: {', '.join(POSTURES)}", f"posture is one of {', '.join(POSTURES)}"
            )
    elif act.kind == "sign":
        number = f.get("number")
        if not isinstance(number, int) or not 1 <= number <= 10:
            raise ScriptError(where, "пальцами показывают число от 1 до 10", "fingers show a number 1..10")
    elif act.kind == "gesture":
        if f.get("form") not in GESTURES:
            raise ScriptError(
                where, f"жест: {', '.join(GESTURES)}", f"a gesture is one of {', '.join(GESTURES)}"
            )
    elif act.kind not in ("mask", "away", "knock"):
        raise ScriptError(where, f"неизвестное действие {act.kind!r}", f"unknown act {act.kind!r}")
