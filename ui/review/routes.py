"""Our own routes beside the pages: media, evidence, pictures, clips and the players' data.

Each takes the case by name from the library and asks the `View` whether this person may see that
stretch; a path from the address is never joined to a folder without being looked up or confined.
"""

from __future__ import annotations

import functools
import json
import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, Router

from mafiavar.analyzer.errors import MediaError, reason
from mafiavar.ui.language import language, say, speak
from mafiavar.ui.review.casefile import Source
from mafiavar.ui.review.lanes import lanes
from mafiavar.ui.review.media_client import PEAKS_PER_SECOND, MediaWorker
from mafiavar.ui.review.ranges import DiskFile
from mafiavar.ui.review.room import Room, View
from mafiavar.ui.review.seating import crop_box
from mafiavar.ui.review.traces import exports_of
from mafiavar.ui.review.veil import public_paths
from mafiavar.ui.store.accounts import RIGHTS

FOREVER = "private, max-age=31536000, immutable"
CROP_HEIGHTS = (72, 96, 144, 240, 480, 720)
CLIP_HEIGHTS = (480, 720)
UPLOAD_SUFFIXES = frozenset(
    {
        ".mp4",
        ".m4v",
        ".mov",
        ".mkv",
        ".webm",
        ".avi",
        ".ts",
        ".mts",
        ".m2ts",
        ".mpg",
        ".mp3",
        ".m4a",
        ".wav",
        ".ogg",
        ".opus",
        ".flac",
        ".aac",
    }
)
Handler = Callable[["Routes", Request, View], Awaitable[Response]]


