"""Masks and departures from the night posture against truth, on recordings with truth.

    python tests/accuracy/night_seen.py RECORDING [RECORDING ...]

NAME.seats.toml and NAME.truth.json beside NAME.mp4. Masks: every 0.2 s of every night of every seat that plays
is one sample: the answer there (mask on, off, cannot tell) beside the truth; half a second around each change of
the truth is left out. Departures: every posture of the truth that lasts a second or longer, once everybody is
settled, found when an answer of its kind overlaps it by a third; an answer of a second or longer that no act of
the truth explains is false.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mafiavar.analyzer.align.questions import days_of
from mafiavar.analyzer.evaluation.aggregate import wilson
from mafiavar.analyzer.media.recording import Recording, index
from mafiavar.analyzer.seats import SeatMap, find_seats_file, read_seats
from mafiavar.analyzer.span import SECOND, Micros, Span, micros
from mafiavar.analyzer.vision.by_day import answer_by_day
from mafiavar.analyzer.vision.night import answer_night
from mafiavar.analyzer.vision.question import Answer, Question, QuestionKind, Tell

STEP = SECOND // 5
BLUR = SECOND // 2
LONG = SECOND
SETTLED = 3 * SECOND
AROUND = 700_000
"""A movement into a posture and out of it belongs to it."""
EXPECTED = {
    "head_up": ("head_up",), "arms_down": ("arms_down",), "mask_off": ("mask",), "mask_held": ("held", "arms_down"),
}  # fmt: skip
BESIDES = {"leaning": ("leaning",), "touching": ("touching",)}
"""Told where they can be, and counted apart: no flag is raised for leaning."""
ALLOWED = {
    "head_up": {"head_up"}, "arms_down": {"arms_down"}, "mask_off": {"mask", "head_up", "arms_down", "held"},
    "mask_held": {"arms_down", "mask", "held"}, "leaning": {"leaning"}, "touching": {"arms_down", "leaning", "touching"}, "sign": {"arms_down"},
    "legit": {"mask", "head_up", "arms_down", "held"}, "masking": {"mask", "head_up", "arms_down", "held"},
}  # fmt: skip


@dataclass(slots=True)
class Tally:
    told: Counter[tuple[str, str]] = field(default_factory=Counter)
    wanted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)
    night: float = 0.0
    day: float = 0.0


def nights_in(truth: dict[str, Any]) -> list[Span]:
    begins = [e for e in truth["events"] if e["kind"] == "night_began"]
    ends = [e["t0"] for e in truth["events"] if e["kind"] in ("day_began", "game_ended")]
    return [
        Span(micros(b["t1"]), micros(min([t for t in ends if t > b["t1"]], default=truth["duration"])))
        for b in begins
    ]


def span_of(x: dict[str, Any]) -> Span:
    return Span(micros(x["t0"]), micros(x["t1"]))


def on_in(truth: dict[str, Any], seat: int) -> list[Span]:
    """When the mask is on the eyes: put on and not taken off in between."""
    spans = [span_of(m) for m in truth["masks"] if m["seat"] == seat]
    for p in truth["posture"]:
        if p["seat"] == seat and p["state"] == "mask_off":
            off = span_of(p)
            cut: list[Span] = []
            for s in spans:
                if (s & off) is None:
                    cut.append(s)
                    continue
                cut += [Span(a, b) for a, b in ((s.t0, off.t0), (off.t1, s.t1)) if b > a]
            spans = cut
    return spans


def away(truth: dict[str, Any], seat: int, span: Span) -> bool:
    return any(a["seat"] == seat and span & span_of(a) for a in truth["away"])


def said_at(answers: list[Answer], t: Micros) -> str:
    mine = [a for a in answers if t in a.span and a.value != "held"]
    if any(a.tell is Tell.CANNOT_TELL for a in mine):
        return "cannot"
    return "off" if any(a.tell is Tell.YES for a in mine) else "on"


def count_masks(truth: dict[str, Any], seat: int, night: Span, answers: list[Answer], tally: Tally) -> None:
    on = on_in(truth, seat)
    borders = [t for s in on for t in (s.t0, s.t1)]
    for t in range(night.t0, night.t1, STEP):
        if away(truth, seat, Span(t, t)) or any(abs(t - b) < BLUR for b in borders):
            continue
        tally.told["on" if any(t in s for s in on) else "off", said_at(answers, t)] += 1


def count_spells(truth: dict[str, Any], seat: int, night: Span, answers: list[Answer], tally: Tally) -> None:
    """Stretches of a second or longer with the mask off, late masks and called players among them."""
    bare, t = [], night.t0
    for s in sorted(on_in(truth, seat)):
        if min(s.t0, night.t1) - t >= LONG:
            bare.append(Span(t, min(s.t0, night.t1)))
        t = max(t, s.t1)
    if night.t1 - t >= LONG:
        bare.append(Span(t, night.t1))
    said = [a.span for a in answers if a.tell is Tell.YES and a.value != "held"]
    tally.wanted["bare"] += len(bare)
    tally.found["bare"] += sum(any(a & b for a in said) for b in bare)
    tally.false["bare"] += sum(not any(a & b for b in bare) for a in said)


def acts_of(truth: dict[str, Any], seat: int, night: Span) -> list[tuple[str, Span]]:
    """(what, when) of everything a seat does at night."""
    mine = [p for p in truth["posture"] if p["seat"] == seat]
    out = [(str(p["state"]), span_of(p)) for p in mine]
    out += [("legit", span_of(p)) for p in mine if p.get("legit")]
    out += [("sign", span_of(s)) for s in truth["signs"] if s["seat"] == seat]
    masks = [span_of(m) for m in truth["masks"] if m["seat"] == seat]
    first = min([m.t0 for m in masks if m & night], default=night.t0)
    out.append(("masking", Span(night.t0, max(night.t0 + SETTLED, first + SECOND))))
    out.append(("masking", Span(night.t1 - SECOND // 2, night.t1)))
    return [(what, s) for what, s in out if s & night]


def count_departures(acts: list[tuple[str, Span]], answers: list[Answer], tally: Tally) -> list[str]:
    """Adds to the tally; lines that name what was missed and what was invented."""
    lines = []
    said = [
        ("mask" if a.kind is QuestionKind.MASK and a.value != "held" else str(a.value), a)
        for a in answers
        if a.tell is Tell.YES
    ]
    for what, span in acts:
        expected = {**EXPECTED, **BESIDES}.get(what)
        if expected is None or span.duration < LONG:
            continue
        tally.wanted[what] += 1
        if what == "mask_held":
            tally.wanted["told as held"] += 1
            tally.found["told as held"] += any(k == "held" and a.span & span for k, a in said)
        if any(k in expected and _common(a.span, span) >= span.duration / 3 for k, a in said):
            tally.found[what] += 1
        else:
            lines.append(f"missed {what} {span.t0 / 1e6:.1f}-{span.t1 / 1e6:.1f}")
    for k, a in said:
        if a.span.duration < LONG:
            continue
        if any(k in ALLOWED[what] and span.widened(AROUND) & a.span for what, span in acts):
            tally.right[k] += 1
        else:
            tally.false[k] += 1
            lines.append(f"FALSE {k} {a.span.t0 / 1e6:.1f}-{a.span.t1 / 1e6:.1f} p {a.probability}")
    return lines


def _common(a: Span, b: Span) -> Micros:
    both = a & b
    return 0 if both is None else both.duration


def look_at(path: Path, tally: Tally) -> None:
    truth = json.loads(path.with_suffix(".truth.json").read_text("utf-8"))
    recording = index(path)
    file = find_seats_file(path)
    assert file is not None and recording.video is not None
    seats = read_seats(file, path.name, recording.video.size)
    look_by_day(path, recording, seats, truth, tally)
    for night in nights_in(truth):
        questions = [Question(k, seats.numbers, night) for k in (QuestionKind.MASK, QuestionKind.POSTURE)]
        answers = answer_night(recording, seats, questions, workers=0)
        tally.night += night.duration / 1e6
        for seat in seats.numbers:
            mine = [x for x in answers if x.seat == seat]
            count_masks(truth, seat, night, [a for a in mine if a.kind is QuestionKind.MASK], tally)
            if away(truth, seat, night):
                continue
            count_spells(truth, seat, night, [a for a in mine if a.kind is QuestionKind.MASK], tally)
            for line in count_departures(acts_of(truth, seat, night), mine, tally):
                sys.stdout.write(f"  {path.stem} seat {seat}: {line}\n")


def look_by_day(
    path: Path, recording: Recording, seats: SeatMap, truth: dict[str, Any], tally: Tally
) -> None:
    """Masks on the eyes and short absences by day, those of a second or longer."""
    for day in days_of(list(enumerate(nights_in(truth), 1)), _first(truth), recording.span.t1):
        answers = answer_by_day(recording, seats, [Question(QuestionKind.DAY, seats.numbers, day)], workers=0)
        tally.day += day.duration / 1e6
        for what, kind in (
            ("masks", QuestionKind.MASK), ("away", QuestionKind.PRESENCE), ("touches", QuestionKind.POSTURE),
            ("standing", QuestionKind.POSTURE),
        ):  # fmt: skip
            state = {"touches": "touching"}.get(what, what)
            acts = truth.get(what) or [p for p in truth["posture"] if p["state"] == state]
            real = [(x["seat"], span_of(x)) for x in acts if (s := span_of(x) & day) and s.duration >= LONG]
            mine = [
                a
                for a in answers
                if a.kind is kind and (kind is not QuestionKind.POSTURE or a.value == state)
            ]
            # Who leaves and comes back stands for a moment before and after.
            leaving = (
                [(x["seat"], span_of(x).widened(2 * SECOND)) for x in truth["away"]]
                if what == "standing"
                else []
            )
            tally.wanted[f"{what} by day"] += len(real)
            tally.found[f"{what} by day"] += sum(
                any(a.seat == n and a.span & s for a in mine) for n, s in real
            )
            for a in mine:
                if not any(a.seat == n and a.span & s.widened(AROUND) for n, s in real + leaving):
                    tally.false[f"{what} by day"] += 1
                    sys.stdout.write(
                        f"  {path.stem} FALSE {what} by day: seat {a.seat} {a.span.t0 / 1e6:.1f}-{a.span.t1 / 1e6:.1f}\n"
                    )


def _first(truth: dict[str, Any]) -> Micros:
    """A recording may begin with the masks of the night before; its day is looked at when they are off."""
    old = [micros(m["t1"]) for m in truth["masks"] if m["t0"] <= 0]
    return max(old, default=0) + SECOND if old else 0


def report(name: str, t: Tally) -> None:
    say = sys.stdout.write
    n = max(sum(t.told.values()), 1)
    right = t.told["on", "on"] + t.told["off", "off"]
    cannot = t.told["on", "cannot"] + t.told["off", "cannot"]
    say(f"{name}: night {t.night:.0f} s, {n * STEP / 1e6:.0f} seat-seconds\n")
    for what in ("on", "off"):
        seconds = {s: t.told[what, s] * STEP / 1e6 for s in ("on", "off", "cannot")}
        say(f"  mask {what:4}" + "".join(f" said {s} {v:.0f} s" for s, v in seconds.items()) + "\n")
    given = max(n - cannot, 1)
    say(f"  right of answered {right / given:.4f} {wilson(right, given)}, cannot tell {cannot / n:.3f}\n")
    say(
        f"  spells of 1 s or longer without the mask: {t.wanted['bare']}, found {t.found['bare']}, "
        f"false {t.false['bare']}\n"
    )
    for what in (*EXPECTED, *BESIDES):
        wrong = f", false {t.false[what]}" if what in BESIDES else ""
        say(f"  {what:9} found {t.found[what]} of {t.wanted[what]}{wrong}\n")
    say(
        f"  told as held {t.found['told as held']} of {t.wanted['told as held']}, right {t.right['held']}, false {t.false['held']}\n"
    )
    wanted, found = (sum(c[w] for w in EXPECTED) for c in (t.wanted, t.found))
    false = sum(t.false[k] for k in ("mask", "held", "head_up", "arms_down"))
    said = sum(t.right[k] for k in ("mask", "held", "head_up", "arms_down")) + false
    precision, recall = 1 - false / max(said, 1), found / max(wanted, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    say(
        f"  departures of 1 s or longer: found {found} of {wanted} {wilson(found, max(wanted, 1))}, answers {said}, "
        f"false {false}, F1 {f1:.3f}, false in ten minutes {600 * false / max(t.night, 1):.2f}\n"
    )
    for what in ("masks by day", "away by day", "touches by day", "standing by day"):
        say(f"  {what} ({t.day:.0f} s): found {t.found[what]} of {t.wanted[what]}, false {t.false[what]}\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("recordings", type=Path, nargs="+")
    a = parser.parse_args()
    whole = Tally()
    for path in a.recordings:
        tally = Tally()
        look_at(path, tally)
        report(path.stem, tally)
        for f in ("told", "wanted", "found", "right", "false"):
            getattr(whole, f).update(getattr(tally, f))
        whole.night += tally.night
        whole.day += tally.day
    if len(a.recordings) > 1:
        report("all", whole)


if __name__ == "__main__":
    main()
