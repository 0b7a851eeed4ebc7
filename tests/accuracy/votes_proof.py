"""The long measurement of votes, one clip after another: render, look, write down, delete.

    nice -n 19 python tests/accuracy/votes_proof.py ROWS.jsonl WORK --seeds 530 531 ... [--calls 44]
    python tests/accuracy/votes_seen.py --table ROWS.jsonl

One process; can be killed at any moment and begun again: a clip that is in ROWS is passed over, a clip
that was rendered is not rendered again, half seconds that were looked at are not looked at again.
It stops by itself before the next clip at `--until HH:MM` (UTC) and when WORK/stop exists. Cameras go
round with the seeds; two of three casts are filmed at 25 frames a second, the third at 12.5.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from vote_clips import CAMERAS, name_of, render
from votes_seen import seen, worse_of
from votes_table import append, read

from mafiavar.models.hands import HandLandmarker
from mafiavar.models.hands.landmarker import MODEL
from mafiavar.models.registry import locate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", required=True)
    parser.add_argument("--calls", type=int, default=44)
    parser.add_argument("--until", default="")
    parser.add_argument("--keep", action="store_true", help="keep the clips")
    parser.add_argument("--worse", type=worse_of, default="")
    a = parser.parse_args()
    a.work.mkdir(parents=True, exist_ok=True)
    model = HandLandmarker(locate(MODEL))
    for seed in a.seeds:
        late = a.until and datetime.now(UTC).strftime("%H:%M") >= a.until
        if late or (a.work / "stop").exists():
            break
        camera, fps = CAMERAS[seed % len(CAMERAS)], 12.5 if seed % 3 == 2 else 25.0
        name = name_of(seed, camera)
        if any(c["clip"] == name and c["worse"] == a.worse for c in read(a.rows)):
            continue
        path, began = a.work / f"{name}.mp4", time.process_time()
        if not path.with_suffix(".seats.toml").exists():  # written last
            render(seed, camera, a.calls, fps, a.work)
        rendered = time.process_time() - began
        clip = seen(path, model, a.worse, keep=True)
        append(a.rows, {**clip, "cpu_render": round(rendered, 1)})
        sys.stdout.write(
            f"{datetime.now(UTC):%H:%M} {name} {fps} fps: render {rendered:.0f}, look {clip['cpu_look']:.0f} CPU-s\n"
        )
        sys.stdout.flush()
        if not a.keep:
            for part in a.work.glob(f"{name}.*"):
                shutil.rmtree(part) if part.is_dir() else part.unlink()
    model.close()


if __name__ == "__main__":
    main()
