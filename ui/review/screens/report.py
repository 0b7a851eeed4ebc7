"""Report: choose moments, see them, export HTML, PDF and a ZIP with clips; one clip for a chat."""

from __future__ import annotations

import time
from urllib.parse import quote

import streamlit as st

from mafiavar.ui.language import say
from mafiavar.ui.review import frame
from mafiavar.ui.review.clips import clip_html
from mafiavar.ui.review.decisions import doubtful, verdicts
from mafiavar.ui.review.export import gather, write_all
from mafiavar.ui.review.flag import Flag
from mafiavar.ui.review.screens.queue import case_flags
from mafiavar.ui.review.session import Here
from mafiavar.ui.review.traces import exports_of
from mafiavar.ui.review.words import VERDICTS, clock, flag_name, seats_name, severity_short, word

KINDS = {
    "html": ("HTML с кадрами и клипами", "HTML with stills and clips"),
    "pdf": ("PDF", "PDF"),
    "zip": ("ZIP: всё и клипы файлами", "ZIP: all, clips as files"),
}


def show(now: Here) -> None:
    st.html(f"<h1>{say('Отчёт', 'Report')}</h1>")
    case = now.case
    if not case.has("flags") and not case.has("votes"):
        frame.not_yet(now, "flags")
        return
    found = verdicts(case, now.records)
    left, right = frame.halves(52, 48)
    with left:
        flags = case_flags(case)
        decided = [f for f in flags if found.of(f.id) == "confirmed"]
        chosen = st.multiselect(
            say(f"Моменты (подтверждено {len(decided)} из {len(flags)})", f"Moments ({len(decided)} of {len(flags)} confirmed)"), flags, default=decided, format_func=lambda f: _choice(f, found.of(f.id)),
            placeholder=say("выберите моменты; подтверждённые уже здесь", "choose moments; confirmed ones are here already"), key=f"report-flags-{len(decided)}",
        )  # fmt: skip
        ballots = st.multiselect(
            say("Голосования", "Ballots"), case.ballots, default=[b for b in case.ballots if doubtful(case, b)][:3], format_func=lambda b: say(f"день {b.day}, круг {b.round}, против № {b.target}", f"day {b.day}, round {b.round}, against {b.target}"),
            placeholder=say("выберите голосования", "choose ballots"), key="report-ballots",
        )  # fmt: skip
        clips = st.toggle(say("с клипами", "with clips"), True)
        if st.button(
            say("Собрать отчёт", "Make the report"), type="primary", disabled=not chosen and not ballots
        ):
            bar = st.progress(0.0)
            dossier = gather(
                now,
                chosen,
                list(ballots),
                clips=clips,
                told=lambda share, what: bar.progress(min(1.0, share), what),
            )
            secret = "s" if now.view and now.view.secrets else "v"
            stamp = f"{secret}-{time.time_ns():x}"
            write_all(dossier, exports_of(now.room.home, case.name) / stamp)
            st.session_state["export"] = (case.name, stamp)
            bar.empty()
        _ready(now)
        if now.rights.correct and not any(r.kind == "protest" for r in now.records):
            frame.onward(
                now,
                "Подан протест? Запишите решение комиссии — оно войдёт в отчёт:",
                "Was a protest filed? Record the panel's decision and it goes into the report:",
                ("protest", "протест", "protest"),
            )
        frame.veiled_note(now)
    with right:
        frame.sub(say("Один клип — отправить в чат", "One clip to send in a chat"))
        options = [*chosen, *[f for f in flags if f not in chosen]]
        if options:
            f = st.selectbox(
                say("Момент", "Moment"),
                options,
                format_func=lambda f: (
                    f"{clock(f.t0)} · {seats_name(f.seats)} · {flag_name(f.kind)} · {severity_short(f.severity)}"
                ),
                label_visibility="collapsed",
            )
            st.html(clip_html(now, f.t0 - 3, f.t1 + 2, f"{flag_name(f.kind)} · {clock(f.t0)}"))
        else:
            st.caption(say("Моментов нет.", "No moments."))
        if now.view and now.view.secrets and (case.folder / "report.html").is_file():
            st.html(
                f'<a href="/media/{quote(case.name)}/report.html" target="_blank">{say("Полный машинный отчёт", "The whole machine report")}</a>'
            )


def _choice(flag: Flag, verdict: str | None) -> str:
    """A moment in the list, with its verdict unless it is the one that brings it here by itself."""
    text = f"{clock(flag.t0)} · {seats_name(flag.seats)} · {flag_name(flag.kind)}"
    if verdict == "confirmed":
        return text
    return f"{text} ({word(VERDICTS, verdict) if verdict else say('не решено', 'open')})"


def _ready(now: Here) -> None:
    made = st.session_state.get("export")
    if not made or made[0] != now.case.name:
        return
    base = f"/media/{quote(now.case.name)}/export/{made[1]}"
    links = " · ".join(
        f'<a href="{base}/report.{kind}?download=1" download>{say(*names)}</a>'
        for kind, names in KINDS.items()
    )
    st.html(f"<div class='mvcard'><b>{say('Готово:', 'Ready:')}</b> {links}</div>")
    st.iframe(f"{base}/report.html", height=520)
