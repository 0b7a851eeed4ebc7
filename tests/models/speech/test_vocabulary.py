"""A smaller vocabulary: the file with fewer rows, the numbers that go in and out, the same words heard."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mafiavar.models.errors import ModelMissing
from mafiavar.models.registry import locate
from mafiavar.models.speech.vocabulary import NarrowModel, VocabularyError, narrowed

TOKENS = [
    "!", "a", "Ð", "¿Ñ", "Ġthe", "ĠÐ²", "ä½ł", "好", "Ãł", "Ġ12", "Ã©e", "áĥĺ",
    "<|endoftext|>", "<|ru|>", "<|notimestamps|>", "<|0.00|>", "<|12.34|>",
]  # fmt: skip
STAYS = ["!", "a", "Ð", "¿Ñ", "Ġthe", "ĠÐ²", "Ġ12", "<|endoftext|>", "<|ru|>", "<|notimestamps|>"]


def variable(name: str, array: np.ndarray[Any, Any]) -> bytes:
    head = struct.pack("<H", len(name) + 1) + name.encode() + b"\0"
    shape = struct.pack(f"<B{array.ndim}I", array.ndim, *array.shape)
    return head + shape + struct.pack("<BI", 0, array.nbytes) + array.tobytes()


def model_file(rows: int, version: int = 6) -> bytes:
    kind = b"WhisperSpec\0"
    table = np.arange(rows * 2, dtype="<f4").reshape(rows, 2)
    scale = np.arange(rows, dtype="<f4")
    other = np.arange(rows * 2, dtype="<f4").reshape(rows, 2)
    return (
        struct.pack("<IH", version, len(kind)) + kind + struct.pack("<II", 3, 3)
        + variable("decoder/embeddings/weight", table)
        + variable("encoder/conv1/weight", other)
        + variable("decoder/embeddings/weight_scale", scale)
        + struct.pack("<I", 1) + b"aliases"
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "vocabulary.txt").write_text("\n".join(TOKENS) + "\n", "utf-8")
    ids = {
        "suppress_ids": [0, 6, 14],
        "suppress_ids_begin": [7],
        "lang_ids": [13],
        "alignment_heads": [[3, 1]],
    }
    (tmp_path / "config.json").write_text(json.dumps(ids), "utf-8")
    (tmp_path / "model.bin").write_bytes(model_file(len(TOKENS)))
    return tmp_path


def test_what_russian_needs_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mafiavar.models.speech.vocabulary._MULTIPLE", 1)
    found = narrowed(folder)
    assert json.loads(found.files["vocabulary.json"]) == STAYS
    assert [TOKENS[i] for i in found.kept] == STAYS
    config = json.loads(found.files["config.json"])
    assert config["suppress_ids"] == [0, 9]
    assert config["suppress_ids_begin"] == []
    assert config["lang_ids"] == [8]
    assert config["alignment_heads"] == [[3, 1]]


def test_only_the_tables_of_words_are_cut(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mafiavar.models.speech.vocabulary._MULTIPLE", 1)
    found = narrowed(folder)
    rows = [TOKENS.index(t) for t in STAYS]
    whole = model_file(len(TOKENS))
    table = np.array([[2 * r, 2 * r + 1] for r in rows], "<f4")
    scale = np.array(rows, "<f4")
    other = np.arange(len(TOKENS) * 2, dtype="<f4").reshape(-1, 2)
    start = whole.index(b"decoder") - 2
    assert found.files["model.bin"] == (
        whole[:start]
        + variable("decoder/embeddings/weight", table)
        + variable("encoder/conv1/weight", other)
        + variable("decoder/embeddings/weight_scale", scale)
        + struct.pack("<I", 1)
        + b"aliases"
    )


def test_rows_come_in_round_numbers_and_no_times(folder: Path) -> None:
    kept = narrowed(folder).kept
    assert len(kept) == 15  # sixteen are wished for; the two marks of time are not taken for it
    assert not {15, 16} & set(kept.tolist())


@pytest.mark.parametrize("broken", ["version", "vocabulary", "config"])
def test_another_layout_is_left_whole(folder: Path, broken: str) -> None:
    if broken == "version":
        (folder / "model.bin").write_bytes(model_file(len(TOKENS), version=7))
    elif broken == "vocabulary":
        (folder / "vocabulary.txt").write_text("a\nb\n", "utf-8")
    else:
        (folder / "config.json").write_text("[", "utf-8")
    with pytest.raises(VocabularyError):
        narrowed(folder)


class Echo:
    """Writes what it was prompted with."""

    device = "cpu"

    def generate(self, encoded: Any, prompts: list[list[int]], **_: Any) -> list[Any]:
        return [SimpleNamespace(sequences_ids=[p], scores=[-0.5], no_speech_prob=0.1) for p in prompts]

    def align(self, encoded: Any, start: list[int], texts: list[list[int]], frames: Any, **_: Any) -> Any:
        return start, texts, frames


def test_numbers_are_those_of_the_whole_vocabulary() -> None:
    model = NarrowModel(Echo(), np.array([3, 5, 9]))
    (written,) = model.generate(None, [[5, 9, 4, 3]], beam_size=1)
    assert written.sequences_ids == [[5, 9, 3]]
    assert written.scores == [-0.5]
    assert model.align(None, [3], [[9, 5]], [100]) == ([0], [[2, 1]], [100])


@pytest.mark.real
def test_every_russian_text_survives() -> None:
    """Pieces of the real vocabulary: what Russian is written with all stays."""
    import tokenizers

    try:
        whisper = locate("whisper-base")
    except ModelMissing as error:
        pytest.skip(f"missing here: {error} (mafiavar models fetch)")
    found = narrowed(whisper)
    tokenizer = tokenizers.Tokenizer.from_file(str(whisper / "tokenizer.json"))
    text = (
        "Игрок номер десять, ваша минута. Выставляю №7 — «четвёртого»! Ёж, щёголь, подъезд: 10, 2026 год…"
        " Съешь же ещё этих мягких французских булок, да выпей чаю. ИГРОК. ПпК?"
    )
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    assert set(ids) <= set(found.kept.tolist())
    assert len(found.kept) < 8000
    assert len(found.files["model.bin"]) < (whisper / "model.bin").stat().st_size * 0.75
