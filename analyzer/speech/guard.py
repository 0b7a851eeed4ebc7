"""What recognisers make up: loops, prompts read aloud, subtitles of other people's films."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mafiavar.analyzer.speech.morphology import plain
from mafiavar.models.speech import Clip, Heard, HeardWord

_LOOP = 4
"""The same one to four words this many times in a row are a loop."""

_PHANTOM = re.compile(
    r"(редактор\w* субтитров|корректор\w*|субтитр\w*|dimatorzok|продолжение следует|подписывайтесь|спасибо за просмотр"
    r"|amara\.org|титры)",
    re.IGNORECASE,
)
_MUSIC = re.compile(r"(музык|мелоди|динамичн|аплодисмент)", re.IGNORECASE)


def without_loops(words: Sequence[HeardWord]) -> tuple[HeardWord, ...]:
    """The words up to where the recogniser begins to repeat itself, and after («3, 3, 3, 3, ...»).

    Of a loop only the first turn stays.
    """
    kept: list[HeardWord] = []
    i = 0
    while i < len(words):
        length, turns = _loop_at(words, i)
        kept += words[i : i + (length if turns else 1)]
        i += length * turns if turns else 1
    return tuple(kept)


def _loop_at(words: Sequence[HeardWord], i: int) -> tuple[int, int]:
    """Length of the phrase that loops from `i` on and its turns; (0, 0) when none does."""
    for length in range(1, 7):
        phrase = [plain(w.text) for w in words[i : i + length]]
        turns = 1
        while [plain(w.text) for w in words[i + turns * length : i + (turns + 1) * length]] == phrase:
            turns += 1
        if turns >= _LOOP:
            return length, turns
    return 0, 0


def uncovered(clips: Sequence[Clip], words: Sequence[HeardWord], shortest: float) -> tuple[Clip, ...]:
    """Parts of the clips of at least `shortest` seconds in which no word was heard."""
    left: list[Clip] = []
    for clip in clips:
        edges = [clip.start]
        for word in sorted(words, key=lambda w: w.start):
            if word.end > clip.start and word.start < clip.end:
                edges += [max(word.start, clip.start), min(word.end, clip.end)]
        edges.append(clip.end)
        reached = clip.start
        for start, end in zip(edges[0::2], edges[1::2], strict=True):
            if end - max(start, reached) >= shortest:
                left.append(Clip(max(start, reached), end))
            reached = max(reached, end)
    return tuple(left)


def believed(heard: Heard) -> tuple[HeardWord, ...]:
    """The words of a pack; none when its text is a known invention."""
    return () if _PHANTOM.search(heard.text) else heard.words


def is_music(word: HeardWord) -> bool:
    """«МУЗЫКА» in capitals is the recogniser's stage direction, not speech."""
    return word.text.isupper() and bool(_MUSIC.search(word.text))
