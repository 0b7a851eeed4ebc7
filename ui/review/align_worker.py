"""`python -m mafiavar.ui.review.align_worker`: aligns again, in a process of its own.

One JSON request a line on stdin, one JSON answer a line on stdout, like the media worker.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from mafiavar.analyzer.errors import MafiavarError
from mafiavar.analyzer.pipeline.again import align_again
from mafiavar.analyzer.span import Span
from mafiavar.analyzer.timeline import Pin


def main() -> int:
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer: dict[str, Any] = {"ok": do_align(**{k: v for k, v in request.items() if k != "do"})}
        except MafiavarError as error:
            answer = {"error": [error.russian, error.english]}
        except Exception as error:
            cause = f"{error.__class__.__name__}: {error}"[:300]
            answer = {
                "error": [f"Разметить заново не удалось ({cause}).", f"Aligning again failed ({cause})."]
            }
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return 0


def do_align(case: str, pins: list[dict[str, Any]], out: str, lang: str) -> str:
    """Write timeline.json, votes.json, flags.json of the new revision into folder `out`."""
    facts = [Pin(p["kind"], Span.of(p["t0"], p["t1"]), p["fields"], p["negated"]) for p in pins]
    result = align_again(Path(case), facts, lang=lang)
    folder = Path(out)
    part = folder.with_name(folder.name + ".part")
    part.mkdir(parents=True, exist_ok=True)
    for name, value in result.items():
        (part / f"{name}.json").write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    part.replace(folder)
    return out


if __name__ == "__main__":
    raise SystemExit(main())
