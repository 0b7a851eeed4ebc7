"""Copies of recordings that a browser can play: offered, made in a worker, watched."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import streamlit as st

from mafiavar.ui.language import say
from mafiavar.ui.review.casefile import Source
from mafiavar.ui.review.session import Here


def command(source: Source, folder: Path) -> list[str]:
    """One worker process that makes the copy and ends."""
    return [
        sys.executable, "-m", "mafiavar.ui.review.proxy_job", str(source.path), str(folder),
    ]  # fmt: skip


def title(source: Source) -> str:
    return f"proxy {source.file}"


@st.fragment(run_every=2.0)  # type: ignore[untyped-decorator]
def notice(now: Here, source: Source) -> None:
    """Offers the copy, or shows how far it is."""
    folder = now.room.cache_of(source)
    job = next((j for j in now.room.jobs.all() if j.title == title(source)), None)
    if now.room.proxy(source) is not None:
        st.rerun()
    if job is not None and job.state == "running":
        st.progress(
            progress(folder),
            say(f"Готовится копия {source.file} для просмотра…", f"Making a review copy of {source.file}…"),
        )
        if st.button(say("Остановить", "Stop"), key=f"stop-{source.number}"):
            now.room.jobs.cancel(job.id)
        return
    if job is not None and job.state == "failed":
        st.error(say("Копия не получилась: ", "The copy failed: ") + job.tail(1))
    st.warning(
        say(
            f"Браузер не покажет {source.file} точно по кадрам ({_why(source)}). Нужна копия для просмотра: "
            "делается один раз, доказательства по-прежнему указывают на оригинал.",
            f"A browser does not show {source.file} frame by frame ({_why(source)}). A review copy is needed: "
            "made once; evidence still points at the original.",
        )
    )
    if now.rights.correct and st.button(
        say("Подготовить копию", "Make the copy"), key=f"proxy-{source.number}", type="primary"
    ):
        now.room.jobs.start(title(source), command(source, folder))
        st.rerun(scope="fragment")


def progress(folder: Path) -> float:
    try:
        return min(1.0, float(json.loads((folder / "proxy.progress").read_text("utf-8"))))
    except (OSError, ValueError):
        return 0.0


def _why(source: Source) -> str:
    if source.variable_rate:
        return say("переменная частота кадров", "variable frame rate")
    return f"{source.codec}, {source.pixel_format or source.container}"
