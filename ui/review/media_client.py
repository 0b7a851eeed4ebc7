"""The server's side of the media worker: one process at the other end of a pipe."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any

from mafiavar.analyzer.errors import MediaError

COMMAND = (sys.executable, "-m", "mafiavar.ui.review.media_worker")
# Loudness values a second; the worker writes them, the routes and the player read them.
PEAKS_PER_SECOND = 50
ALIGN_COMMAND = (sys.executable, "-m", "mafiavar.ui.review.align_worker")


class MediaWorker:
    """Asks one worker process, one request at a time; a hanging or dead one is replaced."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def call(self, do: str, *, timeout: float = 60.0, **arguments: Any) -> Any:
        """Do one thing.

        Raises:
            MediaError: the media cannot be read, took longer than `timeout` seconds, or brought
                the worker down.
        """
        with self._lock:
            process = self._running()
            timer = threading.Timer(timeout, process.kill)
            timer.start()
            try:
                assert process.stdin is not None and process.stdout is not None
                process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except OSError:
                line = ""
            finally:
                timer.cancel()
            if not line:
                self._stop()
                raise MediaError(
                    "Запись не удалось прочитать: разбор занял слишком много времени или памяти и был остановлен.",
                    "The recording could not be read: it took too much time or memory and was stopped.",
                )
        answer = json.loads(line)
        if "error" in answer:
            raise MediaError(*answer["error"])
        return answer["ok"]

    def close(self) -> None:
        with self._lock:
            self._stop()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
        return self._process

    def _stop(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # a pipe with unsent bytes to a dead process
                    continue
        self._process = None
