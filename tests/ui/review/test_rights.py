"""The door and the veil: who gets in, what a viewer can learn over every route, paths from outside."""

from __future__ import annotations

import http.client
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
import requests
from casebuilder import build_case
from conftest import CASE, PATIENCE, Served, serve, settled, stop
from game import NIGHT_1, SECRET_WORD, seats_head, truth

from mafiavar.ui.review.room import Room
from mafiavar.ui.review.routes import router
from mafiavar.ui.review.traces import exports_of

PASSWORD = "очень длинный пароль"
WORDS_OF_THE_NIGHT = (
    SECRET_WORD,
    '"don"',
    '"sheriff"',
    '"shooter"',
    '"found"',
    '"roles"',
    "head_up_at_night",
)


ROLES = {"Главный": "head_judge", "Член": "panel", "Стол": "table_judge", "Зритель": "viewer"}


def write_of_the_night(room: Room) -> None:
    """What people wrote of the night: facts, a verdict, a word; some of it without an event of its own."""
    case = room.full(CASE)
    assert case is not None and room.store is not None
    write = lambda kind, target, payload: room.store.append(  # noqa: E731
        case.key, kind, target, payload, author="Член", snapshot={"flag": {"roles": SECRET_WORD}}
    )
    fields = {"by": "sheriff", "target": 3, "found": True, "reason": SECRET_WORD}
    check = {"kind": "check", "t0": 49.0, "t1": 50.0, "fields": fields}
    write("pin", check, {"op": "add", **check, "day": 1})
    write("pin", {**check, "t0": 20.0, "t1": 21.0}, {"op": "pin", **check, "day": 1})
    flag = {"kind": "head_up_at_night", "seats": [6], "day": 1, "t0": 46.0, "t1": 48.0}
    write("verdict", flag, {"verdict": "confirmed", "reason": SECRET_WORD})
    write(
        "verdict",
        {**flag, "kind": "night_check_of_own_shot", "t0": 20.0, "t1": 21.0},
        {"verdict": "confirmed"},
    )
    write("word", {"t0": 47.0, "t1": 47.4, "w": "тройка"}, {"text": SECRET_WORD})
    write("word", {"t0": 26.0, "t1": 26.5, "w": "Неправда!"}, {"text": "Неправда!!"})
    # Sentences of judges about the day: nobody can tell whether they name a role.
    write(
        "verdict",
        {**flag, "kind": "hand_early", "t0": 20.0, "t1": 21.0},
        {"verdict": "rejected", "reason": SECRET_WORD},
    )
    write(
        "protest",
        {"number": 1},
        {"protest": SECRET_WORD, "grounds": SECRET_WORD, "decision": "dismissed", "clauses": "4.5.11"},
    )


def test_what_people_wrote_of_the_night_is_veiled_too(make_library: Callable[[], Path]) -> None:
    room = Room(make_library())
    assert room.accounts
    panel, viewer = (room.accounts.add(n, ROLES[n], PASSWORD) for n in ("Член", "Зритель"))
    write_of_the_night(room)
    full, veiled = room.view(CASE, panel), room.view(CASE, viewer)
    assert full and veiled
    assert len(room.seen_records(full)) == 8
    left = room.seen_records(veiled)
    assert [r.payload for r in left] == [
        {"text": "Неправда!!"},
        {"verdict": "rejected"},
        {"decision": "dismissed", "clauses": "4.5.11"},
    ]
    assert not any(r.snapshot for r in left)
    room.close()


