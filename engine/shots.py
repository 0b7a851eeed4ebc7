"""What the shots recorded in a night say about who was killed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mafiavar.engine.game import Game


def killed_by_shots(game: Game) -> tuple[bool, int | None]:
    """(is it certain?, who was killed) by the shots recorded this night.

    Certain when shots disagree (a miss), or when every black at the table is known to have shot.
    """
    night = game.night_state
    if night is None or not night.shots:
        return False, None
    targets = {t for _, t in night.shots}
    if len(targets) > 1 or None in targets or _one_shot_at_two(game):
        return True, None
    target = next(iter(targets))
    fired = sum(1 for _ in night.shots)
    return max(game.blacks_possible(), default=0) == fired == min(game.blacks_possible(), default=0), target


def _one_shot_at_two(game: Game) -> bool:
    night = game.night_state
    known = [s for s, _ in night.shots if s is not None] if night else []
    return len(known) != len(set(known))
