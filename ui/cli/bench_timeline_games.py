"""The games of `mafiavar bench timeline`: which noise befalls which, and what came of them.

What a game is depends on its seed alone, and finished games may be kept in a folder: a long proof goes
on where it was stopped.
"""

from __future__ import annotations

import hashlib
import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mafiavar.ui.language import say

if TYPE_CHECKING:
    from mafiavar.analyzer.evaluation.decoded import Outcome
    from mafiavar.analyzer.evaluation.noise import Burst, Noise

BURSTS: tuple[Burst, ...] = ("none", "none", "lost_minute", "masked_judge", "dead_microphone")
"""What befalls the games in turn."""
JITTER = 0.3
THRESHOLDS = (0.8, 0.9, 0.95, 0.97, 0.99)
"""What comes of stating facts from other confidences on than the fitted one is told beside it."""
_CODE = ("engine", "analyzer.align", "analyzer.evaluation", "sample_videos.writer")
"""The packages that decide what comes of a game."""


@dataclass(frozen=True, slots=True)
class Job:
    """One game: its seed, the noise. Sent to a worker process. `parameters`: the text of a file, None:
    the package's own. `looks`: shares of the pictures' answers that are lost and that say the contrary;
    None: no pictures. `minutes`: speeches are lengthened until the game lasts so long."""

    seed: int
    drop: float
    invent: float
    swap: float
    bursts: bool = True
    parameters: str | None = None
    looks: tuple[float, float] | None = None
    minutes: float = 0.0

    @property
    def noise(self) -> Noise:
        """None at all where nothing is lost or invented."""
        from mafiavar.analyzer.evaluation.noise import Noise

        if not (self.drop > 0 or self.invent > 0):
            return Noise(0.0, 0.0, 0.0, 0.0)
        burst = BURSTS[self.seed % len(BURSTS)] if self.bursts else "none"
        return Noise(self.drop, self.invent, self.swap, JITTER, burst)

    def truth(self) -> dict[str, Any]:
        from mafiavar.analyzer.evaluation.realigned import lengthened
        from mafiavar.ui.cli.written import RULESETS, written

        return dict(lengthened(written(RULESETS[self.seed % len(RULESETS)], self.seed), 60 * self.minutes))


def decode(job: Job) -> Outcome:
    """Writes a game, spoils its words, decodes them (in a worker process)."""
    from mafiavar.analyzer.align.parameters import parse
    from mafiavar.analyzer.evaluation.decoded import Looks, outcome

    looks = Looks(*job.looks) if job.looks is not None else None
    p = parse(job.parameters) if job.parameters else None
    return outcome(job.truth(), job.noise, job.seed, p, looks)


def _kept(folder: Path, code: str, job: Job) -> Outcome:
    """The outcome that lies in the folder, or a new one, which lies there then."""
    import msgspec

    from mafiavar.analyzer.evaluation.decoded import Outcome

    name = hashlib.sha256(f"{code} {job!r}".encode()).hexdigest()[:16]
    file = folder / f"{job.seed}-{name}.msgpack"
    if file.exists():
        return msgspec.msgpack.decode(file.read_bytes(), type=Outcome)
    found = decode(job)
    part = file.with_suffix(".part")
    part.write_bytes(msgspec.msgpack.encode(found))
    part.replace(file)
    return found


def outcomes(jobs: Sequence[Job], workers: int, folder: Path | None = None) -> list[Outcome]:
    """In the order of the jobs, whoever works on them. `folder`: where finished games are kept."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    work = decode if folder is None else partial(_kept, folder, code())
    if workers == 1:
        return [work(job) for job in jobs]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        return list(pool.map(work, jobs))


def code() -> str:
    """Digits that stand for the program: games that another one has decoded are decoded again."""
    digest = hashlib.sha256()
    for package in _CODE:
        for file in sorted(resources.files(f"mafiavar.{package}").iterdir(), key=lambda f: f.name):
            if file.name.endswith((".py", ".toml")):
                digest.update(file.read_bytes())
    return digest.hexdigest()


def measured(jobs: Sequence[Job], workers: int, folder: Path | None = None) -> Iterator[dict[str, Any]]:
    """A row for the words alone and, where the hands were asked for, one with them. All jobs have the
    same noise."""
    from mafiavar.analyzer.align.parameters import default, parse
    from mafiavar.analyzer.evaluation.stated import at_threshold, summary

    stated = (parse(jobs[0].parameters) if jobs[0].parameters else default()).stated
    found, first = outcomes(jobs, workers, folder), jobs[0]
    cpu, hours = sum(o.cpu for o in found), sum(o.seconds for o in found) / 3600
    for looks in (None, first.looks) if first.looks is not None else (None,):
        results = [o.stated if looks is None or o.seen is None else o.seen for o in found]
        yield {
            "drop": first.drop,
            "invent": first.invent,
            "looks": list(looks) if looks is not None else None,
            "seeds": [first.seed, jobs[-1].seed],
            **summary(results),
            "thresholds": {str(t): at_threshold(results, stated, t) for t in (*THRESHOLDS, stated)},
            "cpu_per_hour": round(cpu / hours, 2) if hours else None,
            "cpu_per_hour_most": round(max((3600 * o.cpu / o.seconds for o in found), default=0.0), 2),
            "cues_per_hour": round(sum(o.cues for o in found) / hours) if hours else None,
            "errors": {
                f"{o.recording} ({o.burst})": [
                    {"fact": list(n), "truth": t, "found": f} for n, t, f in result.wrong
                ]
                for o, result in zip(found, results, strict=True)
                if result.wrong
            },
        }


def line(row: dict[str, Any]) -> str:
    """A row in one line."""
    from mafiavar.analyzer.evaluation.aggregate import wilson

    low, high = wilson(row["games_right"], row["games"]) or (0.0, 0.0)
    error = row["calibration_error"] or 0.0
    unheard = row["unheard"] / max(1, row["facts"] + row["unheard"])
    hands = row["looks"] is not None
    others = "; ".join(f"{t}: {right}/{row['games']}, {u:.1%}" for t, (right, u) in row["thresholds"].items())
    return say(
        f"потеряно {row['drop']:.0%}, выдумано {row['invent']:.0%}{', руки видны' if hands else ''}:"
        f" игр без неверного факта {row['games_right']}/{row['games']} = {row['games_right'] / row['games']:.3f}"
        f" [{low:.3f}–{high:.3f}], неизвестно {row['unknown_share'] or 0:.1%}, не прозвучало {unheard:.1%},"
        f" неверно {row['wrong_share'] or 0:.2%}, ошибка калибровки {error:.3f}, {row['cpu_per_hour']} с на час,"
        f" не больше {row['cpu_per_hour_most']} ({row['cues_per_hour']} реплик)\n"
        f"  при пороге — игр без неверного факта, неизвестно: {others}",
        f"lost {row['drop']:.0%}, invented {row['invent']:.0%}{', hands seen' if hands else ''}:"
        f" games without a wrong fact {row['games_right']}/{row['games']} = {row['games_right'] / row['games']:.3f}"
        f" [{low:.3f}–{high:.3f}], unknown {row['unknown_share'] or 0:.1%}, unheard {unheard:.1%},"
        f" wrong {row['wrong_share'] or 0:.2%}, calibration error {error:.3f}, {row['cpu_per_hour']} s per hour,"
        f" at most {row['cpu_per_hour_most']} ({row['cues_per_hour']} cues)\n"
        f"  stated from — games without a wrong fact, unknown: {others}",
    )
