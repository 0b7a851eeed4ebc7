"""Agreement: two reviewers, kappa, open differences."""

from __future__ import annotations

from urllib.parse import quote

import streamlit as st

from mafiavar.ui.language import decimal, say
from mafiavar.ui.review import frame
from mafiavar.ui.review.agreement import kappa
from mafiavar.ui.review.decisions import Verdicts, verdicts
from mafiavar.ui.review.flag import Flag
from mafiavar.ui.review.session import Here
from mafiavar.ui.review.words import VERDICTS, clock, flag_name, seats_name, word


def show(now: Here) -> None:
    st.html(f"<h1>{say('Согласие', 'Agreement')}</h1>")
    found = verdicts(now.case, now.records)
    authors = sorted(found.own)
    if len(authors) < 2:
        st.info(
            say(
                "Сравнивать пока нечего: решения дал один человек или никто. Второй судья открывает то же дело под своим именем "
                "(имя — на странице «Настройки»); в слепом режиме он не увидит чужих решений до своего.",
                "Nothing to compare yet: one person or nobody has decided. A second judge opens the same case under another name "
                "(set on “Settings”); in blind mode they do not see others' verdicts before their own.",
            )
        )
        return
    if now.room.setting("blind", False, now.case.key) and _unfinished(now, found):
        st.info(
            say(
                "Слепой разбор: сравнение откроется, когда вы решите все моменты.",
                "Blind review: the comparison opens when you have decided every moment.",
            )
        )
        return
    a, b = _pair(authors)
    both = [f for f in now.case.flags if found.by(a, f.id) and found.by(b, f.id)]
    pairs = [(_said(found, a, f), _said(found, b, f)) for f in both]
    same = sum(x == y for x, y in pairs)
    k = kappa(pairs)
    one, two, three = st.columns(3)
    one.metric(say("решили оба", "decided by both"), len(both))
    two.metric(say("совпало", "same"), f"{same}" + (f" ({frame.percent(same / len(both))})" if both else ""))
    three.metric(say("каппа Коэна", "Cohen's kappa"), "—" if k is None else decimal(k, 2))
    differing = [f for f, (x, y) in zip(both, pairs, strict=True) if x != y]
    frame.sub(say("Открытые расхождения", "Open differences"))
    if not differing:
        st.caption(say("Расхождений нет.", "None."))
    else:
        _table(now, found, differing, a, b)
    only = [f for f in now.case.flags if bool(found.by(a, f.id)) != bool(found.by(b, f.id))]
    if only:
        frame.sub(say(f"Решил только один: {len(only)}", f"Decided by one only: {len(only)}"))
        _table(now, found, only, a, b)


def _unfinished(now: Here, found: Verdicts) -> bool:
    return any(found.by(now.author, f.id) is None for f in now.case.flags)


def _pair(authors: list[str]) -> tuple[str, str]:
    if len(authors) == 2:
        return authors[0], authors[1]
    left, right = st.columns(2)
    a = left.selectbox(say("Первый", "First"), authors)
    return a, right.selectbox(say("Второй", "Second"), [x for x in authors if x != a])


def _said(found: Verdicts, author: str, flag: Flag) -> str:
    record = found.by(author, flag.id)
    return str(record.payload.get("verdict")) if record else ""


def _cell(found: Verdicts, author: str, flag: Flag) -> str:
    record = found.by(author, flag.id)
    if record is None:
        return "—"
    verdict = str(record.payload.get("verdict"))
    reason = (
        f"<br><span class='mvsoft'>{frame.esc(record.payload['reason'])}</span>"
        if record.payload.get("reason")
        else ""
    )
    return frame.chip(verdict, word(VERDICTS, verdict)) + reason


def _table(now: Here, found: Verdicts, flags: list[Flag], a: str, b: str) -> None:
    rows = "".join(
        f"<tr><td>{clock(f.t0)}</td><td><a href='/queue?case={quote(now.case.name)}&flag={quote(f.id)}' target='_self'>{frame.esc(seats_name(f.seats))} · {frame.esc(flag_name(f.kind))}</a></td>"
        f"<td>{_cell(found, a, f)}</td><td>{_cell(found, b, f)}</td></tr>"
        for f in flags
    )
    st.html(
        f"<table class='mv'><tr><th></th><th>{say('момент', 'moment')}</th><th>{frame.esc(a)}</th><th>{frame.esc(b)}</th></tr>{rows}</table>"
    )
