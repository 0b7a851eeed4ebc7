"""What the handlers of events share: the `Book` that collects issues, and the register of handlers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from mafiavar.engine import events as ev
from mafiavar.engine.issue import Issue, Severity
from mafiavar.engine.kinds import TOPICS
from mafiavar.engine.state import Phase

if TYPE_CHECKING:
    from mafiavar.engine.game import Game

E = TypeVar("E", bound=ev.Event)
DAYTIME = frozenset({Phase.DAY, Phase.VOTE, Phase.TIE, Phase.LIFT, Phase.EVENING})


class Book:
    """Collects the issues of one event."""

    __slots__ = ("issues", "rules")

    def __init__(self, game: Game) -> None:
        self.rules = game.rules
        self.issues: list[Issue] = []

    def add(self, kind: str, *seats: int, severity: Severity | None = None, **params: Any) -> None:
        """Note an issue; clause and severity come from engine/kinds.py unless given."""
        topic, default = TOPICS[kind]
        self.issues.append(
            Issue(kind, self.rules.clause(topic), severity or default, seats, tuple(params.items()))
        )


Handler = Callable[["Game", Any, Book], "Game"]
HANDLERS: dict[type[ev.Event], Handler] = {}


def handles(
    *classes: type[E],
) -> Callable[[Callable[[Game, E, Book], Game]], Callable[[Game, E, Book], Game]]:
    """Registers the handler of one or more event kinds."""

    def register(handler: Callable[[Game, E, Book], Game]) -> Callable[[Game, E, Book], Game]:
        for cls in classes:
            HANDLERS[cls] = handler
        return handler

    return register


def narrowed(game: Game, mask: int) -> Game | None:
    """The position with the roles narrowed; None when that is impossible. Empty sets stay as they are."""
    if not game.roles:
        return game
    rest = game.roles & mask
    return game.with_(roles=rest) if rest else None
