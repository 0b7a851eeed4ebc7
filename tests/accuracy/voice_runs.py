"""How often a voice is mistaken: runs of words of one voice in analysed cases against the truth.

    python tests/accuracy/voice_runs.py TRUTH CASE [TRUTH CASE ...]

A run: words given to one voice, less than a second apart. Its true voice is whose lines it lies under
longest. Prints the wrong runs by length, and for each who was taken for whom and how surely: what
`analyzer/evaluation/observed.py` imitates.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

LENGTHS = (("over 1 s", 1.0, 1e9), (".6-1 s", 0.6, 1.0), ("shorter", 0.0, 0.6))
BREATH = 1.0


def runs(words: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    out: list[list[dict[str, Any]]] = []
    for word in words:
        last = out[-1][-1] if out else None
        if last and last["speaker"] == word["speaker"] and word["t0"] - last["t1"] < BREATH:
            out[-1].append(word)
        else:
            out.append([word])
    return out


def true_voice(t0: float, t1: float, lines: list[dict[str, Any]]) -> str | None:
    """Whose lines the stretch lies under longest; None: nobody speaks there."""
    under: dict[str, float] = {}
    for line in lines:
        common = min(t1, line["t1"]) - max(t0, line["t0"])
        if common > 0:
            under[str(line["speaker"])] = under.get(str(line["speaker"]), 0.0) + common
    return max(under, key=lambda s: under[s]) if under else None


def main() -> None:
    if len(sys.argv) < 3 or len(sys.argv) % 2 == 0:
        raise SystemExit(__doc__)
    counted = {name: [0, 0] for name, _, _ in LENGTHS}
    for truth, case in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        lines = json.loads(Path(truth).read_text("utf-8"))["speech"]
        words = json.loads((Path(case) / "transcript.json").read_text("utf-8"))["words"]
        for run in runs(words):
            t0, t1 = run[0]["t0"], run[-1]["t1"]
            true = true_voice(t0, t1, lines)
            if true is None:
                continue
            name = next(n for n, low, high in LENGTHS if low <= t1 - t0 < high)
            counted[name][0] += 1
            if true != str(run[0]["speaker"]):
                counted[name][1] += 1
                sure = sum(w["speaker_p"] for w in run) / len(run)
                print(
                    f"{Path(case).name} {t0:.1f}, {name}: {true} taken for {run[0]['speaker']}, sure {sure:.2f}"
                )
    for name, (all_runs, wrong) in counted.items():
        print(f"{name}: {wrong} of {all_runs} wrong")


if __name__ == "__main__":
    main()
