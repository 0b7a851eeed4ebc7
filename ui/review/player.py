"""Mounting the player on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import streamlit as st

from mafiavar.ui.language import language, say
from mafiavar.ui.review.casefile import Case, Source
from mafiavar.ui.review.components import component
from mafiavar.ui.review.seating import Camera
from mafiavar.ui.review.session import Here
from mafiavar.ui.store.records import standing

Json = Mapping[str, Any]


def player(
    now: Here,
    goto: Json | None,
    *,
    key: str,
    keys: Mapping[str, str] | None = None,
    listed: Sequence[Json] = (),
    current: str | None = None,
    ballot: Json | None = None,
    marks: Sequence[Json] = (),
    max_height: int | None = None,
) -> Any:
    """The player over the case's recordings; its result has the triggers key, chosen, offset.

    `goto`: where to go when its `nonce` is new: t, end, loop, play, view (seconds).
    `keys`: key -> word of the trigger `key`. `listed`: gotos with `id` that N and P walk through.
    """
    case = now.case
    angles = [_angle(now, s) for s in case.sources if s.path is not None]
    if not angles:
        st.info(
            say(
                "Запись не найдена — проигрыватель появится, когда вы укажете её место в «Настройках».",
                "The recording is not found: the player appears once you tell its place on “Settings”.",
            )
        )
        return None
    _proxy_notice(now)
    first = case.sources[0]
    base = f"/api/{quote(case.name)}"
    mark = now.records[-1].id if now.records else 0
    secret = "s" if now.view and now.view.secrets else "v"
    data = {
        "identity": f"{case.name}|{secret}|" + "|".join(str(a["url"]) for a in angles),
        "angles": angles,
        "aspect": f"{first.size[0]} / {first.size[1]}" if first.size and len(angles) == 1 else "16 / 9",
        "max_height": max_height,
        "duration": case.duration,
        "lanes": f"{base}/lanes?v={case.revision}.{mark}.{secret}&lang={language()}",
        "peaks": f"{base}/peaks/0?v={first.sha256[:12]}.{secret}" if first.has_sound else None,
        "goto": goto,
        "keys": dict(keys or {}),
        "list": list(listed),
        "current": current,
        "ballot": ballot,
        "marks": list(marks),
        "text": text(keys or {}),
    }
    nothing = lambda: None  # noqa: E731 - Streamlit asks for a callback per trigger
    result = component("player")(
        key=key, data=data, on_key_change=nothing, on_chosen_change=nothing, on_offset_change=nothing
    )
    if result.offset and now.rights.correct:
        _keep_offset(now, result.offset)
    return result


def _keep_offset(now: Here, said: Json) -> None:
    """What a person typed as an angle's offset; nothing for a number that is no recording's."""
    source = next((s for s in now.case.sources if s.number == said.get("number")), None)
    value = said.get("offset")
    if source is None or not isinstance(value, int | float) or not abs(value) <= 24 * 3600:
        return
    name = f"offset-{source.number}"
    settings = standing(r for r in now.records if r.kind == "setting").values()
    before = next((s for s in settings if s.record.target.get("name") == name), None)
    if before is None or before.record.payload.get("value") != value:
        now.write("setting", {"name": name}, {"value": value}, based_on=before.record.id if before else None)


def _angle(now: Here, source: Source) -> dict[str, Any]:
    case = now.case
    media = f"/media/{quote(case.name)}"
    camera: Camera | None = now.room.camera(case, source.number)
    secrets = bool(now.view and now.view.secrets)
    proxy = now.room.needs_proxy(source) and now.room.proxy(source) is not None
    return {
        "number": source.number,
        "url": f"{media}/play/{source.number}" + ("?proxy" if proxy else ""),
        "clips": None if secrets else f"{media}/clip/{source.number}",
        "pts": f"/api/{quote(case.name)}/pts/{source.number}?v={source.sha256[:12]}" if source.size else None,
        "offset": source.offset,
        "video": source.size is not None,
        "size": list(source.size) if source.size else None,
        "boxes": [{"seat": n, "box": list(b)} for n, b in sorted(camera.seats.items())] if camera else [],
    }


def _proxy_notice(now: Here) -> None:
    """What a browser cannot play gets a copy for the review; evidence still points at the original."""
    from mafiavar.ui.review.proxies import notice

    for source in now.case.sources:
        if source.path is not None and now.room.needs_proxy(source) and now.room.proxy(source) is None:
            notice(now, source)


def goto(nonce: str, t: float, end: float | None = None, **more: Any) -> dict[str, Any]:
    return {"nonce": nonce, "t": round(t, 3), "end": end if end is None else round(end, 3), **more}


def text(keys: Mapping[str, str]) -> dict[str, Any]:
    """Every word the player shows."""
    own = {
        "confirmed": say("подтвердить", "confirm"),
        "rejected": say("отклонить", "reject"),
        "cannot_tell": say("не видно", "cannot tell"),
        "next": say("следующий", "next"),
        "previous": say("предыдущий", "previous"),
        "judge": say("сказал судья", "the judge said it"),
        "open": say("следующий спорный голос", "next disputed ballot"),
    }
    return {
        "play": say("Играть / пауза (пробел)", "Play / pause (space)"),
        "rate": say("Скорость (− и =)", "Speed (− and =)"),
        "loop": say("Повторять отрезок (O)", "Loop the stretch (O)"),
        "prev_frame": say("Кадр назад (←)", "Frame back (←)"),
        "next_frame": say("Кадр вперёд (→)", "Frame forward (→)"),
        "show_clock": say("Часы от вызова и от «стоп»", "Clock from call and stop"),
        "show_boxes": say("Рамки мест (B)", "Seat boxes (B)"),
        "show_marks": say("Отметки касаний", "Contact marks"),
        "offsets": say("Сдвиг камер", "Offsets of the angles"),
        "angle": say("Камера", "Angle"),
        "seconds": say("с", "s"),
        "whole": say("Вся запись", "Whole recording"),
        "help": say("Клавиши", "Keys"),
        "close": say("Закрыть", "Close"),
        "frame": say("кадр", "frame"),
        "judge": say("судья", "judge"),
        "from_call": say("от вызова", "from call"),
        "from_stop": say("от «стоп»", "from stop"),
        "s": say("с", "s"),
        "comma": say(",", "."),
        "night": say("Ночь скрыта: на неё нет права.", "The night is hidden from you."),
        "not_running": say("Эта камера в это время не снимала.", "This camera was not recording then."),
        "loading": say("Запись открывается…", "The recording is opening…"),
        "cannot_play": say(
            "Браузер не может показать эту запись. Подготовьте копию для просмотра (кнопка над проигрывателем).",
            "The browser cannot play this recording. Make a review copy (button above the player).",
        ),
        "lanes": {
            "sound": say("звук", "sound"),
            "phases": say("фаза", "phase"),
            "speakers": say("говорит", "speaker"),
            "ballots": say("голосов.", "ballots"),
            "hands": say("руки", "hands"),
            "flags": say("моменты", "flags"),
        },
        "keys": [
            [say("пробел", "space"), say("играть, пауза", "play, pause")],
            ["← →", say("кадр назад, вперёд", "one frame back, forward")],
            ["Shift ← →", say("секунда назад, вперёд", "one second back, forward")],
            ["J K L", say("назад, стоп, вперёд быстрее", "backwards, stop, faster forward")],
            ["− =", say("медленнее, быстрее", "slower, faster")],
            ["O", say("повторять отрезок", "loop the stretch")],
            ["N P", say("следующий, предыдущий", "next, previous")],
            ["B", say("рамки мест", "seat boxes")],
            *[[k.upper(), own.get(v, v)] for k, v in keys.items()],
            ["?", say("эта подсказка", "this help")],
            [
                say("колесо", "wheel"),
                say(
                    "масштаб шкалы под курсором; Shift — сдвиг",
                    "zoom the timeline at the pointer; Shift pans",
                ),
            ],
        ],
    }


def marks_of(case: Case, t0: float, t1: float) -> list[dict[str, Any]]:
    """Boxes and landmarks of evidence within a stretch, for the overlay."""
    out: list[dict[str, Any]] = []
    for b in case.ballots:
        if b.window[1] < t0 or b.window[0] > t1:
            continue
        for n, v in b.seats.items():
            for e in v.evidence:
                box = e.get("box")
                t = e.get("t")
                if box and isinstance(t, int | float) and t0 <= t <= t1:
                    out.append(
                        {
                            "t": t,
                            "seat": n,
                            "box": list(box),
                            "recording": e.get("recording", 0),
                            "landmarks": [list(p) for p in e.get("landmarks") or ()],
                        }
                    )
    return out
