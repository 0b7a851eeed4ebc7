"""The page script that Streamlit runs for every person and every action."""

from __future__ import annotations

import importlib
from collections.abc import Callable

import streamlit as st

from mafiavar.ui.language import language_from_environment, say, speak
from mafiavar.ui.review import frame
from mafiavar.ui.review.components import HERE
from mafiavar.ui.review.session import Here, here

# page -> (Russian, English, icon, needs a case)
TITLES: dict[str, tuple[str, str, str, bool]] = {
    "cases": ("Дела", "Cases", ":material/folder_open:", False),
    "protest": ("Протест", "Protest", ":material/gavel:", True),
    "queue": ("Очередь", "Queue", ":material/flag:", True),
    "votes": ("Голоса", "Votes", ":material/how_to_vote:", True),
    "nights": ("Ночи", "Nights", ":material/dark_mode:", True),
    "fouls": ("Фолы", "Fouls", ":material/sports:", True),
    "transcript": ("Слова", "Transcript", ":material/subtitles:", True),
    "timeline": ("Ход игры", "Timeline", ":material/timeline:", True),
    "protocol": ("Протокол", "Protocol", ":material/fact_check:", True),
    "seats": ("Места", "Seats", ":material/event_seat:", True),
    "agreement": ("Согласие", "Agreement", ":material/group:", True),
    "report": ("Отчёт", "Report", ":material/summarize:", True),
    "settings": ("Настройки", "Settings", ":material/settings:", False),
}
SECTIONS: tuple[tuple[tuple[str, str], tuple[str, ...]], ...] = (
    (("Разбор", "Review"), ("cases", "queue", "votes", "nights", "fouls")),
    (("Запись", "Recording"), ("transcript", "timeline", "seats")),
    (("Решение", "Decision"), ("protest", "protocol", "agreement", "report", "settings")),
)


def main() -> None:
    speak(str(st.query_params.get("lang") or st.session_state.get("lang") or language_from_environment()))
    st.set_page_config(page_title="mafiavar", page_icon=str(HERE / "icon.svg"), layout="wide")
    frame.style()
    now = here()
    if now is None:
        frame.session_over()
        return
    pages = {say(*names): [_page(name, now) for name in members] for names, members in SECTIONS}
    page = st.navigation(pages, expanded=True)
    frame.sidebar(now)
    frame.store_problem(now)
    page.run()


def _page(name: str, now: Here) -> st.Page:
    russian, english, icon, needs_case = TITLES[name]
    return st.Page(
        _runner(name, now, needs_case),
        title=say(russian, english),
        icon=icon,
        url_path=name,
        default=name == "cases",
    )


def _runner(name: str, now: Here, needs_case: bool) -> Callable[[], None]:
    def run() -> None:
        if needs_case and now.view is None:
            frame.no_case(now)
            return
        if now.view is not None and needs_case:
            st.query_params["case"] = now.case.name
            frame.case_problems(now)
        importlib.import_module(f"mafiavar.ui.review.screens.{name}").show(now)

    run.__name__ = name
    return run


main()
