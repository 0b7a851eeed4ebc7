"""Appeals on points (FSM 8.9): which of a list may be heard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from mafiavar.engine.parameters import Ruleset
from mafiavar.engine.scoring.points import Remark, milli


@dataclass(frozen=True, slots=True)
class Appeal:
    """`day` of the tournament on which the points were got, `published` and `filed`: rounds (1, 2, ...)
    of publishing and filing, `filed_day` the day of filing; points as given and as asked for."""

    player: str
    day: int
    published: int
    filed: int
    filed_day: int
    given: float
    asked: float
    tables_closed_between: bool = False


def check_appeals(
    appeals: Iterable[Appeal], rules: Ruleset, last_round: int | None = None
) -> tuple[tuple[Appeal, tuple[Remark, ...]], ...]:
    """Every appeal with what stands against hearing it (nothing: it may be heard), in the order given."""
    used: Counter[tuple[str, str]] = Counter()
    out = []
    for appeal in appeals:
        against = _against(appeal, rules, last_round)
        sort = "minus" if appeal.given < 0 else "plus"
        if not against:
            used[appeal.player, sort] += 1
            if rules.appeals_limit is not None and used[appeal.player, sort] > rules.appeals_limit:
                against = [_remark(rules, "appeal_many", limit=rules.appeals_limit, sort=sort)]
        out.append((appeal, tuple(against)))
    return tuple(out)


def _against(appeal: Appeal, rules: Ruleset, last_round: int | None) -> list[Remark]:
    out = []
    rounds = rules.appeal_rounds
    if rounds is not None and appeal.filed - appeal.published > rounds:
        out.append(_remark(rules, "appeal_late", rounds=appeal.filed - appeal.published, limit=rounds))
    if appeal.day == 1 and appeal.filed_day > 1:
        out.append(_remark(rules, "appeal_day_one"))
    if appeal.tables_closed_between:
        out.append(_remark(rules, "appeal_closed_tables"))
    if last_round is not None and appeal.filed >= last_round:
        out.append(_remark(rules, "appeal_last_round", last=last_round))
    least = rules.appeal_least_difference
    if least is not None and abs(milli(appeal.asked) - milli(appeal.given)) <= milli(least):
        out.append(
            _remark(rules, "appeal_small", difference=abs(milli(appeal.asked) - milli(appeal.given)) / 1000)
        )
    return out


def _remark(rules: Ruleset, kind: str, **params: object) -> Remark:
    topic = "appeal_day_one" if kind in ("appeal_closed_tables", "appeal_last_round") else kind
    return Remark(kind, rules.clause(topic), (), tuple(params.items()))
