"""`python -m mafiavar.ui.review.proxy_job RECORDING FOLDER`: one review copy, in its own process."""

from __future__ import annotations

import sys
from pathlib import Path

from mafiavar.analyzer.errors import MafiavarError
from mafiavar.ui.language import language
from mafiavar.ui.review.media_worker import do_index, do_proxy, limit_memory


def main(arguments: list[str]) -> int:
    recording, folder = arguments
    limit_memory()
    try:
        do_index(recording, folder)
        do_proxy(recording, folder, str(Path(folder) / "proxy.progress"))
    except MafiavarError as error:
        sys.stderr.write(error.sentence(language()) + "\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
