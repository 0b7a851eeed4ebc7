"""Settings: who decides, rules of the room, lost recordings, accounts, re-alignment."""

from __future__ import annotations

import hashlib
from pathlib import Path

import streamlit as st

from mafiavar.ui.language import say
from mafiavar.ui.review import frame
from mafiavar.ui.review.casefile import Source
from mafiavar.ui.review.room import LIBRARY_KEY
from mafiavar.ui.review.session import Here
from mafiavar.ui.review.words import ROLES as ROLE_NAMES
from mafiavar.ui.review.words import moment, word
from mafiavar.ui.store.accounts import ROLES
from mafiavar.ui.store.errors import StoreRefused
from mafiavar.ui.store.records import standing

CHUNK = 1 << 22


def show(now: Here) -> None:
    st.html(f"<h1>{say('Настройки', 'Settings')}</h1>")
    left, right = frame.halves(1, 1)
    with left:
        _who(now)
        _rules(now)
    with right:
        _lost(now)
        _about(now)
        if now.rights.manage:
            _accounts(now)


def _who(now: Here) -> None:
    if not now.room.open:
        st.write(
            say(
                f"Вы вошли как **{now.account.name}** ({word(ROLE_NAMES, now.account.role)}).",
                f"You are signed in as **{now.account.name}** ({word(ROLE_NAMES, now.account.role)}).",
            )
        )
        return
    frame.sub(say("Кто решает", "Who decides"))
    name = st.text_input(
        say("Имя под решениями", "Name under the decisions"),
        value=str(st.session_state.get("author") or say("судья", "judge")),
        help=say(
            "Учётных записей нет: комната открыта только на этой машине.",
            "There are no accounts: the room is open on this machine only.",
        ),
        max_chars=60,
    )
    if name.strip() and name.strip() != st.session_state.get("author", say("судья", "judge")):
        st.session_state["author"] = name.strip()
        st.rerun()


def _rules(now: Here) -> None:
    frame.sub(say("Порядок разбора", "How cases are reviewed"))
    if now.room.store is None:
        st.caption(say("База решений недоступна.", "The database of decisions is not available."))
        return
    if now.view is not None:
        _switch(
            now,
            "blind",
            now.case.key,
            say(
                "Слепой разбор этого дела",
                "Blind review of this case",
            ),
            False,
            told=say(
                "Каждый отвечает, не видя, что решили другие и что насчитала программа; всё открывается после "
                "своего ответа. Где судьи разошлись, покажет страница «Согласие».",
                "Everybody answers without seeing what others decided and what the program counted; all opens "
                "after one's own answer. The page “Agreement” shows where the judges differ.",
            ),
        )
    _switch(
        now,
        "secrets_after_end",
        LIBRARY_KEY,
        say(
            "Ночь и роли — никому, пока игра не окончена",
            "Night and roles for nobody before the game has ended",
        ),
        False,
    )


def _switch(now: Here, name: str, key: str, label: str, default: bool, told: str | None = None) -> None:
    value = bool(now.room.setting(name, default, key))
    chosen = st.toggle(label, value, key=f"set-{name}-{key}", disabled=not now.rights.manage)
    if told:
        st.caption(told)
    if chosen != value and now.rights.manage:
        before = next(
            (
                s
                for s in standing(now.room.records(key, "setting")).values()
                if s.record.target.get("name") == name
            ),
            None,
        )
        now.write(
            "setting",
            {"name": name},
            {"value": chosen},
            case_key=key,
            based_on=before.record.id if before else None,
        )
        st.rerun()


def _lost(now: Here) -> None:
    """Recordings that are not where the case says: a new place is taken only if the hash agrees."""
    frame.sub(say("Записи", "Recordings"))
    if now.view is None:
        st.caption(say("Дело не выбрано.", "No case chosen."))
        return
    for source in now.case.sources:
        if source.path is not None:
            size = source.path.stat().st_size / 1e6
            where = str(source.path) if now.rights.manage and now.room.loopback else ""
            st.html(
                f"<span class='mvsoft' title='{frame.esc(where)}'>{frame.esc(source.file)} · {size:.0f} {say('МБ', 'MB')}</span>"
            )
            continue
        st.warning(say(f"{source.file}: не найдена.", f"{source.file}: not found."))
        if now.rights.correct and now.room.loopback:
            _find(now, source)


