"""What the studio's recordings are worth: contact, hands, poses, voices, words, cost.

    python tests/accuracy/studio.py scripts|contact|hands|poses|voices|words|cost [--seeds N]

Prints the figures of docs/studio.md. Needs what the studio and the models need; the real photos of
`../shared/media/real` are compared where they are present.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from mafiavar.models.registry import model_folder
from mafiavar.sample_videos.bodies.source import cache_folder
from mafiavar.sample_videos.picture.acting import STEPS, Bearing, Move
from mafiavar.sample_videos.picture.cast import scene
from mafiavar.sample_videos.picture.film import Film, Filming
from mafiavar.sample_videos.picture.stage import Stage
from mafiavar.sample_videos.render import stage_of
from mafiavar.sample_videos.samples import SAMPLES
from mafiavar.sample_videos.sound.mix import perform
from mafiavar.sample_videos.timing import GRID

ROOT = Path(__file__).resolve().parents[2]
REAL = ROOT.parent / "shared" / "media" / "real"
TOUCH = 0.0025  # metres: nearer is touching
CAMERAS = ("high", "std", "left", "right", "near")


def still(pose: str) -> Move:
    return Move(pose, pose, STEPS)


def seated(g: np.random.Generator, form: str, side: str) -> Bearing:
    rest = f"day/{g.choice(['rest', 'lap', 'rest_in'])}"
    arms = {"R": rest, "L": rest, side: f"day/{form}"}
    return Bearing(still("day"), still(f"y{int(g.integers(-1, 2))}"), still(arms["R"]), still(arms["L"]))


# ---- scripts ------------------------------------------------------------------------------------
def scripts(seeds: int) -> None:
    """Games of all rules, manners and rates without sound and pictures: accepted, and true in themselves."""
    import sys
    from collections import Counter

    sys.path.insert(0, str(ROOT))
    from mafiavar.sample_videos.errors import ScriptError
    from mafiavar.sample_videos.truth import truth_of
    from mafiavar.sample_videos.writer.game import writer_for
    from tests.sample_videos.conftest import paced
    from tests.sample_videos.consistent import contradictions
    from tests.sample_videos.test_consistency import wishes

    refused: list[str] = []
    wrong: list[str] = []
    kinds: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    seconds = 0.0
    for seed in range(1, seeds + 1):
        try:
            truth = truth_of(paced(writer_for(wishes(seed)).write(), seed), "x.ogg", {})
        except ScriptError as error:
            refused.append(f"{seed}: {error.en}")
            continue
        wrong += [f"{seed}: {x}" for x in contradictions(truth)]
        kinds.update(f["kind"] for f in truth["flags"])
        rules[truth["ruleset"]] += 1
        seconds += truth["duration"]
    print(
        f"games {seeds} ({dict(rules)}), {seconds / 3600:.0f} hours; refused {len(refused)}, contradictions {len(wrong)}"
    )
    print(
        f"planted: {sum(kinds.values())} violations of {len(kinds)} kinds; rarest {kinds.most_common()[-1]}"
    )
    for row in (*refused, *wrong)[:20]:
        print(" ", row)


# ---- contact ------------------------------------------------------------------------------------
def touching(film: Film, seat: int, side: str, k: int) -> bool:
    """Do hand and table touch in frame `k`, by the depth buffer?"""
    s = film.acting.bearing(seat, k * GRID)
    assert s is not None
    model, placed = film.stage.put(seat, replace(s, shown=1.0))
    return abs(film.stage.painter.gap_below(model, film.stage.palm(seat, placed, side))) < TOUCH


def contact(seeds: int) -> None:
    """First and last frame in which the depth buffer says that hand and table touch, against the truth."""
    off: list[int] = []
    ends: list[int] = []
    for name in list(SAMPLES)[:seeds]:
        p = perform(SAMPLES[name]())
        stage = stage_of(p.timed.script)
        film = Film(p.timed, p.dry, stage, Filming.of(p.timed.script))
        for a in p.timed.acts:
            if a.act.kind != "hand" or a.act.fields["form"] == "elbow":
                continue
            side = "R" if a.act.fields["hand"] == "right" else "L"

            k0, k1 = round(a.t0 / GRID), round(a.t1 / GRID)
            before = [k for k in range(k0 - 4, k0 + 3) if touching(film, a.act.seat, side, k)]
            after = [k for k in range(k1 - 3, k1 + 4) if not touching(film, a.act.seat, side, k)]
            off.append(min(before) - k0)
            ends.append(min(after) - k1)
    n = len(off)
    print(
        f"contacts {n}: first touching frame minus truth {sorted(set(off))}, within one frame {sum(abs(x) <= 1 for x in off)}/{n}"
    )
    print(
        f"first free frame minus truth {sorted(set(ends))}, within one frame {sum(abs(x) <= 1 for x in ends)}/{n}"
    )


# ---- hands --------------------------------------------------------------------------------------
def landmarks(finder: Any, crop: np.ndarray) -> list[np.ndarray]:
    """(21, 2) pixels of every hand in a BGR crop."""
    import mediapipe as mp

    image = mp.Image(image_format=mp.ImageFormat.SRGB, data=np.ascontiguousarray(crop[..., ::-1]))
    h, w = crop.shape[:2]
    return [np.array([[p.x * w, p.y * h] for p in hand]) for hand in finder.detect(image).hand_landmarks]


def ratio(q: np.ndarray) -> float:
    """Finger tips to the wrist over knuckles to the wrist, in the picture."""
    return float(
        np.mean(
            [np.linalg.norm(q[t] - q[0]) / (np.linalg.norm(q[t - 3] - q[0]) + 1e-6) for t in (8, 12, 16, 20)]
        )
    )


def hand_finder(most: int) -> Any:
    """most: how many hands it may return of a crop."""
    from mediapipe.tasks.python import BaseOptions, vision

    path = next(model_folder("hand-landmarker").glob("*.task"))
    options = vision.HandLandmarkerOptions(
        base_options=BaseOptions(model_asset_path=str(path)),
        num_hands=most,
        min_hand_detection_confidence=0.3,
    )
    return vision.HandLandmarker.create_from_options(options)


def stages(seeds: int) -> Iterator[tuple[int, str, Stage]]:
    for seed in range(101, 101 + seeds):
        camera = CAMERAS[seed % len(CAMERAS)]
        stage = Stage(scene(seed, camera), seed, cache_folder() / "sprites")
        yield seed, camera, stage
        stage.store.close()


def hands(seeds: int) -> None:
    """MediaPipe's hand landmarker on visible hands of at least 30 px, crops of 3 to 6 hand widths."""
    finders = {2: hand_finder(2), 4: hand_finder(4)}  # a crop of six widths holds the neighbours' hands too
    widths = (3.0, 4.5, 6.0)
    found: dict[tuple[int, float], list[bool]] = {(n, w): [] for n in finders for w in widths}
    ratios: dict[str, list[float]] = {"fist_vertical": [], "palm": [], "fist_flat": []}
    tried = 0
    for seed, _camera, stage in stages(seeds):
        g = np.random.default_rng([seed, 7])
        for form, values in ratios.items():
            sides = ["R" if g.random() < 0.7 else "L" for _ in range(10)]
            states: list[Bearing | None] = [seated(g, form, side) for side in sides]
            image = stage.compose(states)
            for seat in range(1, 11):
                v = stage.hand_view(seat, sides[seat - 1], states)
                if v.visible < 0.6 or v.size < 30:
                    continue
                tried += 1
                x, y = (v.box[0] + v.box[2]) / 2, (v.box[1] + v.box[3]) / 2
                for (most, width), hits in found.items():
                    r = v.size * width / 2
                    x0, y0 = int(max(0, x - r)), int(max(0, y - r))
                    crop = image[y0 : int(y + r), x0 : int(x + r)]
                    near = [
                        q
                        for q in landmarks(finders[most], crop)
                        if np.abs(q.mean(axis=0) + np.array([x0 - x, y0 - y])).max() < 0.6 * v.size
                    ]
                    hits.append(bool(near))
                    if near and (most, width) == (4, 4.5):
                        values.append(ratio(near[0]))
    print(f"visible hands of >= 30 px: {tried} (fist, palm, flat fist; {seeds} casts)")
    for (most, width), hits in found.items():
        print(
            f"  found in a crop of {width} hand widths, at most {most} hands: {sum(hits)}/{len(hits)} = {np.mean(hits):.3f}"
        )
    for form, values in ratios.items():
        print(
            f"  tip/knuckle ratio {form}: median {np.median(values):.2f}, p10-p90 {np.percentile(values, 10):.2f}-{np.percentile(values, 90):.2f} (n {len(values)})"
        )
    real(finders[2])
    for finder in finders.values():
        finder.close()


