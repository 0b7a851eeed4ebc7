"""What users read for kinds of events, flags and answers: Russian with its English twin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

Lang = str
Twin = tuple[str, str]

EVENT_TITLES: Final[Mapping[str, Twin]] = {
    "game_started": ("начало игры", "game started"),
    "night_began": ("наступила ночь", "night began"),
    "negotiation_began": ("договорка началась", "negotiation began"),
    "negotiation_ended": ("договорка кончилась", "negotiation ended"),
    "free_seating_began": ("свободная посадка", "free seating"),
    "day_began": ("наступил день", "day began"),
    "floor_given": ("дано слово", "floor given"),
    "floor_ended": ("речь окончена", "floor ended"),
    "nominated": ("выставление", "nomination"),
    "nomination_withdrawn": ("отзыв кандидатуры", "nomination withdrawn"),
    "vote_opened": ("голосование открыто", "vote opened"),
    "vote_called": ("голосуют против", "vote called"),
    "vote_cast": ("голос", "vote"),
    "vote_closed": ("«стоп»", "vote closed"),
    "vote_announced": ("счёт объявлен", "count announced"),
    "lift_called": ("голосование за подъём", "lift vote called"),
    "lift_cast": ("голос за подъём", "lift vote"),
    "lift_result": ("итог подъёма", "lift result"),
    "eliminated": ("покидает стол", "leaves the table"),
    "shooting_began": ("мафия выходит на охоту", "shooting began"),
    "shot": ("выстрел", "shot"),
    "night_result": ("итог ночи", "night result"),
    "check": ("проверка", "check"),
    "best_move": ("лучший ход", "best move"),
    "foul": ("фол", "foul"),
    "game_ended": ("конец игры", "game ended"),
}

FLAG_TITLES: Final[Mapping[str, Twin]] = {
    "hand_early": ("рука на столе раньше времени", "hand on the table too early"),
    "hand_late": ("рука поставлена после «стоп»", "hand placed after “stop”"),
    "hand_withdrawn": ("рука убрана до «стоп»", "hand withdrawn before “stop”"),
    "hand_released_before_count": ("рука убрана до объявления счёта", "hand released before the count"),
    "hand_form": ("форма руки", "form of the hand"),
    "two_hands": ("две руки", "two hands"),
    "two_candidates": ("голос против двоих", "voted in two calls"),
    "vote_missing": ("голос не поставлен", "vote missing"),
    "vote_count_mismatch": ("счёт судьи не сходится с руками", "announced count differs from the hands"),
    "gesture_during_vote": ("жест во время голосования", "gesture during the vote"),
    "talk_during_vote": ("речь во время голосования", "talk during the vote"),
    "speech_out_of_turn": ("речь не в свою минуту", "speech out of turn"),
    "speech_overtime": ("речь дольше времени", "speech over time"),
    "time_cut_short": ("время урезано", "time cut short"),
    "nomination_tense": ("выставление не в настоящем времени", "nomination not in the present tense"),
    "nomination_second": ("второе выставление за день", "second nomination of the day"),
    "nomination_repeated": ("кандидат уже выставлен", "candidate nominated already"),
    "mask_late": ("маска надета поздно", "mask put on late"),
    "mask_by_day": ("маска на глазах днём", "mask on the eyes by day"),
    "mask_off_at_night": ("маска снята ночью", "mask off at night"),
    "head_up_at_night": ("голова поднята ночью", "head up at night"),
    "arms_down_at_night": ("руки не на плечах ночью", "arms down at night"),
    "touch_at_night": ("касание соседа ночью", "touch at night"),
    "touch_by_day": ("касание соседа днём", "touch by day"),
    "talk_at_night": ("речь ночью", "talk at night"),
    "left_table": ("место пусто", "seat left"),
    "best_move_talk": ("лишние слова в лучшем ходе", "talk in the best move"),
    "best_move_readback": ("лучший ход повторён иначе", "best move read back otherwise"),
    "shout_before_best_move": ("выкрик перед лучшим ходом", "shout before the best move"),
    "protocol_early": ("протокол до разрешения", "protocol begun early"),
    "asked_nominations": ("вопрос, кто выставлен", "asked who is nominated"),
    "phrase_oath": ("слова клятвы", "words of an oath"),
    "phrase_obscene": ("бранные слова", "obscene words"),
    "phrase_appeal": ("неигровая апелляция", "appeal outside the game"),
    "phrase_reveal": ("слова о вскрытии роли", "words about revealing a role"),
    "phrase_team_defeat": ("слова о ППК", "words about a team defeat"),
    "phrase_best_move": ("просьба о лучшем ходе", "plea about the best move"),
    "phrase_both_roles": ("«за обе роли»", "“for both roles”"),
    "address_to_judge": ("обращение к судье", "address to the judge"),
    "table_knock": ("стук по столу", "knock on the table"),
    "wrong_opener": ("круг открыл не тот игрок", "wrong opener of the day"),
    "wrong_vote_order": ("порядок голосования нарушен", "wrong order of the vote"),
    "wrong_person_left": ("стол покинул не тот игрок", "wrong person left"),
    "vote_held_though_cancelled": ("голосование проведено, хотя отменено", "vote held though cancelled"),
    "vote_not_held_though_due": ("голосование не проведено", "vote not held though due"),
    "forbidden_split": ("запрещённое деление", "forbidden split"),
    "forbidden_lift": ("запрещённый подъём", "forbidden lift"),
    "dead_player_acts": ("действует выбывший игрок", "a player who left acts"),
    "foul_ordinal_wrong": ("номер фола не сходится", "wrong ordinal of a foul"),
    "fourth_foul_not_enforced": ("четвёртый фол без удаления", "fourth foul not enforced"),
    "night_check_of_own_shot": ("дон проверил свой выстрел", "don checked his own shot"),
}

VOTE_WORDS: Final[Mapping[str, Twin]] = {
    "yes": ("рука была", "hand seen"),
    "no": ("руки не было", "no hand"),
    "unknown": ("не видно", "cannot tell"),
    "out": ("вне игры", "out of play"),
}

FORM_WORDS: Final[Mapping[str, Twin]] = {
    "fist_vertical": ("кулак вертикально", "vertical fist"),
    "fist_flat": ("кулак плашмя", "flat fist"),
    "palm": ("ладонь", "palm"),
    "finger": ("палец", "finger"),
    "elbow": ("локоть", "elbow"),
    "unknown": ("форма не видна", "form unclear"),
}

SEVERITY_WORDS: Final[Mapping[str, Twin]] = {
    "error": ("меняет результат или грозит удалением", "may change the result or cost a removal"),
    "foul": ("фол", "foul"),
    "note": ("замечание", "note"),
}

CERTAINTY_WORDS: Final[Mapping[str, Twin]] = {
    "A": ("номер пункта точен", "clause number certain"),
    "B": ("номер пункта почти точен", "clause number nearly certain"),
    "C": ("номер пункта выведен", "clause number derived"),
    "D": ("номер пункта предположен", "clause number guessed"),
}

_PURPOSE: Final[Mapping[str, Twin]] = {
    "speech": ("минута", "minute"),
    "revote": ("речь перед переголосованием", "speech before the re-vote"),
    "last_word": ("заключительная минута", "last word"),
    "protocol": ("право на протокол", "protocol"),
    "best_move": ("лучший ход", "best move"),
}
_ENDING: Final[Mapping[str, Twin]] = {
    "pas": ("«пас»", "“pas”"),
    "spasibo": ("«спасибо»", "“spasibo”"),
    "judge": ("судья", "the judge"),
    "time": ("время", "time"),
}
_LEFT_BY: Final[Mapping[str, Twin]] = {
    "vote": ("голосование", "vote"),
    "lift": ("подъём", "lift vote"),
    "shot": ("убит ночью", "killed at night"),
    "fouls": ("четыре фола", "four fouls"),
    "technical": ("технические фолы", "technical fouls"),
    "removal": ("удаление", "removal"),
    "team_defeat": ("ППК", "team defeat"),
}
_LEVEL: Final[Mapping[str, Twin]] = {
    "warning": ("предупреждение", "warning"),
    "foul": ("фол", "foul"),
    "technical": ("технический фол", "technical foul"),
    "technical_big": ("большой технический фол", "big technical foul"),
    "removal": ("удаление", "removal"),
    "team_defeat": ("ППК", "team defeat"),
}
_WINNER: Final[Mapping[str, Twin]] = {
    "red": ("победа красных", "red wins"),
    "black": ("победа чёрных", "black wins"),
    "draw": ("ничья", "draw"),
}


def pick(twin: Twin | None, lang: Lang, fallback: object = "") -> str:
    """The Russian or the English half; the fallback as text when there is no twin."""
    return str(fallback) if twin is None else twin[1 if lang == "en" else 0]


def clock(t: float) -> str:
    """Seconds -> m:ss.t, or h:mm:ss.t past an hour.

    >>> clock(75.04), clock(3661.25)
    ('1:15.0', '1:01:01.2')
    """
    tenths = int(t * 10 + 1e-6)
    minutes, rest = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    tail = f"{rest // 10:02d}.{rest % 10}"
    return f"{hours}:{minutes:02d}:{tail}" if hours else f"{minutes}:{tail}"


def seats_text(seats: Sequence[int], lang: Lang) -> str:
    """
    >>> seats_text([3, 5], "ru"), seats_text([3], "en")
    ('3, 5', '3')
    """
    return ", ".join(str(s) for s in seats) if seats else pick(("никто", "nobody"), lang)


def event_details(event: Mapping[str, Any], lang: Lang) -> str:
    """The fields of an event (as in timeline.json) in words; the kind's title stands apart."""
    describe = _DETAILS.get(str(event["kind"]))
    return describe(event, lang) if describe else ""


