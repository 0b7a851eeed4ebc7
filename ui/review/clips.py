"""Clips on a page and as a file to send."""

from __future__ import annotations

from urllib.parse import quote

from mafiavar.ui.language import say
from mafiavar.ui.review import frame
from mafiavar.ui.review.session import Here


def clip_url(now: Here, t0: float, t1: float, *, height: int = 480, number: int | None = None) -> str | None:
    """The address of a clip, or None when no recording shows that stretch or it is hidden."""
    source = next((s for s in now.case.sources if s.path is not None and number in (None, s.number)), None)
    if source is None or now.view is None or not now.view.shows(t0, t1):
        return None
    a, b = round(max(0.0, t0 - source.offset) * 1000), round((t1 - source.offset) * 1000)
    return f"/media/{quote(now.case.name)}/clip/{source.number}/{a}-{b}.mp4?h={height}"


def clip_html(now: Here, t0: float, t1: float, label: str) -> str:
    """A small player with a link that saves the clip."""
    url = clip_url(now, t0, t1)
    if url is None:
        why = say("ночь скрыта или записи нет", "hidden night or no recording")
        return f'<div class="mvcard">{frame.esc(label)}<div class="mvsoft">{why}</div></div>'
    return (
        f'<figure style="margin:0"><video controls preload="metadata" playsinline style="width:100%;border-radius:8px;background:#10151c" src="{frame.esc(url)}"></video>'
        f'<figcaption class="mvsoft">{frame.esc(label)} · <a href="{frame.esc(url)}&download=1" download>{say("сохранить клип", "save the clip")}</a></figcaption></figure>'
    )
