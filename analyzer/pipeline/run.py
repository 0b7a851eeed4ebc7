"""From recordings to case folders, stage by stage.

index -> clock -> speech -> voices -> cues -> seats -> mouths (where the voices leave open who spoke) -> cues
-> games -> for each game: (closer listening to what is in doubt, where a larger recogniser is at hand) ->
align -> hands (only the windows that align asks for) -> blows that were heard -> align again, votes, flags ->
stills, clips -> report. Each stage lies under its key in the case
folder (`analyzer.case.stages`); results are published as soon as they exist.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mafiavar.analyzer.align import align
from mafiavar.analyzer.align.doubts import Doubt, doubts_of
from mafiavar.analyzer.align.games import games
from mafiavar.analyzer.case.folder import CaseFolder, opened
from mafiavar.analyzer.case.stages import described, key_of
from mafiavar.analyzer.cue import Cue
from mafiavar.analyzer.errors import MediaError, UsageError
from mafiavar.analyzer.pipeline import blows, closer, following, listening, looking, mouthing, recordings
from mafiavar.analyzer.pipeline.context import VERSIONS, Context
from mafiavar.analyzer.pipeline.names import exists
from mafiavar.analyzer.pipeline.options import Options, Progress
from mafiavar.analyzer.pipeline.publishing import Publisher
from mafiavar.analyzer.pipeline.results import Protocol, align_hash, read_protocol, results_of
from mafiavar.analyzer.pipeline.summary import Summary
from mafiavar.analyzer.pipeline.table import Placed
from mafiavar.analyzer.seal import seal
from mafiavar.analyzer.seats import SeatMap
from mafiavar.analyzer.span import Span, seconds
from mafiavar.analyzer.transcript import Transcript, within
from mafiavar.analyzer.vision.question import Answer, Question, SeatHands
from mafiavar.engine.ruleset import Ruleset, ruleset
from mafiavar.models import registry
from mafiavar.models.errors import ModelMissing

_ALIGN_COST = 0.003


def analyze(paths: Sequence[Path], case: Path, options: Options, progress: Progress) -> tuple[Summary, ...]:
    """Analyse recordings into the folder `case`; a summary a game.

    A recording of several games makes `case`/game-01, `case`/game-02, ..., each a case.

    Raises:
        UsageError: a seats or protocol file cannot be read.
        MediaError: a recording cannot be read, or holds nothing that can be analysed.
        ModelMissing: a model is absent or altered.
        CaseError: the folder cannot be used.
    """
    resolved = [p.resolve() for p in paths]
    for path in resolved:
        exists(path)
    fresh = not case.exists()
    try:
        with opened(case) as folder:
            run = Context(folder, options, progress)
            try:
                summaries = _everything(run, resolved)
            except BaseException as error:
                run.note("failed" if isinstance(error, Exception) else "stopped", error=type(error).__name__)
                raise
            run.note("done")
            return summaries
    except (UsageError, MediaError, ModelMissing):
        # What could not even be read leaves no folder behind that looks like a case.
        if fresh and not any((case / "stages").glob("*/[!.]*")):
            shutil.rmtree(case, ignore_errors=True)
        raise


def _everything(run: Context, paths: Sequence[Path]) -> tuple[Summary, ...]:
    run.note("running")
    wished = closer.recogniser(run.options.asr, run.options.closer)
    if wished is not None:
        registry.locate_recogniser(wished)  # a name that does not exist is told before an hour is heard
    protocol = read_protocol(run.options.protocol) if run.options.protocol else None
    rules = ruleset(run.options.ruleset or (protocol or {}).get("ruleset") or "fsm-2026")
    table = recordings.placed(run, paths)
    drawn = looking.drawn(run, table)
    whole = Span(min(p.span.t0 for p in table), max(p.span.t1 for p in table))
    run.progress.plan(_plan(seconds(whole.duration), any(p.recording.video for p in table)))
    transcript, speech_keys = listening.speech(run, table, protocol)
    cues, cues_key = listening.cues(run, transcript, speech_keys)
    maps = looking.seats(run, table, cues, drawn)
    heard = mouthing.with_mouths(run, table, maps, mouthing.Heard(transcript, speech_keys, cues, cues_key))
    transcript, speech_keys = heard.transcript, list(heard.speech_keys)
    cues, cues_key = heard.cues, heard.cues_key
    spans = games(cues, whole)
    summaries = []
    for number, span in enumerate(spans, 1):
        into = run.folder if len(spans) == 1 else CaseFolder(run.folder.root / f"game-{number:02d}")
        game = _Game(
            run,
            Publisher(run, into, table, span, rules.name),
            rules,
            protocol,
            span,
            [c for c in cues if c.span.middle in span] if len(spans) > 1 else list(cues),
            within(transcript, span) if len(spans) > 1 else transcript,
            cues_key,
            speech_keys,
        )
        summaries.append(game.analysed(table, maps))
    run.stages.forget_unused()
    return tuple(summaries)


@dataclass(slots=True)
class _Game:
    """One game of the recording; the stages' order is that of `analysed`."""

    run: Context
    publish: Publisher
    rules: Ruleset
    protocol: Protocol | None
    span: Span
    cues: list[Cue]
    transcript: Transcript
    cues_key: str
    speech_keys: Sequence[str]

    def analysed(self, table: Sequence[Placed], maps: Mapping[int, SeatMap]) -> Summary:
        began = len(self.run.stages.runs) if self.publish.into != self.run.folder else 0
        self.publish.case()
        if self.protocol is not None and self.publish.into == self.run.folder:
            self.publish.protocol(self.protocol)
        self.listen_closer(table)
        self.publish.transcript(self.transcript)
        questions = self.first_reading()
        places = following.stays(self.run, table, maps)
        hands, hands_keys = looking.hands(self.run, table, places, questions)
        answers, look_keys = looking.answers(self.run, table, places, questions)
        struck, blow_keys = blows.blows(self.run, table, places, self.cues, questions)
        answers = (*answers, *struck)
        self.publish.observations(self.transcript, self.cues, hands, answers)
        result = self.timeline(hands, answers, [*hands_keys, *look_keys, *blow_keys])
        self.publish.results(result)
        self.publish.report(maps, result)
        seal(self.publish.into.root)
        return Summary(
            case=self.publish.into.root,
            ruleset=self.rules.name,
            duration=seconds(self.span.duration),
            timeline=result["timeline"],
            votes=result["votes"],
            flags=result["flags"],
            costs=tuple(self.run.stages.runs[began:]),
            warnings=tuple(self.run.warnings),
        )

    def key(self, name: str, *inputs: str) -> str:
        return key_of(
            name, VERSIONS["timeline"],
            {
                "rules": described(self.rules), "span": [self.span.t0, self.span.t1], "parameters": align_hash(),
                "protocol": described(self.protocol), "lang": self.run.options.lang,
            },
            self.cues_key, *inputs,
        )  # fmt: skip

    def listen_closer(self, table: Sequence[Placed]) -> None:
        """What the words alone leave in doubt is heard again, where there is who hears better."""
        model = closer.recogniser(self.run.options.asr, self.run.options.closer)
        if model is None or not self.cues:
            return
        doubts = self.run.value(
            "doubts",
            self.key("doubts"),
            _ALIGN_COST * seconds(self.span.duration),
            tuple[Doubt, ...],
            lambda: doubts_of(
                align(self.cues, self.rules, duration=self.span.t1, protocol=self.protocol), closer.BUDGET
            ),
        )
        if doubts:
            self.transcript, key = closer.heard_again(
                self.run, table, self.transcript, doubts, model, self.speech_keys
            )
            cues, self.cues_key = listening.cues(self.run, self.transcript, [key], "closer_cues")
            self.cues = list(cues)

    def first_reading(self) -> tuple[Question, ...]:
        """What the sound alone says, only to know which windows the pictures are asked about."""
        return self.run.value(
            "align",
            self.key("align"),
            _ALIGN_COST * seconds(self.span.duration),
            tuple[Question, ...],
            lambda: align(self.cues, self.rules, duration=self.span.t1, protocol=self.protocol).questions,
        )

    def timeline(
        self, hands: Sequence[SeatHands], answers: Sequence[Answer], keys: Sequence[str]
    ) -> dict[str, Any]:
        """The game with what was seen: timeline, votes and flags as they stand in their files."""
        return self.run.value(
            "timeline",
            self.key("timeline", *keys),
            _ALIGN_COST * seconds(self.span.duration),
            dict[str, Any],
            lambda: results_of(
                self.cues,
                self.transcript,
                hands,
                self.rules,
                self.span.t1,
                self.protocol,
                self.run.options.lang,
                answers=answers,
            ),
        )


def _plan(duration: float, picture: bool) -> float:
    """Expected seconds of the whole run, before the windows for the pictures are known."""
    votes = 0.05 * duration * looking.COST / 2 if picture else 0.0
    return 2.0 + (listening.COST + listening.VOICES_COST + 2 * _ALIGN_COST) * duration + votes
