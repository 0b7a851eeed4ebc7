"""Who is here and what they look at: made anew at every run of the page script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from mafiavar.ui.language import say
from mafiavar.ui.review.casefile import Case
from mafiavar.ui.review.gate import COOKIE
from mafiavar.ui.review.room import Room, View, room, with_author
from mafiavar.ui.store.accounts import RIGHTS, Account, Rights
from mafiavar.ui.store.errors import StoreBroken, StoreRefused
from mafiavar.ui.store.records import Record


@dataclass(frozen=True, slots=True)
class Here:
    """One person at one case. `view` is None while no case is chosen."""

    room: Room
    account: Account
    view: View | None
    records: tuple[Record, ...]

    @property
    def rights(self) -> Rights:
        return RIGHTS[self.account.role]

    @property
    def case(self) -> Case:
        assert self.view is not None
        return self.view.case

    @property
    def author(self) -> str:
        return self.account.name

    def write(
        self,
        kind: str,
        target: Mapping[str, Any],
        payload: Mapping[str, Any],
        *,
        snapshot: Mapping[str, Any] | None = None,
        based_on: int | None = None,
        case_key: str | None = None,
    ) -> Record | None:
        """Append a record, or say why that was not possible."""
        store = self.room.store
        if store is None:
            st.toast(no_store_sentence(self.room), icon="⚠️")
            return None
        try:
            return store.append(
                case_key or self.case.key,
                kind,
                target,
                payload,
                author=self.author,
                snapshot=snapshot,
                based_on=based_on,
            )
        except StoreBroken as error:
            st.toast(say(error.russian, error.english), icon="⚠️")
            return None

    def undo(self, record_id: int) -> None:
        """Take back an entry; whoever may decide may take back, and the entry stays readable."""
        if self.room.store is None:
            return
        try:
            self.room.store.undo(record_id, author=self.author)
        except (StoreBroken, StoreRefused) as error:
            st.toast(say(error.russian, error.english), icon="⚠️")


def here() -> Here | None:
    """The present person and case; None when the session has expired."""
    the_room = room()
    token = st.context.cookies.get(COOKIE, "")
    account = the_room.account(token)
    if account is None:
        return None
    name = str(st.session_state.get("author") or say("судья", "judge"))
    account = with_author(account, name)
    chosen = chosen_case(the_room, token)
    view = the_room.view(chosen, account) if chosen else None
    records: tuple[Record, ...] = ()
    if view is not None:
        try:
            records = the_room.seen_records(view)
        except StoreBroken:
            records = ()
    return Here(the_room, account, view, records)


def chosen_case(the_room: Room, token: str) -> str | None:
    """The case in the address, else the one looked at before, else the only one there is."""
    asked = st.query_params.get("case") or st.session_state.get("case") or the_room.last_case.get(token)
    if asked and the_room.library.find(asked):
        st.session_state["case"] = asked
        the_room.last_case[token] = asked
        return str(asked)
    entries = the_room.library.entries()
    return entries[0].name if len(entries) == 1 else None


def choose_case(name: str) -> None:
    st.session_state["case"] = name
    st.query_params["case"] = name


def no_store_sentence(the_room: Room) -> str:
    problem = the_room.store_problem
    why = say(problem.russian, problem.english) if problem else ""
    return say(f"Решение не записано. {why}", f"The decision was not kept. {why}")
