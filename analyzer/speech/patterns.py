"""The little language of lexicon.toml: patterns over a lattice of spoken words.

    слово         any form of the word        =слово    exactly this form
    слов*         any word that begins so     [...]     may be missing
    (a b|c)       one of                      ...       up to three other words
    ^  $          a sentence begins / ends    <имя>     a pattern defined under [phrases]
    {номер}       a seat 1..10                {номера}  one or more seats, «три, пять и семь»
    {счет}        a count 0..10               {список}  seats that may stand in sentences of their own
    {людей}       двое, трое, четверо, ...    {порядок} an ordinal number
    {секунды}     a number of seconds

Nothing here matches inside a word: «пас» is not in «спасибо».
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from mafiavar.analyzer.span import Micros
from mafiavar.analyzer.speech.lattice import Edge, Lattice
from mafiavar.analyzer.speech.morphology import edits, forms, known, lemmas, plain
from mafiavar.analyzer.speech.numerals import Form

LONGEST_PAUSE: Micros = 1_200_000
"""A pattern does not reach over a longer silence."""
LIST_PAUSE: Micros = 2_500_000
"""A list of numbers may: a judge reads the candidates slowly."""
FIRST_OF_LIST: Micros = 800_000
"""«Голосуем. Первый, второй»: the list follows at once; a number said later is the first call."""
_FILLER = 3
_EDIT_COST = 0.5
_CROSSING_COST = 0.15


class PatternError(ValueError):
    """A pattern of the lexicon that cannot be read; the text says where."""


@dataclass(frozen=True, slots=True)
class Literal:
    """One word: any form of it, exactly it, or a beginning."""

    text: str
    exact: bool = False
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """{номер}, {номера}, {счет}, {порядок}, {секунды}."""

    kind: str


@dataclass(frozen=True, slots=True)
class Filler:
    """Up to three words of any kind."""


@dataclass(frozen=True, slots=True)
class Border:
    """^ (begin) or $."""

    begin: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several sequences; an optional part is a choice with an empty one, tried last."""

    options: tuple[tuple[Element, ...], ...]


Element = Literal | Number | Filler | Border | Choice
Pattern = tuple[Element, ...]

_LEX = re.compile(r"\s*(\.\.\.|[\^$()\[\]|]|\{\w+\}|<\w+>|=?[\w№+-]+\*?)")
_KINDS = {
    "{номер}": "seat",
    "{номера}": "seats",
    "{список}": "list",
    "{счет}": "count",
    "{людей}": "people",
    "{порядок}": "ordinal",
    "{секунды}": "seconds",
}


def parse(text: str, phrases: Mapping[str, str] | None = None) -> Pattern:
    """Reads a pattern; `phrases` resolves <имя>. Raises PatternError."""
    tokens: list[str] = []
    at = 0
    text = text.strip().replace("ё", "е")
    while at < len(text):
        found = _LEX.match(text, at)
        if not found:
            raise PatternError(f"cannot read the pattern at «{text[at:]}»")
        tokens.append(found.group(1))
        at = found.end()
    sequences, rest = _alternatives(tokens, phrases or {}, frozenset())
    if rest:
        raise PatternError(f"unexpected «{rest[0]}» in «{text}»")
    return sequences[0] if len(sequences) == 1 else (Choice(sequences),)


def _alternatives(
    tokens: list[str], phrases: Mapping[str, str], open_: frozenset[str]
) -> tuple[tuple[Pattern, ...], list[str]]:
    options: list[Pattern] = []
    sequence: list[Element] = []
    while tokens and tokens[0] not in ")]":
        head, *tokens = tokens
        if head == "|":
            options.append(tuple(sequence))
            sequence = []
        elif head in "([":
            inner, tokens = _alternatives(tokens, phrases, open_)
            closing = ")" if head == "(" else "]"
            if not tokens or tokens[0] != closing:
                raise PatternError(f"«{closing}» is missing")
            tokens = tokens[1:]
            sequence.append(Choice(inner if head == "(" else (*inner, ())))
        else:
            sequence.append(_element(head, phrases, open_))
    options.append(tuple(sequence))
    return tuple(options), tokens


