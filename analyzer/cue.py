"""Cues: what a stretch of sound means for the game, before the rules are asked.

A cue is a small typed fact with a likelihood. It may be wrong, double, or missing: only the
alignment (`analyzer.align`) decides what happened. Numerals are never bare numbers but a
distribution over 1..10 (what the recogniser may have confused).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from mafiavar.analyzer.span import Span

Seat = int
Speaker = Seat | Literal["judge", "audience", "unknown"]
Numeral = Mapping[int, float]
"""Number -> probability; sums to at most 1 (the rest: some other number)."""


class CueKind(StrEnum):
    """What was said or heard. The comment names the fields of `Cue` that the kind uses."""

    # phases
    GAME_START = "game_start"
    NIGHT = "night"
    NEGOTIATION = "negotiation"
    NEGOTIATION_END = "negotiation_end"
    DON_SHOWS = "don_shows"
    SHERIFF_SHOWS = "sheriff_shows"
    FREE_SEATING = "free_seating"
    DAY = "day"
    # the floor
    FLOOR = "floor"  # numbers[0]: seat; seconds; purpose: speech | revote | last_word | best_move | protocol
    FLOOR_END = "floor_end"  # by: pas | spasibo (a player's) | judge | time
    TIME_WARNING = "time_warning"  # seconds
    # nominations
    NOMINATION = "nomination"  # numbers[0]: target (further ones: a series); tense: present | future | conditional | past | negated
    ACCEPTED = "accepted"  # numbers[0]: target, when it was said
    REFUSED = "refused"  # reason
    WITHDRAWAL = "withdrawal"  # numbers[0]: target
    WITHDRAWAL_ACCEPTED = "withdrawal_accepted"
    ASKED_NOMINATIONS = "asked_nominations"
    # voting
    VOTE_OPEN = "vote_open"  # numbers: candidates in order, when they were said
    HANDS_DOWN = "hands_down"
    VOTE_CALL = "vote_call"  # numbers[0]: target
    VOTE_STOP = "vote_stop"  # by: stop | spasibo
    VOTE_COUNT = "vote_count"  # numbers[0]: count (0..10)
    VOTE_REMAINDER = "vote_remainder"  # numbers[0]: target; the rest goes to the last
    VOTE_DEMAND = "vote_demand"  # the judge demands the remaining hands
    NO_VOTE = "no_vote"
    TIE = "tie"  # numbers: tied candidates, when they were said
    REVOTE = "revote"
    LIFT_CALL = "lift_call"  # numbers: candidates, when they were said
    LEAVES = "leaves"  # numbers: who leaves the table
    # night
    SHOOTING = "shooting"
    SHOOTING_NUMBER = "shooting_number"  # numbers[0]: a number called while the mafia shoots (DISBORD)
    SHOOTING_END = "shooting_end"
    DON_WAKES = "don_wakes"
    DON_SLEEPS = "don_sleeps"
    SHERIFF_WAKES = "sheriff_wakes"
    SHERIFF_SLEEPS = "sheriff_sleeps"
    KILLED = "killed"  # numbers[0]: seat
    MISS = "miss"
    BEST_MOVE = "best_move"  # numbers: the three targets, said by the player
    BEST_MOVE_READBACK = "best_move_readback"  # numbers: as the judge repeats them
    PROTOCOL_RIGHT = "protocol_right"  # numbers[0]: seat, when it was said
    PROTOCOL_ENTRY = "protocol_entry"  # numbers[0]: seat; colour: red | black | sheriff | don
    # discipline
    FOUL = "foul"  # numbers[0]: seat; ordinal, when it was said
    WARNING = "warning"  # numbers[0]: seat
    TECHNICAL = "technical"  # numbers[0]: seat; big: bool
    REMOVAL = "removal"  # numbers[0]: seat
    TEAM_DEFEAT = "team_defeat"  # numbers[0]: seat
    ADDRESS_TO_JUDGE = "address_to_judge"  # proper: bool
    HINT = "hint"  # phrase: oath | obscene | appeal | reveal | team_defeat | best_move | both_roles | foreign
    GAME_END = "game_end"  # winner: red | black | draw
    # sounds
    INTERJECTION = "interjection"  # a voice that does not have the floor
    MUSIC = "music"
    KNOCK = "knock"
    APPLAUSE = "applause"
    SILENCE = "silence"


@dataclass(frozen=True, slots=True)
class Cue:
    """One typed fact heard in the recording.

    `span` covers the words that carry the fact, not the whole utterance. `likelihood` is the
    calibrated probability that a cue of this kind was really uttered there. `speaker` is a
    posterior over speakers (may be empty: nothing known). `about` names the rule of lexicon.toml
    that fired.
    """

    kind: CueKind
    span: Span
    likelihood: float
    numbers: tuple[Numeral, ...] = ()
    speaker: Mapping[Speaker, float] = field(default_factory=dict)
    detail: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)
    text: str = ""
    about: str = ""

    def number(self, i: int = 0) -> int | None:
        """The most probable value of the i-th numeral, or None when there is none."""
        if i >= len(self.numbers) or not self.numbers[i]:
            return None
        return max(self.numbers[i].items(), key=lambda kv: kv[1])[0]

    def said_by(self, speaker: Speaker) -> float:
        """Probability that `speaker` said it; 1/11 when nothing is known."""
        return self.speaker.get(speaker, 0.0) if self.speaker else 1 / 11
