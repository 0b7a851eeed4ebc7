"""Listening: words, cues, and which games a long recording holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from mafiavar.analyzer.case.stages import key_of
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.pipeline import steps
from mafiavar.analyzer.pipeline.context import LIMIT, VERSIONS, Context
from mafiavar.analyzer.pipeline.results import Protocol, lexicon_hash, nicknames
from mafiavar.analyzer.pipeline.table import Placed
from mafiavar.analyzer.span import seconds
from mafiavar.analyzer.speech import HearOptions, cues_of
from mafiavar.analyzer.transcript import Transcript, joined, shifted
from mafiavar.models import registry

COST = 0.12
"""Expected seconds of wall time per second of sound; only for the time left on the terminal."""
VOICES_COST = 0.03


def speech(run: Context, table: Sequence[Placed], protocol: Protocol | None) -> tuple[Transcript, list[str]]:
    """What was said, on the game's clock. Of several angles the first with sound is heard."""
    with_sound = [p for p in table if p.recording.audio]
    if not with_sound:
        run.warn(
            "В записи нет звука: без слов судьи голосования и речи не найти. "
            "Подайте вместе с ней запись со звуком — mafiavar сведёт их.",
            "The recording has no sound: without the judge's words votes and speeches cannot be found. "
            "Give a recording with sound together with this one.",
        )
        return Transcript(()), []
    folder, fingerprint = _recogniser(run)
    names = nicknames(protocol)
    parts: list[Transcript] = []
    keys: list[str] = []
    for placed in with_sound if run.options.join else with_sound[:1]:
        key = key_of(
            "speech", VERSIONS["speech"],
            {"model": fingerprint, "device": run.options.device, "names": names, "options": repr(HearOptions())},
            placed.key,
        )  # fmt: skip
        heard = _heard(run, placed, key, folder, names)
        told, told_key = _told(run, placed, heard, key)
        parts.append(shifted(told, placed.shift))
        keys.append(told_key)
    return joined(parts), keys


def _heard(run: Context, placed: Placed, key: str, model: Path, names: Sequence[str]) -> Path:
    """The stage of the words of one recording."""
    length = seconds(placed.recording.duration)

    def fill(part: Path) -> None:
        run.worker(
            steps.hear_to, placed.index, part, model, run.options.device, names,
            limit=LIMIT + 20 * length, memory=steps.hear_memory(run.options.device),
        )  # fmt: skip

    return run.stage("speech", key, COST * length, fill)


def _told(run: Context, placed: Placed, heard: Path, heard_key: str) -> tuple[Transcript, str]:
    """The words of one recording with who said them, and the key of that stage."""
    model = registry.locate("campplus").parent
    key = key_of(
        "voices", VERSIONS["voices"],
        {"model": run.fingerprint("campplus"), "lexicon": lexicon_hash()},
        placed.key, heard_key,
    )  # fmt: skip
    length = seconds(placed.recording.duration)

    def fill(part: Path) -> None:
        run.worker(steps.voices_to, placed.index, heard, part, model, limit=LIMIT + 5 * length)

    value = run.stage("voices", key, VOICES_COST * length, fill) / steps.VALUE
    return msgspec.msgpack.decode(value.read_bytes(), type=Transcript), key


def _recogniser(run: Context) -> tuple[Path, str]:
    """The folder of the speech model and what identifies its weights."""
    folder = registry.locate_recogniser(run.options.asr)
    fingerprint = registry.recogniser_fingerprint(run.options.asr)
    run.models[folder.name] = fingerprint
    return folder, fingerprint


def cues(run: Context, transcript: Transcript, speech_keys: Sequence[str]) -> tuple[tuple[Cue, ...], str]:
    """What the words mean, and the key of that stage."""
    key = key_of("cues", VERSIONS["cues"], {"lexicon": lexicon_hash()}, *speech_keys)
    run.progress.begin("cues", 1.0)
    value = run.stages.value("cues", key, tuple[Cue, ...], lambda: cues_of(transcript))
    run.progress.end(run.stages.runs[-1].cached)
    return value, key
