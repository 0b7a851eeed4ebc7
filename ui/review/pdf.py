"""The dossier as PDF: to print, sign and file."""

from __future__ import annotations

import io
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mafiavar.ui.language import say

if TYPE_CHECKING:
    from mafiavar.ui.review.export import Dossier

FONT, BOLD = "DejaVuSans", "DejaVuSans-Bold"
STILL_POINTS = 108.0


def pdf(dossier: Dossier) -> bytes:
    """A4, with the stills; of clips only that they are in the HTML and the ZIP."""
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer

    _fonts()
    normal, head, title = _styles()
    story: list[Any] = [Paragraph(escape(dossier.title), title), _rows(dossier.facts, normal), Spacer(1, 8)]
    for protest in dossier.protests:
        story += [Paragraph(say("Протест", "Protest"), head), _rows(protest, normal), Spacer(1, 8)]
    for item in dossier.items:
        story += [
            Paragraph(escape(item.title), head),
            Paragraph(escape(f"{item.time} · {item.severity}"), normal),
            _rows(item.rows, normal),
        ]
        if item.stills:
            story.append(_stills(item.stills, normal))
        story.append(Spacer(1, 10))
    signed = say(
        "Подписи: ______________________    ______________________",
        "Signed: ______________________    ______________________",
    )
    story.append(Paragraph(signed, normal))
    out = io.BytesIO()
    # invariant: the same dossier gives the same bytes
    document = SimpleDocTemplate(
        out,
        pagesize=A4,
        leftMargin=42,
        rightMargin=42,
        topMargin=42,
        bottomMargin=42,
        title=dossier.title,
        author="mafiavar",
        invariant=1,
    )
    document.build(story)
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


def _styles() -> tuple[Any, Any, Any]:
    from reportlab.lib.styles import ParagraphStyle

    normal = ParagraphStyle("normal", fontName=FONT, fontSize=9, leading=12.5)
    return (
        normal,
        ParagraphStyle("head", parent=normal, fontName=BOLD, fontSize=11, leading=15, spaceBefore=4),
        ParagraphStyle("title", parent=normal, fontName=BOLD, fontSize=15, leading=20, spaceAfter=6),
    )


def _rows(pairs: Any, style: Any) -> Any:
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import Paragraph, Table, TableStyle

    cells = [
        [Paragraph(f"<font color='#5a6472'>{escape(k)}</font>", style), Paragraph(escape(v), style)]
        for k, v in pairs
    ]
    table = Table(cells or [["", ""]], colWidths=[100, 410])
    table.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEBELOW", (0, 0), (-1, -1), 0.25, HexColor("#d7dbe1")),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ]
        )
    )
    return table


def _stills(stills: Any, style: Any) -> Any:
    from reportlab.platypus import Image, Paragraph, Table

    pictures, captions = [], []
    for caption, data in stills[:3]:
        image = Image(io.BytesIO(data))
        ratio = image.imageWidth / image.imageHeight
        width = min(STILL_POINTS * ratio, 165.0)
        image.drawWidth, image.drawHeight = width, width / ratio
        pictures.append(image)
        captions.append(Paragraph(escape(caption), style))
    return Table([pictures, captions], hAlign="LEFT")
