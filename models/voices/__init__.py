"""Voices: a stretch of sound in, a vector that is near for the same speaker out; and who speaks beside whom."""

from mafiavar.models.voices.campplus import CamPlusVoices
from mafiavar.models.voices.embedder import DIMENSIONS, Embedding, ToneVoices, VoiceEmbedder
from mafiavar.models.voices.segmentation import CHUNK, FIRST, FRAME, LOCAL_SPEAKERS, PyanNet, Segmenter

__all__ = [
    "CHUNK",
    "DIMENSIONS",
    "FIRST",
    "FRAME",
    "LOCAL_SPEAKERS",
    "CamPlusVoices",
    "Embedding",
    "PyanNet",
    "Segmenter",
    "ToneVoices",
    "VoiceEmbedder",
]
