"""Listening: words, cues, and which games a long recording holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mafiavar.analyzer.case.stages import described, key_of
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.pipeline import steps
from mafiavar.analyzer.pipeline.context import LIMIT, VERSIONS, Context
from mafiavar.analyzer.pipeline.results import Protocol, lexicon_hash, nicknames
from mafiavar.analyzer.pipeline.table import Placed
from mafiavar.analyzer.span import seconds
from mafiavar.analyzer.speech import HearOptions, Listened, cues_of
from mafiavar.analyzer.transcript import Transcript, joined, shifted
from mafiavar.models import registry

COST, VOICES_COST = 0.2, 0.05
"""Expected seconds of wall time per second of sound; only for the time left on the terminal."""


def speech(run: Context, table: Sequence[Placed], protocol: Protocol | None) -> tuple[Transcript, list[str]]:
    """What was said, on the game's clock; of several angles every utterance from the one that has it best."""
    with_sound = [p for p in table if p.recording.audio]
    if not with_sound:
        run.warn(
            "В записи нет звука: без слов судьи голосования и речи не найти. "
            "Подайте вместе с ней запись со звуком — mafiavar сведёт их.",
            "The recording has no sound: without the judge's words votes and speeches cannot be found. "
            "Give a recording with sound together with this one.",
        )
        return Transcript(()), []
    parts: list[Transcript] = []
    keys: list[str] = []
    # Pieces of one recording are heard one after the other, angles of one game all at once.
    for together in [[p] for p in with_sound] if run.options.join else [with_sound]:
        listened, words_key = _words(run, together, nicknames(protocol))
        transcript, key = _voices(run, together, listened, words_key)
        parts.append(shifted(transcript, together[0].shift))
        keys.append(key)
    if len(parts) == 1:
        return parts[0], keys
    shifts = [p.shift for p in with_sound]
    key = key_of("joined", 1, {"shifts": shifts}, *keys)
    return run.value("joined", key, 0.0, Transcript, lambda: joined(parts)), keys


def _words(run: Context, together: Sequence[Placed], names: Sequence[str]) -> tuple[Listened, str]:
    """What was said, and the key of that stage: the dear one, which no change of the lexicon repeats."""
    model, fingerprint = _recogniser(run)
    shifts = _shifts(together)
    key = key_of(
        "speech", VERSIONS["speech"],
        {
            "model": fingerprint, "device": run.options.device, "names": names,
            "options": described(HearOptions()), "shifts": shifts,
        },
        *(p.key for p in together),
    )  # fmt: skip
    length = max(seconds(p.recording.duration) for p in together)

    def heard() -> Listened:
        return run.worker(  # type: ignore[no-any-return]
            steps.words_of, [p.index for p in together], shifts, model, run.options.device, names,
            limit=LIMIT + 20 * length, memory=steps.hear_memory(run.options.device),
        )  # fmt: skip

    return run.value("speech", key, COST * length, Listened, heard), key


def _voices(
    run: Context, together: Sequence[Placed], listened: Listened, words_key: str
) -> tuple[Transcript, str]:
    """The words with who said them, on the first recording's clock, and the key of that stage."""
    voices, segmentation = (registry.locate(name).parent for name in ("campplus", "segmentation"))
    key = key_of(
        "voices", VERSIONS["voices"],
        {
            "voices": run.fingerprint("campplus"), "segmentation": run.fingerprint("segmentation"),
            "lexicon": lexicon_hash(),
        },
        words_key,
    )  # fmt: skip
    length = max(seconds(p.recording.duration) for p in together)

    def told() -> Transcript:
        return run.worker(  # type: ignore[no-any-return]
            steps.voices_of, [p.index for p in together], _shifts(together), listened, voices, segmentation,
            limit=LIMIT + 5 * length,
        )  # fmt: skip

    return run.value("voices", key, VOICES_COST * length, Transcript, told), key


def _shifts(together: Sequence[Placed]) -> list[int]:
    return [p.shift - together[0].shift for p in together]


def _recogniser(run: Context) -> tuple[Path, str]:
    """The folder of the speech model and what identifies its weights."""
    folder = registry.locate_recogniser(run.options.asr)
    fingerprint = registry.recogniser_fingerprint(run.options.asr)
    run.models[folder.name] = fingerprint
    return folder, fingerprint


def cues(
    run: Context, transcript: Transcript, speech_keys: Sequence[str], stage: str = "cues"
) -> tuple[tuple[Cue, ...], str]:
    """What the words mean, and the key of that stage."""
    key = key_of(stage, VERSIONS["cues"], {"lexicon": lexicon_hash()}, *speech_keys)
    return run.value(stage, key, 1.0, tuple[Cue, ...], lambda: cues_of(transcript)), key
