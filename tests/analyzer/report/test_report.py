"""The report a panel prints: first page, incidents as one item, both languages, the same bytes."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest

from mafiavar.analyzer.flags.incidents import in_language, incidents_of
from mafiavar.analyzer.report.first_page import first_page
from mafiavar.analyzer.report.pdf import render_pdf
from mafiavar.analyzer.report.report import ReportInput, render


def flag(name: str, kind: str, severity: str, incident: int, t: float, **more: Any) -> dict[str, Any]:
    return {
        "id": name, "kind": kind, "clause": "fsm-2026:6.6.6", "clause_certainty": "A", "seats": [4], "t0": t, "t1": t + 1,
        "day": 1, "severity": severity, "confidence": 0.9, "expected": "Так должно быть.", "seen": f"Видно {name}.",
        "margin": "", "doubts": ["Сомнение."], "speed": "slow", "incident": incident, "evidence": [],
        "twin": {"expected": "So it should be.", "seen": f"Seen {name}.", "margin": "", "doubts": ["A doubt."]}, **more,
    }  # fmt: skip


FLAGS = {
    "schema": "mafiavar/flags@1", "lang": "ru",
    "flags": [
        flag("f001", "vote_count_mismatch", "error", 1, 55.0, seats=[], margin="По рукам исход был бы другим."),
        flag("f002", "hand_early", "foul", 2, 52.0), flag("f003", "hand_form", "note", 2, 52.1),
        flag("f004", "phrase_oath", "note", 3, 20.0),
    ],
}  # fmt: skip
EVENTS: list[dict[str, Any]] = [
    {"kind": "vote_opened", "t0": 50.0, "t1": 51.0, "day": 1, "round": 1, "candidates": [3, 5], "confidence": 0.9},
    {"kind": "eliminated", "t0": 65.0, "t1": 66.0, "day": 1, "seats": [5], "by": "lift", "confidence": 0.95},
    {"kind": "night_result", "t0": 120.0, "t1": 121.0, "day": 1, "night": 1, "killed": 9, "confidence": 0.5},
]  # fmt: skip


for _event in EVENTS:
    _event["basis"] = "observed"


def ballot(target: int, announced: int | None, unknown: tuple[int, ...]) -> dict[str, Any]:
    seats = {
        str(s): {"vote": "unknown" if s in unknown else "yes" if s < 3 else "no", "contact": None, "remainder": False,
                 "form": "unknown", "hand": None, "evidence": []}
        for s in range(1, 11)
    }  # fmt: skip
    return {
        "target": target, "called": [52.0, 53.0], "closed": [55.0, 55.4], "announced": announced,
        "counted": [2, 2 + len(unknown)], "assigned": 0, "seats": seats,
    }  # fmt: skip


def case(tmp_path: Path) -> ReportInput:
    return ReportInput(
        case={"ruleset": "fsm-2026", "sources": [{"file": "стол <1>.mp4", "sha256": "ab" * 32, "duration": 200.0}],
              "versions": {"mafiavar": "0"}, "models": {}, "warnings": ["Картинка тёмная."]},
        timeline={"events": EVENTS}, flags=FLAGS, folder=tmp_path, clauses={"fsm-2026:6.6.6": "Текст пункта."},
        votes={"rounds": [{"day": 1, "round": 1, "candidates": [3, 5],
                           "ballots": [ballot(3, 2, (9,)), ballot(5, None, (8, 9))]}]},
        transcript={"words": [{"w": "слово", "t0": 1.0, "t1": 1.4, "speaker": "judge"}]},
    )  # fmt: skip


def text_of(data: bytes) -> list[str]:
    """The text of every page, spaces evened."""
    pdfium = pytest.importorskip("pypdfium2")
    document = pdfium.PdfDocument(io.BytesIO(data))
    return [re.sub(r"\s+", " ", page.get_textpage().get_text_range()) for page in document]


def test_the_first_page_says_what_matters(tmp_path: Path) -> None:
    d = case(tmp_path)
    page = first_page(d.timeline, d.votes, d.flags, d.case)
    assert [p.anchor for p in page.disputed] == ["f001", "f002"] and (page.more, page.notes) == (0, 1)
    assert "исход был бы другим" in page.disputed[0].text
    assert "также: форма руки" in page.disputed[1].text
    told = " ".join(p.text for p in page.cannot)
    assert "ни в одном голосовании: 9" in told, "the seat that is never seen"
    assert "в 1 случаях" in told, "seat 8 once"
    assert "не расслышан: № 5" in told and "итог ночи" in told and "Картинка тёмная." in told
    assert any("подъём" in p.text for p in page.happened)


def test_nothing_disputed_is_said_so() -> None:
    page = first_page({"events": []}, {"rounds": []}, {"flags": []}, {})
    assert page.disputed == () and "не замечено" in page.verdict("ru") and "Nothing" in page.verdict("en")


def test_the_pdf(tmp_path: Path) -> None:
    pages = text_of(render_pdf(case(tmp_path)))
    assert "Что спорно" in pages[0] and "Что произошло" in pages[0] and "Чего сказать нельзя" in pages[0]
    assert "стол <1>.mp4" in pages[0]
    rest = " ".join(pages[1:])
    assert "Видно f002." in rest and "Видно f003." in rest and "Текст пункта." in rest and "ab" * 32 in rest


def test_the_pdf_in_english_has_english_sentences(tmp_path: Path) -> None:
    pages = text_of(render_pdf(case(tmp_path), "en"))
    assert "What is disputed" in pages[0] and "Seen f002." in " ".join(pages)
    assert "Видно" not in " ".join(pages)


def test_the_same_case_gives_the_same_bytes(tmp_path: Path) -> None:
    assert render_pdf(case(tmp_path)) == render_pdf(case(tmp_path))


@pytest.mark.parametrize("lang", ["ru", "en"])
def test_the_html_merges_an_incident(tmp_path: Path, lang: str) -> None:
    html = render(case(tmp_path), lang)
    assert html.count('class="card" id="f') == 3 and '<tr id="f003">' in html
    assert html.index('id="f001"') < html.index('id="f002"') < html.index('id="f004"')
    assert ("Seen f003" in html) is (lang == "en")


def test_incidents_and_languages() -> None:
    assert [[f["id"] for f in i.all] for i in incidents_of(FLAGS["flags"])] == [
        ["f001"],
        ["f002", "f003"],
        ["f004"],
    ]
    assert in_language(FLAGS, "ru") is FLAGS
    assert in_language(FLAGS, "en")["flags"][0]["seen"] == "Seen f001."
    old = {"flags": [{"id": "f1", "seen": "Видно."}]}
    assert in_language(old, "en")["flags"][0]["seen"] == "Видно.", "an old case keeps its language"
