"""Word error rate on recorded people: the samples of ../shared/media/real_speech, by the whole chain.

    python tests/accuracy/hearing_real.py [FOLDER]

FOLDER holds a README.md with a table `| file | transcript |`. Files said to hold no speech must give no
words. Prints every sentence with its errors, then errors per word over all.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from mafiavar.analyzer.evaluation.speech import edits, tokens
from mafiavar.analyzer.media import recording, sound
from mafiavar.analyzer.speech import listen
from mafiavar.models import registry
from mafiavar.models.speech import SAMPLE_RATE, WhisperRecogniser

SHARED = Path(__file__).parents[3] / "shared" / "media" / "real_speech"


def samples(folder: Path) -> Iterator[tuple[Path, str]]:
    """File and what is said in it, "" for nothing."""
    for line in (folder / "README.md").read_text("utf-8").splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        if len(cells) != 2:
            continue
        for name in re.findall(r"[\w.]+\.(?:wav|mp3|aac)", cells[0]):
            yield folder / name, "" if "no speech" in cells[1] else cells[1]


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED
    recogniser = WhisperRecogniser(registry.locate_recogniser("base"))
    wrong = words = invented = 0
    for path, text in samples(folder):
        heard = listen(sound.samples(recording.index(path)), SAMPLE_RATE, recogniser=recogniser).transcript
        found = " ".join(u.text for u in heard.utterances)
        said = tokens(text)
        if said:
            errors = edits(said, tokens(found))
            wrong, words = wrong + errors, words + len(said)
            sys.stdout.write(f"{path.name}: {errors} of {len(said)}: {found}\n")
        else:
            invented += len(tokens(found))
            sys.stdout.write(f"{path.name}: {found!r}\n")
    sys.stdout.write(f"errors {wrong} of {words} = {wrong / max(words, 1):.3f}; invented words {invented}\n")


if __name__ == "__main__":
    main()