class Refused(Exception):
    """Ends a request with a status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def missing() -> Refused:
    return Refused(404, say("Не найдено.", "Not found."))


def hidden() -> Refused:
    return Refused(403, say("Это ночь: у вас нет права её видеть.", "This is night: you may not see it."))


def router(room: Room) -> Router:
    """All routes of ours; anything else below them is 404."""
    r = Routes(room)
    wrapped = functools.partial(_with_view, r)
    case = "/media/{case}"
    return Router(
        [
            Route(f"{case}/recording/{{n:int}}", wrapped(Routes.recording)),
            Route(f"{case}/play/{{n:int}}", wrapped(Routes.play)),
            Route(f"{case}/clip/{{n:int}}/{{a:int}}-{{b:int}}.mp4", wrapped(Routes.clip)),
            Route(f"{case}/crop/{{n:int}}/{{t:int}}/{{seat:int}}.jpg", wrapped(Routes.crop)),
            Route(f"{case}/frame/{{n:int}}/{{t:int}}.jpg", wrapped(Routes.frame)),
            Route(f"{case}/evidence/{{path:path}}", wrapped(Routes.evidence)),
            Route(f"{case}/report.html", wrapped(Routes.report)),
            Route(f"{case}/export/{{stamp}}/{{file}}", wrapped(Routes.export)),
            Route("/api/{case}/lanes", wrapped(Routes.lanes)),
            Route("/api/{case}/pts/{n:int}", wrapped(Routes.pts)),
            Route("/api/{case}/peaks/{n:int}", wrapped(Routes.peaks)),
            Route("/api/upload", r.upload, methods=["PUT"]),
        ]
    )


def _with_view(routes: Routes, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        speak(request.query_params.get("lang", "ru"))
        try:
            view = await anyio.to_thread.run_sync(
                routes.room.view, request.path_params["case"], request.state.account
            )
            if view is None:
                raise missing()
            return await handler(routes, request, view)
        except Refused as refused:
            return PlainTextResponse(str(refused), status_code=refused.status)
        except MediaError as error:
            return PlainTextResponse(error.sentence(language()), status_code=422)

    return endpoint


class Routes:
    def __init__(self, room: Room) -> None:
        self.room = room
        self._cutting: dict[str, anyio.Lock] = {}

    # media --------------------------------------------------------------------------------

    async def recording(self, request: Request, view: View) -> Response:
        """The original file: only for those who may see the night."""
        if not view.secrets:
            raise hidden()
        return DiskFile(self.room.file_of(self._source(request, view)))

    async def play(self, request: Request, view: View) -> Response:
        """What the player plays: the proxy where the browser needs one, else the original."""
        if not view.secrets:
            raise hidden()
        source = self._source(request, view)
        proxy = self.room.proxy(source) if self.room.needs_proxy(source) else None
        return DiskFile(proxy or self.room.file_of(source))

    async def clip(self, request: Request, view: View) -> Response:
        """Exactly [a, b] milliseconds; refused where it touches what the person may not see."""
        source = self._source(request, view)
        t0, t1 = request.path_params["a"] / 1000, request.path_params["b"] / 1000
        if not view.shows_of(source, t0, t1):
            raise hidden()
        height = _choice(request, "h", CLIP_HEIGHTS, 720)
        file = (
            self.room.cache_of(source)
            / "clips"
            / f"{request.path_params['a']}-{request.path_params['b']}-{height}.mp4"
        )
        if not file.exists():
            path, folder = await self._ready(source)
            await self._call(
                self.room.quick,
                "clip",
                timeout=240,
                path=path,
                out=folder,
                t0=t0,
                t1=t1,
                file=str(file),
                height=height,
            )
        name = (
            quote(f"{view.case.name}-{_clock(t0)}-{_clock(t1)}.mp4")
            if "download" in request.query_params
            else None
        )
        return DiskFile(file, name=name)

    async def crop(self, request: Request, view: View) -> Response:
        """One seat at one moment."""
        source = self._source(request, view)
        t, seat = request.path_params["t"] / 1000, request.path_params["seat"]
        if not view.shows_of(source, t, t):
            raise hidden()
        camera = await anyio.to_thread.run_sync(self.room.camera, view.case, source.number)
        box = crop_box(camera, seat, source.size, person=request.query_params.get("of") == "person")
        if box is None:
            raise missing()
        return await self._picture(request, view, source, t, box)

    async def frame(self, request: Request, view: View) -> Response:
        """The whole picture at one moment."""
        source = self._source(request, view)
        return await self._picture(request, view, source, request.path_params["t"] / 1000, None)

    async def _picture(
        self, request: Request, view: View, source: Source, t: float, box: tuple[int, int, int, int] | None
    ) -> Response:
        if not view.shows_of(source, t, t):
            raise hidden()
        height = _choice(request, "h", CROP_HEIGHTS, 96 if box else 720)
        place = "-".join(map(str, box)) if box else "whole"
        folder = self.room.cache_of(source) / "pictures"
        file = folder / f"{round(t * 1000)}-{place}-{height}.jpg"
        if not file.exists():
            path, out = await self._ready(source)
            neighbours = await self._neighbours(request, view, source, t, folder, height) if box else []
            wanted = [{"t": t, "box": list(box) if box else None, "file": str(file)}, *neighbours]
            async with self._cutting.setdefault(f"{source.sha256}{int(t)}", anyio.Lock()):
                wanted = [w for w in wanted if not Path(w["file"]).exists()]
                if wanted:
                    await self._call(
                        self.room.quick, "crops", timeout=60, path=path, out=out, wanted=wanted, height=height
                    )
        return DiskFile(file, cache=FOREVER)

    async def _neighbours(
        self, request: Request, view: View, source: Source, t: float, folder: Path, height: int
    ) -> list[dict[str, Any]]:
        """A page asks for ten seats at thirty moments of one ballot: cut them in one decoding."""
        camera = await anyio.to_thread.run_sync(self.room.camera, view.case, source.number)
        out: list[dict[str, Any]] = []
        for extra in request.query_params.get("with", "").split(",")[:60]:
            match = re.fullmatch(r"(\d{1,9})\.(\d{1,2})", extra)
            if match is None:
                continue
            moment, seat = int(match.group(1)) / 1000, int(match.group(2))
            box = crop_box(camera, seat, source.size)
            if box is not None and abs(moment - t) < 30 and view.shows_of(source, moment, moment):
                place = "-".join(map(str, box))
                out.append(
                    {
                        "t": moment,
                        "box": list(box),
                        "file": str(folder / f"{round(moment * 1000)}-{place}-{height}.jpg"),
                    }
                )
        return out

    async def evidence(self, request: Request, view: View) -> Response:
        """A file of the case's evidence folder; without the right only what daylight evidence names."""
        asked = request.path_params["path"]
        case = self.room.full(view.case.name)
        assert case is not None
        if not view.secrets and f"evidence/{asked}" not in public_paths(case):
            raise hidden()
        return DiskFile(_inside(case.folder / "evidence", asked))

    async def report(self, _request: Request, view: View) -> Response:
        """The machine's whole report holds the night."""
        if not view.secrets:
            raise hidden()
        return DiskFile(_inside(view.case.folder, "report.html"))

    async def export(self, request: Request, view: View) -> Response:
        """A report somebody made: with the night (`s-`) only for those who may see it."""
        stamp, file = request.path_params["stamp"], request.path_params["file"]
        if not stamp.startswith("v-") and not view.secrets:
            raise hidden()
        path = _inside(exports_of(self.room.home, view.case.name), f"{stamp}/{file}")
        name = quote(f"{view.case.name}-{file}") if "download" in request.query_params else None
        return DiskFile(path, name=name)

    # data for the player -------------------------------------------------------------------

    async def lanes(self, _request: Request, view: View) -> Response:
        def made() -> str:
            records = self.room.seen_records(view)
            blind = bool(self.room.setting("blind", False, view.case.key))
            return json.dumps(lanes(view, records, blind=blind), ensure_ascii=False)

        body = await anyio.to_thread.run_sync(made)
        return Response(body, media_type="application/json", headers={"cache-control": "private, no-cache"})

    async def pts(self, request: Request, view: View) -> Response:
        """Frame times in seconds, little-endian float64."""
        source = self._source(request, view)
        _, folder = await self._ready(source)
        return DiskFile(Path(folder) / "times.f64")

    async def peaks(self, request: Request, view: View) -> Response:
        """Loudness, one byte per 1/50 s; nights are silent for those who may not hear them."""
        source = self._source(request, view)
        if not source.has_sound:
            raise missing()
        path, folder = await self._ready(source)
        file = Path(folder) / "peaks.u8"
        if not file.exists():
            await self._call(self.room.slow, "peaks", timeout=1800, path=path, out=folder)
        if view.secrets:
            return DiskFile(file)
        data = bytearray(await anyio.to_thread.run_sync(file.read_bytes))
        for i in range(len(data)):
            if not view.shows_of(source, i / PEAKS_PER_SECOND, (i + 1) / PEAKS_PER_SECOND):
                data[i] = 0
        return Response(
            bytes(data), media_type="application/octet-stream", headers={"cache-control": "private, no-cache"}
        )

    async def upload(self, request: Request) -> Response:
        """A recording into the library's folder, straight to disk; never over an existing file."""
        if not _may_add(request):
            return PlainTextResponse(
                say("Нет права добавлять записи.", "You may not add recordings."), status_code=403
            )
        name = Path(request.query_params.get("name", "").replace("\\", "/")).name
        if Path(name).suffix.lower() not in UPLOAD_SUFFIXES or name.startswith("."):
            return PlainTextResponse(
                say(
                    "Это не запись: нужен видео- или звуковой файл.",
                    "Not a recording: a video or sound file is needed.",
                ),
                status_code=415,
            )
        declared = int(request.headers.get("content-length") or 0)
        folder = self.room.library.root / "recordings"
        target = _free_name(folder, name)
        try:
            folder.mkdir(exist_ok=True)
            if shutil.disk_usage(folder).free < declared + (1 << 30):
                return PlainTextResponse(
                    say("На диске не хватит места.", "Not enough room on the disk."), status_code=507
                )
            await _receive(request, target)
            facts = await self._call(
                self.room.slow,
                "index",
                timeout=1800,
                path=str(target),
                out=str(self.room.cache / f"upload-{target.stem}"),
            )
        except MediaError as error:
            target.unlink(missing_ok=True)
            return PlainTextResponse(error.sentence(language()), status_code=422)
        except OSError as error:
            return PlainTextResponse(
                say(f"Файл не записан: {reason(error)}.", f"The file was not written: {error.strerror}."),
                status_code=507,
            )
        return Response(json.dumps({"path": str(target), **facts}), media_type="application/json")

    # helpers ------------------------------------------------------------------------------

    def _source(self, request: Request, view: View) -> Source:
        n = request.path_params["n"]
        for source in view.case.sources:
            if source.number == n:
                return source
        raise missing()

    async def _ready(self, source: Source) -> tuple[str, str]:
        folder = await anyio.to_thread.run_sync(self.room.indexed, source)
        return str(self.room.file_of(source)), str(folder)

    async def _call(self, worker: MediaWorker, do: str, **arguments: Any) -> Any:
        return await anyio.to_thread.run_sync(functools.partial(worker.call, do, **arguments))


