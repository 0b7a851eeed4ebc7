"""What the review room keeps of a case beside its folder, and how to be rid of it.

People's decisions are no trace: they stay in the database.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from mafiavar.ui.review.casefile import Case, read_case
from mafiavar.ui.review.library import DEPTH, Entry, Library

HOME = ".mafiavar"


def cache_of(home: Path, sha256: str, file: str, number: int) -> Path:
    """Where derived files of a recording lie; by content, so that a moved file keeps them."""
    return home / "cache" / (sha256[:32] or f"{file}-{number}")


def exports_of(home: Path, name: str) -> Path:
    """Where the reports lie that were made of the case `name`."""
    plain = "".join(c if c.isalnum() or c in " -_" else "_" for c in name)[:80]
    # Two names may be plain alike; their reports must not lie together.
    return home / "exports" / f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def revisions_of(home: Path, key: str) -> Path:
    """Where the revisions lie that the alignment made under people's facts."""
    return home / "revisions" / hashlib.sha256(key.encode()).hexdigest()[:24]


def clear(folder: Path) -> int:
    """Remove pictures, clips, copies, reports and stale revisions of a case from every library above it.

    The newest revision stays: it is the result people see. What another case of the same
    recording needs stays too. Returns the number of files removed.
    """
    folder = folder.resolve()
    above = [folder, *folder.parents][: DEPTH + 1]
    return sum(_clear(place, folder) for place in above if (place / HOME).is_dir())


def _clear(library: Path, folder: Path) -> int:
    home = library / HOME
    entries = Library(library).entries()
    own = [_read(e) for e in entries if e.folder == folder or folder in e.folder.parents]
    shared = {
        cache for e in entries for cache in _caches(home, _read(e)) if e.name not in {c.name for c in own}
    }
    doomed: list[Path] = []
    for case in own:
        doomed += [c for c in _caches(home, case) if c not in shared]
        doomed += [home / "cache" / f"upload-{Path(s.file).stem}" for s in case.sources]
        doomed.append(exports_of(home, case.name))
        doomed += sorted(revisions_of(home, case.key).glob("[0-9]*"))[:-1]
    return sum(_remove(path) for path in dict.fromkeys(doomed))


def _read(entry: Entry) -> Case:
    return read_case(entry.folder, entry.name)


def _caches(home: Path, case: Case) -> list[Path]:
    return [cache_of(home, s.sha256, s.file, s.number) for s in case.sources]


def _remove(path: Path) -> int:
    if not path.is_dir():
        return 0
    files = sum(p.is_file() for p in path.rglob("*"))
    shutil.rmtree(path)
    return files
