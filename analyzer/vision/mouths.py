"""Whose mouth moves: the picture as second witness of who spoke.

Asked only where the voices leave it open. For each moment every seat's face is looked at in all frames; a
mouth that speaks changes from frame to frame for about half of the time, over what that face changes when
it is most quiet. What a seat shows is a likelihood, how much likelier its movement is in one who speaks
than in one who listens; those who turn their back, are too small or in the dark say nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from mafiavar.analyzer.cue import Speaker
from mafiavar.analyzer.media.picture import fitted, pictures
from mafiavar.analyzer.media.recording import Recording
from mafiavar.analyzer.seats.seatmap import SeatMap
from mafiavar.analyzer.span import Micros, Span
from mafiavar.analyzer.vision.bodies import head_box, shows_its_back
from mafiavar.analyzer.vision.observe import picture_size
from mafiavar.analyzer.vision.place import lay_table
from mafiavar.analyzer.vision.question import Answer, Question, QuestionKind, Tell

Floats = npt.NDArray[np.float64]

BESIDE: Micros = 500_000
"""So much before and after the words is looked at, too: there the face is seen at rest."""

_SIDE = 48
_FACE = (
    slice(16, 46),
    slice(8, 40),
)  # of the head's thumbnail: below the eyes, where a bowed head's mouth is, too
_LIVELIEST = 80  # pixels of 960: a mouth is small
_MOVES = 2.5  # grey levels over the face's own quiet
_SPEAKS, _LISTENS, _SPREAD = 0.56, 0.18, 0.14
"""Share of the frames in which the mouth moves, fitted on dev_excerpt and 46 s of dev_game: 24 utterances of
speakers who show their face .40-.77 (5-95 %), 443 of listeners 0-.36; the spread is taken wider."""
_LEAST, _MOST = -1.6, 2.3
"""Natural logs: one moment never says more than ten to one for a seat and five to one against it, for a hand
or a turned head hides a mouth that speaks (dev_game, 201.5 s)."""
_SMALL = 60  # pixels, side of the head's square
_DARK = 18.0
_LEAST_FRAMES = 6


def answer_mouths(recording: Recording, seats: SeatMap, questions: Sequence[Question]) -> tuple[Answer, ...]:
    """MOUTH answers for each window and seat, in their order: the probability of speaking were it even before.

    Raises:
        MediaError: the recording cannot be read.
    """
    if recording.video is None:
        return ()
    out: list[Answer] = []
    for q in questions:
        if q.kind is not QuestionKind.MOUTH:
            continue
        shares = _shares(recording, seats, q.window)
        for seat in q.seats:
            share = shares.get(seat)
            if share is None:
                out.append(Answer(QuestionKind.MOUTH, seat, Tell.CANNOT_TELL, 0.5, q.window))
                continue
            p = 1 / (1 + math.exp(-log_likelihood(share)))
            out.append(
                Answer(QuestionKind.MOUTH, seat, Tell.YES if p >= 0.5 else Tell.NO, round(p, 4), q.window)
            )
    return tuple(out)


def log_likelihood(share: float) -> float:
    """Of a mouth that moves in this share of the frames: speaking against listening, natural log."""
    rise = ((share - _LISTENS) ** 2 - (share - _SPEAKS) ** 2) / (2 * _SPREAD**2)
    return float(np.clip(rise, _LEAST, _MOST))


@dataclass(frozen=True, slots=True)
class MouthWitness:
    """`analyzer.speech.speakers.Witness` over MOUTH answers."""

    answers: Sequence[Answer]

    def likelihoods(self, span: Span) -> Mapping[Speaker, float]:
        """Speaker -> how much likelier what was seen is if he spoke; who is not named said nothing."""
        return {
            a.seat: a.probability / (1 - a.probability)
            for a in self.answers
            if a.kind is QuestionKind.MOUTH and a.tell is not Tell.CANNOT_TELL and a.span == span
        }


def moving(films: npt.NDArray[np.uint8], inside: npt.NDArray[np.bool_]) -> Floats:
    """Share of the frames `inside` the words in which each mouth moves.

    Args:
        films: frames x seats x 48 x 48, grey, of the heads.
        inside: frames - 1: whether the change from one frame to the next lies within the words.
    """
    small = films.astype(np.float32)
    change = np.abs(np.diff(small, axis=0))
    change -= np.median(change, axis=(2, 3), keepdims=True)  # noise and lamps change all of a picture
    face = change[:, :, _FACE[0], _FACE[1]].reshape(*change.shape[:2], -1)
    lively = np.sort(face, axis=2)[:, :, -_LIVELIEST:].mean(axis=2)
    quiet = np.percentile(lively, 10, axis=0)
    return np.asarray((lively[inside] > quiet + _MOVES).mean(axis=0), np.float64)


def _shares(recording: Recording, seats: SeatMap, window: Span) -> dict[int, float]:
    """By seat; those who cannot be judged are missing."""
    size = picture_size(recording)
    table = lay_table(seats)
    boxes = [head_box(table, p, size) for p in table.places]
    around = window.widened(BESIDE) & recording.span
    if around is None:
        return {}
    times, films, light = [], [], np.zeros(len(boxes))
    for picture in pictures(recording, around):
        grey = cv2.cvtColor(fitted(picture.image, size), cv2.COLOR_BGR2GRAY)
        heads = np.zeros((len(boxes), _SIDE, _SIDE), np.uint8)
        for k, (x, y, w, h) in enumerate(boxes):
            heads[k] = cv2.resize(grey[y : y + h, x : x + w], (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
        times.append(picture.t)
        films.append(heads)
        light = heads.mean(axis=(1, 2))
    inside = np.array([t in window for t in times[1:]], bool)
    if inside.sum() < _LEAST_FRAMES:
        return {}
    shares = moving(np.stack(films), inside)
    return {
        p.number: float(shares[k])
        for k, p in enumerate(table.places)
        if not shows_its_back(p) and boxes[k][2] >= _SMALL and light[k] >= _DARK
    }
