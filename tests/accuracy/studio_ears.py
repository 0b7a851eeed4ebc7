"""What the studio's voices are worth: how far speakers lie apart, how well Whisper hears them."""

from __future__ import annotations

import argparse

import numpy as np

from mafiavar.analyzer.evaluation.aggregate import wilson
from mafiavar.analyzer.speech.guard import without_loops
from mafiavar.models.registry import model_folder
from mafiavar.models.speech import HeardWord


def voices(given: argparse.Namespace) -> None:
    """Cosine between speakers' embeddings: the same voice in other words, and different voices."""
    from mafiavar.models.voices import CamPlusVoices
    from mafiavar.sample_videos.sound.festival import speak
    from mafiavar.sample_videos.sound.voices import change, voices_of

    texts = (
        "Спокойно разберём, что у нас было ночью, времени много.", "Версию построю после того, как выскажутся все за столом.",
        "Голосование прошлого круга важнее любых слов, запомните это.",
    )  # fmt: skip
    spoken = speak(texts)
    embed = CamPlusVoices(model_folder("campplus"))
    same: list[float] = []
    other: list[float] = []
    nearest: list[float] = []
    right = total = 0
    for seed in range(given.first, given.first + given.seeds):
        table = voices_of(seed)
        vectors = np.stack(
            [embed.embed([change(spoken[t], v).samples for t in texts]) for v in table.values()]
        )
        unit = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
        cos = np.einsum("itd,jsd->ijts", unit, unit)
        n = len(table)
        for i in range(n):
            same += [float(cos[i, i, t, s]) for t in range(3) for s in range(t)]
            rest = [float(cos[i, j].mean()) for j in range(n) if j != i]
            other += rest
            nearest.append(max(rest))
            for t in range(1, 3):  # identified by the first sentence
                total += 1
                right += int(np.argmax(cos[i, :, t, 0]) == i)
    print(
        f"eleven voices, {given.seeds} casts: same voice {np.mean(same):.2f} (p10 {np.percentile(same, 10):.2f}), others {np.mean(other):.2f}, nearest other {np.mean(nearest):.2f}"
    )
    low, high = wilson(right, total) or (0.0, 1.0)
    print(
        f"identified by one enrolment sentence: {right}/{total} = {right / total:.3f} [{low:.2f}, {high:.2f}]"
    )


def words(given: argparse.Namespace) -> None:
    """Word error rate of Whisper base on judge phrases without noise, by manner of the judge.

    The phrases follow each other with pauses, as in a game: single short phrases in a window of thirty
    seconds make Whisper invent text. No prompt: the program itself hears with one. What Whisper repeats
    without end is cut as the program cuts it. A judge's voice and
    game a seed; the interval is drawn over them (bootstrap).
    """
    from faster_whisper import WhisperModel

    from mafiavar.sample_videos.sound.bank import normal
    from mafiavar.sample_videos.sound.festival import RATE, speak
    from mafiavar.sample_videos.sound.voices import change, voices_of
    from mafiavar.sample_videos.writer.game import Wishes, write_game

    model = WhisperModel(str(model_folder("whisper-base")), device="cpu", compute_type="int8", cpu_threads=2)
    for style in given.manners:
        counts: list[tuple[int, int]] = []
        phrases = 0
        for seed in range(given.first, given.first + given.seeds):
            game = write_game(Wishes("fsm-2026", seed, style, rate=0.0))
            texts = list(
                dict.fromkeys(x.text for x in game.lines if x.speaker == "judge" and len(x.text.split()) > 2)
            )[:20]
            voice, spoken = voices_of(seed)["judge"], speak(texts)
            pause = np.zeros(int(0.9 * RATE), np.float32)
            sound = np.concatenate(
                [pause, *(x for t in texts for x in (change(spoken[t], voice).samples, pause))]
            )
            found, _ = model.transcribe(
                sound,
                language="ru",
                beam_size=5,
                temperature=0.0,
                condition_on_previous_text=False,
                vad_filter=True,
            )
            truth = numbers(normal(" ".join(texts))).split()
            raw = numbers(normal(" ".join(x.text for x in found))).split()
            heard = [w.text for w in without_loops([HeardWord(w, 0.0, 0.0, 1.0) for w in raw])]
            counts.append((distance(truth, heard), len(truth)))
            phrases += len(texts)
            print(f"  {style}, seed {seed}: {counts[-1][0]} of {counts[-1][1]} words wrong", flush=True)
        table = np.array(counts)
        g = np.random.default_rng(1)
        drawn = table[g.integers(0, len(table), (2000, len(table)))].sum(axis=1)
        low, high = np.percentile(drawn[:, 0] / drawn[:, 1], (2.5, 97.5))
        wrong, count = table.sum(axis=0)
        print(
            f"judge, {style}: WER {wrong / count:.3f} [{low:.3f}, {high:.3f}] of {count} words in {phrases} phrases, {len(counts)} voices"
        )


def numbers(text: str) -> str:
    from mafiavar.sample_videos.writer.russian import CARDINAL

    return " ".join(
        CARDINAL[int(w)].replace("ё", "е") if w.isdigit() and int(w) <= 10 else w for w in text.split()
    )


def distance(a: list[str], b: list[str]) -> int:
    """Edit distance of two word lists."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]
