"""The samples that ship with the project, as scripts. `make samples` renders them again."""

from __future__ import annotations

from mafiavar.sample_videos.composer import Composer, at
from mafiavar.sample_videos.script import Script
from mafiavar.sample_videos.writer.scenes import Director, Mischief


def first_table() -> Script:
    """A day condensed to three speeches, a vote of ten (one early hand, one withdrawn), a night."""
    c = Composer("fsm-2026", 20)
    d = Director(c, "full", 20, "fsm-2026")
    d.morning(masked=True)
    d.floor(1)
    d.chat(1)
    d.nominate(1, 3)
    d.floor_end(1, "spasibo")
    d.floor(2)
    d.chat(2, "mention", a=9, b=4)
    d.nominate(2, 7)
    d.floor_end(2, "pas")
    d.floor(3)
    d.nominate(3, 7, accepted=False, reason="already nominated")
    d.floor_end(3, "pas")
    d.open_vote((3, 7))
    d.ballot(3, (4, 5, 7, 8), mischief=Mischief({"hand_early": 4}))
    d.ballot(7, (1, 2, 3, 6, 9, 10), mischief=Mischief({"hand_withdrawn": 6}))
    out = d.leave([7])
    d.floor(7, "last_word", gap=0.4)
    d.chat(7)
    word = d.floor_end(7, "spasibo")
    d.depart(7, word, 0.4)
    assert out
    night = d.nightfall(Mischief({"mask_late": 8}))
    end = d.hunt({2: 1, 9: 1, 10: 1})
    d.check("don", 2, 5, False)
    opening, closing = d.check("sheriff", 4, 9, True)
    c.act("posture", 6, at(opening, "end", 0.6), at(opening, "end", 3.4), state="head_up")
    d.flag("head_up_at_night", (6,), at(opening, "end", 0.6), at(opening, "end", 3.4))
    c.act("music", 0, at(night, "end", 0.4), at(closing, "end", 0.3))
    assert end
    d.morning(masked=False, night=1, killed=1)
    d.floor(1, "last_word", gap=0.4)
    d.floor_end(1, "pas")
    return c.script(
        roles={"2": "don", "9": "mafia", "10": "mafia", "4": "sheriff"},
        excerpt=True,
        sound={"snr_db": 25, "judge_style": "full", "condensed": True, "music_db": -9},
        picture={"camera": "high", "crf": 27, "cards": True},
        notes={"days": "a recording that begins on day 1 and condenses its speeches"},
    )


SAMPLES = {"first_table": first_table}
