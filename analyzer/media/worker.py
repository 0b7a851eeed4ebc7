"""Hostile media is opened only in a worker process with a limit of time and memory."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from concurrent.futures.process import BrokenProcessPool
from typing import ParamSpec, TypeVar

from mafiavar.analyzer.errors import MediaError

P = ParamSpec("P")
R = TypeVar("R")

MEMORY_LIMIT = 6 << 30
"""Bytes of address space a worker may take: a 4K HEVC decoder needs about 1 GB, libraries 2 GB."""


def limit_memory(limit: int = MEMORY_LIMIT) -> None:
    """Cap this process's address space where the system can (not on Windows)."""
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def in_worker(limit_seconds: float, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run `work(*args)` in a fresh process (spawn) and return its value.

    Errors of `work` come back as they are.

    Raises:
        MediaError: the worker ran out of time or memory, or died (a decoder's crash).
    """
    pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=limit_memory)
    try:
        return pool.submit(work, *args, **kwargs).result(timeout=limit_seconds)
    except FutureTimeout as error:
        for process in list(pool._processes.values()):
            process.kill()
        raise MediaError(
            f"Чтение записи не уложилось в {limit_seconds:.0f} с: файл повреждён или диск не отвечает.",
            f"Reading the recording took more than {limit_seconds:.0f} s: the file is damaged or the disk does not answer.",
        ) from error
    except (BrokenProcessPool, MemoryError) as error:
        raise MediaError(
            "Чтение записи оборвалось: файл повреждён или слишком велик для памяти. "
            "Пересохраните запись в проигрывателе (H.264, mp4) и повторите.",
            "Reading the recording broke off: the file is damaged or too large for the memory. "
            "Save it anew (H.264, mp4) and try again.",
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
