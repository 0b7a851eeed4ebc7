"""The table of docs/accuracy.md, "Seeing", from rows of votes, with Wilson 95 % intervals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Row = dict[str, Any]
Clip = dict[str, Any]
KINDS = ("early", "withdrawn", "late")


def read(path: Path) -> list[Clip]:
    """Clips of a JSON-lines file; of a clip that is there twice the last counts, half a line is nothing."""
    clips: dict[tuple[str, str], Clip] = {}
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        try:
            clip = json.loads(line)
        except ValueError:
            continue
        clips[clip["clip"], clip["worse"]] = clip
    return list(clips.values())


def append(path: Path, clip: Clip) -> None:
    with path.open("a", encoding="utf-8") as f:
        f.write(json.dumps(clip) + "\n")


def band(row: Row) -> str:
    if row["visible"] is None:
        return "no hand"
    if row["truth"] == "no":
        return "late hand only"
    seen, large = row["visible"], row["size"] >= 30
    if seen < 0.5:
        return "visible .3-.5" if seen >= 0.3 else "visible < .3"
    return "visible >= .5, >= 30 px" if large else "visible >= .5, < 30 px"


def wilson(k: int, n: int) -> str:
    if n == 0:
        return "-"
    z, p = 1.96, k / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{p:.4f} [{max(middle - half, 0):.4f}, {min(middle + half, 1):.4f}]"


def table(clips: Sequence[Clip]) -> str:
    rows = [{**r, "fps": c["fps"]} for c in clips for r in c["votes"]]
    casts, cameras = {c["seed"] for c in clips}, {c["camera"] for c in clips}
    out = [f"{len(clips)} clips, {len(casts)} casts, {len(cameras)} cameras, {len(rows)} seat-votes"]
    out.append(
        f"{'band':24}{'n':>6}{'right':>7}{'wrong':>7}{'cannot':>7}  {'right of answered':26}{'cannot tell':26}{'wrong'}"
    )
    for name in sorted({band(r) for r in rows}):
        mine = [r for r in rows if band(r) == name]
        right = sum(r["said"] == r["truth"] for r in mine)
        cannot = sum(r["said"] == "unknown" for r in mine)
        wrong = len(mine) - right - cannot
        out.append(
            f"{name:24}{len(mine):6}{right:7}{wrong:7}{cannot:7}  {wilson(right, right + wrong):26}"
            f"{wilson(cannot, len(mine)):26}{wilson(wrong, len(mine))}"
        )
    out += _ballots(clips)
    out += _contacts(rows)
    out += _kinds(rows)
    return "\n".join(out)


def _ballots(clips: Sequence[Clip]) -> list[str]:
    right = open_ = wrong = 0
    for clip in clips:
        for call in sorted({r["call"] for r in clip["votes"]}):
            mine = [r for r in clip["votes"] if r["call"] == call]
            if any(r["said"] not in (r["truth"], "unknown") for r in mine):
                wrong += 1
            elif any(r["said"] == "unknown" for r in mine):
                open_ += 1
            else:
                right += 1
    n = right + open_ + wrong
    return [
        f"whole ballots: {right} right, {open_} open, {wrong} wrong of {n}: right or open {wilson(n - wrong, n)}"
    ]


def _contacts(rows: Sequence[Row]) -> list[str]:
    out = []
    for key in ("start", "end"):
        off = [abs(r[key]) for r in rows if r.get(key) is not None and r["fps"] > 20]
        signed = [r[key] for r in rows if r.get(key) is not None and r["fps"] > 20]
        if off:
            out.append(
                f"contact {key}, 25 fps: n {len(off)}, median {np.median(off):.3f} s, p90 {np.percentile(off, 90):.3f} s,"
                f" p99 {np.percentile(off, 99):.3f} s, mean signed {np.mean(signed):+.3f} s (a frame is .040)"
            )
    forms = [r["form"] for r in rows if "form" in r]
    told = [f for f in forms if f[1] != "unknown"]
    out.append(
        f"form: told for {len(told)} of {len(forms)}, right {wilson(sum(a == b for a, b in told), len(told))}"
    )
    sides = [r["side"] for r in rows if r.get("side") and r["side"][1]]
    out.append(f"left or right hand: right {wilson(sum(a == b for a, b in sides), len(sides))}")
    return out


def _kinds(rows: Sequence[Row]) -> list[str]:
    """Early, withdrawn, late: what was flagged against what was done, where the hand can be seen."""
    out = []
    seen = [r for r in rows if r["visible"] is None or (r["visible"] >= 0.5 and r["size"] >= 30)]
    for name, some in (("visible or no hand", seen), ("all", rows)):
        for kind in KINDS:
            hit = sum(kind in r["wrong"] and kind in r["flags"] for r in some)
            false = sum(kind not in r["wrong"] and kind in r["flags"] for r in some)
            missed = sum(kind in r["wrong"] and kind not in r["flags"] for r in some)
            f1 = 2 * hit / max(2 * hit + false + missed, 1)
            out.append(f"{kind} ({name}): {hit} found, {missed} missed, {false} false, F1 {f1:.3f}")
    return out


def mistakes(clips: Iterable[Clip]) -> list[str]:
    out = []
    for c in clips:
        for r in c["votes"]:
            if r["said"] not in (r["truth"], "unknown"):
                out.append(
                    f"{c['clip']} {c['worse']} call {r['call']} seat {r['seat']}: truth {r['truth']} ({band(r)}, "
                    f"visible {r['visible']}, {r['size']} px) said {r['said']} p {r['p']} {r['reason']}"
                )
    return out
