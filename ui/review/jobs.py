"""Analyses and proxies in processes of their own: start, watch, cancel."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# CREATE_NEW_PROCESS_GROUP, which Python names only on Windows
NEW_GROUP: dict[str, Any] = {"creationflags": 0x00000200} if os.name == "nt" else {"start_new_session": True}
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r(?!\n)")


@dataclass(frozen=True, slots=True)
class Job:
    """One process. `state`: running, done, failed, cancelled, lost (the server was ended meanwhile)."""

    id: str
    title: str
    command: tuple[str, ...]
    started: float
    ended: float | None
    code: int | None
    state: str
    log: Path

    def tail(self, lines: int = 12) -> str:
        """The last lines the process said, without terminal control codes."""
        try:
            with self.log.open("rb") as f:
                f.seek(max(0, self.log.stat().st_size - 8192))
                text = f.read().decode("utf-8", "replace")
        except OSError:
            return ""
        return "\n".join([x for x in _ESCAPES.sub("\n", text).splitlines() if x.strip()][-lines:])


class Jobs:
    """Keeps each job's facts in a file, so that a restarted server still shows them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._cancelled: set[str] = set()
        self._lock = threading.Lock()

    def start(self, title: str, command: Sequence[str]) -> Job:
        """Start a command; its words go to a log file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        id_ = f"{time.time_ns():x}"
        log = self.folder / f"{id_}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [*command],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"},
                **NEW_GROUP,
            )
        with self._lock:
            self._running[id_] = process
        job = Job(id_, title, tuple(command), time.time(), None, None, "running", log)
        self._save(job)
        threading.Thread(target=self._wait, args=(job, process), daemon=True).start()
        return job

    def cancel(self, id_: str) -> None:
        """Ask the process to stop as Ctrl-C does, and end it if it does not within five seconds."""
        with self._lock:
            process = self._running.get(id_)
        if process is None or process.poll() is not None:
            return
        self._cancelled.add(id_)
        _interrupt(process)
        threading.Timer(5.0, _kill, [process]).start()

    def all(self) -> tuple[Job, ...]:
        """Newest first."""
        if not self.folder.is_dir():
            return ()
        found = [self._load(f) for f in sorted(self.folder.glob("*.json"), reverse=True)]
        return tuple(j for j in found if j is not None)

    def running(self) -> tuple[Job, ...]:
        return tuple(j for j in self.all() if j.state == "running")

    def close(self) -> None:
        with self._lock:
            left = [p for p in self._running.values() if p.poll() is None]
        for process in left:
            _interrupt(process)

    def _wait(self, job: Job, process: subprocess.Popen[bytes]) -> None:
        code = process.wait()
        state = "cancelled" if job.id in self._cancelled else "done" if code in (0, 10) else "failed"
        self._save(Job(job.id, job.title, job.command, job.started, time.time(), code, state, job.log))
        with self._lock:
            self._running.pop(job.id, None)

    def _save(self, job: Job) -> None:
        file = self.folder / f"{job.id}.json"
        facts = {
            "title": job.title,
            "command": list(job.command),
            "started": job.started,
            "ended": job.ended,
            "code": job.code,
            "state": job.state,
        }
        part = file.with_suffix(".part")
        part.write_text(json.dumps(facts, ensure_ascii=False), encoding="utf-8")
        part.replace(file)

    def _load(self, file: Path) -> Job | None:
        try:
            d = json.loads(file.read_text("utf-8"))
            state = d["state"]
            with self._lock:
                known = file.stem in self._running
            if state == "running" and not known:
                state = "lost"
            return Job(
                file.stem,
                d["title"],
                tuple(d["command"]),
                d["started"],
                d["ended"],
                d["code"],
                state,
                file.with_suffix(".log"),
            )
        except (OSError, ValueError, KeyError):
            return None


def analysis(recordings: Sequence[Path], case: Path, rules: str | None) -> list[str]:
    """The command that analyses recordings into a case folder."""
    command = [sys.executable, "-m", "mafiavar", "analyze", *map(str, recordings), "--case", str(case)]
    return command + (["--rules", rules] if rules else [])


def _interrupt(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        if sys.platform == "win32":
            process.send_signal(signal.CTRL_BREAK_EVENT)
        else:
            process.send_signal(signal.SIGINT)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
