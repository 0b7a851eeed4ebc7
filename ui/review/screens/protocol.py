"""Protocol: ours beside the official one, differences first; it follows every correction at once."""

from __future__ import annotations

import json
from urllib.parse import quote

import streamlit as st

from mafiavar.analyzer.errors import MafiavarError
from mafiavar.ui.language import say
from mafiavar.ui.review import frame
from mafiavar.ui.review.compare import Line, lines
from mafiavar.ui.review.decisions import protocol, votes_as_decided
from mafiavar.ui.review.official import LARGEST, official_protocol, read_bytes, remarks
from mafiavar.ui.review.pins import as_decided
from mafiavar.ui.review.session import Here

SEVERITIES = {
    "error": ("error", "ошибка", "error"),
    "warning": ("foul", "замечание", "warning"),
    "unchecked": ("open", "не проверено", "unchecked"),
}


def show(now: Here) -> None:
    st.html(f"<h1>{say('Протокол', 'Protocol')}</h1>")
    if not now.case.has("timeline") and not now.case.has("votes"):
        frame.not_yet(now, "timeline")
        return
    ours = protocol(as_decided(now.case, now.records), votes_as_decided(now.case, now.records))
    official = official_protocol(now)
    secrets = bool(now.view and now.view.secrets)
    facts = lines(ours, official, secrets=secrets)
    differing = [x for x in facts if x.differs]
    left, right = frame.halves(66, 34)
    with left:
        if official is not None:
            if differing:
                st.html(
                    frame.chip(
                        "error", say(f"расхождений: {len(differing)}", f"differences: {len(differing)}")
                    )
                )
                _table(now, differing, diff=True)
            else:
                st.html(frame.chip("confirmed", say("расхождений нет", "no differences")))
        frame.sub(say("Весь протокол", "The whole protocol"))
        _table(now, facts, diff=False)
        frame.veiled_note(now)
    with right:
        _official(now, official is not None)
        if official is not None:
            _audit(now, official)
        if secrets:
            st.download_button(
                say("Скачать наш протокол", "Download our protocol"),
                json.dumps(ours, ensure_ascii=False, indent=1),
                file_name=f"{now.case.name}.protocol.json",
                mime="application/json",
            )


def _table(now: Here, facts: list[Line], *, diff: bool) -> None:
    rows = ""
    for x in facts:
        what = frame.esc(x.what)
        if x.goto:
            what = f'<a href="/votes?case={quote(now.case.name)}&ballot={quote(x.goto)}" target="_self">{what}</a>'
        rows += (
            f"<tr class='{'diff' if x.differs and not diff else ''}'><td>{frame.esc(x.place)}</td><td>{what}</td>"
            f"<td>{frame.esc(x.ours if x.ours is not None else '—')}</td><td>{frame.esc(x.official if x.official is not None else '')}</td></tr>"
        )
    st.html(
        f"<table class='mv'><tr><th></th><th>{say('что', 'what')}</th><th>{say('по записи', 'from the recording')}</th><th>{say('официальный', 'official')}</th></tr>{rows}</table>"
    )


def _official(now: Here, have: bool) -> None:
    if not now.rights.correct:
        return
    with st.expander(
        say("Заменить официальный протокол", "Replace the official protocol")
        if have
        else say("Добавить официальный протокол", "Add the official protocol"),
        expanded=not have,
    ):
        st.caption(
            say(
                "JSON, CSV или XLSX: mafiaratings, polemica, свой.",
                "JSON, CSV or XLSX: mafiaratings, polemica, our own.",
            )
        )
        file = st.file_uploader(
            say("Файл протокола", "Protocol file"),
            type=["json", "csv", "xlsx"],
            label_visibility="collapsed",
            key="official",
        )
        if file is None or st.session_state.get("official-read") == file.file_id:
            return
        st.session_state["official-read"] = file.file_id
        if file.size > LARGEST:
            st.error(say("Файл слишком велик для протокола.", "The file is too large for a protocol."))
            return
        try:
            value = read_bytes(file.name, file.getvalue())
        except MafiavarError as error:
            st.error(say(error.russian, error.english))
            return
        if now.write("setting", {"name": "protocol"}, {"value": value}, snapshot={"file": file.name}):
            st.rerun()


def _audit(now: Here, official: object) -> None:
    """What is wrong with the official protocol by itself."""
    assert isinstance(official, dict | object)
    found = remarks(now, official)  # type: ignore[arg-type]
    frame.sub(say("Проверка официального по правилам", "The official one under the rules"))
    if not found:
        st.caption(say("Замечаний нет.", "No findings."))
    for r in sorted(
        found, key=lambda r: list(SEVERITIES).index(r.severity) if r.severity in SEVERITIES else 9
    ):
        kind, russian, english = SEVERITIES.get(r.severity, ("open", r.severity, r.severity))
        clause = f" <span class='mvsoft'>{frame.esc(r.clause)}</span>" if r.clause else ""
        st.html(
            f"<div>{frame.chip(kind, say(russian, english))} <span class='mvsoft'>{frame.esc(r.place)}</span> {frame.esc(r.text)}{clause}</div>"
        )
