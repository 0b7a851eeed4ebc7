"""Bodies: 33 landmarks of the person in a crop, behind one `Protocol`."""

from mafiavar.models.pose.base import Body, PoseModel
from mafiavar.models.pose.landmarker import PoseLandmarker
from mafiavar.models.pose.scripted import ScriptedPose

__all__ = ["Body", "PoseLandmarker", "PoseModel", "ScriptedPose"]