def _floor_given(e: Mapping[str, Any], lang: Lang) -> str:
    return f"№ {e.get('seat')}, {pick(_PURPOSE.get(str(e.get('purpose'))), lang, e.get('purpose'))}, {e.get('seconds')} {pick(('с', 's'), lang)}"


def _nominated(e: Mapping[str, Any], lang: Lang) -> str:
    answer = {
        True: ("принято", "accepted"),
        False: ("не принято", "not accepted"),
    }.get(e.get("accepted"))  # type: ignore[arg-type]
    return f"№ {e.get('seat')} → № {e.get('target')}, {pick(answer, lang, pick(('ответа не слышно', 'no answer heard'), lang))}"


def _vote_cast(e: Mapping[str, Any], lang: Lang) -> str:
    how = (
        pick(("остаток", "remainder"), lang)
        if e.get("remainder")
        else pick(FORM_WORDS.get(str(e.get("form"))), lang)
    )
    return f"№ {e.get('seat')} → № {e.get('target')}, {how}"


def _foul(e: Mapping[str, Any], lang: Lang) -> str:
    ordinal = f" № {e['ordinal']}" if e.get("ordinal") else ""
    return f"{pick(_LEVEL.get(str(e.get('level'))), lang, e.get('level'))}{ordinal} — № {e.get('seat')}"