def _choice(request: Request, name: str, allowed: tuple[int, ...], default: int) -> int:
    """Only listed sizes: nobody fills the disk by asking for every height there is."""
    asked = request.query_params.get(name, "")
    return int(asked) if asked.isdecimal() and int(asked) in allowed else default


def _inside(folder: Path, asked: str) -> Path:
    """The file `asked` within `folder`; links out of it, dots and odd names are not found."""
    try:
        base = folder.resolve(strict=True)
        path = (base / asked).resolve(strict=True)
    except (OSError, ValueError):
        raise missing() from None
    if not path.is_relative_to(base) or not path.is_file():
        raise missing()
    return path


def _may_add(request: Request) -> bool:
    same = request.headers.get("origin") in (None, f"{request.url.scheme}://{request.headers.get('host')}")
    return same and RIGHTS[request.state.account.role].correct


def _free_name(folder: Path, name: str) -> Path:
    target, number = folder / name, 2
    while target.exists():
        target = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
        number += 1
    return target


async def _receive(request: Request, target: Path) -> None:
    part = target.with_name(target.name + ".part")
    try:
        async with await anyio.open_file(part, "wb") as file:
            async for chunk in request.stream():
                await file.write(chunk)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _clock(t: float) -> str:
    return f"{int(t // 60):02d}m{t % 60:04.1f}s"
