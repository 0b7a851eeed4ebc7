"""The whole game on one wide picture: phases, speakers, ballots, fouls, flags, uncertainty (SVG)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

Json = Mapping[str, Any]
Event = Mapping[str, Any]

_LEFT, _RIGHT, _TOP = 92.0, 18.0, 30.0
_ROW, _BAND = 17.0, 16.0
_UNSURE = 0.7
_NIGHT, _DAY, _VOTE = "#2c3550", "#f3ecd9", "#e7c46a"
_PURPOSES = {
    "speech": "#5b8def", "revote": "#9a6ddb", "last_word": "#8a8f98", "protocol": "#b9bec6", "best_move": "#3aa58d",
}  # fmt: skip
_SEVERITIES = {"error": "#c62828", "foul": "#e07b00", "note": "#6b7280"}
_WORDS = {
    "phases": ("ход игры", "phases"),
    "seat": ("игрок", "seat"),
    "votes": ("голосования", "ballots"),
    "flags": ("отметки", "flags"),
    "unsure": ("неуверенно", "unsure"),
    "title": ("Ход игры", "The game"),
    "day": ("день", "day"),
    "night": ("ночь", "night"),
    "foul": ("фол", "foul"),
    "nominates": ("выставляет", "nominates"),
    "not_accepted": ("не принято", "not accepted"),
    "left": ("покидает стол", "leaves"),
    "against": ("против", "against"),
    "minutes": ("мин", "min"),
}


def svg(timeline: Json, votes: Json, flags: Json, *, duration: float | None = None, lang: str = "ru") -> str:
    """An SVG text of the case's values (timeline.json, votes.json, flags.json).

    `duration` in seconds; without it the picture ends with the last event. Plain shapes with
    titles: it prints, scales, and needs no script.
    """
    events: Sequence[Event] = timeline.get("events", ())
    end = duration or max((float(e["t1"]) for e in events), default=60.0)
    width = max(900.0, min(2600.0, 400 + end * 0.9))
    draw = _Drawing(width, max(end, 1.0), 1 if lang == "en" else 0)
    draw.ruler()
    draw.phases(events)
    draw.seats(events)
    draw.ballots(votes)
    draw.flags(flags.get("flags", ()))
    draw.unsure(events)
    return draw.text()


class _Drawing:
    """Collects shapes; knows the scale."""

    def __init__(self, width: float, end: float, lang: int) -> None:
        self.width, self.end, self.lang = width, end, lang
        self.parts: list[str] = []
        self.y = _TOP
        self.height = _TOP + (_BAND + 8) + 10 * (_ROW + 1) + 6 + 3 * (_BAND + 6) + 10

    def word(self, key: str) -> str:
        return _WORDS[key][self.lang]

    def x(self, t: float) -> float:
        share = min(max(float(t) / self.end, 0.0), 1.0)
        return _LEFT + share * (self.width - _LEFT - _RIGHT)

    def box(
        self, t0: float, t1: float, y: float, h: float, fill: str, title: str = "", opacity: float = 1.0
    ) -> None:
        x0, x1 = self.x(t0), self.x(t1)
        tip = f"<title>{escape(title)}</title>" if title else ""
        faint = f' fill-opacity="{opacity:.2f}"' if opacity < 1 else ""
        self.parts.append(
            f'<rect x="{x0:.1f}" y="{y:.1f}" width="{max(x1 - x0, 1.2):.1f}" height="{h:.1f}" fill="{fill}"{faint}>{tip}</rect>'
        )

    def mark(self, t: float, y: float, shape: str, fill: str, title: str) -> None:
        """A small sign at a moment: foul (triangle), dot, ring, cross."""
        x = self.x(t)
        bodies = {
            "triangle": f'<path d="M{x:.1f} {y - 5:.1f}l5 9h-10z" fill="{fill}">',
            "dot": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}">',
            "ring": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.6" fill="none" stroke="{fill}" stroke-width="1.6">',
            "cross": f'<path d="M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10" stroke="{fill}" stroke-width="2.4" fill="none">',
        }
        closing = "</path>" if shape in ("triangle", "cross") else "</circle>"
        self.parts.append(f"{bodies[shape]}<title>{escape(title)}</title>{closing}")

    def label(
        self, x: float, y: float, text: str, *, anchor: str = "start", size: int = 11, fill: str = "#333"
    ) -> None:
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{escape(text)}</text>'
        )

    # --- rows

    def ruler(self) -> None:
        step = next(s for s in (30, 60, 120, 300, 600, 1200, 3600, 36000) if self.end / s <= 24 or s == 36000)
        t = 0
        while t <= self.end:
            x = self.x(t)
            self.parts.append(
                f'<line x1="{x:.1f}" y1="{_TOP - 6}" x2="{x:.1f}" y2="{self.height - 8:.1f}" stroke="#ddd" stroke-width="1"/>'
            )
            self.label(x, _TOP - 12, f"{t // 60}:{t % 60:02d}", anchor="middle", size=10, fill="#666")
            t += step

    def phases(self, events: Sequence[Event]) -> None:
        y = self.y
        self.label(_LEFT - 8, y + 12, self.word("phases"), anchor="end")
        borders = [e for e in events if e["kind"] in ("night_began", "day_began", "game_ended")]
        for i, e in enumerate(borders):
            if e["kind"] == "game_ended":
                break
            t1 = float(borders[i + 1]["t0"]) if i + 1 < len(borders) else self.end
            night = e["kind"] == "night_began"
            title = f"{self.word('night')} {e.get('night')}" if night else f"{self.word('day')} {e['day']}"
            self.box(float(e["t0"]), t1, y, _BAND, _NIGHT if night else _DAY, title)
            if self.x(t1) - self.x(float(e["t0"])) > 46:
                fill = "#dfe5f5" if night else "#6b5a26"
                self.label(self.x(float(e["t0"])) + 4, y + 12, title, size=10, fill=fill)
        self.y += _BAND + 8

    def seats(self, events: Sequence[Event]) -> None:
        top = self.y
        gone: dict[int, float] = {}
        for e in events:
            if e["kind"] == "eliminated":
                gone.update({s: float(e["t1"]) for s in e["seats"]})
        rows = {s: top + (s - 1) * (_ROW + 1) for s in range(1, 11)}
        for s, y in rows.items():
            self.label(_LEFT - 8, y + 12, f"{self.word('seat')} {s}", anchor="end")
            self.box(0, gone.get(s, self.end), y + _ROW / 2 - 1, 2, "#d5d9e0")
        for i, e in enumerate(events):
            self._seat_event(e, events[i + 1 :], rows)
        self.y = top + 10 * (_ROW + 1) + 6

    def _seat_event(self, e: Event, later: Sequence[Event], rows: Mapping[int, float]) -> None:
        kind, t0 = e["kind"], float(e["t0"])
        sure = 0.35 + 0.65 * float(e.get("confidence", 1.0))
        if kind == "floor_given" and e["seat"] in rows:
            stop = next(
                (
                    float(x["t1"] if x["kind"] == "floor_ended" else x["t0"])
                    for x in later
                    if (x["kind"] == "floor_ended" and x["seat"] == e["seat"])
                    or x["kind"] in ("floor_given", "vote_opened", "night_began", "game_ended")
                ),
                float(e["t1"]),
            )
            fill = _PURPOSES.get(e.get("purpose", "speech"), "#5b8def")
            self.box(t0, stop, rows[e["seat"]] + 2, _ROW - 4, fill, _clock(t0), sure)
        elif kind == "nominated" and e["seat"] in rows:
            note = "" if e.get("accepted") else f", {self.word('not_accepted')}"
            title = f"{_clock(t0)} {e['seat']} {self.word('nominates')} {e['target']}{note}"
            self.mark(
                t0, rows[e["seat"]] + _ROW / 2, "dot" if e.get("accepted") else "ring", "#1f7a3d", title
            )
        elif kind == "foul" and e["seat"] in rows:
            title = f"{_clock(t0)} {self.word('foul')} {e.get('ordinal') or ''} № {e['seat']}"
            self.mark(t0, rows[e["seat"]] + _ROW / 2, "triangle", "#e07b00", title)
        elif kind == "eliminated":
            for s in e["seats"]:
                if s in rows:
                    self.mark(
                        t0, rows[s] + _ROW / 2, "cross", "#c62828", f"{_clock(t0)} № {s} {self.word('left')}"
                    )

    def ballots(self, votes: Json) -> None:
        y = self.y
        self.label(_LEFT - 8, y + 12, self.word("votes"), anchor="end")
        for r in votes.get("rounds", ()):
            for b in r["ballots"]:
                self._ballot(b, y)
        for lift in votes.get("lifts", ()):
            self._ballot({**lift, "target": "±"}, y)
        self.y += _BAND + 6

    def _ballot(self, b: Json, y: float) -> None:
        t0, t1 = (float(t) for t in b["called"])
        t1 = float(b["closed"][1]) if b.get("closed") else t1
        low, high = b["counted"]
        seen = f"{low}" if low == high else f"{low}–{high}"
        announced = "?" if b.get("announced") is None else b["announced"]
        title = f"{_clock(t0)} {self.word('against')} {b['target']}: {announced} ({seen})"
        self.box(t0, max(t1, t0 + 1), y, _BAND, _VOTE, title)
        if self.x(t0 + 8) - self.x(t0) > 9:
            self.label(self.x(t0), y + 12, f"{b['target']}", size=9, fill="#5b4300")

    def flags(self, flags: Sequence[Json]) -> None:
        y = self.y
        self.label(_LEFT - 8, y + 12, self.word("flags"), anchor="end")
        for f in sorted(flags, key=lambda f: float(f["t0"])):
            title = f"{_clock(float(f['t0']))} {f.get('seen') or f['kind']}"
            self.box(
                float(f["t0"]),
                float(f["t1"]),
                y,
                _BAND,
                _SEVERITIES.get(f["severity"], "#6b7280"),
                title,
                0.85,
            )
        self.y += _BAND + 6

    def unsure(self, events: Sequence[Event]) -> None:
        y = self.y
        self.label(_LEFT - 8, y + 12, self.word("unsure"), anchor="end")
        for e in events:
            doubt = 1 - float(e.get("confidence", 1.0))
            if doubt > 1 - _UNSURE:
                height = _BAND * min(1.0, doubt + 0.2)
                title = f"{_clock(float(e['t0']))} {e['kind']} {float(e['confidence']):.2f}"
                self.box(float(e["t0"]), float(e["t1"]), y + _BAND - height, height, "#7b3fa0", title)
        self.y += _BAND + 6

    def text(self) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:.0f} {self.height:.0f}" '
            f'width="100%" role="img" font-family="sans-serif"><title>{self.word("title")}</title>'
            f'<rect width="{self.width:.0f}" height="{self.height:.0f}" fill="#fff"/>'
        )
        return head + "".join(self.parts) + "</svg>"


def _clock(t: float) -> str:
    return f"{int(t) // 60}:{t % 60:04.1f}"
