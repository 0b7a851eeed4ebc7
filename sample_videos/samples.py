"""The samples that ship with the project, as scripts. `make samples` renders them again."""

from __future__ import annotations

from mafiavar.sample_videos.composer import Composer, at
from mafiavar.sample_videos.script import Script
from mafiavar.sample_videos.writer.hunts import hunt
from mafiavar.sample_videos.writer.scenes import Director, Mischief
from mafiavar.sample_videos.writer.trouble import Trouble


def first_table() -> Script:
    """A day condensed to three speeches, a vote of ten (one early hand, one withdrawn), a night."""
    c = Composer("fsm-2026", 20)
    d = Director(c, "full", 20, "fsm-2026")
    d.morning(masked=True)
    d.floor(1, gap=0.5)
    d.chat(1)
    d.nominate(1, 3)
    d.floor_end(1, "spasibo")
    d.floor(2, gap=0.5)
    d.chat(2, "mention", a=9, b=4)
    d.nominate(2, 7)
    d.floor_end(2, "pas")
    d.floor(3, gap=0.5)
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
    end = hunt(d, {2: 1, 9: 1, 10: 1}, opening_gap=2.6)
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
        lead=0.4,
        tail=0.5,
        sound={"snr_db": 25, "judge_style": "full", "condensed": True, "music_db": -9},
        picture={"camera": "high", "crf": 27, "cards": True},
        notes={"days": "a recording that begins on day 1 and condenses its speeches"},
    )


def dim_vote() -> Script:
    """A vote in a dark hall, one hand withdrawn before «стоп» and one left to the rule."""
    c = Composer("fsm-2026", 31)
    d = Director(c, "full", 31, "fsm-2026")
    c.day = 1
    d.open_vote((2, 8))
    d.ballot(2, (1, 3, 4, 9, 10), mischief=Mischief({"hand_withdrawn": 9}))
    d.ballot(8, (2, 5, 7, 8), remainder=(6,), mischief=Mischief({"hand_released_before_count": 7}))
    d.judge(d.voice.say("tie", (2, 8)), gap=0.8)
    return c.script(
        roles={"2": "don", "6": "mafia", "9": "mafia", "5": "sheriff"},
        excerpt=True,
        lead=0.5,
        tail=0.8,
        sound={"snr_db": 20, "judge_style": "full", "condensed": True, "clatter": True},
        picture={"camera": "left", "low_light": True, "noise": 2.6, "crf": 28, "cards": True},
        notes={"days": "an excerpt: the vote alone; nothing in it tells the day"},
    )


def disputed_nomination() -> Script:
    """A nomination in the wrong tense that the judge takes, and a number that nominates nobody."""
    c = Composer("fsm-2026", 33)
    d = Director(c, "chatty", 33, "fsm-2026")
    trouble = Trouble(d, d.g, True)
    c.day = 1
    d.floor(4)
    d.chat(4)
    trouble.wrong_tense(4, 9, accepted=True)
    d.floor_end(4, "spasibo")
    d.floor(5)
    d.chat(5, "mention", a=2, b=7)
    d.nominate(5, 9, accepted=False, reason="already nominated")
    d.floor_end(5, "pas")
    return c.script(
        roles={"1": "don", "7": "mafia", "10": "mafia", "3": "sheriff"},
        excerpt=True,
        lead=0.5,
        tail=0.8,
        sound={"snr_db": 22, "judge_style": "chatty", "condensed": True, "murmur": True},
        picture={"camera": "right", "crf": 28, "cards": True},
        notes={"days": "an excerpt: two speeches; nothing in it tells the day"},
    )


SAMPLES = {"first_table": first_table, "dim_vote": dim_vote, "disputed_nomination": disputed_nomination}
