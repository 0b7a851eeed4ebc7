"""observations/*.parquet: what was heard and seen, before the rules were asked, as plain tables.

For whoever wants to look deeper with a tool of their own; the program reads its stages instead.
Times are microseconds on the game's clock.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.transcript import Transcript
from mafiavar.analyzer.vision.question import Answer, SeatHands


def tables(
    transcript: Transcript, cues: Sequence[Cue], hands: Sequence[SeatHands], answers: Sequence[Answer]
) -> dict[str, bytes]:
    """File name -> Parquet bytes; the same observations give the same bytes."""
    return {
        "words.parquet": _parquet(_WORDS, _words(transcript)),
        "cues.parquet": _parquet(_CUES, [_cue(c) for c in cues]),
        "contacts.parquet": _parquet(_CONTACTS, [row for h in hands for row in _contacts(h)]),
        "seen.parquet": _parquet(_SEEN, [row for h in hands for row in _seen(h)]),
        "answers.parquet": _parquet(_ANSWERS, [_answer(a) for a in answers]),
    }


_TIME = [("t0", pa.int64()), ("t1", pa.int64())]
_WORDS = pa.schema(
    [
        *_TIME,
        ("word", pa.string()),
        ("p", pa.float64()),
        ("speaker", pa.string()),
        ("speaker_p", pa.float64()),
    ]
)
_CUES = pa.schema(
    [*_TIME, ("kind", pa.string()), ("likelihood", pa.float64()), ("numbers", pa.string()), ("detail", pa.string()),
     ("speaker", pa.string()), ("text", pa.string()), ("rule", pa.string())]
)  # fmt: skip
_CONTACTS = pa.schema(
    [*_TIME, ("seat", pa.int8()), ("hand", pa.string()), ("form", pa.string()), ("p", pa.float64()),
     ("open_start", pa.bool_()), ("open_end", pa.bool_())]
)  # fmt: skip
_SEEN = pa.schema([*_TIME, ("seat", pa.int8()), ("p_missed", pa.float64()), ("reason", pa.string())])
_ANSWERS = pa.schema(
    [*_TIME, ("kind", pa.string()), ("seat", pa.int8()), ("tell", pa.string()), ("p", pa.float64()), ("value", pa.string())]
)  # fmt: skip


def _parquet(schema: pa.Schema, rows: list[dict[str, Any]]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), sink, compression="zstd")
    return sink.getvalue()


def _words(transcript: Transcript) -> list[dict[str, Any]]:
    rows = []
    for word in transcript.words:
        speaker, p = word.best_speaker()
        rows.append(
            {
                "t0": word.span.t0,
                "t1": word.span.t1,
                "word": word.text,
                "p": word.probability,
                "speaker": str(speaker),
                "speaker_p": p,
            }
        )
    return rows


def _cue(cue: Cue) -> dict[str, Any]:
    """Numerals and details as JSON: their shape differs from kind to kind."""
    return {
        "t0": cue.span.t0,
        "t1": cue.span.t1,
        "kind": str(cue.kind),
        "likelihood": cue.likelihood,
        "numbers": json.dumps([{str(n): p for n, p in d.items()} for d in cue.numbers]),
        "detail": json.dumps(dict(cue.detail), ensure_ascii=False, sort_keys=True),
        "speaker": json.dumps({str(s): p for s, p in cue.speaker.items()}),
        "text": cue.text,
        "rule": cue.about,
    }


def _contacts(hands: SeatHands) -> list[dict[str, Any]]:
    return [
        {
            "t0": c.span.t0,
            "t1": c.span.t1,
            "seat": c.seat,
            "hand": c.side,
            "form": c.form,
            "p": c.probability,
            "open_start": c.open_start,
            "open_end": c.open_end,
        }
        for c in hands.contacts
    ]


def _seen(hands: SeatHands) -> list[dict[str, Any]]:
    return [
        {"t0": s.t0, "t1": s.t1, "seat": hands.seat, "p_missed": hands.p_missed, "reason": hands.reason}
        for s in hands.seen or ()
    ] or [
        {
            "t0": hands.window.t0,
            "t1": hands.window.t0,
            "seat": hands.seat,
            "p_missed": hands.p_missed,
            "reason": hands.reason,
        }
    ]


def _answer(answer: Answer) -> dict[str, Any]:
    return {
        "t0": answer.span.t0,
        "t1": answer.span.t1,
        "kind": str(answer.kind),
        "seat": answer.seat,
        "tell": str(answer.tell),
        "p": answer.probability,
        "value": None if answer.value is None else str(answer.value),
    }
