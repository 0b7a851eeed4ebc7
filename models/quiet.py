"""Keeps a native library's log off the user's terminal.

MediaPipe logs from C++ to file descriptor 2; Python's logging cannot catch it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet_stderr() -> Iterator[None]:
    """Send file descriptor 2 to the void while the block runs; a no-op without a real stderr."""
    try:
        saved = os.dup(2)
    except OSError:
        yield
        return
    try:
        sys.stderr.flush()
        void = os.open(os.devnull, os.O_WRONLY)
        os.dup2(void, 2)
        os.close(void)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)


def mute_stderr() -> None:
    """Send file descriptor 2 to the void for the rest of this process: for workers only."""
    void = os.open(os.devnull, os.O_WRONLY)
    os.dup2(void, 2)
    os.close(void)
