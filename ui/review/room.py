"""The review room: what the server's pages and routes share. One per process."""

from __future__ import annotations

import contextlib
import secrets
import threading
from dataclasses import dataclass, replace
from pathlib import Path

from mafiavar.analyzer.errors import MediaError, reason
from mafiavar.ui.review.casefile import Case, Source, read_case
from mafiavar.ui.review.jobs import Jobs
from mafiavar.ui.review.library import Library
from mafiavar.ui.review.media_client import ALIGN_COMMAND, MediaWorker
from mafiavar.ui.review.oidc import Oidc
from mafiavar.ui.review.realign import with_revision
from mafiavar.ui.review.seating import Camera, camera_of
from mafiavar.ui.review.traces import HOME, cache_of
from mafiavar.ui.review.veil import Nights, ended, nights, veiled, veiled_records
from mafiavar.ui.store.accounts import RIGHTS, Account, Accounts, Rights
from mafiavar.ui.store.errors import StoreBroken
from mafiavar.ui.store.records import Record, Store, backup, open_store, standing

LIBRARY_KEY = "library"
GUARDED = "guarded"
OWNER = Account("", "head_judge")


@dataclass(frozen=True, slots=True)
class View:
    """A case as one person may see it. `secrets`: with the night; `nights`: what is hidden otherwise."""

    case: Case
    secrets: bool
    nights: Nights
    rights: Rights

    def shows(self, t0: float, t1: float) -> bool:
        """May pictures and sound of this stretch be shown?"""
        return self.secrets or not self.nights.touches(t0, t1)

    def shows_of(self, source: Source, t0: float, t1: float) -> bool:
        """The same for a stretch on the recording's own clock.

        Both offsets count, the measured one and the one a person has set: a mistaken setting must
        not bring the night into the day.
        """
        return all(self.shows(t0 + o, t1 + o) for o in {source.offset, source.measured})