def real(finder: Any) -> None:
    """The same ratio on real photos, where they are present."""
    manifest = REAL / "MANIFEST.csv"
    if not manifest.is_file():
        print("  real photos: not here")
        return
    values: dict[str, list[float]] = {}
    with manifest.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["label"] not in ("fist", "palm", "open", "five") or not row["file"].lower().endswith(
                (".jpg", ".png", ".jpeg")
            ):
                continue
            image = cv2.imread(str(REAL / row["file"]))
            if image is None:
                continue
            q = landmarks(finder, image)
            if q:
                values.setdefault(row["label"], []).append(ratio(q[0]))
    for label, v in sorted(values.items()):
        print(
            f"  real photos, {label}: median {np.median(v):.2f}, p10-p90 {np.percentile(v, 10):.2f}-{np.percentile(v, 90):.2f} (n {len(v)})"
        )


# ---- poses --------------------------------------------------------------------------------------
def poses(seeds: int) -> None:
    """MediaPipe's pose landmarker on the ten seats by day and by night (crops of the seat's box)."""
    import mediapipe as mp
    from mediapipe.tasks.python import BaseOptions, vision

    path = next(model_folder("pose-landmarker").glob("*.task"))
    options = vision.PoseLandmarkerOptions(
        base_options=BaseOptions(model_asset_path=str(path)), min_pose_detection_confidence=0.3
    )
    finder = vision.PoseLandmarker.create_from_options(options)
    hits: dict[str, list[bool]] = {"day": [], "night": []}
    for seed, _camera, stage in stages(seeds):
        g = np.random.default_rng([seed, 8])
        cross = still("night/cross")
        night = Bearing(still("night"), still("bow"), cross, cross, 0, "on")
        for name, states in (("day", [seated(g, "rest", "R") for _ in range(10)]), ("night", [night] * 10)):
            image = stage.compose(states)
            for seat in range(1, 11):
                x0, y0, x1, y1 = (float(v) for v in stage.seat_boxes(seat)["box"])  # type: ignore[attr-defined]
                pad = 0.12 * (y1 - y0)
                crop = image[
                    int(max(0, y0 - pad)) : int(y1 + pad), int(max(0, x0 - pad)) : int(x1 + pad), ::-1
                ]
                found = finder.detect(
                    mp.Image(image_format=mp.ImageFormat.SRGB, data=np.ascontiguousarray(crop))
                )
                hits[name].append(bool(found.pose_landmarks))
    for name, h in hits.items():
        print(f"pose found, {name}: {np.mean(h):.3f} of {len(h)} seats")
    finder.close()


