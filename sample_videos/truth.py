"""Truth files (`mafiavar/truth@1`) and seat files of rendered games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mafiavar.sample_videos.script import POSTURES
from mafiavar.sample_videos.timing import PlacedAct, Timed

SCHEMA = "mafiavar/truth@1"


def truth_of(timed: Timed, recording: str, conditions: Mapping[str, Any]) -> dict[str, Any]:
    """What really happens in the recording. `video` is added by the renderer."""
    s = timed.script
    hands, index = _hands(timed)
    out: dict[str, Any] = {
        "schema": SCHEMA,
        "recording": recording,
        "duration": timed.duration,
        "excerpt": s.excerpt,
        "ruleset": s.ruleset,
        "seed": s.seed,
        "roles": dict(s.roles),
        "conditions": dict(conditions),
        "speech": [
            {
                "t0": p.t0,
                "t1": p.t1,
                "speaker": p.line.speaker,
                "text": p.line.text,
                "overlaps": _overlaps(timed, k),
            }
            for k, p in _by_time(timed)
        ],
        "music": _plain(timed, "music"),
        "masks": _plain(timed, "mask"),
        "hands": hands,
        "posture": _posture(timed),
        "away": _plain(timed, "away"),
        "signs": [{**x, "number": int(a.act.fields["number"])} for a, x in _pairs(timed, "sign")],
        "gestures": [{**x, "form": a.act.fields["form"]} for a, x in _pairs(timed, "gesture")],
        "knocks": [{**x, **a.act.fields} for a, x in _pairs(timed, "knock")],
        "events": _events(timed, index),
        "flags": _flags(timed),
        "traps": _traps(timed),
    }
    if s.notes:
        out["notes"] = dict(s.notes)
    return out


def _by_time(timed: Timed) -> list[tuple[int, Any]]:
    return sorted(enumerate(timed.lines), key=lambda kp: (kp[1].t0, kp[0]))


def _overlaps(timed: Timed, k: int) -> bool:
    p = timed.lines[k]
    return any(j != k and q.t0 < p.t1 and p.t0 < q.t1 for j, q in enumerate(timed.lines))


def _pairs(timed: Timed, kind: str) -> list[tuple[PlacedAct, dict[str, Any]]]:
    found = [a for a in timed.acts if a.act.kind == kind]
    found.sort(key=lambda a: (a.t0, a.act.seat))
    base = [
        ({"t0": a.t0, "t1": a.t1} if kind == "music" else {"seat": a.act.seat, "t0": a.t0, "t1": a.t1})
        for a in found
    ]
    return list(zip(found, base, strict=True))


def _plain(timed: Timed, kind: str) -> list[dict[str, Any]]:
    return [x for _, x in _pairs(timed, kind)]


def _hands(timed: Timed) -> tuple[list[dict[str, Any]], dict[int, int]]:
    """The hands, and where each act's hand stands in the list (by identity of the act)."""
    out: list[dict[str, Any]] = []
    index: dict[int, int] = {}
    for a, x in _pairs(timed, "hand"):
        index[id(a.act)] = len(out)
        out.append(
            {
                **x,
                "hand": a.act.fields["hand"],
                "form": a.act.fields["form"],
                "on_table": bool(a.act.fields.get("on_table", True)),
            }
        )
    return out, index


def _posture(timed: Timed) -> list[dict[str, Any]]:
    out = []
    for a, x in _pairs(timed, "posture"):
        f = a.act.fields
        extra = {"target": int(f["target"])} if "target" in f else {}
        assert f["state"] in POSTURES
        out.append({**x, "state": f["state"], "legit": bool(f.get("legit", False)), **extra})
    return out


