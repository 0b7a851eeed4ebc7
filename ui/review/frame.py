"""What every page has around it: the style, the side, the sentences for what is missing."""

from __future__ import annotations

import hashlib
import html
from urllib.parse import quote

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mafiavar.ui.cli.program import program, quoted
from mafiavar.ui.language import language, say
from mafiavar.ui.review.jobs import analysis
from mafiavar.ui.review.session import Here, choose_case
from mafiavar.ui.review.words import ROLES, problem_sentence, word

STYLE = """<style>
.block-container{padding:1rem 1.2rem 2rem;max-width:1700px}
[data-testid=stSidebar]{width:196px!important;min-width:196px!important}
[data-testid=stSidebar][aria-expanded=false]{width:0!important;min-width:0!important}
[data-testid=stSidebarHeader]{padding:.2rem .6rem;height:1.6rem;min-height:0;margin:0}
[data-testid=stSidebarNav] a,[data-testid=stSidebarNavLink]{padding:.1rem .5rem;min-height:1.75rem;height:1.75rem}
[data-testid=stSidebarNav] li{margin:0}
[data-testid=stSidebarNav]{padding-bottom:0}
[data-testid=stSidebarUserContent]{padding:.4rem .8rem 1rem}
[data-testid=stHeader]{height:1.6rem;min-height:1.6rem;background:transparent;pointer-events:none}
[data-testid=stHeader] button{pointer-events:auto}
[data-testid=stMainMenu],[data-testid=stStatusWidget] button{display:none}
[data-testid=stPills] button,[data-testid=stButtonGroup] button{padding:.1rem .6rem;min-height:1.8rem;font-size:.86rem}
[data-testid=stElementContainer] .stHtml h1{margin:0}
[data-testid=stDeployButton],[data-testid=stAppDeployButton]{display:none}
h1{font-size:1.45rem!important;padding:.1rem 0 .3rem!important}
h2{font-size:1.15rem!important;padding:.4rem 0 .2rem!important}
h3{font-size:1rem!important;padding:.3rem 0 .1rem!important}
h1,h2,h3{margin:0!important}
[data-testid=stHeading]{margin:0!important}
[data-testid=stButton] p,[data-testid=stFormSubmitButton] p{font-size:.88rem}
[data-testid=stButton] button{padding:.2rem .5rem}
[data-testid=stVerticalBlock]{gap:.55rem}
.mvchip{display:inline-block;padding:1px 8px;border-radius:10px;font-size:.8rem;font-weight:600;border:1px solid transparent;white-space:nowrap}
.mvchip.error{background:#fdeade;color:#8a3c00;border-color:#D55E00}
.mvchip.foul{background:#fff3d9;color:#6b4a00;border-color:#E69F00}
.mvchip.note{background:#e8f3fb;color:#1b4f72;border-color:#56B4E9}
.mvchip.confirmed{background:#dcebf7;color:#0b4a7d;border-color:#0072B2}
.mvchip.rejected{background:#eef0f3;color:#3c4652;border-color:#7b8794}
.mvchip.cannot_tell{background:#f7e8f1;color:#6d2a53;border-color:#CC79A7}
.mvchip.open{background:#fff;color:#5a6472;border-color:#c9ced6}
.mvcard{border:1px solid #d7dbe1;border-radius:8px;padding:.6rem .8rem;background:#fff}
.mvcard dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem .8rem;margin:.35rem 0 0!important;padding:0!important;font-size:.92rem}
.mvcard dt{color:#5a6472;margin:0!important;padding:0!important}.mvcard dd{margin:0!important;padding:0!important}
.mvnext{border:1px solid #0072B2;border-radius:8px;background:#eaf3fa;padding:.45rem .8rem;font-size:.92rem}
.mvsoft{color:#5a6472;font-size:.86rem}
table.mv{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
table.mv th{text-align:left;color:#5a6472;font-weight:600;border-bottom:1px solid #c9ced6;padding:3px 8px}
table.mv td{border-bottom:1px solid #e4e8ed;padding:3px 8px;vertical-align:top}
table.mv td:first-child,table.mv th{white-space:nowrap}
[data-testid=stCheckbox] p{white-space:normal!important;overflow:visible!important}
table.mv tr.diff td{background:#fff3d9}
.stHtml:has(>table.mv){overflow-x:auto}
@media(max-width:1200px){table.mv{display:block;overflow-x:auto;max-width:100%}}
@media(max-width:1200px){
[data-testid=stButton] button,[data-testid=stFormSubmitButton] button{padding:.2rem .3rem}
[data-testid=stButton] p{font-size:.76rem;line-height:1.15;white-space:normal!important}
.st-key-mvsplit [data-testid=stColumn] [data-testid=stHorizontalBlock]{gap:.3rem}
.st-key-mvsplit [data-testid=stColumn] [data-testid=stButton] button{padding:.2rem .1rem}
[data-testid=stPills] button,[data-testid=stButtonGroup] button{padding:.1rem .45rem}
[class*=st-key-mvrow]>[data-testid=stLayoutWrapper]>[data-testid=stHorizontalBlock]{flex-wrap:wrap}
[class*=st-key-mvrow]>[data-testid=stLayoutWrapper]>[data-testid=stHorizontalBlock]>[data-testid=stColumn]{width:auto!important;flex:1 1 auto!important;min-width:76px!important}
}
@media(max-width:1000px){
.st-key-mvsplit>[data-testid=stLayoutWrapper]>[data-testid=stHorizontalBlock]{flex-direction:column}
.st-key-mvsplit>[data-testid=stLayoutWrapper]>[data-testid=stHorizontalBlock]>[data-testid=stColumn]{width:100%!important;flex:none!important}
[data-testid=stRadio] [role=radiogroup]{flex-wrap:wrap}
}
@media(max-width:820px){.block-container{padding:2.8rem .7rem 2rem}}
@media print{[data-testid=stSidebar],[data-testid=stHeader]{display:none}}
</style>"""


