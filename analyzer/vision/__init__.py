"""What the pictures say when they are asked."""

from mafiavar.analyzer.vision.answer import answer_hands

__all__ = ["answer_hands"]
