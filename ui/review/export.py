"""The decision as files: HTML with stills and clips inside, PDF, and a ZIP with the clips beside.

Everything is taken from the case as this person may see it: what is veiled cannot be exported.
"""

from __future__ import annotations

import base64
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from mafiavar.analyzer.errors import MediaError
from mafiavar.ui.language import language, say
from mafiavar.ui.review.casefile import Ballot
from mafiavar.ui.review.decisions import Verdicts, verdicts, votes_as_decided
from mafiavar.ui.review.flag import Flag
from mafiavar.ui.review.seating import crop_box
from mafiavar.ui.review.session import Here
from mafiavar.ui.review.stills import HANDS, seen_by
from mafiavar.ui.review.words import (
    VERDICTS,
    clause_name,
    clock,
    flag_name,
    moment,
    rules_name,
    seats_name,
    severity_name,
    word,
)
from mafiavar.ui.store.records import Record, standing

BEFORE, AFTER = 3.0, 2.0
STILL_HEIGHT, CLIP_HEIGHT = 240, 480
LONGEST = 60.0


@dataclass(frozen=True, slots=True)
class Item:
    """One moment of the export: `rows` are (name, text); `stills` (caption, JPEG)."""

    title: str
    time: str
    severity: str
    rows: tuple[tuple[str, str], ...]
    stills: tuple[tuple[str, bytes], ...]
    clip: Path | None


@dataclass(frozen=True, slots=True)
class Dossier:
    """All that is exported."""

    title: str
    facts: tuple[tuple[str, str], ...]
    protests: tuple[tuple[tuple[str, str], ...], ...]
    items: tuple[Item, ...]


def gather(
    now: Here,
    flags: Sequence[Flag],
    ballots: Sequence[Ballot],
    *,
    clips: bool,
    told: Callable[[float, str], None],
) -> Dossier:
    """Cut stills and clips for the chosen moments; a picture that cannot be had is left out."""
    found = verdicts(now.case, now.records)
    corrected = {b.key: b for b in votes_as_decided(now.case, now.records)}
    whole = len(flags) + len(ballots)
    items = []
    for i, flag in enumerate(flags):
        told(i / max(1, whole), _making(i, whole, flag_name(flag.kind)))
        items.append(_flag_item(now, flag, found, clips=clips))
    for i, ballot in enumerate(ballots):
        told((len(flags) + i) / max(1, whole), _making(len(flags) + i, whole, say("голоса", "votes")))
        items.append(_ballot_item(now, corrected.get(ballot.key, ballot), clips=clips))
    case = now.case
    facts = (
        (say("Дело", "Case"), case.name.replace("~", " / ")),
        (
            say("Записи", "Recordings"),
            ", ".join(f"{s.file} (SHA-256 {s.sha256[:16]}…)" for s in case.sources),
        ),
        (say("Правила", "Rules"), rules_name(case.ruleset) if case.ruleset else "—"),
        (say("Составил", "Made by"), f"{now.author}, {moment(datetime.now(UTC).isoformat(), zone=True)}"),
    )
    return Dossier(
        say("Решение по записи игры", "Decision on a recorded game"), facts, _protests(now), tuple(items)
    )


def _making(done: int, whole: int, what: str) -> str:
    return say(
        f"{done + 1} из {whole}: {what} — вырезаю кадры и клип",
        f"{done + 1} of {whole}: {what}: cutting stills and clip",
    )


def _flag_item(now: Here, flag: Flag, found: Verdicts, *, clips: bool) -> Item:
    said = [r for own in found.own.values() for fid, r in own.items() if fid == flag.id]
    rows = [
        (say("Пункт", "Clause"), clause_name(flag)),
        (say("Должно быть", "Expected"), flag.expected),
        (say("Видно", "Seen"), flag.seen),
        (say("Запас", "Margin"), flag.margin),
        (say("Сомнения", "Doubts"), "; ".join(flag.doubts)),
        *((say("Решение", "Verdict"), _verdict(r)) for r in said),
    ]
    moments = sorted({flag.t0, (flag.t0 + flag.t1) / 2, flag.t1})
    return Item(
        title=f"{seats_name(flag.seats)} · {flag_name(flag.kind)}",
        time=f"{clock(flag.t0)}–{clock(flag.t1)}, {say('день', 'day')} {flag.day}",
        severity=severity_name(flag.severity),
        rows=tuple((k, v) for k, v in rows if v)
        + (() if said else ((say("Решение", "Verdict"), say("не принято", "none yet")),)),
        stills=_stills(now, moments, flag.seats[:1], person=not flag.kind.startswith(HANDS)),
        clip=_clip(now, flag.t0 - BEFORE, flag.t1 + AFTER) if clips else None,
    )


