"""Everything a fresh clone needs, with nothing but Python 3.11+ at hand: `python3 .ci/install.py [--dev]`.

System libraries (by apt where we are root, otherwise the command is named), uv, the environment
.venv from the lock file, the program itself in place. A second run finds the stamp and does nothing.
Only the standard library is used: this runs before anything is installed.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import shutil
import ssl
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
TOOLS = ROOT / ".build" / "tools"
BIN = "Scripts" if os.name == "nt" else "bin"
EXE = ".exe" if os.name == "nt" else ""
OLDEST = (3, 11)

# shared library -> Debian package that brings it (mediapipe and its OpenCV load these)
LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGLESv2.so.2": "libgles2",
    "libGL.so.1": "libgl1",
    "libgthread-2.0.so.0": "libglib2.0-0",
}
# what to look for -> Debian packages; only the tests (and the studio) want these
TEST_PROGRAMS = {
    "chromium": ("chromium",),
    "festival": ("festival", "festvox-ru"),
    "sox": ("sox",),
    "/usr/lib/postgresql/*/bin/initdb": ("postgresql",),
    # moderngl draws through Mesa's software driver where there is no graphics card
    "/usr/share/glvnd/egl_vendor.d/*.json": ("libegl-mesa0", "libgl1-mesa-dri"),
}
# the browser tests' driver is a Node that is linked against it; no package of ours draws it in
TEST_LIBRARIES = {"libatomic.so.1": "libatomic1"}


def say(russian: str, english: str) -> None:
    print(english if os.environ.get("MAFIAVAR_LANG", "").startswith("en") else russian, flush=True)


def stop(russian: str, english: str) -> None:
    say(russian, english)
    raise SystemExit(1)


def run(*command: str | Path, **environment: str) -> int:
    return subprocess.run(
        [str(c) for c in command], cwd=ROOT, env={**os.environ, **environment}, check=False
    ).returncode


def present(program: str) -> bool:
    """A program on the path, or any file of an absolute pattern."""
    if program.startswith("/"):
        return any(Path("/").glob(program[1:]))
    return shutil.which(program) is not None


def missing_packages(programs: dict[str, tuple[str, ...]], libraries: dict[str, str]) -> list[str]:
    """Debian packages whose library cannot be loaded or whose program is not on the path."""
    missing = []
    for library, package in libraries.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            missing.append(package)
    if not uv_here() and importlib.util.find_spec("ensurepip") is None:
        # Debian keeps the part of Python that makes environments in a package of its own.
        missing.append("python3-venv")
    for program, packages in programs.items():
        if not present(program):
            missing += packages
    return missing


def apt(packages: list[str]) -> None:
    """Install Debian packages, or name the command when we may not."""
    names = " ".join(packages)
    if shutil.which("apt-get") is None:
        stop(
            f"Не хватает системных библиотек (в Debian это пакеты {names}). Поставьте их средствами вашей системы и повторите.",
            f"System libraries are missing (Debian packages {names}). Install them and repeat.",
        )
    if os.geteuid() != 0:
        stop(
            f"Не хватает системных пакетов. Выполните и повторите:\n  sudo apt-get install -y {names}",
            f"System packages are missing. Run this and repeat:\n  sudo apt-get install -y {names}",
        )
    say(f"Ставлю системные пакеты: {names}", f"Installing system packages: {names}")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    run("apt-get", "update", "-q", **quiet)
    if run("apt-get", "install", "-y", "-q", "--no-install-recommends", *packages, **quiet):
        stop(f"apt-get не смог поставить: {names}", f"apt-get could not install: {names}")


def uv_here() -> Path | None:
    """uv from the path or from an earlier run."""
    found = shutil.which("uv") or TOOLS / BIN / f"uv{EXE}"
    return Path(found) if Path(found).exists() else None


def find_uv() -> Path:
    """uv, put into .build/tools by pip where there is none."""
    if found := uv_here():
        return found
    say("Ставлю uv", "Installing uv")
    shutil.rmtree(TOOLS, ignore_errors=True)
    python = TOOLS / BIN / f"python{EXE}"
    if run(sys.executable, "-m", "venv", TOOLS):
        stop("Не удалось создать окружение Python.", "A Python environment could not be made.")
    if run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "uv"):
        stop(
            "Не удалось скачать uv: проверьте интернет и повторите.",
            "uv could not be fetched: check the connection and repeat.",
        )
    return TOOLS / BIN / f"uv{EXE}"


def system_trusts() -> bool:
    """Has the system certificates of its own? A hall behind a filter has its filter's among them."""
    paths = ssl.get_default_verify_paths()
    folder = Path(paths.capath) if paths.capath else None
    return bool(paths.cafile) or bool(folder and any(folder.iterdir()))


def uv_run(uv: Path, *command: str | Path) -> int:
    return run(uv, *command, **({"UV_SYSTEM_CERTS": "true"} if system_trusts() else {}))


def fingerprint(lock: Path) -> str:
    """Changes when the lock, the packaging, the interpreter or the place of the tree changes."""
    digest = hashlib.sha256(f"{sys.version}\n{ROOT}\n".encode())
    for path in (lock, ROOT / "pyproject.toml"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def install(dev: bool) -> None:
    lock = ROOT / ("requirements-dev.lock" if dev else "requirements.lock")
    python = VENV / BIN / f"python{EXE}"
    stamps = [VENV / f".installed-{kind}" for kind in (("dev",) if dev else ("dev", "user"))]
    wanted = fingerprint(lock)
    wanted_dev = fingerprint(ROOT / "requirements-dev.lock")
    for stamp in stamps:
        if stamp.exists() and stamp.read_text() in {wanted, wanted_dev}:
            return
    uv = find_uv()
    say("Ставлю программу и библиотеки в .venv", "Installing the program and its libraries into .venv")
    # An environment of another place or interpreter is no good to us; uv's own check is the judge.
    if (not python.exists() or run(python, "-c", "")) and run(
        uv, "venv", "-q", "--clear", "--python", sys.executable, VENV
    ):
        stop("Не удалось создать .venv.", ".venv could not be made.")
    for stamp in VENV.glob(".installed-*"):
        stamp.unlink()
    common = ("pip", "install", "--python", python)
    if uv_run(uv, *common, "--require-hashes", "-r", lock) or uv_run(
        uv, *common, "-q", "--no-deps", "-e", ROOT
    ):
        stop(
            "Библиотеки не установились: проверьте интернет и место на диске и повторите ту же команду.",
            "The libraries could not be installed: check the connection and the disk and repeat.",
        )
    (VENV / f".installed-{'dev' if dev else 'user'}").write_text(wanted)


def main() -> None:
    if sys.version_info < OLDEST:
        stop("Нужен Python 3.11 или новее.", "Python 3.11 or newer is needed.")
    dev = "--dev" in sys.argv[1:]
    programs = TEST_PROGRAMS if dev else {}
    libraries = {**LIBRARIES, **(TEST_LIBRARIES if dev else {})}
    if sys.platform == "linux" and (packages := missing_packages(programs, libraries)):
        apt(packages)
    install(dev)


if __name__ == "__main__":
    main()
