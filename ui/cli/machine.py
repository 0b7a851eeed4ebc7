"""Is this machine ready? Each check does the thing it asks about and names the command that mends it."""

from __future__ import annotations

import ctypes
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from mafiavar.models.registry import check, default_names, models_folder
from mafiavar.ui.language import decimal, say

State = Literal["ok", "warning", "fault"]

OLDEST_PYTHON = (3, 11)
LIBRARIES = (
    "av",
    "cv2",
    "ctranslate2",
    "faster_whisper",
    "jinja2",
    "mediapipe",
    "numpy",
    "onnxruntime",
    "openpyxl",
    "pyarrow",
    "pymorphy3",
    "scipy",
    "sqlalchemy",
    "streamlit",
)
# The name to install where it is not the name to import.
DISTRIBUTIONS = {"cv2": "opencv-contrib-python", "faster_whisper": "faster-whisper"}
OPENCV = (
    "opencv-python",
    "opencv-python-headless",
    "opencv-contrib-python",
    "opencv-contrib-python-headless",
)
SHARED_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGLESv2.so.2": "libgles2",
    "libGL.so.1": "libgl1",
    "libgthread-2.0.so.0": "libglib2.0-0",
}
READS = ("h264", "hevc", "vp9", "av1", "aac", "opus", "mp3", "vorbis", "pcm_s16le")
WRITES = ("libx264", "aac", "mjpeg")
GIGABYTE = 1 << 30
DISK_FAULT, DISK_WARNING = 1.0, 5.0
MEMORY_FAULT, MEMORY_WARNING = 3.0, 6.0
IMPORT_SECONDS = 180


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor: what was looked at, what was seen, what mends it ("" when all is well).

    `code`: the exit code of the command when this is what is wrong.
    """

    name: str
    state: State
    seen: str
    mend: str = ""
    code: int = 1


def examine(place: Path) -> Iterator[Finding]:
    """All checks in order; `place` is where cases will be written."""
    yield python()
    yield libraries()
    yield one_opencv()
    if sys.platform == "linux":
        yield shared_libraries()
    probed = probe() if check("hand-landmarker").state == "ready" else None
    yield hands(probed)
    yield codecs()
    yield from weights()
    yield disk(place, say("место для дел", "room for cases"))
    yield disk(models_folder(), say("место для моделей", "room for models"))
    yield memory()
    yield cores()
    yield pace(probed[0] if probed else None)


def python() -> Finding:
    seen = f"{sys.version.split()[0]} ({sys.executable})"
    if sys.version_info < OLDEST_PYTHON:
        return Finding("Python", "fault", seen, "uv python install 3.11")
    return Finding("Python", "ok", seen)


def child(code: str, seconds: float = IMPORT_SECONDS) -> tuple[int, str]:
    """Exit code and the last words of a Python of our own: a library that crashes takes only it along."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
            check=False,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
    except subprocess.TimeoutExpired:
        return -1, say(f"не ответил за {seconds:.0f} с", f"no answer in {seconds:.0f} s")
    words = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    return done.returncode, words[-1] if words else ""


def libraries(names: tuple[str, ...] = LIBRARIES, run: Callable[[str], tuple[int, str]] = child) -> Finding:
    """All are imported at once; only when that fails is the guilty one looked for."""
    title = say("библиотеки", "libraries")
    if run(f"import {', '.join(names)}")[0] == 0:
        return Finding(title, "ok", ", ".join(f"{d} {version(d)}" for d in map(distribution, names)))
    broken = {name: words for name in names for code, words in [run(f"import {name}")] if code}
    if not broken:
        return Finding(
            title, "warning", say("вместе загрузились не с первого раза", "loaded one by one only")
        )
    seen = "; ".join(f"{name}: {words}" for name, words in broken.items())
    return Finding(title, "fault", seen, reinstall(*map(distribution, broken)))


def distribution(module: str) -> str:
    return DISTRIBUTIONS.get(module, module)


def version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "?"


def reinstall(*names: str) -> str:
    python_path = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"{python_path} -m pip install --force-reinstall --no-deps {' '.join(names)}"


