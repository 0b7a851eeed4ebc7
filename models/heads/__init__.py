"""Small trained heads over what the large models see: a few kilobytes of JSON each."""

from mafiavar.models.heads.hand import HandHeads, HandReading
from mafiavar.models.heads.softmax import Softmax

__all__ = ["HandHeads", "HandReading", "Softmax"]
