"""`mafiavar studio`: writes games with planted violations and renders them with exact truth."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from mafiavar.sample_videos.errors import BodiesMissing, PictureMissing, StudioError, VoiceMissing
from mafiavar.ui.language import decimal, language, say

WRONG_USAGE, MISSING = 2, 4
RULESETS = ("fsm-2026", "disbord", "legion")
STAGES = {
    "speech": ("произношу реплики", "speaking the lines"),
    "voices": ("раздаю голоса", "dealing the voices"),
    "mix": ("свожу звук", "mixing the sound"),
    "frames": ("рисую кадры", "painting the frames"),
    "truth": ("записываю истину", "writing the truth"),
}


@contextmanager
def told() -> Iterator[None]:
    """Expected failures of the studio become one sentence and an exit code."""
    try:
        yield
    except StudioError as error:
        missing = isinstance(error, BodiesMissing | VoiceMissing | PictureMissing)
        sentence = error.en if language() == "en" else error.ru
        Console(stderr=True).print(sentence, style="red", soft_wrap=True, markup=False)
        raise typer.Exit(MISSING if missing else WRONG_USAGE) from None


@contextmanager
def bar() -> Iterator[Callable[[str, float], None]]:
    """Progress on a terminal, silence elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _stage, _share: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("", total=1.0)

        def report(stage: str, share: float) -> None:
            shown.update(task, description=say(*STAGES.get(stage, (stage, stage))), completed=share)

        yield report


def register(app: typer.Typer) -> None:
    studio = typer.Typer(
        no_args_is_help=True,
        help=say(
            "студия: пишет и рисует игры, о которых известно всё",
            "the studio: writes and renders games about which everything is known",
        ),
    )
    app.add_typer(studio, name="studio")
    _write(studio)
    _render(studio)
    _fetch(studio)
    _samples(studio)


def _write(studio: typer.Typer) -> None:
    @studio.command(
        "write",
        help=say(
            "написать сценарий игры с подложенными нарушениями",
            "write the script of a game with planted violations",
        ),
    )
    def write(
        out: Path = typer.Option(..., "--out", help=say("файл сценария .json", "the script, .json")),
        rules: str = typer.Option(
            "fsm-2026", "--rules", help=say("правила: ", "rules: ") + " | ".join(RULESETS)
        ),
        seed: int = typer.Option(
            1, "--seed", help=say("то же число — те же байты", "same number, same bytes")
        ),
        protocol: Path = typer.Option(
            None,
            "--from-protocol",
            help=say("сыграть по протоколу настоящей игры", "follow the protocol of a real game"),
        ),
        style: str = typer.Option(
            None, "--judge", help=say("манера судьи: ", "manner of the judge: ") + "full | terse | chatty"
        ),
        condensed: bool = typer.Option(
            True,
            "--condensed/--full-length",
            help=say("короткие речи или полные минуты", "short speeches or full minutes"),
        ),
        days: int = typer.Option(
            0,
            "--days",
            min=0,
            help=say(
                "остановиться после стольких дней (0 — до конца)", "stop after so many days (0: to the end)"
            ),
        ),
        violations: float = typer.Option(
            1.0,
            "--violations",
            min=0.0,
            max=5.0,
            help=say("как часто нарушают (0 — никогда)", "how often rules are broken (0: never)"),
        ),
        snr: float = typer.Option(25.0, "--snr", help=say("речь к шуму, дБ", "speech over noise, dB")),
    ) -> None:
        from mafiavar.sample_videos.script import save
        from mafiavar.sample_videos.writer.game import Wishes, write_game

        with told():
            wishes = Wishes(rules, seed, style, condensed, days, violations, snr)
            script = write_game(wishes, protocol)
            save(script, out)
        Console().print(
            say(
                f"Сценарий: {out}. Реплик {len(script.lines)}, действий {len(script.acts)}, подложено нарушений {len(script.flags)}.",
                f"Script: {out}. {len(script.lines)} lines, {len(script.acts)} acts, {len(script.flags)} planted violations.",
            ),
            soft_wrap=True,
            markup=False,
        )


