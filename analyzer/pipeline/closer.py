"""Closer listening: a few seconds that the timeline is in doubt about are heard again by a larger model.

Asked by default when a larger recogniser than the one that heard the whole lies in the model folder;
the same model hears the same again and is asked only by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mafiavar.analyzer.align.doubts import Doubt
from mafiavar.analyzer.case.stages import described, key_of
from mafiavar.analyzer.pipeline import steps
from mafiavar.analyzer.pipeline.context import LIMIT, VERSIONS, Context
from mafiavar.analyzer.pipeline.table import Placed
from mafiavar.analyzer.span import SECOND, Micros, Span, seconds
from mafiavar.analyzer.speech.listen_again import Again
from mafiavar.analyzer.transcript import Transcript
from mafiavar.models import registry

BUDGET: Micros = 60 * SECOND
"""So much of a game is heard again: the most valuable dozen of stretches."""
COST = 2.0
"""Expected seconds per second heard again; only for the time left on the terminal."""
SIZES = ("base", "small", "medium", "large-v3-turbo")
"""The recognisers of the registry, each better and slower than the one before."""
OFF, AUTO = "off", "auto"


def recogniser(asr: str, wish: str) -> str | None:
    """Which recogniser hears again: the one wished for; by itself the largest that is ready and larger
    than `asr`. None: nothing is heard again."""
    if wish == OFF:
        return None
    if wish != AUTO:
        return wish
    larger = SIZES[SIZES.index(asr) + 1 :] if asr in SIZES else ()
    return next((s for s in reversed(larger) if registry.check(f"whisper-{s}").state == "ready"), None)


def heard_again(
    run: Context,
    table: Sequence[Placed],
    transcript: Transcript,
    doubts: Sequence[Doubt],
    model: str,
    speech_keys: Sequence[str],
) -> tuple[Transcript, str]:
    """The transcript of one game with its doubts heard again, and the key of that.

    Raises:
        ModelMissing: `model` is absent or altered.
    """
    folder, fingerprint = registry.locate_recogniser(model), registry.recogniser_fingerprint(model)
    run.models[folder.name] = fingerprint
    again = [Again(d.span, d.expected) for d in doubts]
    key = key_of(
        "closer", VERSIONS["closer"],
        {"model": fingerprint, "device": run.options.device, "again": described(again)}, *speech_keys,
    )  # fmt: skip
    cost = COST * seconds(sum(d.span.duration for d in doubts))
    found = run.value("closer", key, cost, Transcript, lambda: _pieces(run, table, transcript, again, folder))
    return found, key


def _pieces(
    run: Context, table: Sequence[Placed], transcript: Transcript, again: Sequence[Again], model: Path
) -> Transcript:
    """Pieces of one recording are heard one after the other, angles of one game all at once."""
    with_sound = [p for p in table if p.recording.audio]
    for together in [[p] for p in with_sound] if run.options.join else [with_sound]:
        whole = Span(min(p.span.t0 for p in together), max(p.span.t1 for p in together))
        mine = [a for a in again if a.span.t0 >= whole.t0 and a.span.t1 <= whole.t1]
        if mine:
            transcript = run.worker(
                steps.closer_of, [p.index for p in together], [p.shift - together[0].shift for p in together],
                together[0].shift, transcript, mine, model, run.options.device,
                limit=LIMIT, memory=steps.hear_memory(run.options.device),
            )  # fmt: skip
    return transcript
