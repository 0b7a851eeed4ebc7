"""Seats: boxes and table drawn on a frame; «the camera cannot show this seat» is told here."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import streamlit as st

from mafiavar.ui.language import say
from mafiavar.ui.review.casefile import Source
from mafiavar.ui.review.components import component
from mafiavar.ui.review.seating import Camera, seats_toml
from mafiavar.ui.review.session import Here
from mafiavar.ui.store.records import standing


def show(now: Here) -> None:
    st.html(f"<h1>{say('Места', 'Seats')}</h1>")
    sources = [s for s in now.case.sources if s.size]
    if not sources:
        st.info(
            say(
                "В этом деле нет записи с картинкой: места отмечать не на чем.",
                "This case has no recording with a picture: there is nothing to draw on.",
            )
        )
        return
    source = sources[0]
    if len(sources) > 1:
        source = st.selectbox(say("Камера", "Angle"), sources, format_func=lambda s: s.file)
    if source.path is None:
        st.info(
            say(
                "Запись не найдена; укажите её место в «Настройках».",
                "The recording is not found; tell its place on “Settings”.",
            )
        )
        return
    camera = now.room.camera(now.case, source.number)
    t = _moment(now, source)
    answer = component("seats")(
        key=f"seats-{source.number}",
        data=_data(now, source, camera, t),
        on_saved_change=lambda: None,
    )
    if answer.saved and now.rights.correct:
        _save(now, source, answer.saved)
        st.rerun()
    if camera is not None:
        left, right = st.columns([1, 3])
        left.download_button(
            "seats.toml",
            seats_toml(camera, source.file),
            file_name=f"{source.file.rsplit('.', 1)[0]}.seats.toml",
        )
        right.caption(
            say(
                "Положите файл рядом с записью (или передайте --seats), и следующий разбор возьмёт эти места.",
                "Put the file beside the recording (or pass --seats) and the next analysis takes these seats.",
            )
        )


def _moment(now: Here, source: Source) -> float:
    """A frame by day: where nobody's mask and nobody's secret is shown."""
    day = next((e.t1 for e in now.case.of_kind("day_began", "floor_given")), 0.0)
    top = max(1.0, source.duration - 0.1)
    return float(
        st.slider(
            say("Кадр, секунда записи", "Frame, second of the recording"),
            0.0,
            top,
            min(max(0.0, day - source.offset + 1), top),
            0.5,
        )
    )


def _data(now: Here, source: Source, camera: Camera | None, t: float) -> dict[str, Any]:
    return {
        "image": f"/media/{quote(now.case.name)}/frame/{source.number}/{round(t * 1000)}.jpg?h=720",
        "size": list(source.size or (16, 9)),
        "seats": [{"number": n, "box": list(b)} for n, b in sorted(camera.seats.items())] if camera else [],
        "table": [list(p) for p in camera.table] if camera else [],
        "unseen": sorted(camera.unseen) if camera else [],
        "can": now.rights.correct,
        "text": {
            "seat": say("Место", "Seat"), "table": say("Стол", "Table"), "save": say("Сохранить места", "Save the seats"), "unseen": say("камера его не показывает", "the camera cannot show it"),
            "clear": say("Стереть выбранное", "Clear the chosen"), "hint": say("Выберите место и обведите игрока с руками; углы и середина рамки тянутся. Стол: щелчки по краю по кругу.", "Choose a seat and draw around the player and hands; corners and middle can be dragged. Table: click along its edge."),
            "undrawn": say("не отмечены", "not drawn"), "no_picture": say("Кадр показать нельзя.", "The frame cannot be shown."),
        },
    }  # fmt: skip


def _save(now: Here, source: Source, said: dict[str, Any]) -> None:
    """Only numbers within the picture are taken from the browser."""
    w, h = source.size or (0, 0)
    seats = []
    for s in said.get("seats") or ():
        x, y, bw, bh = (round(float(v)) for v in s["box"])
        if 1 <= int(s["number"]) <= 10 and bw > 4 and bh > 4 and x < w and y < h:
            seats.append({"number": int(s["number"]), "box": [max(0, x), max(0, y), min(bw, w), min(bh, h)]})
    polygon = [[round(float(x), 1), round(float(y), 1)] for x, y in said.get("table") or ()][:200]
    payload = {
        "recording": source.file,
        "seat": seats,
        "table": {"polygon": polygon},
        "unseen": [int(n) for n in said.get("unseen") or () if 1 <= int(n) <= 10],
    }
    before = next(
        (
            s
            for s in standing(r for r in now.records if r.kind == "seats").values()
            if s.record.target.get("recording") == source.number
        ),
        None,
    )
    if now.write(
        "seats", {"recording": source.number}, payload, based_on=before.record.id if before else None
    ):
        st.toast(say("Места сохранены.", "Seats saved."))