def _verdict(record: Record) -> str:
    reason = f" — {record.payload['reason']}" if record.payload.get("reason") else ""
    return f"{word(VERDICTS, record.payload.get('verdict'))}{reason} ({record.author}, {moment(record.at, zone=True)})"


def _ballot_item(now: Here, ballot: Ballot, *, clips: bool) -> Item:
    yes = [n for n, v in ballot.seats.items() if v.vote == "yes"]
    unknown = [n for n, v in ballot.seats.items() if v.vote == "unknown"]
    rest = [n for n, v in ballot.seats.items() if v.remainder]
    stop = ballot.closed[0] if ballot.closed else ballot.called[1] + 1
    rows = [
        (say("Объявлено", "Announced"), "—" if ballot.announced is None else str(ballot.announced)),
        (say("Руки", "Hands"), f"{len(yes)}: {_listed(yes)}"),
        (say("Остаток", "Remainder"), _listed(rest) if rest else ""),
        (say("Не видно", "Cannot tell"), _listed(unknown) if unknown else ""),
    ]
    return Item(
        title=say(f"Голосование против № {ballot.target}", f"Vote against {ballot.target}"),
        time=f"{clock(ballot.called[0])}, {say('день', 'day')} {ballot.day}, {say('круг', 'round')} {ballot.round}",
        severity=say("голоса", "votes"),
        rows=tuple((k, v) for k, v in rows if v),
        stills=_stills(now, [stop], ()),
        clip=_clip(now, *ballot.window) if clips else None,
    )


def _listed(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats)) or "—"


def _protests(now: Here) -> tuple[tuple[tuple[str, str], ...], ...]:
    names = {
        "protest": ("Протест", "Protest"), "tournament": ("Турнир", "Tournament"), "round": ("Тур", "Round"), "table": ("Стол", "Table"), "game": ("Игра", "Game"),
        "applicant": ("Подал", "Filed by"), "deadline": ("Срок", "Deadline"), "clauses": ("Пункты", "Clauses"), "grounds": ("Обоснование", "Grounds"), "signatories": ("Подписали", "Signed by"),
    }  # fmt: skip
    decisions = {
        "open": ("рассматривается", "under review"),
        "upheld": ("удовлетворён", "upheld"),
        "partly": ("удовлетворён частично", "upheld in part"),
        "dismissed": ("отклонён", "dismissed"),
    }
    out = []
    for s in standing(r for r in now.records if r.kind == "protest").values():
        p = s.record.payload
        rows = [(say(*name), str(p[key])) for key, name in names.items() if p.get(key)]
        rows.insert(1, (say("Решение", "Decision"), word(decisions, p.get("decision", "open"))))
        out.append(tuple(rows))
    return tuple(out)


def _stills(
    now: Here, moments: Sequence[float], seats: Sequence[int], *, person: bool = False
) -> tuple[tuple[str, bytes], ...]:
    source = seen_by(now, seats[0] if seats else None, moments[0] if moments else 0.0)
    if source is None or now.view is None:
        return ()
    shown = [t for t in moments if now.view.shows(t, t)]
    camera = now.room.camera(now.case, source.number)
    box = crop_box(camera, seats[0], source.size, person=person) if seats else None
    try:
        folder = now.room.indexed(source)
        wanted = [
            {
                "t": max(0.0, t - source.offset),
                "box": list(box) if box else None,
                "file": str(
                    now.room.cache_of(source)
                    / "export"
                    / f"{round((t - source.offset) * 1000)}-{'-'.join(map(str, box)) if box else 'whole'}.jpg"
                ),
            }
            for t in shown
        ]
        now.room.quick.call(
            "crops", path=str(source.path), out=str(folder), wanted=wanted, height=STILL_HEIGHT
        )
    except MediaError:
        return ()
    return tuple(
        (clock(t), Path(str(w["file"])).read_bytes())
        for t, w in zip(shown, wanted, strict=True)
        if Path(str(w["file"])).is_file()
    )


