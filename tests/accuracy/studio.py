"""What the studio's recordings are worth: contact, hands, poses, voices, words, cost.

    python tests/accuracy/studio.py scripts|contact|hands|ratios|poses|voices|words|cost [--seeds N] [--first SEED]

Prints the figures of docs/studio.md. Needs what the studio and the models need; the real photos of
`../shared/media/real` are compared where they are present.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from mafiavar.sample_videos.samples import SAMPLES  # noqa: E402
from tests.accuracy import studio_ears, studio_eyes  # noqa: E402


def scripts(given: argparse.Namespace) -> None:
    """Games of all rules, manners and rates without sound and pictures: accepted, and true in themselves."""
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
    for seed in range(given.first, given.first + given.seeds):
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
        f"games {given.seeds} ({dict(rules)}), {seconds / 3600:.0f} hours; refused {len(refused)}, contradictions {len(wrong)}"
    )
    print(
        f"planted: {sum(kinds.values())} violations of {len(kinds)} kinds; rarest {kinds.most_common()[-1]}"
    )
    for row in (*refused, *wrong)[:20]:
        print(" ", row)


# ---- cost ---------------------------------------------------------------------------------------
def cost(_given: argparse.Namespace) -> None:
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
    commands = {
        "scripts": scripts,
        "contact": studio_eyes.contact,
        "hands": studio_eyes.hands,
        "ratios": studio_eyes.ratios,
        "poses": studio_eyes.poses,
        "voices": studio_ears.voices,
        "words": studio_ears.words,
        "cost": cost,
    }
    parser.add_argument("what", choices=list(commands))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--cameras", nargs="+", default=[], help="instead of one by the seed")
    parser.add_argument(
        "--manners", nargs="+", default=["full", "terse", "chatty"], help="of the judge: words"
    )
    parser.add_argument("--misses", type=Path, help="a folder for pictures of what was not found")
    given = parser.parse_args()
    commands[given.what](given)


if __name__ == "__main__":
    main()
