"""Transcript: click a word to hear it, correct text, number or speaker; the machine's words stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from mafiavar.ui.language import say
from mafiavar.ui.review import frame
from mafiavar.ui.review.casefile import Word
from mafiavar.ui.review.components import component
from mafiavar.ui.review.decisions import SaidWord, word_target, words_as_decided
from mafiavar.ui.review.player import goto, player
from mafiavar.ui.review.session import Here
from mafiavar.ui.review.words import clock, speaker_name
from mafiavar.ui.store.records import standing

GAP = 1.2
SPEAKERS = ("judge", *map(str, range(1, 11)), "audience", "unknown")
UNSURE = 0.5


def show(now: Here) -> None:
    case = now.case
    if not case.has("transcript"):
        frame.title(say("Слова", "Transcript"))
        frame.not_yet(now, "transcript")
        return
    if not case.words:
        frame.title(say("Слова", "Transcript"))
        frame.veiled_note(now)
        st.info(say("Слов в записи не распознано.", "No words were recognised."))
        return
    words = words_as_decided(case, now.records)
    title, search, who = frame.row("head", 2, 4, 3)
    title.html(f"<h1>{say('Слова', 'Transcript')}</h1>")
    wanted = search.text_input(
        say("Поиск", "Search"),
        placeholder=say("слово или число", "a word or a number"),
        label_visibility="collapsed",
        key="t-search",
    )
    only = who.selectbox(
        say("Говорит", "Speaker"),
        SPEAKERS,
        index=None,
        format_func=speaker_name,
        placeholder=say("все голоса", "all voices"),
        label_visibility="collapsed",
        key="t-who",
    )
    left, right = frame.halves(42, 58)
    with left:
        at = float(st.session_state.get("transcript-t") or case.words[0].t0)
        player(now, goto("transcript", at, view=[at - 10, at + 30]), key="transcript-player", max_height=300)
        st.caption(
            say(
                "Щелчок по слову — слышно. Двойной щелчок или Enter — исправить: слово, число цифрой; "
                "0–9 и S (судья) на выбранной реплике меняют говорящего.",
                "Click a word to hear it. Double click or Enter corrects it: the word, a number as a digit; "
                "0-9 and S (the judge) on the chosen line change the speaker.",
            )
        )
        frame.veiled_note(now)
        _history(now)
    with right:
        answer = component("words")(
            key="words",
            data={
                "lines": _lines(words, wanted.casefold(), only),
                "can": now.rights.correct,
                "search": wanted,
                "text": {
                    "nothing": say("Ничего не нашлось.", "Nothing found."),
                    "unsure": say("распознано неуверенно", "not recognised for sure"),
                    "was": say("машина слышала", "the machine heard"),
                    "names": {s: speaker_name(s) for s in SPEAKERS},
                },
            },
            on_corrected_change=lambda: None,
            on_speaker_change=lambda: None,
        )
    if answer.corrected and now.rights.correct:
        _correct(now, words, answer.corrected)
        st.rerun()
    if answer.speaker and now.rights.correct:
        _speak(now, words, answer.speaker)
        st.rerun()


def _lines(words: Sequence[SaidWord], wanted: str, only: str | None) -> list[dict[str, Any]]:
    """Utterances: words of one voice without a longer pause."""
    lines: list[dict[str, Any]] = []
    for w in words:
        last = lines[-1] if lines else None
        if last is None or last["who"] != w.speaker or w.word.t0 - last["t1"] > GAP:
            last = {
                "who": w.speaker,
                "name": speaker_name(w.speaker),
                "t0": w.word.t0,
                "clock": clock(w.word.t0),
                "words": [],
                "t1": w.word.t1,
            }
            lines.append(last)
        last["t1"] = w.word.t1
        last["words"].append(
            [
                w.word.number,
                w.text,
                w.word.t0,
                w.word.t1,
                round(w.word.probability, 2),
                w.by,
                w.word.text if w.by else None,
                w.disputed,
            ]
        )
    kept = [x for x in lines if only is None or x["who"] == only]
    if wanted:
        kept = [x for x in kept if wanted in " ".join(str(w[1]) for w in x["words"]).casefold()]
    return kept


def _find(words: Sequence[SaidWord], number: object) -> Word | None:
    return next((w.word for w in words if w.word.number == number), None)


def _write(now: Here, word: Word, payload: dict[str, Any]) -> None:
    address = f"word:{word_target(word)}"
    before = next(
        (
            s
            for s in standing(r for r in now.records if r.kind == "word").values()
            if s.record.target == word_target(word)
        ),
        None,
    )
    kept = dict(before.record.payload) if before else {}
    now.write(
        "word",
        word_target(word),
        {**kept, **payload},
        snapshot={
            "machine": {"w": word.text, "p": word.probability, "speaker": word.speaker},
            "address": address,
        },
        based_on=before.record.id if before else None,
    )


def _correct(now: Here, words: Sequence[SaidWord], change: dict[str, Any]) -> None:
    word = _find(words, change.get("number"))
    text = str(change.get("text", "")).strip()[:120]
    if word is not None:
        number = int(text) if text.isdecimal() and 0 <= int(text) <= 10 else None
        _write(now, word, {"text": text, **({"number": number} if number is not None else {})})


def _speak(now: Here, words: Sequence[SaidWord], change: dict[str, Any]) -> None:
    who = str(change.get("who"))
    if who not in SPEAKERS:
        return
    for number in list(change.get("numbers") or ())[:400]:
        word = _find(words, number)
        if word is not None:
            _write(now, word, {"speaker": who})


def _history(now: Here) -> None:
    entries = list(standing(r for r in now.records if r.kind == "word").values())[-8:]
    if not entries:
        return
    with st.expander(say("Последние исправления", "Last corrections")):
        for s in reversed(entries):
            r = s.record
            left, right = st.columns([5, 1], vertical_alignment="center")
            what = " · ".join(
                str(x)
                for x in (
                    r.payload.get("text"),
                    speaker_name(str(r.payload["speaker"])) if "speaker" in r.payload else None,
                )
                if x is not None
            )
            left.html(
                f"<span class='mvsoft'>{clock(float(r.target['t0']))}</span> «{frame.esc(r.target['w'])}» → «{frame.esc(what)}» <span class='mvsoft'>{frame.esc(r.author)}</span>"
            )
            if now.rights.correct and right.button(
                "↶", key=f"undo-word-{r.id}", help=say("отменить", "undo")
            ):
                now.undo(r.id)
                st.rerun()