@pytest.fixture(scope="module")
def guarded(make_library: Callable[[], Path]) -> Iterator[Served]:
    """A server with accounts, evidence by night and by day, and a machine report."""
    library = make_library()
    folder = library / CASE
    (folder / "evidence" / "day.jpg").write_bytes(b"day picture")
    (folder / "evidence" / "night.jpg").write_bytes(b"night picture")
    (folder / "evidence" / "unnamed.jpg").write_bytes(b"nobody says when")
    (folder / "report.html").write_text(f"<p>{SECRET_WORD}</p>", "utf-8")
    flags = json.loads((folder / "flags.json").read_text("utf-8"))
    flags["flags"][0]["evidence"] = [{"recording": 0, "t": 33.3, "path": "evidence/day.jpg"}]
    flags["flags"][4]["evidence"] = [{"recording": 0, "t": 46.5, "path": "evidence/night.jpg"}]
    (folder / "flags.json").write_text(json.dumps(flags), "utf-8")
    (library / "secret.txt").write_text("outside", "utf-8")
    (folder / "evidence" / "link.jpg").symlink_to(library / "secret.txt")
    room = Room(library)
    assert room.accounts is not None
    for name, role in ROLES.items():
        room.accounts.add(name, role, PASSWORD)
    write_of_the_night(room)
    for stamp in ("s-1", "v-1"):
        made = exports_of(room.home, CASE) / stamp
        made.mkdir(parents=True)
        for kind in ("html", "pdf", "zip"):
            (made / f"report.{kind}").write_text(SECRET_WORD if stamp == "s-1" else "day", "utf-8")
    room.close()
    server = serve(library)
    yield server
    stop(server)


def signed_in(served: Served, name: str) -> requests.Session:
    session = requests.Session()
    answer = session.post(
        f"{served.url}/login", data={"name": name, "password": PASSWORD}, allow_redirects=False
    )
    assert answer.status_code == 303, answer.text
    return session


def media(path: str) -> str:
    return f"/media/{quote(CASE)}/{path}"


def api(path: str) -> str:
    return f"/api/{quote(CASE)}/{path}"


def test_strangers_see_the_login_only(guarded: Served) -> None:
    get = lambda path: requests.get(guarded.url + path, allow_redirects=False)  # noqa: E731
    assert get("/queue").headers["location"] == "/login"
    for path in (
        media("recording/0"),
        media("play/0"),
        media("evidence/day.jpg"),
        api("lanes"),
        api("pts/0"),
        "/_stcore/host-config",
    ):
        assert get(path).status_code == 401, path
    assert requests.put(f"{guarded.url}/api/upload?name=a.mp4", data=b"x").status_code == 401


def test_wrong_passwords_are_slowed_down_and_the_cookie_is_closed_to_scripts(
    make_library: Callable[[], Path],
) -> None:
    library = make_library()
    room = Room(library)
    assert room.accounts is not None
    room.accounts.add("Главный", "head_judge", PASSWORD)
    room.close()
    server = serve(library)
    try:
        answer = requests.post(
            f"{server.url}/login", data={"name": "Главный", "password": PASSWORD}, allow_redirects=False
        )
        assert (
            "HttpOnly" in answer.headers["set-cookie"] and "SameSite=strict" in answer.headers["set-cookie"]
        )
        codes = [
            requests.post(f"{server.url}/login", data={"name": "Главный", "password": "нет"}).status_code
            for _ in range(10)
        ]
        assert codes[0] == 401 and codes[-1] == 429
        foreign = requests.post(f"{server.url}/login", data={}, headers={"Origin": "http://evil.example"})
        assert foreign.status_code == 403
        bent = requests.get(server.url, headers={"Host": "evil.example"}, allow_redirects=False)
        assert bent.status_code == 400
    finally:
        stop(server)


def test_logout_ends_media_and_pages_at_once(guarded: Served) -> None:
    session = signed_in(guarded, "Член")
    assert session.get(guarded.url + api("lanes")).status_code == 200
    kept = session.cookies.get_dict()
    session.get(f"{guarded.url}/logout")
    assert requests.get(guarded.url + api("lanes"), cookies=kept).status_code == 401


VIEWER_REFUSED = [
    media("recording/0"), media("play/0"), media("report.html"), media("evidence/night.jpg"), media("evidence/unnamed.jpg"),
    media("frame/0/46500.jpg"), media("crop/0/46500/6.jpg"), media("clip/0/45000-48000.mp4"), media("clip/0/40000-60000.mp4"),
    media("clip/0/0-5000.mp4"), media("frame/0/3000.jpg"), media("export/s-abc/report.html"),
]  # fmt: skip


