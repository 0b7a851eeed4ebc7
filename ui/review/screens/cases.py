"""Cases: the library with its state, search, adding a recording, watching an analysis."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from mafiavar.ui.language import decimal, say
from mafiavar.ui.review import frame
from mafiavar.ui.review.casefile import Case
from mafiavar.ui.review.components import component
from mafiavar.ui.review.decisions import doubtful, verdicts
from mafiavar.ui.review.jobs import Job, analysis
from mafiavar.ui.review.session import Here, choose_case
from mafiavar.ui.review.words import WINNERS, clock, rules_name, word

RULES = ("fsm-2026", "disbord", "legion")


@dataclass(frozen=True, slots=True)
class Row:
    case: Case
    state: str
    open_flags: int
    disputed: int


def show(now: Here) -> None:
    frame.title(say("Дела", "Cases"))
    rows = [r for r in (_row(now, e.name) for e in now.room.library.entries()) if r is not None]
    if rows:
        _table(rows)
    else:
        st.info(
            say(
                "Здесь пока нет дел. Добавьте запись игры ниже: разбор начнётся сам, страница покажет ход.",
                "No cases here yet. Add the recording of a game below: the analysis starts and this page shows its progress.",
            )
        )
    _jobs(now)
    if now.rights.correct:
        _add(now)


def _row(now: Here, name: str) -> Row | None:
    view = now.room.view(name, now.account)
    if view is None:
        return None
    case = view.case
    records = now.room.seen_records(view)
    found = verdicts(case, records)
    open_flags = sum(1 for f in case.flags if f.severity != "note" and found.of(f.id) is None)
    disputed = sum(1 for b in case.ballots if doubtful(case, b))
    return Row(case, _state(now, case), open_flags, disputed)


def _state(now: Here, case: Case) -> str:
    running = any(str(case.folder) in j.command for j in now.room.jobs.running())
    if running:
        return say("идёт разбор", "being analysed")
    if any(p.kind == "broken" for p in case.problems):
        return say("файл повреждён", "a file is damaged")
    if not case.has("flags") or not case.has("timeline"):
        return say("не закончено", "unfinished")
    return say("готово", "ready")


def _table(rows: list[Row]) -> None:
    wanted = st.text_input(
        say("Поиск", "Search"),
        placeholder=say("имя дела, файл, правила", "name of the case, file, rules"),
        label_visibility="collapsed",
        key="search",
    ).casefold()
    shown = [
        r
        for r in rows
        if wanted
        in f"{r.case.name} {r.case.ruleset} {rules_name(r.case.ruleset)} {' '.join(s.file for s in r.case.sources)}".casefold()
    ]
    if not shown:
        st.write(say("Ничего не нашлось.", "Nothing found."))
    for r in shown:
        _entry(r)


def _entry(row: Row) -> None:
    case = row.case
    left, state, flags, ballots, go = frame.row(f"case-{frame.plain(case.name)}", 4.4, 1.7, 1.7, 2.2, 3)
    winner = next((word(WINNERS, e.get("winner")) for e in case.of_kind("game_ended")), "")
    files = ", ".join(s.file for s in case.sources) or say("записи не указаны", "no recordings")
    about = " · ".join(
        x
        for x in (files, clock(case.duration) if case.duration else "", rules_name(case.ruleset), winner)
        if x
    )
    left.html(
        f'<b>{frame.esc(case.name.replace("~", " / "))}</b><div class="mvsoft">{frame.esc(about)}</div>'
    )
    state.html(frame.chip("open", row.state))
    flags.html(
        frame.chip(
            "foul" if row.open_flags else "open",
            say(f"не решено: {row.open_flags}", f"open: {row.open_flags}"),
        )
    )
    ballots.html(
        frame.chip(
            "error" if row.disputed else "open",
            say(f"спорных голосов: {row.disputed}", f"disputed ballots: {row.disputed}"),
        )
    )
    with go:
        a, b = st.columns(2)
        if a.button(say("Открыть", "Open"), key=f"open-{case.name}", type="primary"):
            choose_case(case.name)
            st.switch_page(_page("queue"))
        if row.disputed and b.button(say("К голосу", "To vote"), key=f"vote-{case.name}"):
            choose_case(case.name)
            st.session_state["ballot"] = next(x.key for x in case.ballots if doubtful(case, x))
            st.switch_page(_page("votes"))


def _page(name: str) -> st.Page:
    """The page as `app.py` registered it; Streamlit knows it by its address."""
    return st.Page(lambda: None, url_path=name, title=name)


@st.fragment(run_every=2.0)  # type: ignore[untyped-decorator]
def _jobs(now: Here) -> None:
    jobs = [j for j in now.room.jobs.all() if j.title.startswith("analyze ")][:6]
    seen = {j.id: j.state for j in jobs}
    if st.session_state.get("jobs_seen", seen) != seen:
        st.session_state["jobs_seen"] = seen
        now.room.library.forget()
        st.rerun()
    st.session_state["jobs_seen"] = seen
    if jobs:
        frame.sub(say("Разборы", "Analyses"))
    for job in jobs:
        _job(now, job)


def _job(now: Here, job: Job) -> None:
    names = {
        "running": say("идёт", "running"),
        "done": say("готово", "done"),
        "failed": say("не удалось", "failed"),
        "cancelled": say(
            "остановлено; тот же разбор продолжит с этого места",
            "stopped; the same analysis goes on from here",
        ),
        "lost": say("прервано вместе с сервером; запустите ещё раз", "ended with the server; start it again"),
    }
    minutes = ((job.ended or time.time()) - job.started) / 60
    with st.container(border=True):
        left, right = st.columns([6, 1], vertical_alignment="center")
        left.html(
            f"<b>{frame.esc(job.title.removeprefix('analyze '))}</b> · {frame.esc(names.get(job.state, job.state))} · "
            f"{decimal(minutes)} {say('мин', 'min')}"
        )
        if job.state == "running" and right.button(say("Остановить", "Stop"), key=f"cancel-{job.id}"):
            now.room.jobs.cancel(job.id)
        if job.state in {"cancelled", "lost", "failed"} and right.button(
            say("Ещё раз", "Again"), key=f"again-{job.id}"
        ):
            now.room.jobs.start(job.title, job.command)
            st.rerun(scope="fragment")
        tail = job.tail(3 if job.state == "running" else 5)
        if tail and job.state != "done":
            st.code(tail, language=None)


def _add(now: Here) -> None:
    frame.sub(say("Добавить запись", "Add a recording"))
    by_path, by_file = st.tabs(
        [say("Файл на этой машине", "A file on this machine"), say("Загрузить файл", "Upload a file")]
    )
    with by_path, st.form("add", border=False):
        path = st.text_input(
            say("Путь к записи", "Path of the recording"),
            placeholder=say(
                "например, D:\\Видео\\стол3_игра6.mp4", "for example D:\\Video\\table3_game6.mp4"
            ),
            help=say(
                "Несколько камер одной игры — по одной на строке через точку с запятой.",
                "Several angles of one game: separated by semicolons.",
            ),
            disabled=not now.room.loopback,
        )
        _start_form(now, path)
        if not now.room.loopback:
            st.caption(
                say(
                    "Через сеть пути не принимаются: загрузите файл.",
                    "Paths are not taken over the network: upload the file.",
                )
            )
    with by_file:
        done = component("upload")(
            key="upload",
            data={
                "choose": say("Выбрать файл…", "Choose a file…"),
                "sending": say("Загружается", "Uploading"),
                "checking": say("Проверяется…", "Checking…"),
                "failed": say("Не получилось", "Failed"),
                "done": say("Загружено", "Uploaded"),
            },
            on_uploaded_change=lambda: None,
        )
        if done.uploaded:
            st.session_state["uploaded"] = done.uploaded["path"]
        if st.session_state.get("uploaded"):
            st.success(Path(st.session_state["uploaded"]).name)
            with st.form("add-uploaded", border=False):
                _start_form(now, st.session_state["uploaded"])


def _start_form(now: Here, paths: str) -> None:
    left, right, go = st.columns([3, 2, 2], vertical_alignment="bottom")
    name = left.text_input(
        say("Имя дела", "Name of the case"),
        placeholder=say("стол 3, игра 6", "table 3, game 6"),
        key=f"name-{bool(st.session_state.get('uploaded'))}-{len(paths) > 0}-{id(paths) % 1}",
    )
    rules = right.selectbox(
        say("Правила", "Rules"),
        RULES,
        format_func=rules_name,
        key=f"rules-{hash(paths) % 997}",
    )
    if go.form_submit_button(say("Разобрать", "Analyse"), type="primary"):
        _start(now, paths, name, rules)


def _start(now: Here, paths: str, name: str, rules: str) -> None:
    recordings = [Path(p.strip().strip('"')) for p in re.split(r"[;\n]", paths) if p.strip()]
    if not recordings:
        st.error(say("Укажите путь к записи.", "Give the path of the recording."))
        return
    lost = [str(p) for p in recordings if not p.is_file()]
    if lost:
        st.error(
            say(
                f"Файл не найден: {lost[0]}. Проверьте путь и диск.",
                f"File not found: {lost[0]}. Check the path and the disk.",
            )
        )
        return
    folder = now.room.library.root / safe_name(name or recordings[0].stem)
    if folder.exists() and any(folder.iterdir()) and name:
        st.warning(
            say(
                "Дело с таким именем уже есть: разбор продолжит его.",
                "There is a case of this name: the analysis goes on with it.",
            )
        )
    now.room.jobs.start(f"analyze {folder.name}", analysis(recordings, folder, rules or None))
    now.room.library.forget()
    st.toast(say("Разбор запущен.", "The analysis has started."))


def safe_name(name: str) -> str:
    """A folder name of the user's words: letters, digits, space, dash, dot inside.

    >>> safe_name("Стол 3, игра 6"), safe_name("../../etc"), safe_name("~.")
    ('Стол 3 игра 6', 'etc', 'case')
    """
    words = re.sub(r"[^\w\s.-]", "", name).strip().strip(".").strip()
    return re.sub(r"\s+", " ", words.replace("..", ""))[:80].strip(". ") or "case"