def one_opencv(installed: Callable[[str], str] = version) -> Finding:
    """Two OpenCV packages write the same files: what is left is a mixture."""
    found = [name for name in OPENCV if installed(name) != "?"]
    if found == ["opencv-contrib-python"]:
        return Finding("OpenCV", "ok", f"{found[0]} {installed(found[0])}")
    extra = [name for name in found if name != "opencv-contrib-python"]
    mend = reinstall("opencv-contrib-python")
    if extra:
        mend = f"{sys.executable} -m pip uninstall -y {' '.join(extra)} && {mend}"
    return Finding("OpenCV", "fault", " + ".join(found) or say("нет", "none"), mend)


def loadable(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def shared_libraries(present: Callable[[str], bool] = loadable) -> Finding:
    """What mediapipe and OpenCV load from the system on Linux."""
    missing = [name for name in SHARED_LIBRARIES if not present(name)]
    if not missing:
        return Finding("EGL, GLES, GL, GLib", "ok", ", ".join(SHARED_LIBRARIES))
    packages = " ".join(SHARED_LIBRARIES[name] for name in missing)
    seen = say(f"нет {', '.join(missing)}", f"missing {', '.join(missing)}")
    return Finding("EGL, GLES, GL, GLib", "fault", seen, f"sudo apt-get install -y {packages}")


HANDS = """
import statistics
import sys
import time
import numpy
import mediapipe
from mediapipe.tasks import python as tasks
from mediapipe.tasks.python import vision
weights = open(sys.argv[1], "rb").read()
options = vision.HandLandmarkerOptions(base_options=tasks.BaseOptions(model_asset_buffer=weights))
noise = numpy.random.default_rng(1).integers(0, 255, (192, 192, 3), numpy.uint8)
picture = mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=noise)
spent = []
with vision.HandLandmarker.create_from_options(options) as hands:
    for _ in range(25):
        began = time.process_time()
        hands.detect(picture)
        spent.append(time.process_time() - began)
print(1000 * statistics.median(spent[5:]))
"""


def probe(run: Callable[[str], tuple[int, str]] | None = None) -> tuple[float | None, str]:
    """Start the hand model and show it noise: CPU milliseconds a call (None: it did not start), and
    what it said. Proves weights, mediapipe and EGL together, and is the unit of `pace`."""
    path = models_folder() / "hand-landmarker" / "hand_landmarker.task"
    code = HANDS.replace("sys.argv[1]", repr(str(path)))
    result, words = (run or child)(code)
    try:
        return (float(words), "") if result == 0 else (None, words)
    except ValueError:
        return None, words


def hands(probed: tuple[float | None, str] | None = None) -> Finding:
    """Does the hand model start?"""
    title = say("кисти рук", "hands")
    if check("hand-landmarker").state != "ready":
        return Finding(
            title, "warning", say("модель не скачана", "model not fetched"), "mafiavar models fetch"
        )
    speed, words = probed or probe()
    if speed is None:
        return Finding(title, "fault", words, reinstall("mediapipe", "opencv-contrib-python"))
    seen = say(f"модель запускается, {speed:.0f} мс на взгляд", f"the model starts, {speed:.0f} ms a look")
    return Finding(title, "ok", seen)


def pace(speed: float | None, count: int | None = None) -> Finding:
    """How long an hour of recording will take: what stages cost where they were measured, times how
    much slower the hand model is here, over the cores that share the work."""
    title = say("час записи", "an hour of recording")
    if speed is None:
        return Finding(
            title, "warning", say("не оценить без модели рук", "cannot be told without the hand model")
        )
    table = tomllib.loads((Path(__file__).parent / "pace.toml").read_text("utf-8"))
    minutes = expected_minutes(table, speed, count or usable_cores())
    return Finding(
        title, "ok", say(f"около {minutes:.0f} мин разбора", f"about {minutes:.0f} min of analysis")
    )


def expected_minutes(table: Mapping[str, Any], speed: float, count: int) -> float:
    """Minutes of the clock for 60 minutes of recording. Two worker processes share hands, two threads
    share speech; the rest runs alone."""
    shared = sum(table["shared"].values()) / min(2, count)
    alone = sum(table["alone"].values())
    return float(60 * (shared + alone) * speed / table["probe_ms"])


CODECS = """
import av
def has(name, mode):
    try:
        av.codec.Codec(name, mode)
    except Exception:
        return False
    return True
missing = [n for n in {reads!r} if not has(n, "r")] + [n + " (write)" for n in {writes!r} if not has(n, "w")]
print(", ".join(missing) or "ok " + ".".join(map(str, av.library_versions["libavcodec"])))
"""


def codecs() -> Finding:
    """FFmpeg comes inside PyAV; which recordings can it read, can it write the clips?"""
    result, words = child(CODECS.format(reads=READS, writes=WRITES))
    if result or not words.startswith("ok"):
        return Finding("FFmpeg (PyAV)", "fault", words, reinstall("av"))
    return Finding("FFmpeg (PyAV)", "ok", f"PyAV {version('av')}, libavcodec {words.removeprefix('ok ')}")


def weights() -> Iterator[Finding]:
    """The models of an ordinary run."""
    title = say("модели", "models")
    wrong = [c for c in map(check, default_names()) if c.state != "ready"]
    if not wrong:
        yield Finding(title, "ok", f"{', '.join(default_names())} ({models_folder()})")
        return
    words = {"absent": say("нет", "absent"), "altered": say("испорчена", "altered")}
    seen = ", ".join(f"{c.name}: {words[c.state]}" for c in wrong)
    yield Finding(title, "fault", seen, f"mafiavar models fetch {' '.join(c.name for c in wrong)}", code=4)


def disk(place: Path, title: str) -> Finding:
    """Free space where `place` is or will be."""
    existing = next(p for p in (place.absolute(), *place.absolute().parents) if p.exists())
    free = shutil.disk_usage(existing).free / GIGABYTE
    seen = say(f"свободно {decimal(free)} ГБ ({existing})", f"{free:.1f} GB free ({existing})")
    if not os.access(existing, os.W_OK):
        return Finding(
            title,
            "fault",
            say(f"в {existing} нельзя писать", f"{existing} cannot be written to"),
            say("запустите из другой папки", "run from another folder"),
        )
    mend = say("освободите место на диске", "free some disk space")
    if free < DISK_FAULT:
        return Finding(title, "fault", seen, mend)
    return Finding(title, "warning", seen, mend) if free < DISK_WARNING else Finding(title, "ok", seen)


def memory_bytes() -> int | None:
    """Physical memory, None where the system does not tell."""
    if sys.platform == "win32":
        return _windows_memory()
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None


def _windows_memory() -> int | None:
    """dwLength, dwMemoryLoad, then seven 64-bit numbers of which the first is all physical memory."""

    class Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            ("numbers", ctypes.c_ulonglong * 7),
        )

    status = Status(length=ctypes.sizeof(Status))
    answered = getattr(ctypes, "windll").kernel32.GlobalMemoryStatusEx(ctypes.byref(status))  # noqa: B009
    return int(status.numbers[0]) if answered else None


def memory(total: int | None = None) -> Finding:
    title = say("память", "memory")
    total = memory_bytes() if total is None else total
    if total is None:
        return Finding(title, "warning", say("не удалось узнать", "could not be told"))
    size = total / GIGABYTE
    seen = say(f"{decimal(size)} ГБ", f"{size:.1f} GB")
    mend = say(
        "закройте другие программы; разбор пойдёт в один процесс: --workers 1",
        "close other programs; use --workers 1",
    )
    if size < MEMORY_FAULT:
        return Finding(title, "fault", seen, mend)
    return Finding(title, "warning", seen, mend) if size < MEMORY_WARNING else Finding(title, "ok", seen)


def usable_cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cores() -> Finding:
    count = usable_cores()
    title = say("ядра", "cores")
    if count < 2:
        return Finding(
            title,
            "warning",
            str(count),
            say("разбор будет вдвое медленнее", "analysis will take twice as long"),
        )
    return Finding(title, "ok", str(count))
