"""`batch` goes on past a bad recording; `case purge` leaves results and takes the rest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mafiavar", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_batch_tells_of_every_recording_and_ends_with_one(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_bytes(b"")
    (tmp_path / "b.mp4").write_bytes(b"not a film" * 100)
    (tmp_path / "notes.txt").write_text("x")
    done = run("batch", str(tmp_path))
    assert done.returncode == 1, done.stderr
    assert "a.mp4" in done.stdout and "b.mp4" in done.stdout and "notes.txt" not in done.stdout
    assert "пуст" in done.stdout and "0 из 2" in done.stdout
    assert "Traceback" not in done.stderr


def test_batch_of_nothing_is_wrong_usage(tmp_path: Path) -> None:
    assert run("batch", str(tmp_path)).returncode == 2
    assert run("batch", str(tmp_path / "no")).returncode == 2


def test_purge_keeps_results(tmp_path: Path) -> None:
    for name in (
        "case.json",
        "flags.json",
        "stages/speech/k/value.msgpack",
        "observations/cues.parquet",
        "run.log",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}")
    done = run("case", "purge", str(tmp_path))
    assert done.returncode == 0, done.stderr
    left = {str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()}
    assert left - {".lock"} == {"case.json", "flags.json"}
    assert "3" in done.stdout


def test_purge_refuses_other_folders(tmp_path: Path) -> None:
    (tmp_path / "stages").mkdir()
    done = run("case", "purge", str(tmp_path))
    assert done.returncode == 2 and (tmp_path / "stages").is_dir()


def test_purge_clears_what_the_review_room_kept(tmp_path: Path) -> None:
    """Pictures, clips and reports go; decisions, the newest revision and what others need stay."""
    import json

    from mafiavar.ui.review.casefile import read_case
    from mafiavar.ui.review.traces import cache_of, exports_of, revisions_of

    home = tmp_path / ".mafiavar"
    sources = {"одно": ["a" * 64, "b" * 64], "другое": ["b" * 64]}
    for name, hashes in sources.items():
        folder = tmp_path / "турнир" / name
        folder.mkdir(parents=True)
        head = {"sources": [{"file": f"{h[0]}.mp4", "sha256": h} for h in hashes]}
        (folder / "case.json").write_text(json.dumps(head), "utf-8")
    case = read_case(tmp_path / "турнир" / "одно", "турнир~одно")
    own, shared = (cache_of(home, s.sha256, s.file, s.number) for s in case.sources)
    revisions = revisions_of(home, case.key)
    gone = [
        own / "pictures" / "1.jpg",
        exports_of(home, case.name) / "s-1" / "report.html",
        revisions / "0002-x" / "votes.json",
    ]
    stays = [
        shared / "proxy.mp4",
        home / "records.sqlite",
        revisions / "0003-y" / "votes.json",
        exports_of(home, "турнир~другое") / "s-1" / "report.html",
    ]
    for path in (*gone, *stays):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    done = run("case", "purge", str(case.folder))
    assert done.returncode == 0, done.stderr
    assert not [p for p in gone if p.exists()] and all(p.exists() for p in stays)
    assert "3" in done.stdout


def test_verify_takes_a_folder_of_cases(tmp_path: Path) -> None:
    from mafiavar.analyzer.seal import seal

    for name in ("one", "two/game-01"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "votes.json").write_text("{}", "utf-8")
        seal(tmp_path / name)
    done = run("verify", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Дело не изменялось.") == 2
    (tmp_path / "two" / "game-01" / "votes.json").write_text("{ }", "utf-8")
    done = run("verify", str(tmp_path))
    assert done.returncode == 10
    assert "Изменён файл: votes.json" in done.stdout
    (tmp_path / "empty").mkdir()
    assert run("verify", str(tmp_path / "empty")).returncode == 2