def _events(timed: Timed, index: Mapping[int, int]) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for p in timed.lines:
        for e in p.line.events:
            rest = {k: v for k, v in e.items() if k not in ("kind", "day", "upto")}
            t1 = p.named if e.get("upto") == "named" else p.t1
            out.append({"kind": e["kind"], "t0": p.t0, "t1": t1, "day": e.get("day", 0), **rest})
    for a in timed.acts:
        if a.act.event is None:
            continue
        e = a.act.event
        rest = {k: v for k, v in e.items() if k not in ("kind", "day")}
        item = {"kind": e["kind"], "t0": a.t0, "t1": a.t1, "day": e.get("day", 0), **rest}
        if e["kind"] in ("vote_cast", "lift_cast"):
            item |= {
                "seat": a.act.seat,
                "hand": a.act.fields["hand"],
                "form": a.act.fields["form"],
                "contact": [a.t0, a.t1],
            }
            item["hands_index"] = index[id(a.act)]
        out.append(item)
    order = {
        k: i
        for i, k in enumerate(
            ("day_began", "night_began", "night_result", "foul", "eliminated", "floor_given")
        )
    }
    out.sort(key=lambda e: (e["t0"], order.get(e["kind"], 9)))
    return out


def _flags(timed: Timed) -> list[dict[str, Any]]:
    out = []
    for f in timed.script.flags:
        t0, t1 = round(timed.when(f.start), 3), round(timed.when(f.stop), 3)
        item: dict[str, Any] = {
            "kind": f.kind,
            "seats": list(f.seats),
            "t0": min(t0, t1),
            "t1": max(t0, t1),
            "day": f.day,
            "clause": f.clause,
        }
        if len(f.seats) == 1:
            item["seat"] = f.seats[0]
        out.append({**item, **f.fields})
    out.sort(key=lambda x: (x["t0"], x["kind"]))
    return out


def _traps(timed: Timed) -> list[dict[str, Any]]:
    return [
        {"t0": p.t0, "t1": p.t1, "text": p.line.text, **p.line.trap}
        for p in timed.lines
        if p.line.trap is not None
    ]


def since(truth: dict[str, Any], start: float) -> dict[str, Any]:
    """The truth on the clock of a recording that begins `start` seconds later. What ended before is left out."""
    if start <= 0:
        return truth

    def moved(x: Any) -> Any:
        if isinstance(x, dict):
            out = {k: moved(v) for k, v in x.items()}
            for k in ("t0", "t1"):
                if isinstance(x.get(k), int | float):
                    out[k] = _earlier(x[k], start)
            if isinstance(x.get("contact"), list):
                out["contact"] = [_earlier(t, start) for t in x["contact"]]
            if isinstance(x.get("arm"), list):
                out["arm"] = [[_earlier(t, start) for t in span] for span in x["arm"]]
            return out
        return [moved(v) for v in x] if isinstance(x, list) else x

    # only spans that stay whole may be counted from a shifted list: hands are indexed
    assert all(h["t1"] > start for h in truth["hands"])
    out = {k: moved(v) for k, v in truth.items()}
    for name in (
        "speech",
        "music",
        "masks",
        "posture",
        "away",
        "signs",
        "gestures",
        "knocks",
        "events",
        "traps",
    ):
        out[name] = [x for x in out[name] if x["t1"] > 0]
    out["duration"] = round(truth["duration"] - start, 3)
    out["began"] = round(start, 3)
    return out


def _earlier(t: float, start: float) -> float:
    return round(max(0.0, t - start), 3)


def seats_toml(
    recording: str,
    seats: list[dict[str, Any]],
    polygon: list[list[float]],
    first: int,
    judge: list[float] | None,
) -> str:
    """`NAME.seats.toml`: where everybody sits in the picture, in pixels."""
    rows = [
        "[[camera]]", f'recording = "{recording}"', f"first = {first}", 'direction = "clockwise"', "", "[camera.table]",
        f"polygon = {[[round(x), round(y)] for x, y in polygon]}",
    ]  # fmt: skip
    for s in seats:
        x0, y0, x1, y1 = s["box"]
        rows += [
            "",
            "[[camera.seat]]",
            f"number = {s['seat']}",
            f"box = [{round(x0)}, {round(y0)}, {round(x1 - x0)}, {round(y1 - y0)}]",
        ]
        if "hands_box" in s:
            x0, y0, x1, y1 = s["hands_box"]
            rows.append(f"hands = [{round(x0)}, {round(y0)}, {round(x1 - x0)}, {round(y1 - y0)}]")
    if judge is not None:
        x0, y0, x1, y1 = judge
        rows += [
            "",
            "[camera.judge]",
            f"box = [{round(x0)}, {round(y0)}, {round(x1 - x0)}, {round(y1 - y0)}]",
        ]
    return "\n".join(rows) + "\n"