# ---- sound --------------------------------------------------------------------------------------
def voices(seeds: int) -> None:
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
    for seed in range(1, seeds + 1):
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
        f"eleven voices, {seeds} casts: same voice {np.mean(same):.2f} (p10 {np.percentile(same, 10):.2f}), others {np.mean(other):.2f}, nearest other {np.mean(nearest):.2f}"
    )
    print(f"identified by one enrolment sentence: {right}/{total}")


def words(seeds: int) -> None:
    """Word error rate of Whisper base on judge phrases without noise, by manner of the judge.

    The phrases follow each other with pauses, as in a game: single short phrases in a window of thirty
    seconds make Whisper invent text. No prompt: the program itself hears with one.
    """
    from faster_whisper import WhisperModel

    from mafiavar.sample_videos.sound.bank import normal
    from mafiavar.sample_videos.sound.festival import RATE, speak
    from mafiavar.sample_videos.sound.voices import change, voices_of
    from mafiavar.sample_videos.writer.game import Wishes, write_game

    model = WhisperModel(str(model_folder("whisper-base")), device="cpu", compute_type="int8", cpu_threads=2)
    for style in ("full", "terse", "chatty"):
        wrong = count = 0
        for seed in range(1, seeds + 1):
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
            heard = numbers(normal(" ".join(x.text for x in found))).split()
            wrong += distance(truth, heard)
            count += len(truth)
        print(f"judge, {style}: WER {wrong / count:.3f} of {count} words")


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


# ---- cost ---------------------------------------------------------------------------------------
def cost(_seeds: int) -> None:
    """CPU seconds per second of video at 1080p 25 fps, with an empty and with a full sprite cache."""
    from mafiavar.sample_videos import render

    script = SAMPLES["first_table"]()
    with tempfile.TemporaryDirectory() as folder:
        keep = render.cache_folder
        render.cache_folder = lambda: Path(folder)
        try:
            for name in ("cold", "warm"):
                began = time.process_time()
                done = render.render(script, Path(folder) / "x.mp4")
                spent = time.process_time() - began
                size = done.recording.stat().st_size / 1e6
                print(
                    f"{name}: {spent:.0f} CPU-s for {done.duration:.1f} s = {spent / done.duration:.2f} CPU-s per second; {size:.1f} MB"
                )
        finally:
            render.cache_folder = keep


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["scripts", "contact", "hands", "poses", "voices", "words", "cost"])
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    {
        "scripts": scripts,
        "contact": contact,
        "hands": hands,
        "poses": poses,
        "voices": voices,
        "words": words,
        "cost": cost,
    }[given.what](given.seeds)


if __name__ == "__main__":
    main()
