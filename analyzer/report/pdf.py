"""The report as PDF: to print for a panel. Nothing but the case's values and pictures is needed.

ReportLab draws it (it is there for the dossier, works offline and gives the same bytes for the same
case); a browser is not needed (docs/decisions.md).
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from mafiavar.analyzer.flags.incidents import Incident, in_language, incidents_of
from mafiavar.analyzer.report import words
from mafiavar.analyzer.report.first_page import Point, first_page
from mafiavar.analyzer.report.report import ReportInput, ballot_verdict

Json = Mapping[str, Any]
FONT, BOLD = "DejaVuSans", "DejaVuSans-Bold"
WIDTH = 511.0
"""Points between the margins of A4."""
_COLOURS = {"error": "#b85000", "foul": "#0b5cad", "note": "#5b6675"}
_PICTURE = 118.0
_SOFT = "#5b6675"


def render_pdf(data: ReportInput, lang: words.Lang = "ru") -> bytes:
    """A4 pages: the first page, the disputed moments with pictures, the votes, where it comes from."""
    from reportlab.platypus import PageBreak, SimpleDocTemplate

    _fonts()
    sheet = _Sheet(replace(data, flags=in_language(data.flags, lang)), lang)
    out = io.BytesIO()
    document = SimpleDocTemplate(
        out, leftMargin=42, rightMargin=42, topMargin=40, bottomMargin=44, title=sheet.title, author="mafiavar",
        lang=lang, invariant=1,
    )  # fmt: skip
    story = [*sheet.first_page(), PageBreak(), *sheet.moments(), *sheet.votes(), *sheet.sources()]
    document.build(story, onFirstPage=sheet.footer, onLaterPages=sheet.footer)
    return out.getvalue()


@cache
def _fonts() -> None:
    """DejaVu (free licence, has Cyrillic) as matplotlib brings it with the landmark library."""
    import matplotlib
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    for name in (FONT, BOLD):
        pdfmetrics.registerFont(TTFont(name, str(folder / f"{name}.ttf")))
    pdfmetrics.registerFontFamily(FONT, normal=FONT, bold=BOLD, italic=FONT, boldItalic=BOLD)


class _Sheet:
    """Makes the parts of one report; keeps language and styles."""

    def __init__(self, data: ReportInput, lang: words.Lang) -> None:
        from reportlab.lib.styles import ParagraphStyle

        self.data, self.lang = data, lang
        self.normal = ParagraphStyle("normal", fontName=FONT, fontSize=9, leading=12.5)
        self.small = ParagraphStyle("small", parent=self.normal, fontSize=7.5, leading=10, textColor=_SOFT)
        self.lead = ParagraphStyle("lead", parent=self.normal, fontSize=11.5, leading=16, spaceAfter=6)
        self.head = ParagraphStyle(
            "head", parent=self.normal, fontName=BOLD, fontSize=13, leading=17, spaceBefore=12, spaceAfter=4
        )
        self.item = ParagraphStyle("item", parent=self.normal, fontName=BOLD, fontSize=10.5, leading=14)
        self.heading = ParagraphStyle("heading", parent=self.normal, fontName=BOLD, fontSize=17, leading=22)
        sources = data.case.get("sources") or [{}]
        self.title = str(sources[0].get("file", "mafiavar"))

    def say(self, ru: str, en: str) -> str:
        return en if self.lang == "en" else ru

    def text(self, text: str, style: Any = None) -> Any:
        from reportlab.platypus import Paragraph

        return Paragraph(escape(text), style or self.normal)

    def marked(self, markup: str, style: Any = None) -> Any:
        from reportlab.platypus import Paragraph

        return Paragraph(markup, style or self.normal)

    def footer(self, canvas: Any, _document: Any) -> None:
        canvas.saveState()
        canvas.setFont(FONT, 7)
        canvas.setFillColor(_SOFT)
        told = self.say(
            "Факты и сомнения; наказаний программа не назначает, решает человек.",
            "Facts and doubts; the program imposes no penalty, a person decides.",
        )
        canvas.drawString(42, 26, f"{self.title} · {told}")
        canvas.drawRightString(42 + WIDTH, 26, str(canvas.getPageNumber()))
        canvas.restoreState()

    # ---- parts ----------------------------------------------------------------------------------
    def first_page(self) -> list[Any]:
        d = self.data
        page = first_page(d.timeline, d.votes, d.flags, d.case, self.lang)
        length = float((d.case.get("sources") or [{}])[0].get("duration") or 0)
        out = [
            self.text(self.title, self.heading),
            self.text(f"{words.clock(length)} · {d.case.get('ruleset', '')}", self.small),
            self.text(page.verdict(self.lang), self.lead),
            self.text(self.say("Что спорно", "What is disputed"), self.head),
            self._points(page.disputed) if page.disputed else self.text(self.say("Ничего.", "Nothing.")),
        ]
        rest = []
        if page.more:
            rest.append(self.say(f"и ещё {page.more} дальше", f"{page.more} more on the next pages"))
        if page.notes:
            rest.append(
                self.say(f"замечаний без наказания: {page.notes}", f"notes without a penalty: {page.notes}")
            )
        if rest:
            out.append(self.text("; ".join(rest) + ".", self.small))
        out += [
            self.text(self.say("Что произошло", "What happened"), self.head),
            self._points(page.happened),
            self.text(self.say("Чего сказать нельзя", "What cannot be told"), self.head),
            self._points(page.cannot)
            if page.cannot
            else self.text(self.say("Неясного не осталось.", "Nothing was left unclear.")),
        ]
        return out

    def moments(self) -> list[Any]:
        from reportlab.platypus import KeepTogether, Spacer

        out: list[Any] = [self.text(self.say("Спорные моменты", "Disputed moments"), self.head)]
        incidents = incidents_of(self.data.flags["flags"])
        for incident in incidents:
            out.append(KeepTogether([*self._moment(incident), Spacer(1, 9)]))
        if not incidents:
            out.append(self.text(self.say("Ничего не отмечено.", "Nothing was flagged.")))
        return out

    def _moment(self, incident: Incident) -> list[Any]:
        first = incident.first
        title = words.pick(words.FLAG_TITLES.get(str(first["kind"])), self.lang, first["kind"])
        seats = f" — № {words.seats_text(list(first['seats']), self.lang)}" if first["seats"] else ""
        severity = words.pick(words.SEVERITY_WORDS.get(str(first["severity"])), self.lang)
        colour = _COLOURS[str(first["severity"])]
        when = f"{words.clock(float(first['t0']))}–{words.clock(float(first['t1']))}"
        day = f" · {self.say('день', 'day')} {first['day']}" if first.get("day") else ""
        out = [
            self.text(f"{title[:1].upper()}{title[1:]}{seats}", self.item),
            self.marked(
                f"<font color='{colour}'>{escape(severity)}</font> · {when}{day} · "
                f"{self.say('уверенность', 'confidence')} {round(100 * float(first['confidence']))} %",
                self.small,
            ),
            self._table(self._rows(first)),
        ]
        for other in incident.others:
            also = words.pick(words.FLAG_TITLES.get(str(other["kind"])), self.lang, other["kind"])
            out.append(self.text(f"+ {also}: {other['seen']} {other.get('margin') or ''}"))
        pictures = self._pictures([e for f in incident.all for e in f["evidence"]])
        if pictures is not None:
            out.append(pictures)
        return out

    def _rows(self, flag: Json) -> list[tuple[str, str]]:
        rows = [
            (self.say("Должно быть", "Expected"), str(flag["expected"])),
            (self.say("Видно", "Seen"), str(flag["seen"])),
        ]
        if flag.get("margin"):
            rows.append((self.say("Запас", "Margin"), str(flag["margin"])))
        if flag.get("doubts"):
            rows.append((self.say("Сомнения", "Doubts"), " ".join(flag["doubts"])))
        if flag.get("clause"):
            clause = self.data.clauses.get(str(flag["clause"]), "")
            rows.append((self.say("Пункт", "Clause"), f"{flag['clause']}. {clause}".rstrip(" .:;") + "."))
        if flag.get("clip"):
            rows.append((self.say("Клип", "Clip"), str(flag["clip"])))
        return rows

    def votes(self) -> list[Any]:
        from reportlab.platypus import KeepTogether

        out: list[Any] = []
        for r in self.data.votes.get("rounds", ()):
            rows = [(f"№ {b['target']}", self._ballot(b)) for b in r["ballots"]]
            title = f"{self.say('День', 'Day')} {r['day']}, {self.say('круг', 'round')} {r['round']}"
            out.append(KeepTogether([self.text(title, self.item), self._table(rows)]))
        if out:
            out.insert(0, self.text(self.say("Голосования", "Votes"), self.head))
        return out

    def _ballot(self, ballot: Json) -> str:
        """Hands one by one, as a judge reads them out."""
        by_word: dict[str, list[int]] = {}
        for seat, vote in ballot["seats"].items():
            by_word.setdefault("remainder" if vote.get("remainder") else vote["vote"], []).append(int(seat))
        told = [ballot_verdict(ballot, self.lang)[1]]
        for word, ru, en in (
            ("yes", "рука", "hand"),
            ("remainder", "остаток", "remainder"),
            ("unknown", "не видно", "not seen"),
        ):
            if by_word.get(word):
                told.append(f"{self.say(ru, en)}: {words.seats_text(sorted(by_word[word]), self.lang)}")
        return "; ".join(told)

    def sources(self) -> list[Any]:
        case = self.data.case
        rows = [(str(s["file"]), f"SHA-256 {s['sha256']}") for s in case.get("sources", ())]
        rows += [(str(n), f"SHA-256 {d}") for n, d in sorted((case.get("models") or {}).items())]
        rows.append(("mafiavar", str((case.get("versions") or {}).get("mafiavar", ""))))
        return [
            self.text(self.say("Откуда это", "Where this comes from"), self.head),
            self._table(rows, self.small),
        ]

    # ---- pieces ---------------------------------------------------------------------------------
    def _points(self, points: Sequence[Point]) -> Any:
        from reportlab.platypus import Table, TableStyle

        rows = []
        for p in points:
            colour = _COLOURS.get(p.severity, "#1d2430")
            when = "" if p.t is None else words.clock(p.t)
            rows.append(
                [self.text(when, self.small), self.marked(f"<font color='{colour}'>{escape(p.text)}</font>")]
            )
        table = Table(rows, colWidths=[46, WIDTH - 46], hAlign="LEFT")
        table.setStyle(
            TableStyle(
                [
                    ("VALIGN", (0, 0), (-1, -1), "TOP"),
                    ("TOPPADDING", (0, 0), (-1, -1), 1),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
                    ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ]
            )
        )
        return table

    def _table(self, pairs: Sequence[tuple[str, str]], style: Any = None) -> Any:
        from reportlab.lib.colors import HexColor
        from reportlab.platypus import Table, TableStyle

        cells = [[self.text(k, self.small), self.text(v, style)] for k, v in pairs] or [["", ""]]
        table = Table(cells, colWidths=[92, WIDTH - 92], hAlign="LEFT")
        table.setStyle(
            TableStyle(
                [
                    ("VALIGN", (0, 0), (-1, -1), "TOP"),
                    ("LINEBELOW", (0, 0), (-1, -1), 0.25, HexColor("#dfe3e9")),
                    ("LEFTPADDING", (0, 0), (-1, -1), 0),
                    ("TOPPADDING", (0, 0), (-1, -1), 2),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
                ]
            )
        )
        return table

    def _pictures(self, evidence: Sequence[Json]) -> Any:
        from reportlab.platypus import Image, Table

        found: list[tuple[str, bytes]] = []
        for e in evidence:
            file = self.data.folder / str(e["path"]) if e.get("path") else None
            if file is not None and file.is_file() and all(str(e["path"]) != name for name, _ in found):
                found.append((str(e["path"]), file.read_bytes()))
        if not found:
            return None
        times = {str(e["path"]): float(e["t"]) for e in evidence if e.get("path")}
        found.sort(key=lambda pair: times[pair[0]])
        images, captions = [], []
        for name, data in found[:4]:
            image = Image(io.BytesIO(data))
            ratio = image.imageWidth / image.imageHeight
            width = min(_PICTURE * ratio, _PICTURE)
            image.drawWidth, image.drawHeight = width, width / ratio
            images.append(image)
            captions.append(self.text(words.clock(times[name]), self.small))
        return Table([images, captions], colWidths=[WIDTH / 4] * len(images), hAlign="LEFT")
