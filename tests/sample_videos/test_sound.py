"""The real voice: words on the clock, eleven speakers, a mix that is the same twice, no lag in the file."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest

from mafiavar.sample_videos.composer import Composer
from mafiavar.sample_videos.errors import ScriptError, VoiceMissing
from mafiavar.sample_videos.render import render_sound
from mafiavar.sample_videos.script import Line, Script
from mafiavar.sample_videos.sound import festival, room
from mafiavar.sample_videos.sound.bank import normal, open_bank
from mafiavar.sample_videos.sound.mix import Conditions, perform
from mafiavar.sample_videos.sound.voices import Voice, change, voices_of

Needs = Callable[[bool, str], None]
TEXT = "Кто голосует против игрока номер три?"


@pytest.fixture
def voice(needs: Needs) -> None:
    needs(festival.available() and shutil.which("sox") is not None, "apt-get install festival festvox-ru sox")


def small(seed: int = 3) -> Script:
    c = Composer("fsm-2026", seed)
    c.judge("Игрок номер один, ваша минута.")
    c.say(1, "Я красный игрок и буду играть на город.")
    c.judge(TEXT, named="три")
    return c.script()


@pytest.mark.real
@pytest.mark.usefixtures("voice")
def test_words_are_where_they_sound() -> None:
    spoken = festival.speak([TEXT])[TEXT]
    assert len(spoken.words) == len(TEXT.split())
    assert all(a < b for a, b in spoken.words)
    assert [a for a, _ in spoken.words] == sorted(a for a, _ in spoken.words)
    assert 0 <= spoken.words[0][0] < 0.15
    assert spoken.duration - 0.4 < spoken.words[-1][1] <= spoken.duration + 1e-6
    again = festival.speak([TEXT])[TEXT]
    assert np.array_equal(spoken.samples, again.samples)


@pytest.mark.real
@pytest.mark.usefixtures("voice")
def test_a_voice_stretches_words_with_the_line() -> None:
    spoken = festival.speak([TEXT])[TEXT]
    slow = change(spoken, Voice(speed=0.9, pitch=100, tempo=0.9))
    assert slow.duration == pytest.approx(spoken.duration / 0.81, rel=0.02)
    for (a, _), (b, _) in zip(spoken.words, slow.words, strict=True):
        assert b == pytest.approx(a / 0.81, rel=0.03, abs=0.03)


@pytest.mark.real
@pytest.mark.usefixtures("voice")
def test_the_same_game_sounds_the_same_and_starts_at_its_time(tmp_path: Path) -> None:
    quiet = {"snr_db": 60, "rt60": 0.2}
    a, b = (render_sound(small().with_conditions(quiet), tmp_path / f"{n}.wav") for n in "ab")
    assert a.recording.read_bytes() == b.recording.read_bytes()
    truth = json.loads(a.truth.read_text("utf-8"))
    with av.open(str(a.recording)) as file:
        pcm = np.concatenate([f.to_ndarray()[0] for f in file.decode(audio=0)]).astype(np.float64) / 32768
    assert len(pcm) / 16000 == pytest.approx(truth["duration"], abs=0.001)
    for line in truth["speech"]:  # what is said begins and ends where the truth says
        k0, k1 = round(line["t0"] * 16000), round(line["t1"] * 16000)
        before, inside = np.abs(pcm[k0 - 1600 : k0 - 160]), np.abs(pcm[k0:k1])
        assert np.sqrt((inside**2).mean()) > 20 * np.sqrt((before**2).mean())
        assert np.flatnonzero(inside > 0.02)[0] < 0.12 * 16000


@pytest.mark.real
@pytest.mark.usefixtures("voice")
def test_noise_is_as_loud_as_asked() -> None:
    p = perform(small().with_conditions({"snr_db": 10}))
    first = p.timed.lines[0]
    silence = p.mixed[: round((first.t0 - 0.05) * 16000)]
    level = 20 * np.log10(np.sqrt((silence.astype(np.float64) ** 2).mean()))
    assert level == pytest.approx(room.SPEECH_DBFS - 10, abs=2.5)


def test_eleven_voices_are_dealt_and_stay_with_the_seed() -> None:
    a, b = voices_of(4), voices_of(4)
    assert a == b and len(a) == 11
    keys = {(v.speed, v.pitch, v.tempo) for v in a.values()}
    assert len(keys) == 11
    assert voices_of(5) != a


def test_an_unknown_condition_is_refused() -> None:
    with pytest.raises(ScriptError, match=r"sound\.snr"):
        Conditions.of(small().with_conditions({"snr": 10}))
    with pytest.raises(ScriptError):
        small().with_settings(["clatter=true"])
    assert Conditions.of(small().with_settings(["sound.clatter=true", "sound.dead=[1,2]"])).dead == (1, 2)


def test_what_recorders_do_to_sound() -> None:
    g = np.random.default_rng(1)
    x = (0.2 * np.sin(2 * np.pi * 440 * np.arange(16000 * 30) / 16000)).astype(np.float32)
    holed, holes = room.dropouts(x, g, 6)
    assert len(holes) == 3
    for a, b in holes:
        assert not holed[int(a * 16000) + 1 : int(b * 16000) - 1].any()
    low = room.telephone((0.2 * np.sin(2 * np.pi * 60 * np.arange(16000) / 16000)).astype(np.float32))
    assert np.abs(low[4000:]).max() < 0.02
    h = room.impulse(g, 0.4, 2.0)
    assert h[0] == 1.0 and np.abs(h[1:]).max() < 0.6


def test_a_voice_bank_answers_by_words(tmp_path: Path) -> None:
    with av.open(str(tmp_path / "a.wav"), "w", format="wav") as out:
        stream = out.add_stream("pcm_s16le", rate=16000)
        stream.codec_context.layout = "mono"
        wave = (8000 * np.sin(np.arange(16000) / 9)).astype(np.int16)
        f = av.AudioFrame.from_ndarray(wave.reshape(1, -1), format="s16", layout="mono")
        f.sample_rate = 16000
        for p in [*stream.encode(f), *stream.encode(None)]:
            out.mux(p)
    items = [
        {
            "file": "a.wav",
            "voice": "judge",
            "text": "Кто голосует против игрока номер три",
            "t0": 0.25,
            "t1": 0.75,
        }
    ]
    (tmp_path / "index.json").write_text(json.dumps(items), "utf-8")
    find = open_bank(tmp_path, small())
    found = find(Line("x", "judge", TEXT))
    assert found is not None and found.duration == pytest.approx(0.5)
    assert find(Line("x", "judge", "Стоп.")) is None
    assert find(Line("x", 3, TEXT)) is None  # only the judge recorded it
    assert find(Line("x", "judge", TEXT, named=3)) is None  # nobody knows where the third word ends
    assert normal("Ещё «раз», №5!") == "еще раз 5"


def test_what_is_no_voice_bank_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VoiceMissing):
        open_bank(tmp_path, small())
    (tmp_path / "index.json").write_text('[{"file": "a.wav"}]', "utf-8")
    with pytest.raises(VoiceMissing):
        open_bank(tmp_path, small())
