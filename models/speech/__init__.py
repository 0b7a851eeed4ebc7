"""Sound in, words out: recognisers, voice activity. Knows nothing of Mafia."""

from mafiavar.models.speech.activity import (
    HOP,
    ActivityOptions,
    EnergyActivity,
    Probabilities,
    SileroActivity,
    VoiceActivity,
    stretches,
)
from mafiavar.models.speech.recogniser import (
    SAMPLE_RATE,
    Clip,
    Heard,
    HeardWord,
    Pack,
    Prompt,
    Recogniser,
    Samples,
    pack,
)
from mafiavar.models.speech.scripted import ScriptedRecogniser
from mafiavar.models.speech.whisper import WhisperOptions, WhisperRecogniser

__all__ = [
    "HOP",
    "SAMPLE_RATE",
    "ActivityOptions",
    "Clip",
    "EnergyActivity",
    "Heard",
    "HeardWord",
    "Pack",
    "Probabilities",
    "Prompt",
    "Recogniser",
    "Samples",
    "ScriptedRecogniser",
    "SileroActivity",
    "VoiceActivity",
    "WhisperOptions",
    "WhisperRecogniser",
    "pack",
    "stretches",
]
