"""Small pictures of a flag: what the machine kept as evidence, else the seat at its moments."""

from __future__ import annotations

from urllib.parse import quote

import streamlit as st

from mafiavar.ui.language import say
from mafiavar.ui.review import frame
from mafiavar.ui.review.casefile import Flag
from mafiavar.ui.review.session import Here
from mafiavar.ui.review.words import clock

MOST = 4
# Kinds of flags that are about a hand on the table; the others are about the person.
HANDS = ("hand_", "two_", "vote_")


def still_urls(now: Here, flag: Flag) -> list[tuple[str, float]]:
    """(address, seconds) of up to four pictures."""
    case = now.case
    kept = [
        (f"/media/{quote(case.name)}/{quote(str(e['path']))}", float(e.get("t") or flag.t0))
        for e in flag.evidence
        if str(e.get("path", "")).startswith("evidence/")
        and str(e["path"]).lower().endswith((".jpg", ".jpeg", ".png", ".webp"))
    ]
    if kept:
        return kept[:MOST]
    source = next((s for s in case.sources if s.path is not None and s.size), None)
    if source is None:
        return []
    moments = sorted({flag.t0, (flag.t0 + flag.t1) / 2, flag.t1})
    camera = now.room.camera(case, source.number)
    seats = [s for s in flag.seats if camera and s in camera.seats and s not in camera.unseen][:1]
    base = f"/media/{quote(case.name)}"
    local = [(t - source.offset, t) for t in moments]
    of = "" if flag.kind.startswith(HANDS) else "&of=person"
    if seats:
        return [
            (f"{base}/crop/{source.number}/{max(0, round(at * 1000))}/{seats[0]}.jpg?h=144{of}", t)
            for at, t in local
        ]
    return [(f"{base}/frame/{source.number}/{max(0, round(at * 1000))}.jpg?h=144", t) for at, t in local]


def stills(now: Here, flag: Flag) -> None:
    """The pictures in a row with their times."""
    urls = still_urls(now, flag)
    if not urls:
        return
    pictures = "".join(
        f'<figure style="margin:0;flex:1;min-width:0"><img src="{frame.esc(u)}" alt="{say("кадр", "frame")} {clock(t)}" '
        f'style="width:100%;aspect-ratio:4/3;object-fit:cover;border-radius:6px;background:#eef0f3">'
        f'<figcaption class="mvsoft" style="text-align:center">{clock(t)}</figcaption></figure>'
        for u, t in urls
    )
    st.html(f'<div style="display:flex;gap:6px">{pictures}</div>')
