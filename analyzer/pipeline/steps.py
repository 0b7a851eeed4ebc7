"""The work of single stages, as functions that a worker process can be handed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mafiavar.analyzer import evidence
from mafiavar.analyzer.errors import MediaError
from mafiavar.analyzer.export import clips
from mafiavar.analyzer.media import clock, sound
from mafiavar.analyzer.media import recording as media
from mafiavar.analyzer.media.picture import picture_at
from mafiavar.analyzer.media.worker import MEMORY_LIMIT, report
from mafiavar.analyzer.report.seats_picture import seats_jpeg
from mafiavar.analyzer.seats import Found, SeatMap, find_seats
from mafiavar.analyzer.seats.follow import Stay, follow
from mafiavar.analyzer.seats.number import Numbering, Turn, number_by_speech
from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.speech import Listened, listen, told_apart
from mafiavar.analyzer.speech.channels import Channel, best_of
from mafiavar.analyzer.speech.listen_again import Again, listen_again
from mafiavar.analyzer.speech.pieces import Pieces
from mafiavar.analyzer.transcript import Transcript, shifted
from mafiavar.models.pose import PoseLandmarker
from mafiavar.models.speech import SileroActivity, WhisperOptions, WhisperRecogniser
from mafiavar.models.voices import CamPlusVoices, PyanNet


def index_to(path: Path, folder: Path) -> None:
    """Demux `path` once; its index lies in `folder` afterwards."""
    media.save(media.index(path), folder)


def offset_of(first: Path, second: Path) -> clock.Offset | None:
    """Where the second indexed recording lies on the first one's clock."""
    return clock.offset(sound.samples(media.load(first)), sound.samples(media.load(second)))


def hear_memory(device: str) -> int:
    """Address space for recognition: a graphics card's driver maps far more than it uses."""
    return MEMORY_LIMIT if device == "cpu" or not _has_card() else 1 << 40


def _has_card() -> bool:
    try:
        import ctranslate2

        return bool(ctranslate2.get_cuda_device_count())
    except (ImportError, RuntimeError):
        return False


def words_of(
    indexes: Sequence[Path], shifts: Sequence[Micros], model: Path, device: str, nicknames: Sequence[str]
) -> Listened:
    """What was said in indexed recordings of one game.

    `shifts`: where each recording's 0 lies on the first one's clock.
    """
    return listen(
        _heard_best(indexes, shifts),
        sound.RATE,
        recogniser=WhisperRecogniser(model, WhisperOptions(device=device)),
        nicknames=nicknames,
        progress=report,
    )


def voices_of(
    indexes: Sequence[Path], shifts: Sequence[Micros], listened: Listened, voices: Path, segmentation: Path
) -> Transcript:
    """The same words with who said them. Voice templates live as long as this process; nothing of
    them is written."""
    return told_apart(
        _heard_best(indexes, shifts),
        listened.transcript,
        embedder=CamPlusVoices(voices),
        segmenter=PyanNet(segmentation),
    )


def closer_of(
    indexes: Sequence[Path], shifts: Sequence[Micros], begin: Micros, transcript: Transcript,
    again: Sequence[Again], model: Path, device: str,
) -> Transcript:  # fmt: skip
    """The transcript with the stretches of `again` heard once more by another model.

    `begin`: where the first recording's 0 lies on the clock of the transcript.
    """
    mine = [replace(a, span=Span(a.span.t0 - begin, a.span.t1 - begin)) for a in again]
    found = listen_again(
        _heard_best(indexes, shifts),
        sound.RATE,
        shifted(transcript, -begin),
        mine,
        recogniser=WhisperRecogniser(model, WhisperOptions(device=device)),
    )
    return shifted(found, begin)


def _heard_best(indexes: Sequence[Path], shifts: Sequence[Micros]) -> Pieces:
    """The sound of one recording, or of several each utterance from the one that has it best."""
    if len(indexes) == 1:
        return sound.on_disk(media.load(indexes[0]))
    channels = [Channel(sound.samples(media.load(i)), s) for i, s in zip(indexes, shifts, strict=True)]
    return best_of(channels, SileroActivity())[0]


def stills_to(
    indexes: Sequence[Path], shifts: Sequence[int], stills: Sequence[evidence.Still], folder: Path
) -> None:
    """Cut the stills out of the indexed recordings into `folder`/evidence."""
    recordings = [(media.load(index), shift) for index, shift in zip(indexes, shifts, strict=True)]
    evidence.store(stills, recordings, folder, report)


def clips_to(
    indexes: Sequence[Path], shifts: Sequence[int], wanted: Sequence[clips.Wanted], folder: Path
) -> None:
    """Cut the clips out of the indexed recordings into `folder`/evidence/clips."""
    recordings = [(media.load(index), shift) for index, shift in zip(indexes, shifts, strict=True)]
    clips.cut_all(wanted, recordings, folder)


def seats_to(index: Path, seats: SeatMap, folder: Path) -> None:
    """Draw the seats on a frame of an indexed recording: `folder`/seats.jpg."""
    recording = media.load(index)
    # A third into the recording people sit and lights are on.
    picture = picture_at(recording, recording.duration // 3)
    if picture is None:
        raise MediaError(
            f"В записи {recording.path.name} нет ни одного целого кадра.",
            f"There is no whole frame in {recording.path.name}.",
        )
    (folder / "seats.jpg").write_bytes(seats_jpeg(picture.image, seats))


def places_of(index: Path, pose: Path) -> Found | None:
    """The ten places of an indexed recording."""
    model = PoseLandmarker(pose)
    try:
        return find_seats(media.load(index), model)
    finally:
        model.close()


def stays_of(index: Path, seats: SeatMap) -> tuple[Stay, ...]:
    """Where the seats of an indexed recording lie between the camera's movements."""
    return follow(media.load(index), seats)


def numbers_of(index: Path, seats: SeatMap, turns: Sequence[Turn]) -> Numbering:
    """The places with the numbers that the speeches tell."""
    return number_by_speech(media.load(index), seats, turns)