def _clip(now: Here, t0: float, t1: float) -> Path | None:
    source = next((s for s in now.case.sources if s.path is not None), None)
    t0, t1 = max(0.0, t0), min(t1, t0 + LONGEST)
    if source is None or now.view is None or not now.view.shows(t0, t1):
        return None
    a, b = round(max(0.0, t0 - source.offset) * 1000), round((t1 - source.offset) * 1000)
    file = now.room.cache_of(source) / "clips" / f"{a}-{b}-{CLIP_HEIGHT}.mp4"
    try:
        folder = now.room.indexed(source)
        now.room.quick.call(
            "clip",
            path=str(source.path),
            out=str(folder),
            t0=a / 1000,
            t1=b / 1000,
            file=str(file),
            height=CLIP_HEIGHT,
            timeout=300,
        )
    except MediaError:
        return None
    return file


# HTML -------------------------------------------------------------------------------------

_CSS = """body{font:15px/1.5 system-ui,'Segoe UI',sans-serif;color:#1c2430;max-width:980px;margin:0 auto;padding:24px 20px 60px}
h1{font-size:24px;margin:0 0 8px}h2{font-size:18px;margin:0}article{border:1px solid #d7dbe1;border-radius:10px;padding:14px 18px;margin:14px 0;break-inside:avoid}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;margin:8px 0}dt{color:#5a6472}dd{margin:0}.soft{color:#5a6472}
.stills{display:flex;gap:8px;flex-wrap:wrap}.stills figure{margin:0}.stills img{height:170px;border-radius:6px}figcaption{font-size:12px;color:#5a6472;text-align:center}
video{width:100%;max-width:720px;border-radius:8px;margin-top:8px;background:#10151c}@media print{video{display:none}}"""


def html(dossier: Dossier, *, clip_address: Callable[[Path], str] | None = None) -> str:
    """One page; clips inside it unless `clip_address` says where they lie."""

    def rows(pairs: Sequence[tuple[str, str]]) -> str:
        return "<dl>" + "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in pairs) + "</dl>"

    def address(clip: Path) -> str:
        if clip_address is not None:
            return clip_address(clip)
        return "data:video/mp4;base64," + base64.b64encode(clip.read_bytes()).decode("ascii")

    parts = [
        f"<!doctype html><html lang='{language()}'><meta charset='utf-8'><meta name='viewport' content='width=device-width,initial-scale=1'>",
        f"<title>{escape(dossier.title)}</title><style>{_CSS}</style><h1>{escape(dossier.title)}</h1>{rows(dossier.facts)}",
    ]
    parts += [f"<article><h2>{say('Протест', 'Protest')}</h2>{rows(p)}</article>" for p in dossier.protests]
    for item in dossier.items:
        stills = "".join(
            f"<figure><img alt='{escape(c)}' src='data:image/jpeg;base64,{base64.b64encode(d).decode('ascii')}'><figcaption>{escape(c)}</figcaption></figure>"
            for c, d in item.stills
        )
        clip = f"<video controls preload='metadata' src='{address(item.clip)}'></video>" if item.clip else ""
        parts.append(
            f"<article><h2>{escape(item.title)}</h2><div class='soft'>{escape(item.time)} · {escape(item.severity)}</div>{rows(item.rows)}<div class='stills'>{stills}</div>{clip}</article>"
        )
    parts.append(
        f"<p class='soft'>{say('Показаны факты и решения людей; программа никого не наказывает.', 'Facts and people’s decisions; the program punishes nobody.')}</p></html>"
    )
    return "".join(parts)


# files ------------------------------------------------------------------------------------


def write_all(dossier: Dossier, folder: Path) -> dict[str, Path]:
    """report.html, report.pdf and report.zip (HTML, PDF, clips beside) in `folder`."""
    from mafiavar.ui.review.pdf import pdf

    folder.mkdir(parents=True, exist_ok=True)
    files = {"html": folder / "report.html", "pdf": folder / "report.pdf", "zip": folder / "report.zip"}
    files["html"].write_text(html(dossier), encoding="utf-8")
    files["pdf"].write_bytes(pdf(dossier))
    names = {
        clip: f"clips/{i + 1:02d}-{clip.name}"
        for i, clip in enumerate(x.clip for x in dossier.items if x.clip)
    }
    with zipfile.ZipFile(files["zip"], "w", zipfile.ZIP_STORED) as bundle:
        bundle.writestr("report.html", html(dossier, clip_address=lambda c: names[c]))
        bundle.write(files["pdf"], "report.pdf")
        for clip, name in names.items():
            bundle.write(clip, name)
    return files