def _night_result(e: Mapping[str, Any], lang: Lang) -> str:
    return (
        f"{pick(('убит', 'killed'), lang)} № {e['killed']}"
        if e.get("killed")
        else pick(("промах", "a miss"), lang)
    )


def _check(e: Mapping[str, Any], lang: Lang) -> str:
    who = {"don": ("дон", "don"), "sheriff": ("шериф", "sheriff")}.get(str(e.get("by")))
    return f"{pick(who, lang, e.get('by'))} → № {e.get('target')}"


def _seats(e: Mapping[str, Any], lang: Lang) -> str:
    return seats_text(list(e.get("seats") or []), lang)


_DETAILS: Final[Mapping[str, Callable[[Mapping[str, Any], Lang], str]]] = {
    "night_began": lambda e, _: str(e.get("night", "")),
    "day_began": lambda e, _: str(e.get("day", "")),
    "floor_given": _floor_given,
    "floor_ended": lambda e, lang: (
        f"№ {e.get('seat')}, {pick(_ENDING.get(str(e.get('by'))), lang, e.get('by'))}"
    ),
    "nominated": _nominated,
    "nomination_withdrawn": lambda e, _: f"№ {e.get('seat')} → № {e.get('target')}",
    "vote_opened": lambda e, lang: seats_text(list(e.get("candidates") or []), lang),
    "vote_called": lambda e, _: f"№ {e.get('target')}",
    "vote_cast": _vote_cast,
    "vote_closed": lambda e, _: f"№ {e.get('target')}",
    "vote_announced": lambda e, _: f"№ {e.get('target')}: {e.get('count')}",
    "lift_called": lambda e, lang: seats_text(list(e.get("candidates") or []), lang),
    "lift_cast": lambda e, _: f"№ {e.get('seat')}",
    "lift_result": lambda e, lang: f"{pick(('за', 'for'), lang)} {e.get('yes')}",
    "eliminated": lambda e, lang: (
        f"{_seats(e, lang)} ({pick(_LEFT_BY.get(str(e.get('by'))), lang, e.get('by'))})"
    ),
    "shot": lambda e, _: f"№ {e.get('shooter')} → № {e.get('target') or '—'}",
    "night_result": _night_result,
    "check": _check,
    "best_move": lambda e, lang: f"№ {e.get('seat')}: {seats_text(list(e.get('targets') or []), lang)}",
    "foul": _foul,
    "game_ended": lambda e, lang: pick(_WINNER.get(str(e.get("winner"))), lang, e.get("winner")),
}
