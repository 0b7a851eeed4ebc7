"""The sentences for points and remarks on points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mafiavar.ui.findings import SENTENCES, words
from mafiavar.ui.language import say

KINDS: Mapping[str, tuple[str, str]] = {
    "win": ("победа", "win"),
    "best_move": ("лучший ход ({hits})", "best move ({hits})"),
    "bonus": ("допбалл", "bonus"),
    "testament": ("завещание", "testament"),
    "protocol": ("протокол", "protocol"),
    "ci": ("компенсация Ci", "compensation Ci"),
    "removal": ("удаление", "removal"),
    "team_defeat": ("ППК", "defeat of the team"),
    "technical": ("технический фол № {ordinal}", "technical foul {ordinal}"),
    "table_split": ("стол поделился дважды, день {day}", "table split twice, day {day}"),
    "false_reveal": ("вскрытие красного без отката", "reveal of a red not taken back"),
    "silent_reveal": ("вскрыл шерифа и ушёл молча", "revealed the sheriff and left silently"),
}
REMARKS: Mapping[str, tuple[str, str]] = {
    "no_points": ("Эти правила баллов не знают: считать нечего.", "These rules know no points: there is nothing to count."),
    "ci_needs_distance": (
        "Место {seats} убито первой ночью: Ci считается по всем играм этапа (--tournament).",
        "Seat {seats} was killed first: Ci needs all games of the stage (--tournament).",
    ),
    "bonus_size": ("Место {seats}: такого допбалла нет ({points}).", "Seat {seats}: no such bonus ({points})."),
    "bonus_agreed": ("Место {seats}: {points} ставят с согласия ГС.", "Seat {seats}: {points} needs the chief judge's consent."),
    "bonus_sum": ("Сумма плюсов {sum} больше {limit}.", "Sum of plus points {sum} exceeds {limit}."),
    "bonus_players": ("Плюсы у {count} игроков, предел {limit}.", "{count} players have plus points, the limit is {limit}."),
    "bonus_missing": ("Нет допбалла у мест {seats}: его получает каждый.", "No bonus for seats {seats}: everyone gets one."),
    "bonus_of_removed": ("Место {seats} удалено, а допбалл положительный ({points}).", "Seat {seats} was removed but has a plus ({points})."),
    "bonus_in_draw": ("Ничья: плюс места {seats} ({points}) не начислен.", "A draw: the plus of seat {seats} ({points}) is not given."),
    "testament_size": ("Место {seats}: за завещание столько не ставят ({points}).", "Seat {seats}: no such testament points ({points})."),
    "testament_agreed": ("Место {seats}: {points} за завещание ставят с согласия ГС.", "Seat {seats}: {points} for a testament needs the chief judge's consent."),
    "opinion_few": ("Место {seats}: для плюса за завещание цветов мало.", "Seat {seats}: too few colours for a plus for the testament."),
    "opinion_few_aside": ("Место {seats}: в стороне от версий нужны три красных или один чёрный.", "Seat {seats}: beside the versions three reds or one black are needed."),
    "opinion_inexact": ("Место {seats}: неточное мнение не оценивают.", "Seat {seats}: an inexact opinion is not scored."),
    "opinion_sure": ("Цвет {seats} известен из вскрытия: в завещание его не включают.", "The colour of {seats} follows from a reveal: it does not belong in a testament."),
    "opinion_checked": ("Чёрную проверку ({seats}) шериф в завещание не включает.", "The sheriff's black check ({seats}) does not belong in a testament."),
    "both_aside": ("Место {seats}: завещание и протокол по четырём цветам в стороне вместе не оставляют.", "Seat {seats}: not a testament and a protocol of four colours beside the versions together."),
    "protocol_void": ("Место {seats}: протокол оставлен до команды судьи и не засчитан.", "Seat {seats}: the protocol came before the judge's word and does not count."),
    "protocol_size": ("Место {seats}: за протокол не больше 0,8 ({points}).", "Seat {seats}: a protocol is worth at most 0.8 ({points})."),
    "protocol_agreed": ("Место {seats}: {points} за протокол ставят с согласия ГС.", "Seat {seats}: {points} for a protocol needs the chief judge's consent."),
    "appeal_late": ("Подано через {rounds} тура, можно через {limit}.", "Filed after {rounds} rounds, the limit is {limit}."),
    "appeal_day_one": ("Баллы первого дня оспаривают до начала второго.", "Points of day one are appealed before day two."),
    "appeal_small": ("Разница {difference}: из-за 0,1 апелляции не принимают.", "Difference {difference}: no appeals over 0.1."),
    "appeal_many": ("Больше {limit} апелляций этого рода за турнир.", "More than {limit} appeals of this sort."),
    "appeal_last_round": ("Все апелляции закрывают до последнего тура.", "All appeals are closed before the last round."),
    "appeal_closed_tables": ("Баллы до закрытия таблиц после него не оспаривают.", "Points got before tables closed are not appealed after."),
}  # fmt: skip


def kind_name(kind: str, params: Mapping[str, Any]) -> str:
    return _filled(KINDS[kind], (), params)


def remark_sentence(kind: str, seats: Iterable[int], params: Mapping[str, Any]) -> str:
    return _filled(REMARKS.get(kind) or SENTENCES[kind], seats, params)


def shown(milli: int) -> str:
    """Thousandths as points, without needless noughts.

    >>> shown(1300), shown(-300), shown(92)
    ('1.3', '-0.3', '0.092')
    """
    text = f"{milli / 1000:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _filled(pair: tuple[str, str], seats: Iterable[int], params: Mapping[str, Any]) -> str:
    fields = {name: words(value) for name, value in params.items()}
    return say(*pair).format_map(_Gaps({**fields, "seats": words(tuple(seats))}))


class _Gaps(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "-"