def _element(head: str, phrases: Mapping[str, str], open_: frozenset[str]) -> Element:
    if head == "...":
        return Filler()
    if head in "^$":
        return Border(head == "^")
    if head.startswith("{"):
        if head not in _KINDS:
            raise PatternError(f"unknown number {head}; known: {', '.join(_KINDS)}")
        return Number(_KINDS[head])
    if head.startswith("<"):
        name = head[1:-1]
        if name not in phrases or name in open_:
            raise PatternError(f"phrase {head} is not defined (or is made of itself)")
        lexed = _LEX.findall(phrases[name].replace("ё", "е"))
        inner, _ = _alternatives(lexed, phrases, open_ | {name})
        return Choice(inner)
    return Literal(head.lstrip("=").rstrip("*"), head.startswith("="), head.endswith("*"))


@dataclass(frozen=True, slots=True)
class Capture:
    """A number that a pattern took: the edges that carry it."""

    kind: str
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A pattern over tokens `first`..`last`. `words` counts literal words and numbers matched."""

    first: int
    last: int
    words: int
    cost: float
    captures: tuple[Capture, ...]
    used: frozenset[int]
    crossings: int

    @property
    def rank(self) -> tuple[float, int]:
        """More words win; a unit of cost outweighs one and a half of them, a full stop one."""
        return self.words - 1.5 * self.cost - 1.1 * self.crossings, -(self.last - self.first)

    @property
    def doubt(self) -> float:
        """What is to be taken from the logarithm of the likelihood."""
        return self.cost + _CROSSING_COST * self.crossings


@lru_cache(maxsize=262144)
def literal_cost(literal: Literal, text: str) -> float | None:
    """What it costs to take the written `text` for `literal`; None when it cannot be.

    A word that the dictionary knows is taken at its word; a word it does not know may be a
    misheard one if it is one letter away (two for words of eight letters and more).
    """
    if literal.prefix:
        return 0.0 if text.startswith(literal.text) else None
    if literal.text == text or (not literal.exact and lemmas(literal.text) & lemmas(text)):
        return 0.0
    if len(literal.text) < 5 or known(text):
        return None
    distance = _nearest(literal, plain(text))
    return None if distance is None else distance * _EDIT_COST * 6 / max(6, len(literal.text))


def _nearest(literal: Literal, text: str) -> int | None:
    """Edits from the nearest form of the literal; None beyond one (two in words of eight letters)."""
    candidates = {literal.text} if literal.exact else forms(literal.text) | {literal.text}
    near = [d for form in candidates if (d := edits(text, form, _allowed(form))) <= _allowed(form)]
    return min(near, default=None)


def _allowed(form: str) -> int:
    return 0 if len(form) < 5 else 1 if len(form) < 8 else 2


def fits(kind: str, edge: Edge) -> bool:
    """Whether the number of `edge` can be a number of this kind."""
    if edge.number is None:
        return False
    value, form = edge.number
    match kind:
        case "seat" | "seats" | "list":
            return 1 <= value <= 10 and form is not Form.COLLECTIVE
        case "people":
            return form is Form.COLLECTIVE
        case "count":
            return 0 <= value <= 10 and form in (Form.CARDINAL, Form.COLLECTIVE, Form.DIGITS)
        case "ordinal":
            return 1 <= value <= 10 and form in (Form.ORDINAL, Form.CARDINAL, Form.DIGITS)
        case _:
            return value >= 5 and form in (Form.CARDINAL, Form.DIGITS)


@dataclass(frozen=True, slots=True)
class _State:
    node: int
    first: int = -1
    last: int = -1
    words: int = 0
    cost: float = 0.0
    captures: tuple[Capture, ...] = ()
    used: frozenset[int] = frozenset()
    crossings: int = 0

    def over(
        self, lattice: Lattice, edge: Edge, cost: float, *, counts: bool = True, listed: bool = False
    ) -> _State:
        """The state after walking `edge`; the numbers of a list may stand in sentences of their own."""
        crosses = self.first >= 0 and not listed and lattice.ends(self.node)
        return _State(
            edge.to,
            edge.first if self.first < 0 else self.first,
            edge.last,
            self.words + counts,
            self.cost + cost + edge.cost,
            self.captures,
            self.used | set(range(edge.first, edge.last + 1)) if counts else self.used,
            self.crossings + crosses,
        )


@dataclass(frozen=True, slots=True)
class Begin:
    """What a match can begin with: some words, and perhaps a number."""

    words: frozenset[Literal]
    number: bool

    def possible(self, words: Set[Literal], number: bool) -> bool:
        return bool(self.words & words) or (self.number and number)


def begin_of(pattern: Pattern) -> Begin:
    """How matches of a pattern can begin (a pattern never begins with «...»)."""
    words: set[Literal] = set()
    number = False
    for i, element in enumerate(pattern):
        match element:
            case Border():
                continue
            case Literal():
                words.add(element)
            case Choice(options):
                for option in options:
                    inner = begin_of((*option, *pattern[i + 1 :]))
                    words |= inner.words
                    number = number or inner.number
            case _:
                number = True
        break
    return Begin(frozenset(words), number)


def match_at(pattern: Pattern, lattice: Lattice, node: int) -> Match | None:
    """The best match that starts at `node`, or None."""
    best: Match | None = None
    for state in _walk(pattern, lattice, _State(node)):
        if state.words == 0:
            continue
        found = Match(
            state.first, state.last, state.words, state.cost, state.captures, state.used, state.crossings
        )
        if best is None or found.rank > best.rank:
            best = found
    return best


def _walk(pattern: Pattern, lattice: Lattice, state: _State) -> Iterator[_State]:
    if not pattern:
        yield state
        return
    head, rest = pattern[0], pattern[1:]
    match head:
        case Choice(options):
            for option in options:
                yield from _walk((*option, *rest), lattice, state)
        case Border(begin):
            if lattice.begins(state.node) if begin else lattice.ends(state.node):
                yield from _walk(rest, lattice, state)
        case Filler():
            yield from _walk_filler(rest, lattice, state)
        case Literal():
            if _too_far(lattice, state, LONGEST_PAUSE):
                return
            for edge in lattice.edges.get(state.node, ()):
                cost = literal_cost(head, edge.text)
                if cost is not None:
                    yield from _walk(rest, lattice, state.over(lattice, edge, cost))
        case Number(kind):
            for after in _numbers(kind, lattice, state):
                yield from _walk(rest, lattice, after)


def _walk_filler(rest: Pattern, lattice: Lattice, state: _State) -> Iterator[_State]:
    for _ in range(_FILLER + 1):
        yield from _walk(rest, lattice, state)
        edges = lattice.edges.get(state.node, ())
        if not edges or lattice.ends(edges[0].to) or _too_far(lattice, state, LONGEST_PAUSE):
            return
        state = state.over(lattice, edges[0], 0.0, counts=False)


def _too_far(lattice: Lattice, state: _State, pause: Micros) -> bool:
    return state.first >= 0 and lattice.gap(state.node) > pause


def _numbers(kind: str, lattice: Lattice, state: _State) -> Iterator[_State]:
    """States after one number (or, for {номера} and {список}, after several)."""
    if _too_far(lattice, state, FIRST_OF_LIST if kind == "list" else LONGEST_PAUSE):
        return
    for edge in lattice.edges.get(state.node, ()):
        if fits(kind, edge):
            after = state.over(lattice, edge, 0.0, listed=kind == "list")
            if kind in ("seats", "list"):
                yield from _more_numbers(kind, lattice, after, (edge,), state.captures)
            yield _captured(after, kind, (edge,), state.captures)


def _more_numbers(
    kind: str, lattice: Lattice, state: _State, sofar: tuple[Edge, ...], before: tuple[Capture, ...]
) -> Iterator[_State]:
    """Lists: no seat twice; {номера} ends with its sentence."""
    taken = {edge.number[0] for edge in sofar if edge.number}
    for joined in (state, *_joined(lattice, state)):
        if (kind == "seats" and lattice.ends(joined.node)) or lattice.gap(joined.node) > LIST_PAUSE:
            continue
        for edge in lattice.edges.get(joined.node, ()):
            if edge.number and edge.number[0] not in taken and fits(kind, edge):
                after = joined.over(lattice, edge, 0.0, listed=kind == "list")
                edges = (*sofar, edge)
                yield from _more_numbers(kind, lattice, after, edges, before)
                yield _captured(after, kind, edges, before)


_SMALL = frozenset({"и", "номер", "игрок", "игрока", "под", "номером", "а", "также"})


def _joined(lattice: Lattice, state: _State) -> Iterator[_State]:
    """Past the small words that stand between the numbers of a list («и», «номер», «игрок»)."""
    for _ in range(3):
        small = next((e for e in lattice.edges.get(state.node, ()) if e.text in _SMALL), None)
        if small is None:
            return
        state = state.over(lattice, small, 0.0, counts=False, listed=True)
        yield state


def _captured(state: _State, kind: str, edges: tuple[Edge, ...], before: tuple[Capture, ...]) -> _State:
    kind = "seat" if kind in ("seats", "list") else "count" if kind == "people" else kind
    captures = (*before, Capture(kind, edges))
    return replace(state, captures=captures)
