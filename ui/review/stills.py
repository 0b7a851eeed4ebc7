"""Small pictures of a flag: what the machine kept as evidence, else the seat at its moments."""

from __future__ import annotations

from urllib.parse import quote

import streamlit as st

from mafiavar.ui.language import say
from mafiavar.ui.review import frame
from mafiavar.ui.review.casefile import Case, Source
from mafiavar.ui.review.flag import Flag
from mafiavar.ui.review.session import Here
from mafiavar.ui.review.words import clock

MOST = 4
# A crop may be asked for a little before or after what a camera recorded: its edge frame will do.
SLACK = 0.5
# Kinds of flags that are about a hand on the table; the others are about the person.
HANDS = ("hand_", "two_", "vote_")


def seen_by(now: Here, seat: int | None, t: float) -> Source | None:
    """The recording to show a seat from at second `t`: the first that runs then and whose camera
    shows the seat, else the first that runs then. None: no picture of that moment."""
    running = [
        s
        for s in now.case.sources
        if s.path is not None and s.size and -SLACK <= t - s.offset <= (s.duration or t) + SLACK
    ]
    for source in running:
        camera = now.room.camera(now.case, source.number)
        if camera is not None and seat in camera.seats and seat not in camera.unseen:
            return source
    return running[0] if running else None


def still_urls(now: Here, flag: Flag) -> list[tuple[str, float]]:
    """(address, seconds) of up to four pictures, in order of time.

    The machine's own where it kept several; else what it kept of the moment itself, with the
    beginning, the middle and the end of the moment cut from the recording.
    """
    kept = _kept(now.case, flag)
    if len(kept) > 1:
        return kept[:MOST]
    cut = _cut(now, flag)
    if not cut:
        return kept
    near = [
        (url, t)
        for url, t in kept
        if flag.t0 - SLACK <= t <= flag.t1 + SLACK and all(abs(t - x) > 0.1 for _, x in cut)
    ]
    return sorted([*near, *cut], key=lambda x: x[1])[:MOST]


def _kept(case: Case, flag: Flag) -> list[tuple[str, float]]:
    """Pictures of the evidence folder, each once."""
    found = {
        str(e["path"]): float(e.get("t") or flag.t0)
        for e in flag.evidence
        if str(e.get("path", "")).startswith("evidence/")
        and str(e["path"]).lower().endswith((".jpg", ".jpeg", ".png", ".webp"))
    }
    return [(f"/media/{quote(case.name)}/{quote(path)}", t) for path, t in found.items()]


def _cut(now: Here, flag: Flag) -> list[tuple[str, float]]:
    """The seat (or the whole table) at the beginning, the middle and the end."""
    seat = flag.seats[0] if flag.seats else None
    source = seen_by(now, seat, flag.t0)
    if source is None:
        return []
    camera = now.room.camera(now.case, source.number)
    known = camera is not None and seat in camera.seats and seat not in camera.unseen
    of = "" if flag.kind.startswith(HANDS) else "&of=person"
    base = f"/media/{quote(now.case.name)}"
    out = []
    for t in sorted({flag.t0, (flag.t0 + flag.t1) / 2, flag.t1}):
        at = max(0, round((t - source.offset) * 1000))
        url = (
            f"{base}/crop/{source.number}/{at}/{seat}.jpg?h=144{of}"
            if known
            else f"{base}/frame/{source.number}/{at}.jpg?h=144"
        )
        out.append((url, t))
    return out


def stills(now: Here, flag: Flag) -> None:
    """The pictures in a row with their times."""
    urls = still_urls(now, flag)
    if not urls:
        return
    pictures = "".join(
        f'<figure style="margin:0;flex:1;min-width:0;max-width:34%"><img src="{frame.esc(u)}" alt="{say("кадр", "frame")} {clock(t)}" '
        f'style="width:100%;aspect-ratio:4/3;object-fit:cover;border-radius:6px;background:#eef0f3">'
        f'<figcaption class="mvsoft" style="text-align:center">{clock(t)}</figcaption></figure>'
        for u, t in urls
    )
    st.html(f'<div style="display:flex;gap:6px">{pictures}</div>')
