"""Nights: what was called, shot, checked; how each seat sat; only for those who may see it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import streamlit as st

from mafiavar.ui.language import decimal, say
from mafiavar.ui.review import frame
from mafiavar.ui.review.casefile import SEATS, Case, Event
from mafiavar.ui.review.decisions import verdicts
from mafiavar.ui.review.flag import Flag
from mafiavar.ui.review.pins import as_decided
from mafiavar.ui.review.player import goto, player
from mafiavar.ui.review.session import Here
from mafiavar.ui.review.words import (
    COLOURS_OF_ROLES,
    VERDICTS,
    clock,
    details,
    event_name,
    flag_name,
    word,
)

SHOWN = (
    "negotiation_began",
    "negotiation_ended",
    "shooting_began",
    "shot",
    "check",
    "night_result",
    "best_move",
)
COLUMNS = (
    ("mask", ("маска", "mask"), ("mask_late", "mask_off_at_night")),
    ("head", ("голова", "head"), ("head_up_at_night",)),
    ("arms", ("руки", "arms"), ("arms_down_at_night",)),
    ("touch", ("касания", "touch"), ("touch_at_night",)),
    ("voice", ("голос", "voice"), ("talk_at_night",)),
    ("place", ("место", "place"), ("left_table",)),
)


def show(now: Here) -> None:
    case = as_decided(now.case, now.records)
    title, pick = frame.row("head", 2, 8)
    title.html(f"<h1>{say('Ночи', 'Nights')}</h1>")
    if now.view is None or not now.view.secrets:
        st.info(
            say(
                "Ночь скрыта: у вашей учётной записи нет права видеть роли и ночные действия"
                + (", или игра ещё идёт." if now.rights.secrets else "."),
                "The night is hidden: your account may not see roles and what is done at night"
                + (", or the game is still on." if now.rights.secrets else "."),
            )
        )
        return
    spans = night_spans(case)
    if not spans:
        st.info(say("Ночей в записи не найдено.", "No nights were found in the recording."))
        return
    numbers = list(spans)
    chosen = pick.pills(
        say("Ночь", "Night"), numbers, default=st.session_state.get("night") if st.session_state.get("night") in numbers else numbers[-1 if len(numbers) == 1 else 1],
        format_func=lambda n: say(f"ночь {n}", f"night {n}") if n else say("ночь 0, договорка", "night 0, negotiation"), label_visibility="collapsed", key="night-pick",
    )  # fmt: skip
    number = chosen if chosen is not None else numbers[0]
    t0, t1 = spans[number]
    inside = [f for f in case.flags if f.t0 < t1 and f.t1 > t0]
    left, right = frame.halves(52, 48)
    with left:
        player(
            now,
            goto(f"night-{number}", t0, t0 + 1, view=[t0 - 3, t1 + 3], window=[t0, t1]),
            key="nights-player",
            listed=[
                {
                    "id": f.id,
                    **goto(f"nf-{f.id}", max(0.0, f.t0 - 1.5), f.t1, loop=[f.t0 - 2, f.t1 + 2], play=True),
                }
                for f in inside
            ],
            max_height=330,
        )
        _facts(case, number, t0, t1)
    with right:
        _seats(now, inside)
        _roles(case)


def night_spans(case: Case) -> dict[int, tuple[float, float]]:
    """Night -> from its announcement to the day's."""
    out: dict[int, tuple[float, float]] = {}
    for e in case.of_kind("night_began"):
        end = next((d.t1 for d in case.of_kind("day_began") if d.t0 > e.t0), max(case.duration, e.t1))
        out[int(e.get("night", e.day) or 0)] = (e.t0, end)
    return out


def _facts(case: Case, number: int, t0: float, t1: float) -> None:
    events = [
        e for e in case.of_kind(*SHOWN) if t0 - 1 <= e.t0 <= t1 + 90 and e.get("night", number) == number
    ]
    if not events:
        st.caption(
            say(
                "О выстрелах и проверках этой ночи ничего не установлено.",
                "Nothing is known of this night's shots and checks.",
            )
        )
        return
    rows = "".join(
        f"<tr><td>{clock(e.t0)}</td><td>{frame.esc(event_name(e.kind))}</td><td>{frame.esc(_who(e))}</td><td>{frame.percent(e.confidence)}</td></tr>"
        for e in events
    )
    st.html(
        f"<table class='mv'><tr><th>{say('время', 'time')}</th><th>{say('что', 'what')}</th><th></th><th>{say('уверенность', 'confidence')}</th></tr>{rows}</table>"
    )


def _who(e: Event) -> str:
    if e.kind == "shot":
        target = e.get("target")
        return f"№ {e.get('shooter')} → " + (f"№ {target}" if target else say("мимо", "none"))
    return details(e)


def _seats(now: Here, flags: Iterable[Flag]) -> None:
    """Ten seats against what can be seen of them at night; an empty cell: nothing was flagged."""
    found = verdicts(now.case, now.records)
    listed = list(flags)
    # Mask, head and arms always; the rest where there is something to show, so that all fits.
    columns = [c for i, c in enumerate(COLUMNS) if i < 3 or any(f.kind in c[2] for f in listed)]
    head = "".join(f"<th>{say(*name)}</th>" for _, name, _ in columns)
    rows = ""
    for seat in SEATS:
        cells = ""
        for _, _, kinds in columns:
            mine = [f for f in listed if f.kind in kinds and seat in f.seats]
            cells += "<td>" + "<br>".join(_cell(f, found.of(f.id)) for f in mine) + "</td>"
        rows += f"<tr class='{'diff' if any(seat in f.seats for f in listed) else ''}'><td><b>{seat}</b></td>{cells}</tr>"
    st.html(f"<table class='mv'><tr><th>№</th>{head}</tr>{rows}</table>")
    others = [f for f in listed if not any(f.kind in kinds for _, _, kinds in COLUMNS)]
    for f in others:
        st.html(
            f"<div>{clock(f.t0)} · {frame.esc(flag_name(f.kind))} · № {', '.join(map(str, f.seats))}</div>"
        )
    st.caption(
        say(
            "N и P в проигрывателе ведут по моментам этой ночи. Пустая клетка значит: замечаний нет, но и невидимое место замечаний не даёт.",
            "N and P in the player walk through this night's moments. An empty cell means no flag; a seat that cannot be seen gives none either.",
        )
    )


def _cell(flag: Flag, verdict: str | None) -> str:
    name = frame.chip(flag.severity, f"{clock(flag.t0)} · {decimal(flag.t1 - flag.t0)} {say('с', 's')}")
    return f"<span title='{frame.esc(flag_name(flag.kind))}'>{name}</span>" + (
        f" <span class='mvsoft'>{frame.esc(word(VERDICTS, verdict))}</span>" if verdict else ""
    )


def _roles(case: Case) -> None:
    roles: Any = case.head.get("roles")
    if isinstance(roles, dict) and roles:
        text = ", ".join(
            f"№ {n} — {word(COLOURS_OF_ROLES, r)}" for n, r in sorted(roles.items(), key=lambda x: int(x[0]))
        )
        st.html(f"<div class='mvcard'><b>{say('Роли', 'Roles')}:</b> {frame.esc(text)}</div>")
