"""Transcript -> files: `mafiavar/transcript@1`, WebVTT, SubRip."""

from __future__ import annotations

from typing import Any

from mafiavar.analyzer.cue import Speaker
from mafiavar.analyzer.span import Micros, seconds
from mafiavar.analyzer.transcript import Transcript, Utterance

SCHEMA = "mafiavar/transcript@1"
_NAMES = {
    "ru": {"judge": "Судья", "audience": "Зал", "seat": "Игрок {}"},
    "en": {"judge": "Judge", "audience": "Audience", "seat": "Seat {}"},
}


def to_json(transcript: Transcript) -> dict[str, Any]:
    """The content of transcript.json; times in seconds with three digits."""
    return {
        "schema": SCHEMA,
        "words": [
            {
                "w": word.text,
                "t0": seconds(word.span.t0),
                "t1": seconds(word.span.t1),
                "p": round(word.probability, 3),
                "speaker": word.best_speaker()[0],
                "speaker_p": round(word.best_speaker()[1], 3),
            }
            for word in transcript.words
        ],
        "music": [[seconds(span.t0), seconds(span.t1)] for span in transcript.music],
        "sounds": [
            {
                "kind": sound.kind,
                "t0": seconds(sound.span.t0),
                "t1": seconds(sound.span.t1),
                "p": round(sound.likelihood, 3),
                "speaker": max(sound.speaker.items(), key=lambda kv: kv[1])[0] if sound.speaker else None,
            }
            for sound in transcript.sounds
        ],
    }


def to_vtt(transcript: Transcript, lang: str = "ru") -> str:
    """WebVTT with a voice tag per utterance whose speaker is known."""
    lines = ["WEBVTT", ""]
    for utterance in transcript.utterances:
        span = utterance.span
        lines += [f"{_clock(span.t0)} --> {_clock(span.t1)}", _spoken(utterance, lang), ""]
    return "\n".join(lines)


def to_srt(transcript: Transcript, lang: str = "ru") -> str:
    """SubRip: numbered, the speaker's name before the words."""
    blocks = []
    for i, utterance in enumerate(transcript.utterances, 1):
        name = speaker_name(utterance.words[0].best_speaker()[0], lang)
        said = f"{name}: {utterance.text}" if name else utterance.text
        times = f"{_clock(utterance.span.t0, ',')} --> {_clock(utterance.span.t1, ',')}"
        blocks.append(f"{i}\n{times}\n{said}\n")
    return "\n".join(blocks)


def _spoken(utterance: Utterance, lang: str) -> str:
    text = utterance.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    name = speaker_name(utterance.words[0].best_speaker()[0], lang)
    return f"<v {name}>{text}" if name else text


def speaker_name(speaker: Speaker, lang: str = "ru") -> str:
    """«Судья», «Игрок 3»; empty when unknown."""
    names = _NAMES.get(lang, _NAMES["ru"])
    if isinstance(speaker, int):
        return names["seat"].format(speaker)
    return names.get(speaker, "")


def _clock(t: Micros, point: str = ".") -> str:
    """Micros -> hh:mm:ss.mmm

    >>> _clock(3_723_004_000)
    '01:02:03.004'
    """
    ms = round(t / 1000)
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}{point}{ms % 1000:03}"
