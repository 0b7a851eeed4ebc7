"""Voices: a stretch of sound in, a vector that is near for the same speaker out."""

from mafiavar.models.voices.campplus import CamPlusVoices
from mafiavar.models.voices.embedder import DIMENSIONS, Embedding, ToneVoices, VoiceEmbedder

__all__ = ["DIMENSIONS", "CamPlusVoices", "Embedding", "ToneVoices", "VoiceEmbedder"]
