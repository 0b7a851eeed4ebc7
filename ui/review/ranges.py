"""Files straight from disk with ranges: a 20 GB recording seeks at once and fills no memory."""

from __future__ import annotations

import email.utils
import os
import re
from pathlib import Path

import anyio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

CHUNK = 256 * 1024
TYPES = {
    ".mp4": "video/mp4",
    ".m4v": "video/mp4",
    ".mov": "video/mp4",
    ".webm": "video/webm",
    ".mkv": "video/x-matroska",
    ".ogg": "audio/ogg",
    ".opus": "audio/ogg",
    ".mp3": "audio/mpeg",
    ".m4a": "audio/mp4",
    ".wav": "audio/wav",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".html": "text/html; charset=utf-8",
    ".vtt": "text/vtt; charset=utf-8",
    ".pdf": "application/pdf",
    ".zip": "application/zip",
}
_RANGE = re.compile(r"bytes=(\d*)-(\d*)")


def byte_range(header: str | None, size: int) -> tuple[int, int] | None:
    """First and last byte asked for; None: the whole file.

    Raises:
        ValueError: the range lies outside the file (416).

    >>> byte_range("bytes=5-9", 100), byte_range("bytes=-10", 100), byte_range("bytes=90-", 100)
    ((5, 9), (90, 99), (90, 99))
    >>> byte_range(None, 100) is byte_range("seconds=1-2", 100) is None
    True
    """
    match = _RANGE.fullmatch(header.strip()) if header else None
    if match is None or match.group(1) == match.group(2) == "":
        return None
    first, last = match.groups()
    if first == "":
        start, end = max(0, size - int(last)), size - 1
    else:
        start, end = int(first), min(int(last), size - 1) if last else size - 1
    if start > end or start >= size:
        raise ValueError("range outside the file")
    return start, end


class DiskFile(Response):
    """Sends a file or the asked part of it; stops reading when the browser goes away."""

    def __init__(self, path: Path, *, cache: str = "private, no-cache", name: str | None = None) -> None:
        super().__init__(media_type=TYPES.get(path.suffix.lower(), "application/octet-stream"))
        self.path = path
        self.cache = cache
        self.name = name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            stat = await anyio.to_thread.run_sync(os.stat, self.path)
            file = await anyio.open_file(self.path, "rb")
        except OSError:
            await Response("404", status_code=404)(scope, receive, send)
            return
        async with file:
            headers = {k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"]}
            tag = f'"{stat.st_mtime_ns:x}-{stat.st_size:x}"'
            if headers.get("if-none-match") == tag:
                await Response(status_code=304, headers={"etag": tag})(scope, receive, send)
                return
            asked = headers.get("range") if headers.get("if-range", tag) == tag else None
            try:
                part = byte_range(asked, stat.st_size)
            except ValueError:
                await Response(status_code=416, headers={"content-range": f"bytes */{stat.st_size}"})(
                    scope, receive, send
                )
                return
            first, last = part or (0, stat.st_size - 1)
            out = {
                "content-type": self.media_type or "",
                "content-length": str(last - first + 1),
                "accept-ranges": "bytes",
                "etag": tag,
                "last-modified": email.utils.formatdate(stat.st_mtime, usegmt=True),
                "cache-control": self.cache,
                "x-content-type-options": "nosniff",
                **({"content-range": f"bytes {first}-{last}/{stat.st_size}"} if part else {}),
                **({"content-disposition": f"attachment; filename*=utf-8''{self.name}"} if self.name else {}),
            }
            await send(
                {
                    "type": "http.response.start",
                    "status": 206 if part else 200,
                    "headers": [(k.encode(), v.encode("latin-1", "replace")) for k, v in out.items()],
                }
            )
            if scope["method"] == "HEAD":
                await send({"type": "http.response.body", "body": b""})
                return
            await self._body(file, first, last, receive, send)

    async def _body(
        self, file: anyio.AsyncFile[bytes], first: int, last: int, receive: Receive, send: Send
    ) -> None:
        """Chunks until the end, or until the other side hangs up: a browser that seeks drops
        the old request, and reading on for nobody would read the disk empty."""
        async with anyio.create_task_group() as group:

            async def watch() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass
                group.cancel_scope.cancel()

            group.start_soon(watch)
            await file.seek(first)
            left = last - first + 1
            while left > 0:
                chunk = await file.read(min(CHUNK, left))
                if not chunk:
                    break
                left -= len(chunk)
                await send({"type": "http.response.body", "body": chunk, "more_body": left > 0})
            group.cancel_scope.cancel()
