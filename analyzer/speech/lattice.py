"""Tokens of a transcript and the lattice of what they may have been.

The recogniser writes «в рок номер в осень» for «игрок номер восемь». The lattice keeps the written
words as edges and adds an edge for every alias of the lexicon, each with a cost (minus the natural
logarithm of its probability). Patterns walk the lattice; they never look into a word.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.speech.morphology import lemmas, plain
from mafiavar.analyzer.speech.numerals import Form, number_of, plain_cardinal
from mafiavar.analyzer.transcript import Variant, Word

SENTENCE_END = ".!?…"
PAUSE: Micros = 350_000
"""A silence that ends a sentence whatever the punctuation says."""


@dataclass(frozen=True, slots=True)
class Token:
    """One spoken word with what stands around it. `start`/`end`: a sentence begins / ends here."""

    word: Word
    text: str
    gap: Micros
    start: bool
    end: bool

    @property
    def span(self) -> Span:
        return self.word.span


def tokenise(words: Sequence[Word]) -> tuple[Token, ...]:
    """Words to tokens; a written «3-5» or «три-пять» becomes two tokens that share the time."""
    parts = [piece for word in words for piece in _split(word)]
    kept = [(word, plain(word.text)) for word in parts if plain(word.text)]
    tokens: list[Token] = []
    for i, (word, text) in enumerate(kept):
        gap = word.span.t0 - kept[i - 1][0].span.t1 if i else PAUSE
        following = kept[i + 1][0].span.t0 - word.span.t1 if i + 1 < len(kept) else PAUSE
        begins = i == 0 or gap >= PAUSE or kept[i - 1][0].text[-1] in SENTENCE_END
        ends = following >= PAUSE or word.text[-1] in SENTENCE_END
        tokens.append(Token(word, text, gap, begins, ends))
    return tuple(tokens)


def _split(word: Word) -> list[Word]:
    pieces = [p for p in word.text.replace("–", "-").replace("—", "-").split("-") if p]
    if len(pieces) < 2 or not all(number_of(p) for p in pieces):
        return [word]
    span, n = word.span, len(pieces)
    return [
        Word(
            piece,
            Span(span.t0 + span.duration * k // n, span.t0 + span.duration * (k + 1) // n),
            word.probability,
            word.speaker,
        )
        for k, piece in enumerate(pieces)
    ]


@dataclass(frozen=True, slots=True)
class Edge:
    """One reading of tokens `first`..`last` (inclusive): leads to node `to`."""

    to: int
    first: int
    last: int
    text: str
    lemmas: frozenset[str]
    number: tuple[int, Form] | None
    cost: float


@dataclass(frozen=True, slots=True)
class Alias:
    """Written words that stand for others, with probability `p`."""

    heard: tuple[str, ...]
    means: tuple[str, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class Strays:
    """Short words that mean nothing between a word of `after` (lemmas) and a bare cardinal: the recogniser
    writes the numeral's first sound twice («игрок в восемь»)."""

    heard: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    cost: float = 0.0


@dataclass(slots=True)
class Lattice:
    """Edges by node. Node i < len(tokens) stands before token i; higher nodes lie inside an alias."""

    tokens: tuple[Token, ...]
    edges: dict[int, list[Edge]] = field(default_factory=dict)

    def begins(self, node: int) -> bool:
        """A sentence begins at this node."""
        return node < len(self.tokens) and self.tokens[node].start

    def ends(self, node: int) -> bool:
        """A sentence ends right before this node."""
        return 0 < node <= len(self.tokens) and self.tokens[node - 1].end

    def gap(self, node: int) -> Micros:
        """Silence before the token at this node; 0 inside an alias and at the end."""
        return self.tokens[node].gap if 0 < node < len(self.tokens) else 0


def build(
    words: Sequence[Word],
    aliases: Mapping[str, Sequence[Alias]],
    variants: Sequence[Variant] = (),
    strays: Strays | None = None,
) -> Lattice:
    """`aliases` by their first heard word; `variants` index `words`."""
    tokens = tokenise(words)
    lattice = Lattice(tokens)
    virtual = len(tokens) + 1
    for i, token in enumerate(tokens):
        edges = lattice.edges.setdefault(i, [])
        edges.append(Edge(i + 1, i, i, token.text, lemmas(token.text), number_of(token.text), 0.0))
        for alias in aliases.get(token.text, ()):
            last = i + len(alias.heard) - 1
            if last >= len(tokens) or any(
                tokens[i + k].text != heard or (k and tokens[i + k].gap >= PAUSE)
                for k, heard in enumerate(alias.heard)
            ):
                continue
            node = i
            for k, meant in enumerate(alias.means):
                to = last + 1 if k == len(alias.means) - 1 else virtual
                edge = Edge(
                    to, i, last, meant, lemmas(meant), number_of(meant), alias.cost / len(alias.means)
                )
                lattice.edges.setdefault(node, []).append(edge)
                if to == virtual:
                    node, virtual = virtual, virtual + 1
    _lay_variants(lattice, words, variants, aliases, virtual)
    _pass_over(lattice, strays or Strays())
    return lattice


def _pass_over(lattice: Lattice, strays: Strays) -> None:
    """Beside a stray word and the numeral after it the numeral alone. An inflected numeral («игрок с
    седьмым») and one after a pause stand as they are."""
    led = {e.to for edges in lattice.edges.values() for e in edges if e.lemmas & strays.after}
    for i, token in enumerate(lattice.tokens[:-1]):
        if token.text not in strays.heard or i not in led or token.start or token.end:
            continue
        lattice.edges[i] += [
            replace(edge, first=i, cost=edge.cost + strays.cost)
            for edge in lattice.edges[i + 1]
            if edge.first == i + 1 and edge.number and plain_cardinal(edge.text)
        ]


def _lay_variants(
    lattice: Lattice,
    words: Sequence[Word],
    variants: Sequence[Variant],
    aliases: Mapping[str, Sequence[Alias]],
    virtual: int,
) -> None:
    """Another hearing as a path beside the words that stand (one-word aliases are read in it too)."""
    place = {id(token.word): i for i, token in reversed(list(enumerate(lattice.tokens)))}
    for variant in variants:
        ends = [place.get(id(words[i])) for i in (variant.first, variant.last)]
        texts = [plain(w.text) for w in variant.words if plain(w.text)]
        if ends[0] is None or ends[1] is None or not texts or variant.weight <= 0:
            continue
        first, last = ends[0], ends[1]
        cost = -math.log(variant.weight) / len(texts)
        node = first
        for k, text in enumerate(texts):
            to = last + 1 if k == len(texts) - 1 else virtual
            readings = [(text, cost)] + [
                (a.means[0], cost + a.cost)
                for a in aliases.get(text, ())
                if len(a.heard) == len(a.means) == 1
            ]
            for read, price in readings:
                edge = Edge(to, first, last, read, lemmas(read), number_of(read), price)
                lattice.edges.setdefault(node, []).append(edge)
            if to == virtual:
                node, virtual = virtual, virtual + 1