# Streamlit says these words itself, in English only.
UPLOADER = """<style>
[data-testid=stFileUploaderDropzone] button{font-size:0!important}
[data-testid=stFileUploaderDropzone] button *:not(svg):not(path){font-size:0!important}
[data-testid=stFileUploaderDropzone] button::after{content:"Выбрать файл";font-size:.88rem}
[data-testid=stFileUploaderDropzoneInstructions]{font-size:0!important}
[data-testid=stFileUploaderDropzoneInstructions] *{font-size:0!important}
[data-testid=stFileUploaderDropzoneInstructions]::after{content:"или перетащите сюда";font-size:.86rem;color:#5a6472}
</style>"""


def style() -> None:
    st.html(STYLE)
    if language() == "ru":
        st.html(UPLOADER)


def percent(share: float) -> str:
    """A share as people write it: 85 % in Russian, 85% in English."""
    return f"{share * 100:.0f}{say(' ', '')}%"


def esc(value: object) -> str:
    """Text of a case (nicknames, words of players) is never markup."""
    return html.escape(str(value))


def title(text: str) -> None:
    """The page's heading."""
    st.html(f"<h1>{esc(text)}</h1>")


def sub(text: str) -> None:
    """A heading within the page."""
    st.html(f"<h3>{esc(text)}</h3>")


def halves(left: int, right: int) -> list[DeltaGenerator]:
    """The two halves of a page side by side; one below the other on a tablet."""
    columns: list[DeltaGenerator] = st.container(key="mvsplit").columns([left, right])
    return columns


def row(name: str, *widths: float) -> list[DeltaGenerator]:
    """A line of controls; it breaks into several where the window is narrow. `name`: one per page."""
    line = st.container(key=f"mvrow-{name}")
    columns: list[DeltaGenerator] = line.columns([*widths], vertical_alignment="center")
    return columns


def plain(name: str) -> str:
    """A name as a key and a CSS class can hold it."""
    return hashlib.sha256(name.encode()).hexdigest()[:10]


def session_over() -> None:
    title(say("Сеанс закончился", "The session is over"))
    st.write(
        say(
            "Войдите заново: записанные решения на месте.",
            "Sign in again: the decisions written so far are safe.",
        )
    )
    st.html(f'<a href="/login" target="_self">{say("Войти", "Sign in")}</a>')


def sidebar(now: Here) -> None:
    """The chosen case, who decides, language."""
    with st.sidebar:
        names = [e.name for e in now.room.library.entries()]
        if names:
            chosen = now.view.case.name if now.view else None
            picked = st.selectbox(
                say("Дело", "Case"),
                names,
                index=names.index(chosen) if chosen in names else None,
                placeholder=say("выберите", "choose"),
                format_func=lambda n: _short(n, names),
            )
            if picked and picked != chosen:
                choose_case(picked)
                st.rerun()
        who = now.account.name or say("судья", "judge")
        st.html(f'<div class="mvsoft">{esc(who)} · {esc(word(ROLES, now.account.role))}</div>')
        other = "ru" if language() == "en" else "en"
        if st.button("English" if other == "en" else "Русский", key="lang_switch", type="tertiary"):
            st.session_state["lang"] = other
            if "lang" in st.query_params:
                st.query_params["lang"] = other
            st.rerun()
        if not now.room.open:
            st.html(f'<a href="/logout" target="_self" class="mvsoft">{say("Выйти", "Sign out")}</a>')


