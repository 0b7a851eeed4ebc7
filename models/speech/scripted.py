"""A recogniser that knows its lines: the deterministic fake of the conformance suite."""

from __future__ import annotations

from collections.abc import Sequence

from mafiavar.models.speech.recogniser import Doubt, Heard, HeardWord, Pack, Prompt, Samples


class ScriptedRecogniser:
    """Returns the scripted words whose middle lies inside a clip, whatever the samples hold."""

    def __init__(self, words: Sequence[HeardWord], *, name: str = "scripted") -> None:
        self._words = tuple(sorted(words, key=lambda w: w.start))
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def recognise(
        self,
        samples: Samples,
        packs: Sequence[Pack],
        prompts: Sequence[Prompt] = (Prompt(),),
        again: Doubt | None = None,
    ) -> tuple[tuple[Heard, ...], ...]:
        del samples
        first = tuple(self._heard(pack) for pack in packs)
        more = tuple(
            h if again is None or again(h) else Heard(h.pack, (), 0.0, 0.0, spared=True) for h in first
        )
        return first, *(more for _ in prompts[1:])

    def _heard(self, pack: Pack) -> Heard:
        words = tuple(
            w for clip in pack.clips for w in self._words if clip.start <= (w.start + w.end) / 2 < clip.end
        )
        return Heard(pack, words, mean_logprob=-0.1, no_speech=0.0 if words else 0.9)
