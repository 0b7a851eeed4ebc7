"""Transcript -> files of annotation programs: ELAN (.eaf) and Praat (.TextGrid).

Both put every speaker on a tier of its own. ELAN: schema EAF 3.0, times in milliseconds. Praat: long
text format, UTF-8; its intervals must follow each other without holes, so silence is empty intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from mafiavar.analyzer.cue import Speaker
from mafiavar.analyzer.span import SECOND, Micros, Span
from mafiavar.analyzer.speech.export import speaker_name
from mafiavar.analyzer.transcript import Transcript, Utterance

_UNKNOWN = {"ru": "Неизвестно", "en": "Unknown"}
_WORDS = {"ru": "Слова", "en": "Words"}
_SCHEMA = "http://www.mpi.nl/tools/elan/EAFv3.0.xsd"

Line = tuple[Span, str]


def by_speaker(transcript: Transcript, lang: str = "ru") -> dict[str, list[Line]]:
    """Lines of every speaker in order of time; the judge first, then seats, then the unknown."""
    lines: dict[tuple[int, str], list[Line]] = {}
    for utterance in transcript.utterances:
        for part in turns(utterance):
            speaker = part.words[0].best_speaker()[0]
            name = speaker_name(speaker, lang) or _UNKNOWN.get(lang, _UNKNOWN["ru"])
            lines.setdefault((_rank(speaker), name), []).append((part.span, part.text))
    return {name: lines[rank, name] for rank, name in sorted(lines)}


def _rank(speaker: Speaker) -> int:
    if isinstance(speaker, int):
        return speaker
    return 0 if speaker == "judge" else 11 if speaker == "audience" else 12


def turns(utterance: Utterance) -> list[Utterance]:
    """An utterance cut where its speaker changes."""
    groups = [[utterance.words[0]]]
    for word in utterance.words[1:]:
        if word.best_speaker()[0] == groups[-1][-1].best_speaker()[0]:
            groups[-1].append(word)
        else:
            groups.append([word])
    return [Utterance(tuple(group)) for group in groups]


def _apart(lines: Sequence[Line]) -> list[Line]:
    """Lines of one tier without overlap (a later one begins where the earlier ends), none empty."""
    kept: list[Line] = []
    end = 0
    for span, text in sorted(lines, key=lambda line: line[0]):
        start = max(span.t0, end)
        if span.t1 - start >= 1000:
            kept.append((Span(start, span.t1), text))
            end = span.t1
    return kept


def _tiers(transcript: Transcript, lang: str) -> dict[str, list[Line]]:
    tiers = {name: _apart(lines) for name, lines in by_speaker(transcript, lang).items()}
    words = _apart([(w.span, w.text) for w in transcript.words])
    return {**tiers, _WORDS.get(lang, _WORDS["ru"]): words}


def to_eaf(transcript: Transcript, media: str = "", lang: str = "ru") -> str:
    """The content of an .eaf file. `media`: the recording's name, shown and sought by ELAN."""
    root = ElementTree.Element(
        "ANNOTATION_DOCUMENT",
        {
            "AUTHOR": "mafiavar",
            "DATE": "2000-01-01T00:00:00+00:00",
            "FORMAT": "3.0",
            "VERSION": "3.0",
            "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
            "xsi:noNamespaceSchemaLocation": _SCHEMA,
        },
    )
    header = ElementTree.SubElement(root, "HEADER", {"MEDIA_FILE": "", "TIME_UNITS": "milliseconds"})
    if media:
        kind = "audio/x-wav" if media.lower().endswith((".wav", ".ogg", ".flac", ".mp3")) else "video/mp4"
        ElementTree.SubElement(
            header,
            "MEDIA_DESCRIPTOR",
            {"MEDIA_URL": media, "RELATIVE_MEDIA_URL": f"./{media}", "MIME_TYPE": kind},
        )
    order = ElementTree.SubElement(root, "TIME_ORDER")
    slots: dict[int, str] = {}
    tiers = _tiers(transcript, lang)
    for ms in sorted({round(t / 1000) for lines in tiers.values() for s, _ in lines for t in (s.t0, s.t1)}):
        slots[ms] = f"ts{len(slots) + 1}"
        ElementTree.SubElement(order, "TIME_SLOT", {"TIME_SLOT_ID": slots[ms], "TIME_VALUE": str(ms)})
    count = 0
    for name, lines in tiers.items():
        tier = ElementTree.SubElement(root, "TIER", {"LINGUISTIC_TYPE_REF": "default-lt", "TIER_ID": name})
        for span, text in lines:
            count += 1
            holder = ElementTree.SubElement(tier, "ANNOTATION")
            attributes = {
                "ANNOTATION_ID": f"a{count}",
                "TIME_SLOT_REF1": slots[round(span.t0 / 1000)],
                "TIME_SLOT_REF2": slots[round(span.t1 / 1000)],
            }
            annotation = ElementTree.SubElement(holder, "ALIGNABLE_ANNOTATION", attributes)
            ElementTree.SubElement(annotation, "ANNOTATION_VALUE").text = text
    ElementTree.SubElement(
        root,
        "LINGUISTIC_TYPE",
        {"GRAPHIC_REFERENCES": "false", "LINGUISTIC_TYPE_ID": "default-lt", "TIME_ALIGNABLE": "true"},
    )
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def to_textgrid(transcript: Transcript, duration: Micros | None = None, lang: str = "ru") -> str:
    """The content of a .TextGrid file; `duration` of the recording (default: the last word's end)."""
    tiers = _tiers(transcript, lang)
    last = max((span.t1 for lines in tiers.values() for span, _ in lines), default=SECOND)
    end = max(last, duration or 0)
    out = [
        'File type = "ooTextFile"', 'Object class = "TextGrid"', "", "xmin = 0", f"xmax = {_s(end)}",
        "tiers? <exists>", f"size = {len(tiers)}", "item []:",
    ]  # fmt: skip
    for i, (name, lines) in enumerate(tiers.items(), 1):
        intervals = _filled(lines, end)
        out += [
            f"    item [{i}]:", '        class = "IntervalTier"', f'        name = "{_quoted(name)}"',
            "        xmin = 0", f"        xmax = {_s(end)}", f"        intervals: size = {len(intervals)}",
        ]  # fmt: skip
        for k, (span, text) in enumerate(intervals, 1):
            out += [
                f"        intervals [{k}]:", f"            xmin = {_s(span.t0)}",
                f"            xmax = {_s(span.t1)}", f'            text = "{_quoted(text)}"',
            ]  # fmt: skip
    return "\n".join(out) + "\n"


def _filled(lines: Sequence[Line], end: Micros) -> list[Line]:
    filled: list[Line] = []
    at = 0
    for span, text in lines:
        if span.t0 > at:
            filled.append((Span(at, span.t0), ""))
        filled.append((span, text))
        at = span.t1
    if at < end:
        filled.append((Span(at, end), ""))
    return filled


def _s(t: Micros) -> str:
    return f"{t / SECOND:.3f}"


def _quoted(text: str) -> str:
    return text.replace('"', '""')