def store_problem(now: Here) -> None:
    """A database of decisions that does not open: on every page, before anything is decided in vain."""
    problem = now.room.store_problem
    if now.room.store is not None or problem is None:
        return
    backup = now.room.home / "records.backup.sqlite"
    more = (
        say(
            f" Последняя целая копия: {backup.name} в {backup.parent}. Остановите просмотр, "
            "отложите records.sqlite и назовите копию его именем.",
            f" The last good copy is {backup.name} in {backup.parent}. Stop the review, put "
            "records.sqlite aside and give the copy its name.",
        )
        if backup.exists()
        else ""
    )
    st.error(
        say(problem.russian, problem.english)
        + more
        + say(" Смотреть можно, решать пока нельзя.", " You can look, but not decide for now.")
    )


def onward(now: Here, russian: str, english: str, *steps: tuple[str, str, str]) -> None:
    """A sentence and where to go from here: steps are (page, Russian, English)."""
    links = " · ".join(
        f'<a href="/{page}?case={quote(now.case.name)}" target="_self"><b>{esc(say(ru, en))}</b></a>'
        for page, ru, en in steps
    )
    st.html(f'<div class="mvnext">{esc(say(russian, english))} {links}</div>')


def _short(name: str, names: list[str]) -> str:
    """The last part of a case's name where that tells it apart: the sidebar is narrow."""
    last = name.rpartition("~")[2]
    return last if sum(n.rpartition("~")[2] == last for n in names) == 1 else name.replace("~", " / ")


def no_case(now: Here) -> None:
    title(say("Дело не выбрано", "No case chosen"))
    if now.room.library.entries():
        st.info(
            say(
                "Выберите дело слева или на странице «Дела».",
                "Choose a case on the left or on the page “Cases”.",
            )
        )
    else:
        st.info(
            say(
                "Здесь пока нет ни одного дела. На странице «Дела» добавьте запись — разбор запустится оттуда же; "
                "или в терминале: mafiavar analyze ЗАПИСЬ --case ПАПКА.",
                "There is no case here yet. Add a recording on the page “Cases”: the analysis starts from there; "
                "or in a terminal: mafiavar analyze REC --case DIR.",
            )
        )


def case_problems(now: Here) -> None:
    """Broken files and lost recordings, once, above the page; the page itself goes on."""
    for problem in now.case.problems:
        if problem.kind == "broken":
            st.warning(problem_sentence(problem))
    for source in now.case.sources:
        if source.path is None:
            st.warning(
                say(
                    f"Запись {source.file} не найдена: её переместили или диск отключён. Картинки и звука не будет, "
                    "остальное работает. Укажите новое место на странице «Настройки»: файл сверится по отпечатку.",
                    f"The recording {source.file} is not found: it was moved or the disk is off. There is no picture "
                    "and sound, the rest works. Tell its new place on the page “Settings”: it is checked by its hash.",
                )
            )


def not_yet(now: Here, part: str) -> None:
    """A page whose data no stage has delivered, or delivered broken: what makes it, in one click."""
    case = now.case
    # A case that is one game of a recording is made by the analysis of the whole.
    folder = case.folder.parent if "~" in case.name and case.folder.name.startswith("game-") else case.folder
    if any(str(folder) in job.command for job in now.room.jobs.running()):
        st.info(
            say(
                "Разбор ещё идёт: страница наполнится, когда он дойдёт сюда. Ход виден на странице «Дела».",
                "The analysis is still running: this page fills when it gets here. Watch it on the page “Cases”.",
            )
        )
        return
    if not any(p.kind == "broken" and p.part == part for p in case.problems):
        st.info(
            say(
                "В этом деле таких данных нет: разбор до них не дошёл.",
                "This case has no such data: the analysis did not get that far.",
            )
        )
    recordings = [s.path for s in case.sources if s.path is not None]
    if len(recordings) < max(1, len(case.sources)) or not now.rights.correct:
        return
    if st.button(say("Продолжить разбор", "Go on with the analysis"), type="primary", key=f"again-{part}"):
        now.room.jobs.start(f"analyze {folder.name}", analysis(recordings, folder, case.ruleset or None))
        now.room.library.forget()
        st.switch_page(st.Page(lambda: None, url_path="cases", title="cases"))
    names = " ".join(quoted(r) for r in recordings)
    st.caption(
        say(
            "Готовые этапы не повторятся. То же в терминале:",
            "Finished stages are not repeated. In a terminal:",
        )
        + f" `{program()} analyze {names} --case {quoted(folder)}`"
    )


def veiled_note(now: Here) -> None:
    if now.view is not None and not now.view.secrets:
        st.html(
            f'<div class="mvsoft">{say("Ночь, роли и знаки скрыты: на них нет права.", "Night, roles and signs are hidden from you.")}</div>'
        )


def chip(kind: str, text: str) -> str:
    return f'<span class="mvchip {esc(kind)}">{esc(text)}</span>'
