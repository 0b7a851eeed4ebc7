"""From cues and hands to the values of timeline.json, votes.json and flags.json."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mafiavar.analyzer import protocol as protocols
from mafiavar.analyzer.align import align
from mafiavar.analyzer.case.files import TEMPORARY, disk_sentences
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.flags import find_flags, flags_json
from mafiavar.analyzer.timeline import Pin
from mafiavar.analyzer.transcript import Transcript
from mafiavar.analyzer.vision.question import Answer, SeatHands
from mafiavar.analyzer.votes import count, votes_json, with_nights, with_votes
from mafiavar.engine.clauses import clause, exists
from mafiavar.engine.ruleset import Ruleset

Protocol = Mapping[str, Any]
"""A game's official record as `mafiavar/protocol@1`."""


def results_of(
    cues: Sequence[Cue],
    transcript: Transcript,
    hands: Sequence[SeatHands],
    rules: Ruleset,
    duration: int,
    protocol: Protocol | None,
    lang: str,
    pins: Sequence[Pin] = (),
    answers: Sequence[Answer] = (),
) -> dict[str, Any]:
    """The three result files as JSON values; `pins`: facts that people have stated;
    `answers`: what the pictures said of masks, postures and finger numbers."""
    alignment = align(cues, rules, duration=duration, protocol=protocol, answers=hands, pins=pins)
    votes = count(alignment, hands)
    flags = find_flags(alignment, votes, transcript, rules, answers=answers)
    return {
        "timeline": with_nights(with_votes(alignment, votes), answers, rules).timeline.to_json(),
        "votes": votes_json(votes),
        "flags": flags_json(flags, lang),
    }


def read_protocol(path: Path) -> Protocol:
    """A protocol of any format that `mafiavar protocol` reads.

    Raises:
        UsageError: it cannot be read.
    """
    return protocols.to_json(protocols.read_protocol(path).record)


def nicknames(protocol: Protocol | None) -> tuple[str, ...]:
    """What players are called, in order of seats: hints for the recogniser."""
    if protocol is None:
        return ()
    seats = protocol.get("seats") or {}
    names = [(seats.get(str(n)) or {}).get("nickname") for n in range(1, 11)]
    return tuple(str(n) for n in names if n)


def mirror(source: Path, target: Path) -> None:
    """Make `target` hold exactly the files of `source` (hard links where the disk has them)."""
    with disk_sentences(target):
        target.mkdir(parents=True, exist_ok=True)
        wanted = {p.name for p in source.iterdir()}
        for old in target.iterdir():
            if old.name not in wanted and old.is_file():
                old.unlink()
        for name in sorted(wanted):
            if (target / name).exists():
                continue
            part = target / f"{TEMPORARY}{name}"
            part.unlink(missing_ok=True)
            try:
                os.link(source / name, part)
            except OSError:
                shutil.copyfile(source / name, part)
            part.replace(target / name)


def _hash_of(package: str, name: str) -> str:
    import importlib.resources

    data = importlib.resources.files(package).joinpath(name).read_bytes()
    return hashlib.sha256(data).hexdigest()[:16]


def lexicon_hash() -> str:
    """Identifies the phrases the cues were read with."""
    return _hash_of("mafiavar.analyzer.speech", "lexicon.toml")


def heads_hash() -> str:
    """Identifies the weights of the small heads that look at masks and postures."""
    import importlib.resources

    folder = importlib.resources.files("mafiavar.models.heads").joinpath("weights")
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".json")), key=lambda f: f.name)
    return hashlib.sha256(b"".join(f.read_bytes() for f in files)).hexdigest()[:16]


def align_hash() -> str:
    """Identifies the parameters of the alignment."""
    return _hash_of("mafiavar.analyzer.align", "parameters.toml")


def clause_texts(flags: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Text of every clause the flags cite; "" where the rule set numbers no such clause."""
    cited = {f["clause"] for f in flags if f["clause"]}
    return {c: clause(c).text if exists(c) else "" for c in sorted(cited)}