@pytest.mark.parametrize("path", VIEWER_REFUSED)
def test_a_viewer_is_refused_the_night(guarded: Served, path: str) -> None:
    viewer = signed_in(guarded, "Зритель")
    for headers in ({}, {"Range": "bytes=0-100"}):
        answer = viewer.get(guarded.url + path, headers=headers)
        assert answer.status_code == 403, (path, answer.status_code)
        assert not any(w in answer.text for w in WORDS_OF_THE_NIGHT)


def test_a_viewer_gets_the_day(guarded: Served) -> None:
    viewer = signed_in(guarded, "Зритель")
    assert viewer.get(guarded.url + media("evidence/day.jpg")).content == b"day picture"
    assert viewer.get(guarded.url + media("crop/0/34000/3.jpg")).headers["content-type"] == "image/jpeg"
    clip = viewer.get(guarded.url + media("clip/0/33000-36000.mp4"))
    assert clip.status_code == 200 and clip.content[4:8] == b"ftyp"
    lanes = viewer.get(guarded.url + api("lanes"))
    assert lanes.status_code == 200 and not any(w in lanes.text for w in WORDS_OF_THE_NIGHT)
    body = lanes.json()
    assert body["ballots"] and body["nights"]
    assert not any(f["t0"] < NIGHT_1[1] and f["t1"] > NIGHT_1[0] for f in body["flags"])
    peaks = viewer.get(guarded.url + api("peaks/0")).content
    assert any(peaks[30 * 50 : 40 * 50]) and not any(peaks[44 * 50 : 52 * 50])


def test_crops_asked_along_do_not_bring_the_night(guarded: Served) -> None:
    """The list of neighbours in a crop's address is checked piece by piece."""
    viewer = signed_in(guarded, "Зритель")
    assert viewer.get(guarded.url + media("crop/0/42200/3.jpg?with=46500.6,47000.6")).status_code == 200
    cached = [p.name for p in guarded.library.rglob("pictures/*.jpg")]
    assert not any(name.startswith(("46500", "47000")) for name in cached)


def test_those_with_the_right_get_everything(guarded: Served) -> None:
    panel = signed_in(guarded, "Член")
    for path in (
        media("recording/0"),
        media("play/0"),
        media("evidence/night.jpg"),
        media("report.html"),
        media("frame/0/46500.jpg"),
    ):
        assert panel.get(guarded.url + path).status_code == 200, path


HOSTILE = [
    media("evidence/../case.json"), media("evidence/%2e%2e/case.json"), media("evidence/..%2fcase.json"), media("evidence/%2e%2e%2f%2e%2e%2fsecret.txt"),
    media("evidence//etc/passwd"), media("evidence/%2fetc%2fpasswd"), media("evidence/..%5c..%5csecret.txt"), media("evidence/link.jpg"),
    media("evidence/day.jpg%00.png"), "/media/..%2f..%2fsecret/recording/0", "/media/%2e%2e/recording/0", "/media/.mafiavar/evidence/records.sqlite",
    media("export/..%2f../report.html"), media("export/s-x/..%2f..%2f..%2frecords.sqlite"), media("recording/99"), media("clip/0/9000-1000.mp4"),
    "/media/нет такого дела/play/0", "/api/../records.sqlite", "/records.sqlite", "/.mafiavar/records.sqlite", "//etc/passwd", "/queue/../../etc/passwd",
]  # fmt: skip


