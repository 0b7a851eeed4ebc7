"""Hands: 21 landmarks for each hand in a picture, behind one `Protocol`."""

from mafiavar.models.hands.base import Hand, HandModel
from mafiavar.models.hands.landmarker import HandLandmarker
from mafiavar.models.hands.scripted import ScriptedHands

__all__ = ["Hand", "HandLandmarker", "HandModel", "ScriptedHands"]
