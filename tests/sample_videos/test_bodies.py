"""The real bodies: hands rest on the table, come to it round its edge; the picture shows the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from mafiavar.sample_videos.bodies import source
from mafiavar.sample_videos.bodies.figure import Figure
from mafiavar.sample_videos.bodies.physique import Physique
from mafiavar.sample_videos.bodies.poses import EDGE, TOP, Manner, PoseBook
from mafiavar.sample_videos.bodies.wardrobe import Look, dress
from mafiavar.sample_videos.errors import PictureMissing
from mafiavar.sample_videos.geometry import Camera, blend, quaternions, rotation, rotations, twist, vec
from mafiavar.sample_videos.picture.acting import STEPS, Bearing, Move
from mafiavar.sample_videos.picture.cast import scene
from mafiavar.sample_videos.picture.painter import Light, Model, Painter
from mafiavar.sample_videos.picture.room import furniture
from mafiavar.sample_videos.picture.stage import Stage

Needs = Callable[[bool, str], None]


@pytest.fixture(scope="module")
def book(needs: Needs) -> PoseBook:
    present = (source.cache_folder() / source.WHEEL).is_file()
    needs(present, "mafiavar studio fetch")
    return PoseBook(Figure(Physique(gender=0.8)), Manner.of(np.random.default_rng(3)))


def lowest(book: PoseBook, torso: str, side: str, name: str) -> float:
    pose = book.assemble(
        book.torso(torso), book.head("y0"), **{{"R": "right", "L": "left"}[side]: book.arm(torso, side, name)}
    )
    return book.lowest(pose, side) - TOP


@pytest.mark.real
@pytest.mark.parametrize("side", ["R", "L"])
@pytest.mark.parametrize("form", ["fist_vertical", "fist_flat", "palm", "finger", "rest"])
def test_a_hand_rests_on_the_table(book: PoseBook, form: str, side: str) -> None:
    assert 0 < lowest(book, "day", side, form) < 0.002
    assert 0.09 < lowest(book, "day", side, f"{form}^") < 0.11


@pytest.mark.real
def test_a_vertical_fist_stands_and_a_flat_one_lies(book: PoseBook) -> None:
    """The line of the knuckles: upright for the vote, level for the flat fist."""
    for form, upright in (("fist_vertical", True), ("fist_flat", False)):
        placed = book.figure.place(book.assemble(book.torso("day"), None, book.arm("day", "R", form)))
        ix = book.figure.template.index
        line = placed.position[ix["finger2-1.R"]] - placed.position[ix["finger5-1.R"]]
        steep = abs(line[2]) / np.linalg.norm(line)
        assert (steep > 0.9) if upright else (steep < 0.3)


@pytest.mark.real
def test_a_hand_comes_round_the_edge_and_down_from_above(book: PoseBook) -> None:
    stage = object.__new__(Stage)  # poses need no painter
    stage.books, stage._blends = [book], {}
    still = Move("day", "day", STEPS)
    for a, b in (("day/lap", "day/fist_vertical"), ("day/fist_vertical", "day/lap")):
        for step in range(1, STEPS):
            s = Bearing(still, Move("y0", "y0", STEPS), Move(a, b, step), Move("day/lap", "day/lap", STEPS))
            placed = book.figure.place(stage.pose(1, s))
            palm = book.figure.skin(book.palms["R"], placed)
            over = palm[palm[:, 1] < -EDGE - 0.05]  # well inside the table's edge
            assert not len(over) or over[:, 2].min() > TOP + 0.004 or over[:, 2].max() < TOP


@pytest.mark.real
def test_the_depth_buffer_sees_the_same_contact(book: PoseBook) -> None:
    camera = Camera((0, -3, 3), (0, 0, 0.7), 30, 160, 90)
    try:
        painter = Painter(camera, Light())
    except PictureMissing as error:
        pytest.skip(str(error))
    outfit = dress(book.figure, Look())
    model = Model(painter, outfit, "#000000")
    for name, low, high in (("fist_vertical", 0.0, 0.002), ("fist_vertical^", 0.09, 0.11)):
        placed = book.figure.place(
            book.assemble(book.torso("day"), None, book.arm("day", "R", name), book.arm("day", "L", "lap"))
        )
        model.pose(book.figure.skin(outfit.skin, placed), outfit.mask_on, "off")
        assert low <= painter.gap_below(model, book.figure.skin(book.palms["R"], placed)) <= high
    for solid in furniture(scene(1, "high").room):
        painter.add(solid)
    assert painter.plate([model]).std() > 10


@pytest.mark.real
def test_bodies_differ_and_stand_on_the_floor(needs: Needs) -> None:
    needs((source.cache_folder() / source.WHEEL).is_file(), "mafiavar studio fetch")
    tall, small = Figure(Physique(height=0.9)), Figure(Physique(height=0.1))
    assert tall.vertices[:, 2].max() > small.vertices[:, 2].max() + 0.15
    pose = tall.neutral()
    from mafiavar.sample_videos.bodies.figure import Skin

    skin = Skin(tall.vertices, tall.template.weights)
    assert np.abs(tall.skin(skin, tall.place(pose)) - tall.vertices).max() < 1e-9


def test_quaternions_and_rotations_are_the_same_thing() -> None:
    g = np.random.default_rng(2)
    r = np.stack([rotation(g.normal(size=3), float(g.uniform(-179, 179))) for _ in range(50)])
    assert np.abs(rotations(quaternions(r)) - r).max() < 1e-9
    q = quaternions(r)
    assert np.allclose(blend(q, q, 0.3), q)
    assert twist(rotation(vec(0, 0, 1), 40), vec(0, 0, 1)) == pytest.approx(40)
    assert twist(rotation(vec(1, 0, 0), 40), vec(0, 0, 1)) == pytest.approx(0, abs=1e-9)


def test_the_camera_projects_as_its_matrix() -> None:
    camera = Camera((0.3, -3, 2.5), (0, 0.1, 0.7), 28, roll=0.5)
    points = np.array([[0, 0, 0.745], [1, 0.5, 1.2], [-0.8, -0.6, 0.9]])
    clip = np.c_[points, np.ones(3)] @ camera.matrix().T
    ndc = clip[:, :2] / clip[:, 3:]
    pixels = np.stack([(ndc[:, 0] + 1) / 2 * 1920, (1 - ndc[:, 1]) / 2 * 1080], axis=1)
    assert np.abs(pixels - camera.project(points)).max() < 1e-6


def test_the_same_seed_gives_the_same_scene() -> None:
    assert scene(5, "high") == scene(5, "high")
    assert scene(5, "high").cast == scene(5, "std").cast
    assert scene(5, "high").cast != scene(6, "high").cast
