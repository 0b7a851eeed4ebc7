"""Protest: from what was filed to its clips in one step; the record of the appeal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from mafiavar.ui.language import say
from mafiavar.ui.review import frame
from mafiavar.ui.review.clips import clip_html
from mafiavar.ui.review.excerpt import Stretch, fits, read, stretches
from mafiavar.ui.review.room import LIBRARY_KEY
from mafiavar.ui.review.session import Here, choose_case
from mafiavar.ui.review.words import clock, moment
from mafiavar.ui.store.records import Standing, standing

MOST_CLIPS = 6
EACH_WAY = 3
DECISIONS = {
    "open": ("рассматривается", "under review"),
    "upheld": ("удовлетворён", "upheld"),
    "partly": ("удовлетворён частично", "upheld in part"),
    "dismissed": ("отклонён", "dismissed"),
}
KINDS = {
    "result": ("протест на результат игры", "protest against the result"),
    "plus": ("апелляция на плюс", "appeal for more points"),
    "minus": ("апелляция на минус", "appeal against a penalty"),
}


def show(now: Here) -> None:
    frame.title(say("Протест", "Protest"))
    asked_text = st.text_input(
        say("О чём протест", "What the protest is about"),
        placeholder=say(
            "стол 3, игра 6, день 2, голосование против 9 — или строка протокола, или время 12:34",
            "table 3, game 6, day 2, vote against 9; or a line of the protocol, or a time 12:34",
        ),
        key="protest-line",
        label_visibility="collapsed",
    )
    if asked_text.strip():
        asked = read(asked_text)
        if asked.table is not None or asked.game is not None:
            _switch(now, asked_text)
        _clips(now, stretches(now.case, asked))
    filed = _filed(now)
    if not now.rights.correct:  # nothing to fill in: no form that cannot be saved
        _list(now, filed)
        return
    left, right = frame.halves(3, 2)
    with left:
        _record(now, filed, asked_text)
    with right:
        _list(now, filed)


def _switch(now: Here, text: str) -> None:
    """The named table and game may be another case than the one that is open."""
    asked = read(text)
    if fits(now.case.name, asked):
        return
    found = [e.name for e in now.room.library.entries() if fits(e.name, asked)]
    if len(found) == 1:
        choose_case(found[0])
        st.rerun()
    elif found:
        picked = st.pills(
            say("Таких дел несколько", "Several cases fit"),
            found,
            format_func=lambda n: n.replace("~", " / "),
        )
        if picked:
            choose_case(picked)
            st.rerun()
    else:
        st.warning(
            say(
                "Дела с таким столом и игрой нет; показано открытое дело. Имя дела должно называть стол и игру.",
                "There is no case of that table and game; the open case is shown. The case's name must tell table and game.",
            )
        )


def _clips(now: Here, found: tuple[Stretch, ...]) -> None:
    if not found:
        st.info(
            say(
                "По этим словам в записи ничего не нашлось. Назовите день и что спорно (голосование, выставление, фол, речь) или время.",
                "Nothing in the recording fits these words. Name the day and what is disputed (vote, nomination, foul, speech), or a time.",
            )
        )
        return
    if len(found) > MOST_CLIPS:
        st.caption(
            say(
                f"Найдено {len(found)}, показаны первые {MOST_CLIPS}: уточните день, место или против кого.",
                f"{len(found)} found, the first {MOST_CLIPS} shown: name the day, seat or target.",
            )
        )
    for row in range(0, min(len(found), MOST_CLIPS), 3):
        for column, s in zip(st.columns(3), found[row : row + 3], strict=False):
            with column:
                st.html(clip_html(now, s.t0, s.t1, f"{s.label} · {clock(s.t0)}"))
                if s.ballot and st.button(say("Разобрать голоса", "Look at the votes"), key=f"go-{s.ballot}"):
                    st.session_state["ballot"] = s.ballot
                    st.switch_page(st.Page(lambda: None, url_path="votes", title="votes"))


def _filed(now: Here) -> list[Standing]:
    """Protests of this case, oldest first."""
    entries = standing(r for r in now.records if r.kind == "protest").values()
    return sorted(entries, key=lambda s: int(s.record.target.get("number", 0)))


def _used(now: Here, tournament: str, who: str) -> tuple[int, int]:
    """How many appeals (plus, minus) this applicant has filed in the tournament, over all cases."""
    plus = minus = 0
    if not tournament or not who or now.room.store is None:
        return 0, 0
    for r in now.room.records(LIBRARY_KEY, "appeal"):
        if r.undoes is None and r.target.get("tournament") == tournament and r.target.get("applicant") == who:
            plus += r.payload.get("kind") == "plus"
            minus += r.payload.get("kind") == "minus"
    return plus, minus


def _record(now: Here, filed: list[Standing], line: str) -> None:
    numbers = [int(s.record.target["number"]) for s in filed]
    fresh = max(numbers, default=0) + 1
    number = st.selectbox(
        say("Запись о протесте", "Record of the protest"),
        [*numbers, fresh],
        index=len(numbers) if line or not numbers else 0,
        format_func=lambda n: (
            say(f"№ {n}", f"No {n}") if n != fresh else say(f"новый протест № {n}", f"new protest No {n}")
        ),
    )
    before = next((s for s in filed if s.record.target["number"] == number), None)
    said: Mapping[str, Any] = before.record.payload if before else {"protest": line}
    asked = read(now.case.name.replace("~", " "))
    with st.form(f"protest-{number}"):
        a, b, c = st.columns([3, 1, 1])
        tournament = a.text_input(say("Турнир", "Tournament"), said.get("tournament", ""))
        table = b.text_input(say("Стол", "Table"), said.get("table", str(asked.table or "")))
        game = c.text_input(say("Игра", "Game"), said.get("game", str(asked.game or "")))
        a, b, c = st.columns([2, 2, 2])
        stage = a.text_input(say("Тур", "Round"), said.get("round", ""))
        applicant = b.text_input(
            say("Подал (место или игрок)", "Filed by (seat or player)"), said.get("applicant", "")
        )
        deadline = c.text_input(
            say("Срок подачи", "Deadline"),
            said.get("deadline", ""),
            placeholder=say("два тура после протокола", "two rounds after the protocol"),
        )
        kind = st.radio(
            say("Что подано", "What is filed"),
            list(KINDS),
            index=list(KINDS).index(said.get("kind", "result")),
            format_func=lambda k: say(*KINDS[k]),
            horizontal=True,
        )
        protest = st.text_area(say("Протест", "Protest"), said.get("protest", ""), height=70)
        clauses = st.text_input(
            say("Пункты правил", "Clauses"), said.get("clauses", ""), placeholder="4.5.11, 6.6.6"
        )
        decision = st.radio(
            say("Решение", "Decision"),
            list(DECISIONS),
            index=list(DECISIONS).index(said.get("decision", "open")),
            format_func=lambda k: say(*DECISIONS[k]),
            horizontal=True,
            disabled=not now.rights.decide,
        )
        grounds = st.text_area(
            say("Обоснование", "Grounds"), said.get("grounds", ""), height=70, disabled=not now.rights.decide
        )
        signatories = st.text_input(
            say("Подписали", "Signed by"),
            said.get("signatories", ""),
            placeholder=say("главный судья, члены комиссии", "head judge, members of the panel"),
            disabled=not now.rights.decide,
        )
        saved = st.form_submit_button(
            say("Записать", "Save"), type="primary", disabled=not now.rights.correct
        )
    plus, minus = _used(now, tournament, applicant)
    if tournament and applicant:
        st.caption(
            say(
                f"Использовано апелляций в турнире: плюс {plus} из {EACH_WAY}, минус {minus} из {EACH_WAY}.",
                f"Appeals used in the tournament: {plus} of {EACH_WAY} plus, {minus} of {EACH_WAY} minus.",
            )
        )
        if (kind == "plus" and before is None and plus >= EACH_WAY) or (
            kind == "minus" and before is None and minus >= EACH_WAY
        ):
            st.warning(say("Предел апелляций исчерпан (8.9).", "The limit of appeals is used up (8.9)."))
    if saved:
        payload = {
            "tournament": tournament, "round": stage, "table": table, "game": game, "applicant": applicant, "deadline": deadline, "kind": kind,
            "protest": protest, "clauses": clauses, "decision": decision, "grounds": grounds, "signatories": signatories,
        }  # fmt: skip
        if now.write(
            "protest",
            {"number": number},
            payload,
            based_on=before.record.id if before else None,
            snapshot={"revision": now.case.revision},
        ):
            if before is None and kind != "result":
                now.write(
                    "appeal",
                    {
                        "tournament": tournament,
                        "applicant": applicant,
                        "case": now.case.key,
                        "number": number,
                    },
                    {"kind": kind},
                    case_key=LIBRARY_KEY,
                )
            st.toast(say("Записано.", "Saved."))
            st.rerun()


def _list(now: Here, filed: list[Standing]) -> None:
    frame.sub(say("Протесты этой игры", "Protests of this game"))
    if not filed:
        st.caption(say("Пока нет.", "None so far."))
    elif now.view is not None and not now.view.secrets:
        st.caption(
            say(
                "Что написано в протесте и чем обосновано решение, видят судьи: там могут стоять роли.",
                "What a protest says and the grounds of the decision are for judges: roles may stand there.",
            )
        )
    for s in filed:
        p = s.record.payload
        history = (
            say(f"правок: {len(s.history)}", f"versions: {len(s.history)}") if len(s.history) > 1 else ""
        )
        clash = (
            f"<span class='mvchip error'>{say('правили двое', 'edited by two')}</span>" if s.disputed else ""
        )
        st.html(
            f"<div class='mvcard'><b>№ {s.record.target['number']}</b> {frame.chip('open' if p.get('decision') == 'open' else 'confirmed', say(*DECISIONS[str(p.get('decision', 'open'))]))} {clash}"
            f"<div>{frame.esc(p.get('protest', ''))}</div><div class='mvsoft'>{frame.esc(p.get('clauses', ''))} · {frame.esc(s.record.author)}, {moment(s.record.at)} {history}</div>"
            f"<div>{frame.esc(p.get('grounds', ''))}</div><div class='mvsoft'>{frame.esc(p.get('signatories', ''))}</div></div>"
        )
    st.caption(
        say(
            "Готовое решение с клипами выгружает страница «Отчёт».",
            "The page “Report” exports the decision with its clips.",
        )
    )