@pytest.mark.parametrize("path", HOSTILE)
def test_hostile_paths_find_nothing(guarded: Served, path: str) -> None:
    """Sent as they stand, without a client that would tidy them up."""
    session = signed_in(guarded, "Главный")
    cookie = "; ".join(f"{k}={v}" for k, v in session.cookies.get_dict().items())
    parts = urlsplit(guarded.url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    connection.putrequest("GET", quote(path, safe="/%?=&.-_"), skip_host=True)
    connection.putheader("Host", parts.netloc)
    connection.putheader("Cookie", cookie)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    assert answer.status in {400, 403, 404, 422}, (path, answer.status, body[:80])
    assert b"root:" not in body and b"outside" not in body and b"SQLite format" not in body


def test_ranges_come_straight_from_the_disk(guarded: Served, recording: Path) -> None:
    panel = signed_in(guarded, "Член")
    whole = recording.read_bytes()
    ask = lambda r: panel.get(guarded.url + media("recording/0"), headers={"Range": r})  # noqa: E731
    answer = ask("bytes=100-199")
    assert (answer.status_code, answer.content) == (206, whole[100:200])
    assert answer.headers["content-range"] == f"bytes 100-199/{len(whole)}"
    assert ask("bytes=-5").content == whole[-5:]
    assert ask(f"bytes={len(whole)}-").status_code == 416
    assert ask("rows=1-2").content == whole
    tag = answer.headers["etag"]
    assert panel.get(guarded.url + media("recording/0"), headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.real
def test_a_viewer_learns_no_role_from_any_page(guarded: Served, browser: Any) -> None:
    """Everything the browser is sent, pages, sockets, JSON, is searched for the night."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, locale="ru-RU")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    heard: list[bytes] = []
    page.on(
        "websocket",
        lambda ws: ws.on(
            "framereceived", lambda frame: heard.append(frame if isinstance(frame, bytes) else frame.encode())
        ),
    )
    page.goto(f"{guarded.url}/login")
    page.fill("[name=name]", "Зритель")
    page.fill("[name=password]", PASSWORD)
    page.click("button")
    page.wait_for_selector("h1")
    for name in (
        "queue",
        "votes",
        "nights",
        "fouls",
        "transcript",
        "timeline",
        "protocol",
        "report",
        "protest",
        "seats",
    ):
        page.goto(f"{guarded.url}/{name}?case={quote(CASE)}")
        page.wait_for_selector("h1")
        settled(page)
        assert page.locator("[data-testid=stException]").count() == 0, name
        text = page.content()
        assert SECRET_WORD not in text and "шериф→" not in text, name
    sent = b"".join(heard)
    # Components get JSON with escapes, the rest is plain UTF-8.
    ways = lambda word: (word.encode(), json.dumps(word)[1:-1].encode())  # noqa: E731
    assert not any(way in sent for way in ways(SECRET_WORD))
    assert any(way in sent for way in ways("Неправда")), (
        "the day's words do come, so the search means something"
    )
    context.close()


def test_nobody_sees_the_night_before_the_end_if_set_so(tmp_path: Path, recording: Path) -> None:
    library = tmp_path / "library"
    unfinished = {**truth(), "events": [e for e in truth()["events"] if e["kind"] != "game_ended"]}
    build_case(unfinished, recording, library / "идёт", head=seats_head())
    build_case(truth(), recording, library / "кончилась", head=seats_head())
    room = Room(library)
    assert room.accounts and room.store
    judge = room.accounts.add("Главный", "head_judge", PASSWORD)
    room.store.append("library", "setting", {"name": "secrets_after_end"}, {"value": True}, author="Главный")
    running, over = room.view("идёт", judge), room.view("кончилась", judge)
    assert running and not running.secrets and not running.case.of_kind("shot")
    assert over and over.secrets and over.case.of_kind("shot")
    room.close()


def test_a_case_without_a_timeline_hides_all(tmp_path: Path, recording: Path) -> None:
    library = tmp_path / "library"
    folder = build_case(truth(), recording, library / "дело", head=seats_head())
    (folder / "timeline.json").write_text("{половина", "utf-8")
    room = Room(library)
    assert room.accounts
    viewer = room.accounts.add("Зритель", "viewer", PASSWORD)
    view = room.view("дело", viewer)
    assert view is not None and not view.shows(20.0, 21.0) and not view.case.words and not view.case.flags
    room.close()


def test_the_open_room_is_for_this_machine_only(tmp_path: Path) -> None:
    from mafiavar.analyzer.errors import UsageError
    from mafiavar.ui.review.server import serve as serve_here

    with pytest.raises(UsageError) as told:
        serve_here(tmp_path, host="0.0.0.0", port=0, told=print)
    assert "--add-account" in told.value.russian
    assert sqlite3.connect(tmp_path / ".mafiavar" / "records.sqlite").execute(
        "SELECT count(*) FROM accounts"
    ).fetchone() == (0,)


# every route against every role -----------------------------------------------------------

ALL, NOT_VIEWERS, NOBODY = frozenset(ROLES), frozenset(ROLES) - {"Зритель"}, frozenset()
ROUTES: dict[str, list[tuple[str, frozenset[str]]]] = {
    "/media/{case}/recording/{n:int}": [(media("recording/0"), NOT_VIEWERS)],
    "/media/{case}/play/{n:int}": [(media("play/0"), NOT_VIEWERS)],
    "/media/{case}/clip/{n:int}/{a:int}-{b:int}.mp4": [
        (media("clip/0/33000-36000.mp4"), ALL),
        (media("clip/0/45000-46000.mp4"), NOT_VIEWERS),
    ],
    "/media/{case}/crop/{n:int}/{t:int}/{seat:int}.jpg": [
        (media("crop/0/34000/3.jpg"), ALL),
        (media("crop/0/46000/3.jpg"), NOT_VIEWERS),
        (media("crop/0/34000/3.jpg?of=person&h=144"), ALL),
    ],
    "/media/{case}/frame/{n:int}/{t:int}.jpg": [
        (media("frame/0/34000.jpg"), ALL),
        (media("frame/0/46000.jpg"), NOT_VIEWERS),
    ],
    "/media/{case}/evidence/{path:path}": [
        (media("evidence/day.jpg"), ALL),
        (media("evidence/night.jpg"), NOT_VIEWERS),
    ],
    "/media/{case}/report.html": [(media("report.html"), NOT_VIEWERS)],
    "/media/{case}/export/{stamp}/{file}": [
        (media(f"export/{stamp}/report.{kind}"), who)
        for stamp, who in (("s-1", NOT_VIEWERS), ("v-1", ALL))
        for kind in ("html", "pdf", "zip")
    ],
    "/api/{case}/lanes": [(api("lanes"), ALL)],
    "/api/{case}/pts/{n:int}": [(api("pts/0"), ALL)],
    "/api/{case}/peaks/{n:int}": [(api("peaks/0"), ALL)],
}


def test_the_table_of_rights_names_every_route(tmp_path: Path) -> None:
    room = Room(tmp_path)
    paths = {r.path for r in router(room).routes}
    room.close()
    assert paths == {*ROUTES, "/api/upload"}, "a new route needs its line in the table"


@pytest.mark.parametrize("name", [*ROLES, None])
def test_every_route_for_every_role(guarded: Served, name: str | None) -> None:
    person = signed_in(guarded, name) if name else requests.Session()
    for path, allowed in (x for cases in ROUTES.values() for x in cases):
        for more in ("", "?download=1"):
            url = guarded.url + path + (more if "?" not in path else "")
            answer = person.get(url)
            wanted = 200 if name in allowed else 401 if name is None else 403
            assert answer.status_code == wanted, (name, path, answer.status_code)
            if name not in NOT_VIEWERS:
                assert not any(w in answer.text for w in WORDS_OF_THE_NIGHT), (name, path)


@pytest.mark.parametrize(
    ("name", "origin", "status"),
    [
        ("Зритель", None, 403),
        (None, None, 401),
        ("Стол", "http://evil.example", 403),
        ("Стол", None, 415),
        ("Главный", None, 415),
    ],
)
def test_who_may_upload(guarded: Served, name: str | None, origin: str | None, status: int) -> None:
    person = signed_in(guarded, name) if name else requests.Session()
    headers = {"Origin": origin} if origin else {}
    answer = person.put(f"{guarded.url}/api/upload?name=notes.txt", data=b"x", headers=headers)
    assert answer.status_code == status
    assert not (guarded.library / "recordings").exists()
