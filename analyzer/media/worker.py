"""Hostile media is opened only in a worker process with a limit of time and memory."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection
from pathlib import Path
from typing import Any, TypeVar

from mafiavar.analyzer.errors import MediaError

R = TypeVar("R")

MEMORY_LIMIT = 6 << 30
"""Bytes of address space a worker may take: a 4K HEVC decoder needs about 1 GB, libraries 2 GB."""


_POLL = 0.1
_share: Any = None


def report(share: float) -> None:
    """Called inside a worker: how much of its work (0..1) is done; does nothing elsewhere."""
    if _share is not None:
        _share.value = share


def leave_with_parent() -> None:
    """End this worker when its parent is killed: nobody waits for its result, and a new run over the
    same case must find neither its hand in the folder nor its load on the machine."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def prepare(memory: int, log: str | None, share: Any) -> None:
    """First thing in a worker: cap memory, leave Ctrl-C to the parent, keep library noise in a file."""
    global _share  # noqa: PLW0603 - one worker, one share
    _share = share
    leave_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if log is not None:
        noise = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.dup2(noise, 1)
        os.dup2(noise, 2)
        os.close(noise)
    cap_memory(memory)


def cap_memory(size: int) -> None:
    """Limit the address space of this process to `size` bytes where the system can do that.

    Windows has no such limit; macOS has the name but refuses most values; a limit that is lower
    already stays.
    """
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        size = min(size, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (size, hard))
    except (ValueError, OSError):
        return


def _join(begin: Callable[..., None] | None, args: tuple[Any, ...]) -> None:
    """First thing in a worker of a crew: end with the parent, leave Ctrl-C to it, then its own preparation."""
    leave_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if begin is not None:
        begin(*args)


@contextmanager
def crew(
    count: int, begin: Callable[..., None] | None = None, args: tuple[Any, ...] = ()
) -> Iterator[ProcessPoolExecutor]:
    """`count` spawned workers, each prepared by `begin(*args)`. Whatever interrupts their work (Ctrl-C,
    an error) ends them at once: nobody waits for pictures that nobody wants any more."""
    pool = ProcessPoolExecutor(
        max(1, count),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_join,
        initargs=(begin, args),
    )
    try:
        yield pool
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.kill()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def one_worker(work: Callable[..., R], *args: Any, here: bool = False) -> R:
    """`work(*args)` in a spawned worker, whose memory goes with it; `here`: in this process."""
    if here:
        return work(*args)
    with crew(1) as pool:
        return pool.submit(work, *args).result()


def in_worker(
    work: Callable[..., R],
    *args: Any,
    limit_seconds: float,
    memory: int = MEMORY_LIMIT,
    log: Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> R:
    """Run `work(*args)` in a fresh process (spawn) and return its value.

    Errors of `work` come back as they are. `progress` is called from this process with the share
    that `work` reports; `log` receives what libraries write to the terminal.

    Raises:
        MediaError: the worker ran out of time or memory, or died (a decoder's crash).
    """
    context = multiprocessing.get_context("spawn")
    share = context.Value("d", 0.0, lock=False)
    pool = ProcessPoolExecutor(
        1, mp_context=context, initializer=prepare, initargs=(memory, str(log) if log else None, share)
    )
    ends = time.monotonic() + limit_seconds
    try:
        future = pool.submit(work, *args)
        while not wait([future], timeout=_POLL).done:
            if progress is not None:
                progress(share.value)
            if time.monotonic() > ends:
                raise MediaError(
                    f"Чтение записи не уложилось в {limit_seconds:.0f} с: файл повреждён или диск не отвечает.",
                    f"Reading the recording took over {limit_seconds:.0f} s: the file is damaged or the disk does not answer.",
                )
        return future.result()
    except (BrokenProcessPool, MemoryError) as error:
        raise MediaError(
            "Чтение записи оборвалось: файл повреждён или слишком велик для памяти. "
            "Пересохраните запись в проигрывателе (H.264, mp4) и повторите.",
            "Reading the recording broke off: the file is damaged or too large for the memory. "
            "Save it anew (H.264, mp4) and try again.",
        ) from error
    finally:
        for process in list((pool._processes or {}).values()):
            process.kill()
        pool.shutdown(wait=True, cancel_futures=True)
