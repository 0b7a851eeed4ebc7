"""`mafiavar doctor --video FILE`: is this camera good enough, what to change before the game."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from mafiavar.analyzer.errors import UsageError
from mafiavar.analyzer.media import recording as media
from mafiavar.analyzer.media.worker import in_worker
from mafiavar.analyzer.seats import find_seats_file, read_seats
from mafiavar.analyzer.vision.camera import HAND_GOOD, HAND_LEAST, CameraReport, camera_report
from mafiavar.ui.cli.machine import Finding
from mafiavar.ui.language import say

LOOK_SECONDS = 600.0


def look(path: Path, seats_file: Path) -> CameraReport:
    """Runs in a worker: foreign media is opened nowhere else."""
    recording = media.index(path)
    return camera_report(recording, read_seats(seats_file, path.name))


def examine_camera(path: Path, seats: Path | None) -> list[Finding]:
    """What this recording shows of the table. Raises UsageError without a map of the seats, MediaError
    when the recording cannot be read."""
    if not path.is_file():
        raise UsageError(
            f"Записи {path} нет. Проверьте имя.", f"There is no recording {path}. Check the name."
        )
    seats_file = seats or find_seats_file(path)
    if seats_file is None:
        raise UsageError(
            f"Чтобы судить о камере, нужна разметка мест: отметьте места в просмотре (mafiavar review), положите "
            f"рядом {path.stem}.seats.toml или укажите --seats.",
            f"A map of the seats is needed to judge the camera: draw it in the review (mafiavar review), put "
            f"{path.stem}.seats.toml beside the recording or name it with --seats.",
        )
    return findings(in_worker(look, path.resolve(), seats_file.resolve(), limit_seconds=LOOK_SECONDS))


def findings(report: CameraReport) -> list[Finding]:
    """The report in a judge's words: the picture, every seat that is badly seen, the advice."""
    width, height = report.size
    rate = say("переменная частота", "variable rate") if report.variable else ""
    seen = say(f"{width}×{height}, {report.rate:g} кадров/с", f"{width}×{height}, {report.rate:g} frames/s")
    found = [Finding(say("картинка", "picture"), "ok", f"{seen} {rate}".strip())]
    unseen = report.seats_unseen()
    if report.seats:
        hand = sorted(s.hand for s in report.seats)[len(report.seats) // 2]
        state: Literal["ok", "warning", "fault"] = (
            "ok" if hand >= HAND_GOOD else "warning" if hand >= HAND_LEAST else "fault"
        )
        words = say(f"около {hand:.0f} точек", f"about {hand:.0f} pixels")
        found.append(Finding(say("кисть руки в кадре", "a hand in the picture"), state, words))
    if unseen:
        numbers = ", ".join(map(str, unseen))
        text = say(
            f"№ {numbers}: про отсутствие руки программа скажет «не видно»",
            f"No. {numbers}: where there is no hand the program will say “cannot tell”",
        )
        found.append(Finding(say("плохо видны", "badly seen"), "warning", text))
    return found + [advice(kind, unseen) for kind in report.advice]


def advice(kind: str, unseen: tuple[int, ...]) -> Finding:
    """One thing to change; the most useful come first."""
    near = ", ".join(map(str, unseen))
    words = {
        "no_picture": (
            ("в записи нет картинки", "there is no picture in the recording"),
            ("снимите стол видеокамерой", "film the table"),
        ),
        "black": (
            ("чёрный экран", "the screen is black"),
            ("не переключайте ночью на заставку", "do not switch to a closing picture at night"),
        ),
        "seat_outside": (
            ("места не помещаются в кадр", "seats are outside the picture"),
            ("отодвиньте или поверните камеру: все десять мест в кадре", "move or turn the camera: all ten seats inside"),
        ),
        "closer": (
            ("руки мелкие", "hands are small"),
            ("поставьте камеру ближе или приблизьте: стол во весь кадр", "move closer or zoom in: the table fills the picture"),
        ),
        "higher": (
            (f"руки закрыты спинами: № {near}", f"hands are hidden by backs: No. {near}"),
            ("поднимите камеру (2–2,5 м, наклон вниз) или добавьте вторую", "raise the camera (2–2.5 m, looking down) or add a second one"),
        ),
        "more_light": (("темно", "it is dark"), ("добавьте света над столом", "put more light over the table")),
        "focus": (
            ("картинка нерезкая", "the picture is not sharp"),
            ("протрите объектив, наведите резкость на стол и закрепите её", "clean the lens, focus on the table and lock it"),
        ),
        "frame_rate": (
            ("мало кадров в секунду", "too few frames a second"),
            ("снимайте от 25 кадров в секунду", "film at 25 frames a second or more"),
        ),
        "cuts": (
            ("картинка переключается", "the picture is cut"),
            ("дайте запись одной камеры без переключений", "give the recording of one camera, uncut"),
        ),
        "steady": (
            ("камера двигалась", "the camera moved"),
            ("закрепите камеру; после сдвига отметьте места заново", "fix the camera; draw the seats again after a move"),
        ),
    }  # fmt: skip
    seen, mend = words.get(kind, ((kind, kind), ("", "")))
    return Finding(say("совет", "advice"), "warning", say(*seen), say(*mend))
