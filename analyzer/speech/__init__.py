"""Speech: sound -> words -> cues.

`hear` makes the transcript (`listen` the words, `told_apart` who said them), `cues_of` reads it, `to_json`/`to_vtt` write it down. All of them are
pure functions of their input, so their results can be cached.
"""

from mafiavar.analyzer.speech.annotation import to_eaf, to_textgrid
from mafiavar.analyzer.speech.export import to_json, to_srt, to_vtt
from mafiavar.analyzer.speech.grammar import cues_of
from mafiavar.analyzer.speech.hear import HearOptions, Listened, hear, listen, told_apart

__all__ = [
    "HearOptions",
    "Listened",
    "cues_of",
    "hear",
    "listen",
    "to_eaf",
    "to_json",
    "to_srt",
    "to_textgrid",
    "to_vtt",
    "told_apart",
]