class Room:
    """Library, store, accounts, workers. `open` means: one person on this machine, no accounts."""

    def __init__(
        self, folder: Path, *, database: str | None = None, loopback: bool = True, oidc: Oidc | None = None
    ) -> None:
        self.library = Library(folder)
        self.home = folder.resolve() / HOME
        self.cache = self.home / "cache"
        self.store: Store | None = None
        self.store_problem: StoreBroken | None = None
        self.accounts: Accounts | None = None
        self.loopback = loopback
        self.oidc = oidc
        self.quick, self.slow = MediaWorker(), MediaWorker()
        self.aligner = MediaWorker(ALIGN_COMMAND)
        self.jobs = Jobs(self.home / "jobs")
        # What each session looked at last: a reloaded page comes back to it.
        self.last_case: dict[str, str] = {}
        self._local_tokens: set[str] = set()
        self._indexing = threading.Lock()
        self._open_store(database)

    def _open_store(self, database: str | None) -> None:
        file = self.home / "records.sqlite"
        try:
            if database is None:
                self.home.mkdir(parents=True, exist_ok=True)
            self.store = open_store(database or f"sqlite:///{file}")
            self.accounts = Accounts(self.store)
            if database is None and self.store.last_id():
                backup(self.store, self.home / "records.backup.sqlite")
        except StoreBroken as error:
            self.store_problem = error
        except OSError as error:
            self.store_problem = StoreBroken(
                f"В папку {self.home} нельзя писать ({reason(error)}): решения не сохранятся.",
                f"The folder {self.home} cannot be written ({error.strerror}): decisions will not be kept.",
            )

    @property
    def open(self) -> bool:
        """Without accounts the one person at this machine is its owner; never over the network.

        A room that had accounts once stays closed when its database cannot be read: damage must
        not open the door.
        """
        if not self.loopback or self.oidc is not None:
            return False
        mark = self.home / GUARDED
        if self.accounts is None:
            return not mark.exists()
        if not self.accounts.all():
            return True
        if not mark.exists():
            with contextlib.suppress(OSError):
                mark.touch()
        return False

    # sessions -----------------------------------------------------------------------------

    def local_session(self) -> str:
        token = secrets.token_urlsafe(32)
        self._local_tokens.add(token)
        return token

    def account(self, token: str | None) -> Account | None:
        """Who holds this session; the owner of an open room has an empty name."""
        if token and self.open and token in self._local_tokens:
            return OWNER
        return self.accounts.of_session(token) if self.accounts and token else None

    # cases --------------------------------------------------------------------------------

    def view(self, name: str, account: Account) -> View | None:
        """The case `name` as `account` may see it, or None when there is no such case."""
        entry = self.library.find(name)
        if entry is None:
            return None
        case = self._moved(read_case(entry.folder, entry.name))
        with contextlib.suppress(StoreBroken):
            case = with_revision(self, case, self.records(case.key, "pin"))
        case = self._shifted(case)
        rights = RIGHTS[account.role]
        may = rights.secrets and (ended(case) or not self.setting("secrets_after_end", False))
        return View(case if may else veiled(case), may, nights(case), rights)

    def full(self, name: str) -> Case | None:
        """The whole case, for work that is not shown (cutting, re-alignment)."""
        entry = self.library.find(name)
        return None if entry is None else self._moved(read_case(entry.folder, entry.name))

    def _moved(self, case: Case) -> Case:
        """Recordings that a person found elsewhere (checked by hash when told)."""
        if self.store is None or all(s.path for s in case.sources):
            return case
        told = {
            str(s.record.target.get("sha256")): str(s.record.payload.get("path"))
            for s in standing(self.records(LIBRARY_KEY, "source")).values()
        }
        for source in case.sources:
            found = told.get(source.sha256)
            if source.path is None and found and Path(found).is_file():
                case = case.with_source_at(source.number, Path(found))
        return case

    def _shifted(self, case: Case) -> Case:
        """Offsets of the angles that a person has set in the player."""
        if self.store is None or len(case.sources) < 2:
            return case
        told: dict[int, float] = {}
        with contextlib.suppress(StoreBroken):
            for s in standing(self.records(case.key, "setting")).values():
                name, value = str(s.record.target.get("name")), s.record.payload.get("value")
                number = name.removeprefix("offset-")
                if number != name and number.isdecimal() and isinstance(value, int | float):
                    told[int(number)] = float(value)
        return case.with_offsets(told) if told else case

    def records(self, case_key: str, kind: str | None = None) -> tuple[Record, ...]:
        return self.store.of_case(case_key, kind) if self.store else ()

    def seen_records(self, view: View) -> tuple[Record, ...]:
        """What people wrote about the case, as far as this person may see it."""
        records = self.records(view.case.key)
        return records if view.secrets else veiled_records(records, view.nights)

    def setting(self, name: str, default: object = None, case_key: str = LIBRARY_KEY) -> object:
        found = [
            s.record.payload.get("value")
            for s in standing(self.records(case_key, "setting")).values()
            if s.record.target.get("name") == name
        ]
        return found[0] if found else default

    def camera(self, case: Case, number: int) -> Camera | None:
        return camera_of(case, number, self.records(case.key, "seats"))

    # media --------------------------------------------------------------------------------

    def cache_of(self, source: Source) -> Path:
        """Where derived files of a recording lie; by content, so that a moved file keeps them."""
        return cache_of(self.home, source.sha256, source.file, source.number)

    def file_of(self, source: Source) -> Path:
        """The recording's file.

        Raises:
            MediaError: it is gone; the sentence says what to do.
        """
        if source.path is None or not source.path.is_file():
            raise MediaError(
                f"Запись {source.file} не найдена: её переместили или диск отключён. "
                "Укажите новое место на странице «Настройки».",
                f"The recording {source.file} is not found: it was moved or the disk is off. "
                "Tell its new place on the page “Settings”.",
            )
        return source.path

    def indexed(self, source: Source) -> Path:
        """The folder with the recording's index and frame times; made once, by the slow worker."""
        folder = self.cache_of(source)
        path = self.file_of(source)
        with self._indexing:
            if not (folder / "index.json").exists() or (source.size and not (folder / "times.f64").exists()):
                self.slow.call("index", path=str(path), out=str(folder), timeout=1800)
        return folder

    def needs_proxy(self, source: Source) -> bool:
        """Whether a browser cannot play the recording exactly as it is."""
        if source.size is None:
            return False
        container = source.container.split(",")
        plays = (source.codec in {"h264", "av1"} and ("mp4" in container or "mov" in container)) or (
            source.codec in {"vp8", "vp9", "av1"} and "webm" in container and source.file.endswith(".webm")
        )
        deep = source.pixel_format not in {"yuv420p", "yuvj420p", ""}
        return not plays or deep or source.variable_rate

    def proxy(self, source: Source) -> Path | None:
        file = self.cache_of(source) / "proxy.mp4"
        return file if file.is_file() else None

    def warm_up(self) -> None:
        """Start the workers in the background; what fails here fails again, and says so, when asked."""

        def start(worker: MediaWorker) -> None:
            with contextlib.suppress(MediaError):
                worker.call("ready", timeout=60)

        for worker in (self.quick, self.slow):
            threading.Thread(target=start, args=(worker,), daemon=True).start()

    def close(self) -> None:
        self.quick.close()
        self.slow.close()
        self.aligner.close()
        self.jobs.close()


def with_author(account: Account, name: str) -> Account:
    """The owner of an open room signs with the name they gave."""
    return replace(account, name=account.name or name)


class _Here:
    room: Room | None = None


def set_room(room: Room | None) -> None:
    _Here.room = room


def room() -> Room:
    """The room of this process.

    Raises:
        RuntimeError: the page script was started without `mafiavar review`.
    """
    if _Here.room is None:
        raise RuntimeError("start the review with `mafiavar review DIR`")
    return _Here.room
