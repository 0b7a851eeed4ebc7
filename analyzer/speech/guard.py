"""What recognisers make up: loops, prompts read aloud, subtitles of other people's films."""

from __future__ import annotations

import re
from collections import Counter

from mafiavar.models.speech import Heard, HeardWord

_SLOWEST = 0.8
"""Words per second of voice below which something was swallowed."""
_FASTEST = 6.5
_REPEATED = 0.34
"""Share of one three-word phrase among all of a pack above which it is a loop."""

_PHANTOM = re.compile(
    r"(редактор\w* субтитров|корректор\w*|субтитр\w*|dimatorzok|продолжение следует|подписывайтесь|спасибо за просмотр"
    r"|amara\.org|титры)",
    re.IGNORECASE,
)
_MUSIC = re.compile(r"^[^а-яё]*(музык|мелоди|аплодисмент)", re.IGNORECASE)


def looks_made_up(heard: Heard, prompt: str) -> bool:
    """Whether the pack should be decoded again another way."""
    voice = sum(clip.duration for clip in heard.pack.clips)
    pace = len(heard.words) / voice
    if voice > 3 and not _SLOWEST <= pace <= _FASTEST:
        return True
    return is_loop(heard) or _recites(heard, prompt)


def is_loop(heard: Heard) -> bool:
    """One phrase over and over («Доброе утро. Доброе утро. Доброе утро.»)."""
    words = [w.text.lower().strip(".,!?") for w in heard.words]
    phrases = Counter(tuple(words[i : i + 3]) for i in range(len(words) - 2))
    if len(words) < 9:
        return False
    return phrases.most_common(1)[0][1] * 3 / len(words) > _REPEATED * 2


def _recites(heard: Heard, prompt: str) -> bool:
    """Four words of the prompt in a row, more than once."""
    words = [w.text.lower().strip(".,!?") for w in heard.words]
    asked = [w.lower().strip(".,!?") for w in prompt.split()]
    runs = {tuple(asked[i : i + 6]) for i in range(len(asked) - 5)}
    return sum(tuple(words[i : i + 6]) in runs for i in range(len(words) - 5)) > 1


def is_phantom(word: HeardWord, heard: Heard) -> bool:
    """Words of a pack whose text is a known invention, and words for music."""
    return bool(_PHANTOM.search(heard.text)) or is_music(word)


def is_music(word: HeardWord) -> bool:
    """«МУЗЫКА» in capitals is the recogniser's stage direction, not speech."""
    return word.text.isupper() and len(word.text) > 3


def music_words(heard: Heard) -> list[HeardWord]:
    return [w for w in heard.words if is_music(w) and _MUSIC.search(w.text)]
