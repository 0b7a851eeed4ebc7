"""The seats, the table and the judge drawn on a frame, so that a person sees at once what is wrong."""

from __future__ import annotations

import cv2
import numpy as np

from mafiavar.analyzer.media.picture import Image
from mafiavar.analyzer.seats import SeatMap

_WIDTH = 1120
_BLUE, _ORANGE, _WHITE = (173, 92, 11), (0, 120, 230), (255, 255, 255)


def seats_jpeg(image: Image, seats: SeatMap) -> bytes:
    """JPEG bytes, at most 1120 pixels wide."""
    scale = min(1.0, _WIDTH / image.shape[1])
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    canvas = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    if seats.table:
        outline = np.array([[round(x * scale), round(y * scale)] for x, y in seats.table], np.int32)
        cv2.polylines(canvas, [outline], isClosed=True, color=_ORANGE, thickness=2, lineType=cv2.LINE_AA)
    for seat in seats.seats:
        x, y, w, h = (round(v * scale) for v in (seat.box.x, seat.box.y, seat.box.w, seat.box.h))
        cv2.rectangle(canvas, (x, y), (x + w, y + h), _BLUE, 2, cv2.LINE_AA)
        cv2.rectangle(canvas, (x, y), (x + 34, y + 26), _BLUE, -1)
        cv2.putText(
            canvas, str(seat.number), (x + 4, y + 20), cv2.FONT_HERSHEY_SIMPLEX, 0.65, _WHITE, 2, cv2.LINE_AA
        )
    if seats.judge is not None:
        x, y, w, h = (round(v * scale) for v in (seats.judge.x, seats.judge.y, seats.judge.w, seats.judge.h))
        cv2.rectangle(canvas, (x, y), (x + w, y + h), _ORANGE, 2, cv2.LINE_AA)
    ok, data = cv2.imencode(".jpg", canvas, [cv2.IMWRITE_JPEG_QUALITY, 85])
    if not ok:
        raise ValueError("the picture cannot be encoded")
    return data.tobytes()