def _find(now: Here, source: Source) -> None:
    with st.form(f"find-{source.number}", border=False):
        text = st.text_input(
            say("Новое место файла", "New place of the file"),
            placeholder=say("полный путь, например D:\\Видео\\", "full path, for example D:\\Video\\")
            + source.file,
            key=f"place-{source.number}",
        )
        if not st.form_submit_button(say("Проверить и принять", "Check and take")):
            return
    path = Path(text.strip().strip('"'))
    if not path.is_file():
        st.error(
            say(
                "Такого файла нет: проверьте путь и диск.",
                "There is no such file: check the path and the disk.",
            )
        )
        return
    with st.spinner(say("Сверяется отпечаток SHA-256…", "Checking the SHA-256…")):
        same = not source.sha256 or sha256(path) == source.sha256
    if not same:
        st.error(
            say(
                "Это другой файл: отпечаток SHA-256 не совпал. Время и кадры разошлись бы с разбором.",
                "This is another file: its SHA-256 differs. Times and frames would not agree with the analysis.",
            )
        )
        return
    if now.write("source", {"sha256": source.sha256}, {"path": str(path.resolve())}, case_key=LIBRARY_KEY):
        st.rerun()


def sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _about(now: Here) -> None:
    store = now.room.store
    if store is not None:
        kind = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}.get(
            store.engine.dialect.name, store.engine.dialect.name
        )
        st.caption(
            say(
                f"База решений: {kind}. Записи только добавляются; отмена — тоже запись.",
                f"Database of decisions: {kind}. Records are only added; an undo is a record too.",
            )
        )
    if now.view is not None and now.records and now.rights.manage:
        with st.expander(
            say(
                f"Журнал решений этого дела ({len(now.records)})",
                f"Log of this case's decisions ({len(now.records)})",
            )
        ):
            st.dataframe(
                [
                    {
                        "№": r.id,
                        say("когда", "when"): moment(r.at),
                        say("кто", "who"): r.author,
                        say("что", "what"): r.kind,
                        say("ответ", "said"): str(dict(r.payload))[:160],
                        say("отмена записи", "undoes"): r.undoes,
                    }
                    for r in reversed(now.records)
                ],
                hide_index=True,
                height=260,
            )


def _accounts(now: Here) -> None:
    accounts = now.room.accounts
    if accounts is None:
        return
    frame.sub(say("Учётные записи", "Accounts"))
    listed = accounts.all()
    if not listed:
        st.caption(
            say(
                "Пока нет: комната открыта без входа, только на этой машине. Первой заводят запись главного судьи — после этого вход потребуется всем.",
                "None: the room is open without signing in, on this machine only. The first account must be a head judge's; from then on everybody signs in.",
            )
        )
    for a in listed:
        name, role, act = st.columns([3, 3, 2], vertical_alignment="center")
        name.html(
            f"<b>{frame.esc(a.name)}</b>"
            + ("" if a.active else f" <span class='mvsoft'>{say('закрыта', 'locked')}</span>")
        )
        role.html(frame.esc(word(ROLE_NAMES, a.role)))
        label = say("Закрыть", "Lock") if a.active else say("Открыть", "Unlock")
        if a.name != now.account.name and act.button(label, key=f"lock-{a.name}"):
            accounts.change(a.name, active=not a.active)
            st.rerun()
    with st.form("account", clear_on_submit=True):
        left, middle, right = st.columns(3)
        who = left.text_input(say("Имя", "Name"))
        what = middle.selectbox(
            say("Роль", "Role"), ROLES if listed else ROLES[:1], format_func=lambda r: word(ROLE_NAMES, r)
        )
        password = right.text_input(say("Пароль", "Password"), type="password")
        if st.form_submit_button(say("Завести", "Add")):
            try:
                accounts.add(who, what, password)
                st.rerun()
            except StoreRefused as error:
                st.error(say(error.russian, error.english))
