"""Voices: out of turn, during a vote, at night; words that are hints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mafiavar.analyzer.align.result import Alignment
from mafiavar.analyzer.cue import Cue, CueKind
from mafiavar.analyzer.flags.flag import Flag, Maker
from mafiavar.analyzer.flags.floors import Floor, day_at, floors_of, held_by_owner, voices_of, votes_of
from mafiavar.analyzer.flags.moves import Move, moves_of
from mafiavar.analyzer.span import Micros, Span, seconds
from mafiavar.analyzer.transcript import Transcript
from mafiavar.engine.roles import SEATS

PHRASES = {
    "oath": "phrase_oath", "obscene": "phrase_obscene", "appeal": "phrase_appeal", "reveal": "phrase_reveal",
    "team_defeat": "phrase_team_defeat", "best_move": "phrase_best_move", "both_roles": "phrase_both_roles",
}  # fmt: skip
_FORMULAS = frozenset(CueKind) - {
    CueKind.HINT, CueKind.INTERJECTION, CueKind.ADDRESS_TO_JUDGE, CueKind.ASKED_NOMINATIONS,
    CueKind.NOMINATION, CueKind.WITHDRAWAL, CueKind.BEST_MOVE, CueKind.PROTOCOL_ENTRY,
    CueKind.MUSIC, CueKind.KNOCK, CueKind.APPLAUSE, CueKind.SILENCE,
}  # fmt: skip
"""What only the judge says, and the words that end a speech."""
_SLACK: Micros = 400_000
"""A voice so soon after its floor ended, or before it was given, still belongs to it."""


def flags_of_speech(alignment: Alignment, transcript: Transcript, make: Maker) -> Iterator[Flag | None]:
    floors = floors_of(alignment)
    turns = list(voices_of(transcript, make.thresholds["least_evidence"]))
    moves = moves_of(alignment, transcript, floors)
    held = [f for f in floors if held_by_owner(f, turns)]
    yield from _interjections(alignment, turns, floors, held, moves, make)
    yield from _hints(alignment, make)


def _interjections(
    alignment: Alignment,
    turns: Sequence[tuple[int, Span, float, str]],
    floors: Sequence[Floor],
    held: Sequence[Floor],
    moves: Sequence[Move],
    make: Maker,
) -> Iterator[Flag | None]:
    heard: list[tuple[int, Span, float, str]] = list(turns)
    for cue in alignment.cues:
        if cue.kind is CueKind.INTERJECTION and cue.speaker:
            who, p = max(cue.speaker.items(), key=lambda kv: kv[1])
            sure = cue.likelihood >= make.thresholds["voice_without_words"]
            if sure and isinstance(who, int) and p >= make.thresholds["least_evidence"]:
                heard.append((who, cue.span, min(p, cue.likelihood), cue.text))
    done: list[tuple[str, int, Span]] = []
    for seat, span, p, text in sorted(heard, key=lambda x: x[1]):
        key = _kind_at(alignment, seat, span, floors, held, moves, make)
        if (
            key is None
            or _formula(alignment, span)
            or any(k == key and s == seat and sp & span for k, s, sp in done)
        ):
            continue
        done.append((key, seat, span))
        yield make.flag(
            key,
            span,
            day_at(alignment, span.t0),
            p,
            seats=(seat,),
            params={"seat": seat, "length": seconds(span.duration), "words": text},
            doubts=(("who_spoke", {"percent": round(100 * p)}),),
            words=((span, text),),
        )


def _kind_at(
    alignment: Alignment,
    seat: int,
    span: Span,
    floors: Sequence[Floor],
    held: Sequence[Floor],
    moves: Sequence[Move],
    make: Maker,
) -> str | None:
    """What a voice of a seat at this moment is; None when it may speak. `held`: the floors in which
    their owner is heard."""
    length = seconds(span.duration)
    mine = [f for f in floors if f.seat == seat and f.span.widened(_SLACK) & span]
    if mine or any(m.seat == seat and Span(m.start, m.until) & span for m in moves):
        return None  # what is said in a best move is judged elsewhere
    night = next((s for n, s in alignment.nights if n > 0 and span.t0 in s), None)
    if night is not None:
        if span.t0 >= _dark_until(alignment, night):
            return None
        return "talk_at_night" if length >= make.thresholds["talk_at_night"] else None
    if any(span.t0 in vote for vote in votes_of(alignment)):
        return "talk_during_vote" if length >= make.thresholds["talk_during_vote"] else None
    if length >= make.thresholds["monologue"] and _floor_unheard(alignment, seat, span.t0, floors):
        return None
    other = any(f.seat != seat and f.span & span for f in held)
    return "speech_out_of_turn" if other and length >= make.thresholds["speech_out_of_turn"] else None


def _formula(alignment: Alignment, span: Span) -> bool:
    """Are these words a formula that belongs to the judge, or the end of the speech that goes on?

    A voice is mistaken now and then, and a short one oftener; «ноль голосов» in the voice of seat 6 is
    the judge all the same.
    """
    common = (c.span & span for c in alignment.cues if c.kind in _FORMULAS)
    return sum(s.duration for s in common if s is not None) >= span.duration // 2


def _dark_until(alignment: Alignment, night: Span) -> Micros:
    """Until when it surely was night: where nobody heard the morning, its first sign ends it."""
    morning = next((e for e in alignment.timeline.of_kind("day_began") if e.span.t0 >= night.t0), None)
    if morning is not None and morning.basis == "observed":
        return morning.span.t0
    signs = alignment.timeline.of_kind("night_result", "floor_given", "vote_opened", "day_began")
    return min((e.span.t0 for e in signs if e.span.t0 > night.t0), default=night.t1)


def _floor_unheard(alignment: Alignment, seat: int, t: Micros, floors: Sequence[Floor]) -> bool:
    """May this be the seat's own minute, whose announcement was lost?

    So it is where the day knows no speech of this seat and the order of speaking (clockwise over the
    living) puts it between the floors found before and after `t`: accusing then would be guessing.
    """
    day = day_at(alignment, t)
    speeches = [f for f in floors if f.purpose == "speech" and f.given.day == day]
    if any(f.seat == seat for f in speeches):
        return False
    before = [f for f in speeches if f.span.t0 <= t]
    after = [f for f in speeches if f.span.t0 > t]
    if not before or not after:
        return True
    last, following = max(before, key=lambda f: f.span.t0), min(after, key=lambda f: f.span.t0)
    return 0 < (seat - last.seat) % len(SEATS) < (following.seat - last.seat) % len(SEATS)


def _hints(alignment: Alignment, make: Maker) -> Iterator[Flag | None]:
    for cue in alignment.cues:
        if cue.kind is CueKind.HINT:
            key = PHRASES.get(str(cue.detail.get("phrase")))
        elif cue.kind is CueKind.ASKED_NOMINATIONS:
            key = "asked_nominations"
        elif cue.kind is CueKind.ADDRESS_TO_JUDGE and cue.detail.get("proper") is False:
            key = "address_to_judge"
        else:
            key = None
        if key is None:
            continue
        seat, sure = _who(alignment, cue)
        yield make.flag(
            key,
            cue.span,
            day_at(alignment, cue.span.t0),
            cue.likelihood * (0.6 + 0.4 * sure),
            seats=(seat,) if seat else (),
            params={"seat": seat, "words": cue.text},
            doubts=(("hint", {}), *((("who_spoke", {"percent": round(100 * sure)}),) if sure < 0.8 else ())),
            words=((cue.span, cue.text),),
        )


def _who(alignment: Alignment, cue: Cue) -> tuple[int | None, float]:
    """Who said it: by voice, else the owner of the floor."""
    if cue.speaker:
        who, p = max(cue.speaker.items(), key=lambda kv: kv[1])
        if isinstance(who, int) and p >= 0.5:
            return who, p
    owner = next((f.seat for f in floors_of(alignment) if cue.span.t0 in f.span), None)
    return owner, 0.6 if owner else 0.3
