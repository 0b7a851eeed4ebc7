"""Files made from a transcript."""

from __future__ import annotations

from xml.etree import ElementTree

from speech_helpers import transcript

from mafiavar.analyzer.span import SECOND
from mafiavar.analyzer.speech import to_eaf, to_json, to_srt, to_textgrid, to_vtt
from mafiavar.analyzer.speech.annotation import turns
from mafiavar.analyzer.transcript import Transcript, Utterance, Word

JUDGE = transcript("Доброе утро.", speaker={"judge": 0.9, 3: 0.1})


def test_json() -> None:
    assert to_json(JUDGE)["words"][0] == {
        "w": "Доброе",
        "t0": 0.0,
        "t1": 0.3,
        "p": 0.95,
        "speaker": "judge",
        "speaker_p": 0.9,
    }


def test_vtt_names_the_speaker_and_escapes() -> None:
    assert "00:00:00.000 --> 00:00:00.600\n<v Судья>Доброе утро." in to_vtt(JUDGE)
    assert "1 &lt; 2" in to_vtt(transcript("1 < 2"))


def test_srt() -> None:
    assert to_srt(JUDGE) == "1\n00:00:00,000 --> 00:00:00,600\nСудья: Доброе утро.\n"


def test_eaf_is_well_formed_and_its_times_exist() -> None:
    said = transcript("Игрок «три» & <пять>.", "Пас.", speaker={5: 1.0})
    root = ElementTree.fromstring(to_eaf(said, "game.mp4").encode())
    slots = {s.attrib["TIME_SLOT_ID"]: int(s.attrib["TIME_VALUE"]) for s in root.iter("TIME_SLOT")}
    assert list(slots.values()) == sorted(slots.values())
    tiers = {t.attrib["TIER_ID"]: t for t in root.iter("TIER")}
    assert list(tiers) == ["Игрок 5", "Слова"]
    texts = [v.text for v in tiers["Игрок 5"].iter("ANNOTATION_VALUE")]
    assert texts == ["Игрок «три» & <пять>.", "Пас."]
    for a in root.iter("ALIGNABLE_ANNOTATION"):
        assert slots[a.attrib["TIME_SLOT_REF1"]] < slots[a.attrib["TIME_SLOT_REF2"]]


def test_textgrid_has_no_holes() -> None:
    lines = to_textgrid(transcript('Он сказал "пас".', "Пас."), duration=10 * SECOND).splitlines()
    assert lines[0] == 'File type = "ooTextFile"'
    assert '            text = "Он сказал ""пас""."' in lines
    edges = [float(x.split("=")[1]) for x in lines if x.startswith("            xm")]
    half = len(edges) // 2
    pairs = list(zip(edges[0::2], edges[1::2], strict=True))
    assert half and all(a < b for a, b in pairs)
    assert [a for a, _ in pairs if a] == [b for _, b in pairs if b < 10.0]


def test_an_utterance_is_cut_where_the_speaker_changes() -> None:
    judge, seat = transcript("Принято.", speaker={"judge": 1.0}), transcript("Пас.", speaker={5: 1.0})
    both = Utterance((*judge.words, *(Word(w.text, w.span, 0.9, w.speaker) for w in seat.words)))
    assert [t.text for t in turns(both)] == ["Принято.", "Пас."]
    assert to_vtt(Transcript(())) == "WEBVTT\n"
