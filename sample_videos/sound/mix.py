"""A script becomes sound: every line spoken in its voice, at its place, in a room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mafiavar.sample_videos.errors import ScriptError
from mafiavar.sample_videos.script import JUDGE, Line, Script
from mafiavar.sample_videos.sound import room
from mafiavar.sample_videos.sound.festival import RATE, Signal, Spoken, speak
from mafiavar.sample_videos.sound.voices import Voice, change, voices_of
from mafiavar.sample_videos.timing import Timed, place

Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Conditions:
    """How the hall sounds. snr_db: speech over background; murmur: a talking hall; music_db: night music
    against the judge; clip_db, telephone, dropouts (per minute), dead: (from, to) seconds of silence."""

    snr_db: float = 25.0
    rt60: float = 0.30
    murmur: bool = False
    clatter: bool = False
    music_db: float = -8.0
    clip_db: float = 0.0
    telephone: bool = False
    dropouts: float = 0.0
    dead: tuple[float, float] | None = None

    @classmethod
    def of(cls, script: Script) -> Conditions:
        notes = ("judge_style", "condensed")  # said of the script, not asked of the mix
        unknown = [k for k in script.sound if k not in cls.__dataclass_fields__ and k not in notes]
        if unknown:
            names = ", ".join(sorted(cls.__dataclass_fields__))
            raise ScriptError(
                f"sound.{unknown[0]}",
                f"нет такого условия; есть: {names}",
                f"no such condition; known: {names}",
            )
        known = {k: v for k, v in script.sound.items() if k in cls.__dataclass_fields__}
        if known.get("dead") is not None:
            known["dead"] = tuple(known["dead"])
        return cls(**known)


@dataclass(frozen=True, slots=True)
class Performance:
    """The mixed sound (16 kHz, -1..1), the clock of the script, each line's own dry sound by id."""

    timed: Timed
    mixed: Signal
    dry: dict[str, Signal]
    conditions: dict[str, Any]


def voice_table(script: Script) -> dict[str, Voice]:
    dealt = voices_of(script.seed)
    given = {k: Voice.of(v) for k, v in script.voices.items()}
    return {**dealt, "audience": Voice(1.02, 80, 1.1), **given}


def perform(
    script: Script,
    bank: Callable[[Line], Spoken | None] | None = None,
    progress: Progress | None = None,
    take: int = 0,
) -> Performance:
    """Speak, place and mix a script. `bank` may answer a line with a recorded one.

    take: which microphone; another one stands elsewhere in the same room and has its own noise.
    """
    say = progress or (lambda _what, _share: None)
    recorded = {x.id: bank(x) for x in script.lines} if bank else {}
    plain = speak(x.text for x in script.lines if recorded.get(x.id) is None)
    say("speech", 0.4)
    voices = voice_table(script)
    spoken: dict[str, Spoken] = {}
    for i, x in enumerate(script.lines):
        found = recorded.get(x.id)
        spoken[x.id] = found if found is not None else change(plain[x.text], voices[str(x.speaker)])
        say("voices", 0.4 + 0.4 * (i + 1) / len(script.lines))
    timed = place(script, spoken)
    conditions = Conditions.of(script)
    dry = {k: s.samples for k, s in spoken.items()}
    mixed, holes = _mix(timed, dry, conditions, take)
    say("mix", 1.0)
    return Performance(timed, mixed, dry, _report(script, conditions, voices, holes))


def _mix(
    timed: Timed, dry: dict[str, Signal], c: Conditions, take: int
) -> tuple[Signal, list[tuple[float, float]]]:
    g = np.random.default_rng([timed.script.seed, 41, take] if take else [timed.script.seed, 41])
    n = round(timed.duration * RATE)
    out = np.zeros(n + RATE, np.float32)
    answers: dict[str, Signal] = {}
    for p in timed.lines:
        who = str(p.line.speaker)
        if who not in answers:
            far = 1.2 if who == JUDGE else 6.0 if who == "audience" else float(g.uniform(1.2, 2.8))
            answers[who] = room.impulse(g, c.rt60, far)
        wet = room.reverberate(dry[p.line.id], answers[who])
        k = round(p.t0 * RATE)
        wet = wet[: max(0, len(out) - k)]
        out[k : k + len(wet)] += wet
    for a in timed.acts:
        if a.act.kind == "knock":
            # The room answers it as it answers the seat's voice; "db": how hard the knuckle strikes.
            who = str(a.act.seat)
            answer = answers.get(who)
            if answer is None:
                answer = room.impulse(np.random.default_rng([timed.script.seed, 43, a.act.seat]), c.rt60, 1.5)
            hit = room.reverberate(room.knock(g), answer) * room.decibels(float(a.act.fields.get("db", 0.0)))
            k = round(a.t0 * RATE)
            out[k : k + len(hit)] += hit[: max(0, len(out) - k)]
    out = out[:n]
    out += _background(timed, dry, c, g, n)
    holes: list[tuple[float, float]] = []
    if c.telephone:
        out = room.telephone(out)
    if c.clip_db:
        out = room.clipped(out, c.clip_db)
    if c.dropouts:
        out, holes = room.dropouts(out, g, c.dropouts)
    if c.dead is not None:
        out[round(c.dead[0] * RATE) : round(c.dead[1] * RATE)] = 0
    peak = float(np.abs(out).max()) + 1e-9
    return (out * min(1.0, 0.89 / peak) if not c.clip_db else np.clip(out, -1, 1)).astype(np.float32), holes


def _background(
    timed: Timed, dry: dict[str, Signal], c: Conditions, g: np.random.Generator, n: int
) -> Signal:
    noise = room.hiss(g, n)
    if c.murmur:
        voices = [dry[k] for k in sorted(dry)][:60]
        noise = room.scaled(noise, -30) + room.scaled(room.babble(g, voices, n), -24)
    out = room.scaled(noise, room.SPEECH_DBFS - c.snr_db)
    if c.clatter:
        out = out + room.clatter(g, n) * room.decibels(room.SPEECH_DBFS - c.snr_db + 12)
    for a in timed.acts:
        if a.act.kind == "music":
            k, m = round(a.t0 * RATE), round((a.t1 - a.t0) * RATE)
            out[k : k + m] += room.scaled(room.music(g, m), room.SPEECH_DBFS + c.music_db)[: n - k]
    return np.asarray(out, dtype=np.float32)


def _report(
    script: Script, c: Conditions, voices: dict[str, Voice], holes: list[tuple[float, float]]
) -> dict[str, Any]:
    speakers = {str(x.speaker) for x in script.lines}
    return {
        "snr_db": c.snr_db, "reverb": True, "rt60": c.rt60, "murmur": c.murmur, "clatter": c.clatter,
        "music_db_to_judge": c.music_db, "clip_db": c.clip_db, "telephone": c.telephone,
        "dropouts": [list(h) for h in holes], "dead": list(c.dead) if c.dead else None,
        "judge_style": script.sound.get("judge_style"), "condensed_speeches": bool(script.sound.get("condensed", True)),
        "voices": {k: v.as_json() for k, v in voices.items() if k in speakers},
    }  # fmt: skip