def _render(studio: typer.Typer) -> None:
    @studio.command(
        "render",
        help=say(
            "нарисовать и озвучить сценарий; рядом лягут .truth.json и .seats.toml",
            "render a script; .truth.json and .seats.toml are written beside it",
        ),
    )
    def render_script(
        script: Path = typer.Argument(
            ..., metavar=say("СЦЕНАРИЙ", "SCRIPT"), help=say("файл сценария", "the script")
        ),
        out: Path = typer.Option(
            ...,
            "--out",
            help=say(
                "запись: .mp4, со --sound-only .ogg, .wav, .m4a, .flac",
                "recording: .mp4; with --sound-only .ogg, .wav, .m4a, .flac",
            ),
        ),
        sound_only: bool = typer.Option(False, "--sound-only", help=say("только звук", "sound only")),
        camera: str = typer.Option(None, "--camera", help="high | std | left | right | near | low | top"),
        snr: float = typer.Option(None, "--snr", help=say("речь к шуму, дБ", "speech over noise, dB")),
        murmur: bool = typer.Option(None, "--murmur/--no-murmur", help=say("гул зала", "a murmuring hall")),
        bank: Path = typer.Option(
            None, "--voice-bank", help=say("папка записанных фраз", "folder of recorded phrases")
        ),
        numbers: bool = typer.Option(
            False, "--frame-numbers", help=say("впечатать номера кадров", "burn frame numbers in")
        ),
        settings: list[str] = typer.Option(
            [],
            "--set",
            help=say(
                "любое условие, например picture.noise=2.5; все: docs/studio.md",
                "any condition, for example picture.noise=2.5; all: docs/studio.md",
            ),
        ),
        angles: list[str] = typer.Option(
            [],
            "--angle",
            help=say(
                "ещё камера того же стола в то же время (рядом: ИМЯ.КАМЕРА.mp4)",
                "one more camera at the same table and time (beside it: NAME.CAMERA.mp4)",
            ),
        ),
        workers: int = typer.Option(
            2, "--workers", min=1, max=16, help=say("сколько процессов рисуют", "how many processes paint")
        ),
        low_light: bool = typer.Option(
            None, "--low-light/--no-low-light", help=say("тёмный зал", "a dark hall")
        ),
    ) -> None:
        from mafiavar.sample_videos.render import render, render_angles, render_sound
        from mafiavar.sample_videos.script import load

        sound = {k: v for k, v in (("snr_db", snr), ("murmur", murmur)) if v is not None}
        picture = {
            k: v
            for k, v in (("camera", camera), ("low_light", low_light), ("numbers", numbers or None))
            if v is not None
        }
        with told(), bar() as report:
            game = load(script).with_conditions(sound, picture).with_settings(settings)
            recorded = None
            if bank is not None:
                from mafiavar.sample_videos.sound.bank import open_bank

                recorded = open_bank(bank, game)
            if sound_only:
                made = [render_sound(game, out, recorded, report)]
            elif angles:
                made = render_angles(game, out, angles, bank=recorded, progress=report, workers=workers)
            else:
                made = [render(game, out, recorded, report, workers)]
        for done in made:
            Console().print(
                say(
                    f"Запись: {done.recording} ({decimal(done.duration)} с). Истина: {done.truth}.",
                    f"Recording: {done.recording} ({done.duration:.1f} s). Truth: {done.truth}.",
                ),
                soft_wrap=True,
                markup=False,
            )


def _fetch(studio: typer.Typer) -> None:
    @studio.command(
        "fetch", help=say("скачать тела людей (CC0, 48 МБ)", "download the human bodies (CC0, 48 MB)")
    )
    def fetch() -> None:
        from mafiavar.sample_videos.bodies.fetch import fetch_bodies

        with told():
            path = fetch_bodies()
        Console().print(say(f"Готово: {path}", f"Ready: {path}"), soft_wrap=True, markup=False)


def _samples(studio: typer.Typer) -> None:
    @studio.command(
        "samples", help=say("нарисовать образцы проекта заново", "render the project's samples again")
    )
    def samples(
        folder: Path = typer.Option(..., "--into", help=say("папка", "folder")),
        only: list[str] = typer.Option([], "--only", help=say("только эти", "only these")),
        workers: int = typer.Option(
            2, "--workers", min=1, max=16, help=say("сколько процессов рисуют", "how many processes paint")
        ),
    ) -> None:
        from mafiavar.sample_videos.render import render
        from mafiavar.sample_videos.samples import SAMPLES

        folder.mkdir(parents=True, exist_ok=True)
        with told(), bar() as report:
            for name, script in SAMPLES.items():
                if not only or name in only:
                    render(script(), folder / f"{name}.mp4", None, report, workers)
        Console().print(say(f"Готово: {folder}", f"Ready: {folder}"), soft_wrap=True, markup=False)
