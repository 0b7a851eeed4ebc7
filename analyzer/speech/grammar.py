"""Transcript -> cues: rules of the lexicon over the lattice, then the scene decides the short ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mafiavar.analyzer.cue import Cue, CueKind, Numeral, Speaker
from mafiavar.analyzer.span import SECOND
from mafiavar.analyzer.speech.lattice import Edge, Lattice, build
from mafiavar.analyzer.speech.lexicon import Lexicon, Rule, load
from mafiavar.analyzer.speech.numerals import distribution
from mafiavar.analyzer.speech.patterns import Literal, Match, literal_cost, match_at
from mafiavar.analyzer.speech.scene import Scene
from mafiavar.analyzer.transcript import Sound, Transcript, Word

_LOOK_BACK = 3
_LOOK_AHEAD = 2
_STRANGER = 0.35
"""What is left of a judge's phrase said in a player's voice."""
_INHERIT = 8 * SECOND


@dataclass(frozen=True, slots=True)
class Found:
    """A rule that matched."""

    rule: Rule
    match: Match
    fit: float
    """How well the voice fits the rule (`_fits`)."""

    @property
    def order(self) -> tuple[int, float, int]:
        """Reading order; of several at one place the fullest first."""
        return self.match.last, -self.match.rank[0], self.match.first


def cues_of(transcript: Transcript, *, lexicon: Path | None = None) -> tuple[Cue, ...]:
    """All cues of a transcript in order of time. Pure: same transcript and lexicon, same cues.

    `lexicon`: a club's own lexicon.toml, added to the built-in one.
    """
    return read(transcript, load(lexicon))


def read(transcript: Transcript, lexicon: Lexicon) -> tuple[Cue, ...]:
    """The cues that the words and sounds of a transcript carry."""
    cues = _joined(_read(transcript, lexicon))
    cues += [_heard_sound(s) for s in transcript.sounds]
    return tuple(sorted(cues, key=lambda c: (c.span, c.kind)))


def _read(transcript: Transcript, lexicon: Lexicon) -> list[Cue]:
    lattice = build(transcript.words, lexicon.aliases, transcript.variants, lexicon.strays)
    scene = Scene()
    cues: list[Cue] = []
    taken: dict[CueKind, int] = {}
    for group in _grouped(_matches(lattice, lexicon)):
        for found in _in_turn(group, lattice, scene):
            kind, match = found.rule.kind, found.match
            if taken.get(kind, -1) >= match.first:
                continue
            taken[kind] = match.last
            cue = _inherited(_cue(found, lattice), cues)
            cues.append(cue)
            scene.hear(cue)
    return cues


def _heard_sound(sound: Sound) -> Cue:
    return Cue(CueKind(sound.kind), sound.span, sound.likelihood, speaker=sound.speaker, about="sound")


# Said twice or in two breaths, they are one announcement: «Спасибо. Пас.», «Ночь. Наступает ночь.»
_ONE_BREATH = {
    CueKind.FLOOR_END: 1_200_000,
    CueKind.NIGHT: 2 * SECOND,
    CueKind.DAY: 2 * SECOND,
    CueKind.HANDS_DOWN: 2 * SECOND,
    CueKind.VOTE_OPEN: 2 * SECOND,
    CueKind.NEGOTIATION: 2 * SECOND,
    CueKind.REFUSED: 1_200_000,
    CueKind.NO_VOTE: 2 * SECOND,
    CueKind.GAME_END: 3 * SECOND,
    CueKind.MISS: 2 * SECOND,
    CueKind.HINT: 1_500_000,
}


def _joined(cues: Sequence[Cue]) -> list[Cue]:
    """Cues of one kind in one breath become one; the surer meaning stands, «пас» before «спасибо»."""
    kept: list[Cue] = []
    for cue in cues:
        last = next((k for k in reversed(kept) if _of_one_kind(k, cue)), None)
        gap = _ONE_BREATH.get(cue.kind)
        if last is None or gap is None or cue.span.t0 - last.span.t1 > gap:
            kept.append(cue)
            continue
        first, second = (last, cue) if _weight(last) >= _weight(cue) else (cue, last)
        likelihood = 1 - (1 - last.likelihood) * (1 - cue.likelihood)
        joined = replace(
            first,
            span=last.span | cue.span,
            likelihood=round(min(likelihood, max(0.97, first.likelihood, second.likelihood)), 4),
            text=f"{last.text} {cue.text}",
        )
        kept[kept.index(last)] = joined
    return kept


def _of_one_kind(a: Cue, b: Cue) -> bool:
    return a.kind is b.kind and a.detail.get("phrase") == b.detail.get("phrase")


def _weight(cue: Cue) -> float:
    return cue.likelihood + (cue.detail.get("by") == "pas") + bool(cue.numbers) + ("winner" in cue.detail)


def _matches(lattice: Lattice, lexicon: Lexicon) -> list[Found]:
    literals = frozenset(w for rule in lexicon.rules for begin in rule.begins for w in begin.words)
    readable: dict[str, frozenset[Literal]] = {}
    found = []
    for node in range(len(lattice.tokens)):
        here: set[Literal] = set()
        number = False
        for edge in lattice.edges[node]:
            if edge.text not in readable:
                readable[edge.text] = frozenset(w for w in literals if literal_cost(w, edge.text) is not None)
            here |= readable[edge.text]
            number = number or edge.number is not None
        for rule in lexicon.rules:
            best = _best(rule, lattice, node, here, number)
            if best and not _cancelled(rule, best, lattice):
                fit = _fits(rule, _speaker([lattice.tokens[i].word for i in sorted(best.used)]))
                found.append(Found(rule, best, fit))
    return sorted(found, key=lambda f: (f.match.first, f.order))


def _best(rule: Rule, lattice: Lattice, node: int, here: set[Literal], number: bool) -> Match | None:
    """The best match of a rule at a node; patterns that cannot begin there are not tried."""
    best: Match | None = None
    for pattern, begin in zip(rule.patterns, rule.begins, strict=True):
        if not begin.possible(here, number):
            continue
        match = match_at(pattern, lattice, node)
        if not match or (rule.within and match.crossings):
            continue
        if best is None or match.rank > best.rank:
            best = match
    return best


def _cancelled(rule: Rule, match: Match, lattice: Lattice) -> bool:
    """Whether a word that cancels the rule stands before or after, in the same sentence."""
    i = match.first
    for back in range(_LOOK_BACK):
        if lattice.tokens[i].start or i == 0:
            break
        i -= 1
        word = lattice.tokens[i].text
        if word in rule.not_before or (back == 0 and word in rule.not_right_before):
            return True
    i = match.last
    for _ in range(_LOOK_AHEAD):
        if lattice.tokens[i].end or i + 1 >= len(lattice.tokens):
            break
        i += 1
        if lattice.tokens[i].text in rule.not_after:
            return True
    return False


def _grouped(found: Sequence[Found]) -> list[list[Found]]:
    """Matches that overlap each other, directly or through others."""
    groups: list[list[Found]] = []
    last = -1
    for one in found:
        if groups and one.match.first <= last:
            groups[-1].append(one)
        else:
            groups.append([one])
        last = max(last, one.match.last)
    return groups


def _in_turn(group: Sequence[Found], lattice: Lattice, scene: Scene) -> Iterator[Found]:
    """The matches of a group that stand, one after the other: each may change the scene of the next."""
    left = list(group)
    while left:
        now = lattice.tokens[left[0].match.first].span.t0
        chosen = _chosen(left, scene.names(now))
        if not chosen:
            return
        yield chosen[0]
        left = [
            f
            for f in left
            if f.match.first > chosen[0].match.first
            and (not f.match.used & chosen[0].match.used or _stands_beside(f, chosen[0]))
        ]


def _chosen(group: Sequence[Found], scenes: frozenset[str]) -> list[Found]:
    """Of overlapping matches those that stand: allowed in the scene and not part of a fuller one."""
    allowed = [
        f for f in group if not (f.rule.never & scenes) and (not f.rule.scenes or f.rule.scenes & scenes)
    ]
    kept: list[Found] = []
    for one in sorted(allowed, key=_preference):
        if not any(one.match.used & other.match.used and not _stands_beside(one, other) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda f: (f.match.first, f.match.last))


def _preference(found: Found) -> tuple[float, bool, float, int, str]:
    """Fuller first; then what the scene speaks for; then the likelier in this voice."""
    rule, match = found.rule, found.match
    return -match.rank[0], not rule.scenes, -rule.likelihood * found.fit, match.first, rule.name


# One number may serve both: «Убит игрок номер три, ваша минута».
_BESIDE = frozenset(
    {CueKind.FLOOR, CueKind.KILLED, CueKind.LEAVES, CueKind.REMOVAL, CueKind.FOUL, CueKind.PROTOCOL_RIGHT}
)


def _stands_beside(one: Found, other: Found) -> bool:
    """Both may be true of the same words: different kinds of `_BESIDE`, each with words of its own.

    One such word is enough after somebody left («Убит шестой. Минута.»), otherwise two.
    """
    kinds = {one.rule.kind, other.rule.kind}
    enough = 1 if kinds & {CueKind.KILLED, CueKind.LEAVES} else 2
    return len(kinds) == 2 and kinds <= _BESIDE and len(one.match.used - other.match.used) >= enough


def _cue(found: Found, lattice: Lattice) -> Cue:
    rule, match = found.rule, found.match
    words = [lattice.tokens[i].word for i in range(match.first, match.last + 1)]
    heard = [lattice.tokens[i].word.probability for i in sorted(match.used)]
    detail: dict[str, str | int | float | bool | None] = dict(rule.detail)
    numbers: list[Numeral] = []
    for capture in match.captures:
        if capture.kind in ("seat", "count"):
            numbers += [_numeral(edge, lattice, capture.kind) for edge in capture.edges]
        elif capture.edges[0].number:
            detail[capture.kind] = capture.edges[0].number[0]
    if rule.count is not None and not numbers:
        numbers.append(distribution(rule.count, min(0.98, 0.6 + 0.39 * _mean(heard)), lowest=0))
    if rule.kind is CueKind.FLOOR:
        detail.setdefault("seconds", 60)
    speaker = _speaker(words)
    if rule.kind is CueKind.FLOOR_END and detail["by"] != "time" and speaker.get("judge", 0.0) >= 0.6:
        detail["by"] = "judge"
    return Cue(
        rule.kind,
        words[0].span | words[-1].span,
        round(
            rule.likelihood * math.exp(-match.doubt) * (0.6 + 0.4 * _mean(heard)) * _fits(rule, speaker), 4
        ),
        tuple(numbers),
        speaker,
        detail,
        " ".join(w.text for w in words),
        rule.name,
    )


def _fits(rule: Rule, speaker: Mapping[Speaker, float]) -> float:
    """How well the voice fits a rule for the judge or for players: 1 when it does or is unknown."""
    if rule.said_by is None or not speaker:
        return 1.0
    judge, unknown = speaker.get("judge", 0.0), speaker.get("unknown", 0.0)
    fitting = judge if rule.said_by == "judge" else 1 - judge - unknown
    return _STRANGER + (1 - _STRANGER) * min(1.0, 2 * (fitting + unknown / 2))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _numeral(edge: Edge, lattice: Lattice, kind: str) -> Numeral:
    """The number an edge carries, mixed with what the other readings of the same words say."""
    heard = _mean([lattice.tokens[i].word.probability for i in range(edge.first, edge.last + 1)])
    rivals = [
        e
        for e in lattice.edges.get(edge.first, ())
        if e.number and (e.first, e.last) == (edge.first, edge.last) and e.to == edge.to
    ]
    readings = [edge, *(e for e in rivals if e.number and edge.number and e.number[0] != edge.number[0])]
    weights = [math.exp(-e.cost) for e in readings]
    mixed: dict[int, float] = {}
    for reading, weight in zip(readings, weights, strict=True):
        value = reading.number[0] if reading.number else 0
        spread = distribution(value, min(0.98, 0.6 + 0.39 * heard), lowest=0 if kind == "count" else 1)
        for number, p in spread.items():
            mixed[number] = mixed.get(number, 0.0) + p * weight / sum(weights)
    return {number: round(p, 4) for number, p in sorted(mixed.items())}


def _speaker(words: Sequence[Word]) -> dict[Speaker, float]:
    """Mean posterior of the words that have one."""
    known = [w.speaker for w in words if w.speaker]
    names = sorted({s for posterior in known for s in posterior}, key=str)
    return {s: round(_mean([p.get(s, 0.0) for p in known]), 4) for s in names}


def _inherited(cue: Cue, before: Sequence[Cue]) -> Cue:
    """«Убит игрок номер три. Ваша минута»: the floor goes to the number named just before, and a
    floor given to whoever has just left is for the last word."""
    if cue.kind not in (CueKind.FLOOR, CueKind.PROTOCOL_RIGHT):
        return cue
    for earlier in reversed(before):
        if cue.span.t0 - earlier.span.t1 > _INHERIT:
            break
        if earlier.kind not in (CueKind.KILLED, CueKind.LEAVES) or len(earlier.numbers) != 1:
            continue
        if cue.kind is CueKind.FLOOR and cue.detail.get("purpose") == "speech":
            if cue.number() in (None, earlier.number()):
                return replace(cue, numbers=earlier.numbers, detail={**cue.detail, "purpose": "last_word"})
        elif not cue.numbers:
            return replace(cue, numbers=earlier.numbers)
    return cue
