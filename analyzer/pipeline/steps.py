"""The work of single stages, as functions that a worker process can be handed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from mafiavar.analyzer import evidence
from mafiavar.analyzer.media import recording as media
from mafiavar.analyzer.media import sound
from mafiavar.analyzer.media.worker import report
from mafiavar.analyzer.transcript import Transcript


def index_to(path: Path, folder: Path) -> None:
    """Demux `path` once; its index lies in `folder` afterwards."""
    media.save(media.index(path), folder)


def hear_to(index: Path, folder: Path, model: Path, device: str, nicknames: Sequence[str]) -> None:
    """Recognise the sound of an indexed recording into `folder`/value.msgpack."""
    from mafiavar.analyzer.speech import hear
    from mafiavar.models.speech import WhisperRecogniser

    recording = media.load(index)
    samples = sound.samples(recording)
    transcript: Transcript = hear(
        samples,
        sound.RATE,
        recogniser=WhisperRecogniser(model, device=device),
        nicknames=tuple(nicknames),
        progress=report,
    )
    (folder / "value.msgpack").write_bytes(msgspec.msgpack.encode(transcript))


def stills_to(index_folders: Sequence[Path], stills: Sequence[evidence.Still], folder: Path) -> None:
    """Cut the stills out of the indexed recordings into `folder`/evidence."""
    evidence.store(stills, [media.load(f) for f in index_folders], folder, report)
