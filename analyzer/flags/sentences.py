"""Flags in words: what a judge would write. Russian with its English twin.

A template may use any parameter of the flag; {where} is the call («голосование против № 3»).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mafiavar.analyzer.flags.flag import Flag

Twin = tuple[str, str]
# key -> expected, seen, margin
Texts = tuple[Twin, Twin, Twin]
_NONE: Twin = ("", "")

TEXTS: Mapping[str, Texts] = {
    "hand_early": (
        ("Рука ставится после того, как назван номер кандидата.", "The hand is placed after the candidate's number has been said."),
        ("Игрок № {seat} коснулся стола раньше, чем был назван номер ({where}).", "Player {seat} touched the table before the number had been said ({where})."),
        ("На {early:.2f} с раньше.", "{early:.2f} s early."),
    ),
    "hand_late": (
        ("Голос принимается до слова «стоп».", "A vote counts until the word “stop”."),
        ("Игрок № {seat} поставил руку после слова «стоп» ({where}); в этом голосовании его голос не засчитан.", "Player {seat} placed the hand after “stop” ({where}); the vote does not count for this call."),
        ("Через {late:.2f} с после «стоп».", "{late:.2f} s after “stop”."),
    ),
    "hand_withdrawn": (
        ("Рука остаётся на столе до слова «стоп»; убранная раньше засчитывается как голос.", "The hand stays on the table until “stop”; a withdrawn one still counts as a vote."),
        ("Игрок № {seat} коснулся стола на {held:.2f} с и убрал руку до «стоп» ({where}); голос засчитан.", "Player {seat} touched the table for {held:.2f} s and withdrew before “stop” ({where}); the vote counts."),
        ("Убрана за {early:.2f} с до «стоп».", "Withdrawn {early:.2f} s before “stop”."),
    ),
    "hand_released_before_count": (
        ("Рука лежит на столе, пока судья не назовёт число голосов.", "The hand stays on the table until the count is announced."),
        ("Игрок № {seat} убрал руку после «стоп», но до объявления числа ({where}).", "Player {seat} withdrew after “stop” but before the count ({where})."),
        ("За {early:.2f} с до объявления.", "{early:.2f} s before the count."),
    ),
    "hand_form": (
        ("Голосуют вертикально поставленным кулаком.", "The vote is a vertical fist."),
        ("Игрок № {seat}: на столе {form} ({where}).", "Player {seat}: {form} on the table ({where})."),
        _NONE,
    ),
    "hand_form_flat": (
        ("Кулак ставится на стол вертикально.", "The fist stands vertically on the table."),
        ("Игрок № {seat} положил кулак плашмя ({where}).", "Player {seat} laid the fist flat ({where})."),
        _NONE,
    ),
    "two_hands": (
        ("Голосуют одной рукой.", "The vote is given with one hand."),
        ("Обе руки игрока № {seat} на столе одновременно ({where}).", "Both hands of player {seat} on the table at once ({where})."),
        ("Вместе {together:.2f} с.", "Together for {together:.2f} s."),
    ),
    "two_candidates": (
        ("Игрок голосует за одну кандидатуру.", "A player votes against one candidate."),
        ("Игрок № {seat} ставил руку и против № {first}, и против № {target}.", "Player {seat} placed a hand both against {first} and against {target}."),
        _NONE,
    ),
    "vote_missing": (
        ("Судья потребовал поставить оставшиеся руки.", "The judge demanded the remaining hands."),
        ("Игрок № {seat} не поставил руку ни в одном голосовании круга ({where}).", "Player {seat} placed no hand in any call of the round ({where})."),
        _NONE,
    ),
    "vote_count_mismatch": (
        ("Объявленное число совпадает с числом рук.", "The announced number equals the number of hands."),
        ("{count_seen}", "{count_seen}"),
        ("{count_margin}", "{count_margin}"),
    ),
    "talk_during_vote": (
        ("Во время голосования игроки молчат.", "Players are silent during the vote."),
        ("Во время голосования слышен игрок № {seat}: «{words}».", "Player {seat} is heard during the vote: “{words}”."),
        ("Звучит {length:.1f} с.", "Lasts {length:.1f} s."),
    ),
    "speech_out_of_turn": (
        ("Говорит только тот, кому дано слово.", "Only the player who has the floor speaks."),
        ("Не в свою минуту слышен игрок № {seat}: «{words}».", "Player {seat} is heard out of turn: “{words}”."),
        ("Звучит {length:.1f} с.", "Lasts {length:.1f} s."),
    ),
    "talk_at_night": (
        ("Ночью игроки молчат.", "Players are silent at night."),
        ("Ночью слышен игрок № {seat}: «{words}».", "Player {seat} is heard at night: “{words}”."),
        ("Звучит {length:.1f} с.", "Lasts {length:.1f} s."),
    ),
    "speech_overtime": (
        ("Речь заканчивается вместе с её временем.", "A speech ends with its time."),
        ("Игрок № {seat} продолжал говорить {after_words}.", "Player {seat} went on speaking {after_words}."),
        ("На {over:.1f} с дольше.", "{over:.1f} s over."),
    ),
    "time_cut_short": (
        ("Игроку даётся {limit} с речи.", "The player has {limit} s."),
        ("Судья прервал речь игрока № {seat} раньше времени; «пас» и «спасибо» игрока не слышны.", "The judge ended the speech of player {seat} early; no “pass” or “thank you” of the player is heard."),
        ("На {short:.1f} с раньше.", "{short:.1f} s early."),
    ),
    "nomination_tense": (
        ("Выставляют словами в настоящем времени: «выставляю».", "A nomination is made in the present tense."),
        ("Принято выставление игрока № {seat_0}, сказанное не в настоящем времени.", "A nomination by player {seat_0} not in the present tense was accepted."),
        _NONE,
    ),
    "nomination_second": (
        ("За день игрок выставляет одну кандидатуру.", "A player nominates once a day."),
        ("Принято второе за день выставление игрока № {seat_0}: № {target}.", "A second nomination of the day by player {seat_0} was accepted: {target}."),
        _NONE,
    ),
    "nomination_repeated": (
        ("Выставить можно живого игрока, которого ещё не выставили.", "A living player not nominated yet may be nominated."),
        ("Принято выставление № {target} игроком № {seat_0}, хотя он уже выставлен или выбыл.", "The nomination of {target} by player {seat_0} was accepted although {target} was nominated or had left."),
        _NONE,
    ),
    "mask_late": (
        ("После «наступает ночь» маску надевают сразу.", "The mask is put on at once when the night is announced."),
        ("Игрок № {seat} надел маску поздно.", "Player {seat} put the mask on late."),
        ("Через {late:.1f} с после объявления ночи.", "{late:.1f} s after the night was announced."),
    ),
    "mask_by_day": (
        ("Днём маска не на глазах.", "By day the mask is off the eyes."),
        ("Маска на глазах игрока № {seat} днём.", "The mask is on the eyes of player {seat} by day."),
        ("{length:.1f} с.", "{length:.1f} s."),
    ),
    "mask_off_at_night": (
        ("Ночью маска на глазах, если судья не вызвал игрока.", "At night the mask is on unless the judge has called the player."),
        ("Ночью игрок № {seat} без маски на глазах.", "Player {seat} without the mask on the eyes at night."),
        ("{length:.1f} с.", "{length:.1f} s."),
    ),
    "head_up_at_night": (
        ("Ночью голова опущена.", "At night the head is down."),
        ("Ночью голова игрока № {seat} поднята.", "The head of player {seat} is up at night."),
        ("{length:.1f} с.", "{length:.1f} s."),
    ),
    "arms_down_at_night": (
        ("Ночью руки скрещены на плечах.", "At night the arms are crossed on the shoulders."),
        ("Ночью руки игрока № {seat} не на плечах.", "The arms of player {seat} are off the shoulders at night."),
        ("{length:.1f} с.", "{length:.1f} s."),
    ),
    "touch_at_night": (
        ("Ночью игроки не касаются друг друга.", "Players do not touch each other at night."),
        ("Ночью рука игрока № {seat} на соседе.", "A hand of player {seat} on a neighbour at night."),
        ("{length:.1f} с.", "{length:.1f} s."),
    ),
    "left_table": (
        ("Игрок остаётся за столом.", "The player stays at the table."),
        ("Место игрока № {seat} пусто.", "The seat of player {seat} is empty."),
        ("{length:.1f} с.", "{length:.1f} s."),
    ),
    "best_move_readback": (
        ("Судья повторяет лучший ход так, как он сказан.", "The judge repeats the best move as it was said."),
        ("Игрок № {seat} назвал {said}, судья повторил {repeated}.", "Player {seat} said {said}, the judge repeated {repeated}."),
        _NONE,
    ),
    "gesture_during_vote": (
        ("Во время голосования игроки не жестикулируют.", "Players do not gesture during the vote."),
        ("Во время голосования жестикулирует игрок № {seat}.", "Player {seat} gestures during the vote."),
        ("{length:.1f} с.", "{length:.1f} s."),
    ),
    "touch_by_day": (
        ("Днём игроки не касаются друг друга.", "Players do not touch each other by day."),
        ("Рука игрока № {seat} на соседе.", "A hand of player {seat} on a neighbour."),
        ("{length:.1f} с.", "{length:.1f} s."),
    ),
    "table_knock": (
        ("По игровому столу не стучат.", "Nobody knocks on the table."),
        ("Слышен или виден удар по столу{of_seat}.", "A blow on the table is heard or seen{of_seat}."),
        _NONE,
    ),
    "best_move_talk": (
        ("В лучшем ходе называют три номера и больше ничего.", "A best move is three numbers and nothing else."),
        ("Игрок № {seat} сказал в лучшем ходе: «{words}».", "Player {seat} said in the best move: “{words}”."),
        _NONE,
    ),
    "shout_before_best_move": (
        ("Между сломом при десяти игроках и лучшим ходом игроки молчат и не жестикулируют.", "Between the break at ten players and the best move players neither speak nor gesture."),
        ("До лучшего хода {shout} игрок № {seat}{shout_words}.", "Before the best move player {seat} {shout}{shout_words}."),
        _NONE,
    ),
    "protocol_early": (
        ("Протокол оставляют после слов судьи «ваше право на протокол».", "A protocol is left after the judge's “your right to a protocol”."),
        ("Игрок № {seat} начал протокол в заключительной речи: «{words}».", "Player {seat} began the protocol in the last word: “{words}”."),
        _NONE,
    ),
    "asked_nominations": (
        ("Спрашивать судью, кто выставлен, нельзя.", "The judge may not be asked who is nominated."),
        ("Слышен вопрос{of_seat}: «{words}».", "A question is heard{of_seat}: “{words}”."),
        _NONE,
    ),
    "address_to_judge": (
        ("К судье обращаются «господин (госпожа) судья».", "The judge is addressed as “господин (госпожа) судья”."),
        ("Слышно другое обращение{of_seat}: «{words}».", "Another address is heard{of_seat}: “{words}”."),
        _NONE,
    ),
    "wrong_opener": (
        ("День открывает игрок № {expected}.", "Player {expected} opens the day."),
        ("Первое слово дано игроку № {seat_0}.", "The first word was given to player {seat_0}."),
        _NONE,
    ),
    "wrong_vote_order": (
        ("Голосуют в порядке выставления: {expected}.", "The vote follows the order of nomination: {expected}."),
        ("Порядок был другим: {seats}.", "The order was another one: {seats}."),
        _NONE,
    ),
    "wrong_person_left": (
        ("Стол покидает тот, кого определило голосование: {expected}.", "Who the vote decided leaves: {expected}."),
        ("По голосованию вышло иначе: {seats}.", "It went otherwise: {seats}."),
        _NONE,
    ),
    "vote_held_though_cancelled": (
        ("Голосования в этот день быть не должно.", "No vote is due this day."),
        ("Голосование проведено.", "A vote was held."),
        _NONE,
    ),
    "vote_not_held_though_due": (
        ("Выставлены {seats}: голосование обязательно.", "{seats} nominated: a vote is due."),
        ("Ночь объявлена без голосования.", "The night was announced without a vote."),
        _NONE,
    ),
    "forbidden_split": (
        ("Деление на {count_seats} при {at_table} за столом запрещено.", "A split of {count_seats} with {at_table} at the table is forbidden."),
        ("Голоса поделились между {seats}.", "The votes were split between {seats}."),
        _NONE,
    ),
    "forbidden_lift": (
        ("Вопрос о подъёме в этом положении не ставится.", "The lift is not put to the vote in this position."),
        ("Поставлен вопрос о подъёме {seats}.", "The lift of {seats} was put to the vote."),
        _NONE,
    ),
    "dead_player_acts": (
        ("Выбывший игрок не говорит и не голосует.", "A player who left neither speaks nor votes."),
        ("Действует выбывший игрок № {seat_0}.", "Player {seat_0}, who left, acts."),
        _NONE,
    ),
    "word_to_the_dead": (
        ("Слово получают только играющие.", "Only those who play are given the word."),
        ("Слово дано игроку № {seat_0}, который уже вышел, и тут же игроку № {target}.", "The word was given to player {seat_0}, who had left, and at once to player {target}."),
        _NONE,
    ),
    "foul_ordinal_wrong": (
        ("По счёту это фол № {expected}.", "By the count this is foul {expected}."),
        ("Судья назвал фол игрока № {seat_0} фолом № {said_number}.", "The judge called the foul of player {seat_0} number {said_number}."),
        _NONE,
    ),
    "fourth_foul_not_enforced": (
        ("Игрок с четвёртым фолом (или удалённый) покидает стол.", "A player with a fourth foul (or a removed one) leaves."),
        ("Игра продолжена, игрок № {seat_0} остался.", "The game went on, player {seat_0} stayed."),
        _NONE,
    ),
    "night_check_of_own_shot": (
        ("В первую ночь стрельбы дон не проверяет того, в кого стрелял.", "In the first shooting night the don does not check whom he shot at."),
        ("Дон проверил № {target}, в которого стрелял.", "The don checked {target}, whom he shot at."),
        _NONE,
    ),
}  # fmt: skip
_PHRASE: Texts = (
    ("Таких слов в игре не говорят.", "Such words are not said in the game."),
    ("Слышны слова{of_seat}: «{words}». Это подсказка: важно, как они сказаны.", "Words are heard{of_seat}: “{words}”. A hint: what matters is how they were said."),
    _NONE,
)  # fmt: skip

DOUBTS: Mapping[str, Twin] = {
    "word_border": ("Граница слова слышна с точностью до {border:.2f} с.", "The border of a word is known to {border:.2f} s."),
    "call_not_heard": ("Сам вызов кандидата не расслышан.", "The call itself was not heard."),
    "contact_unsure": ("Касание видно не вполне ясно ({percent} %).", "The contact is not quite clear ({percent} %)."),
    "earlier_unseen": ("Не видно, была ли рука на столе ещё до «стоп».", "Whether a hand lay there before the stop could not be seen."),
    "open_start": ("Рука могла лежать на столе ещё до голосования.", "The hand may have rested there before the vote."),
    "form_angle": ("Форма руки зависит от угла камеры.", "The form of a hand depends on the camera's angle."),
    "resting_hand": ("Одна из рук могла просто лежать на столе.", "One of the hands may simply have rested."),
    "demand_heard": ("Требование судьи известно только на слух.", "The judge's demand is known by sound only."),
    "count_heard": ("Число судьи могло быть расслышано неверно.", "The judge's number may have been misheard."),
    "unseen_seats": ("Не видно рук игроков {seats}.", "The hands of {seats} are not seen."),
    "who_spoke": ("Голос узнан на {percent} %.", "The voice is recognised at {percent} %."),
    "hint": ("Слова без смысла фразы нарушения не доказывают.", "Words alone prove no violation."),
    "numerals": ("Числительные легко перепутать на слух.", "Numerals are easily misheard."),
    "decoded": ("Вывод по ходу игры: пропущенное слово судьи дало бы то же.", "Follows from the course of the game: an unheard word of the judge would look the same."),
    "ending_unheard": ("«Пас» мог не расслышаться.", "The “pass” may not have been heard."),
    "called": (
        "Судья в это время вызывал игрока: вызван мог быть и этот.",
        "The judge was calling a player then: it may have been this one.",
    ),
    "accepted_heard": ("«Принято» судьи могло относиться к другим словам.", "The judge's “accepted” may have meant other words."),
    "best_move_meaning": ("Важно, что именно сказано: решает смысл слов.", "What matters is the meaning of the words."),
    "right_unheard": ("Слова судьи о протоколе могли не расслышаться.", "The judge's words about the protocol may not have been heard."),
    "gesture_meaning": ("Жест оценён по картинке: смысл решает человек.", "The gesture is judged by the picture; a person decides what it meant."),
    "knock_unheard": ("Удара не слышно.", "No blow is heard."),
    "knock_unseen": ("Удар только слышен: это мог быть стакан или зал.", "The blow is only heard: it may have been a cup or the hall."),
    "numbers_seen": ("Номера прочитаны по пальцам.", "The numbers are read from fingers."),
    "posture": ("Поза оценена по картинке; сравните с соседними секундами.", "The posture is judged by the picture; compare the seconds around."),
}  # fmt: skip
FORMS: Mapping[str, Twin] = {
    "palm": ("ладонь", "a palm"),
    "finger": ("палец", "a finger"),
    "elbow": ("локоть", "an elbow"),
    "fist_flat": ("кулак плашмя", "a flat fist"),
}


def sentences_of(flag: Flag, lang: str) -> Mapping[str, Any]:
    i = 1 if lang == "en" else 0
    expected, seen, margin = TEXTS.get(flag.template, _PHRASE)
    values = _values(flag, i)
    return {
        "expected": expected[i].format_map(values),
        "seen": seen[i].format_map(values),
        "margin": margin[i].format_map(values),
        "doubts": [DOUBTS[key][i].format_map(_plain(params, i)) for key, params in flag.doubts],
    }


class _Unknown(str):
    """A dash in whatever format a number would have had."""

    def __format__(self, spec: str) -> str:
        return str(self)


class _Comma(float):
    """A number with the decimal comma of Russian."""

    def __format__(self, spec: str) -> str:
        return super().__format__(spec).replace(".", ",")


_DASH = _Unknown("—")


class _Values(dict[str, Any]):
    """A parameter that is not known reads as a dash, never as an error."""

    def __missing__(self, key: str) -> str:
        return _DASH


def _plain(params: Mapping[str, Any], i: int) -> _Values:
    return _Values({k: _readable(v, i) for k, v in params.items()})


def _readable(value: Any, i: int) -> Any:
    match value:
        case None:
            return _DASH
        case list() | tuple():
            return _list(value)
        case float() if i == 0:
            return _Comma(value)
    return value


def _list(seats: Any) -> str:
    return ", ".join(str(s) for s in seats) or "—"


def _values(flag: Flag, i: int) -> _Values:
    p = flag.params
    values = _plain(p, i)
    values["seat_0"] = flag.seats[0] if flag.seats else "—"
    values.setdefault("seats", _list(flag.seats))
    values.setdefault("target", values["seat_0"])
    values["count_seats"] = len(flag.seats)
    values["said_number"] = p.get("said", "—")
    if p.get("lift"):
        values["where"] = ("голосование за подъём", "the lift vote")[i]
    elif "target" in p:
        values["where"] = (f"голосование против № {p['target']}", f"the vote against {p['target']}")[i]
    seat = p.get("seat")
    values["of_seat"] = (f" (игрок № {seat})", f" (player {seat})")[i] if seat else ""
    if "how" in p:
        voice = p["how"] == "voice"
        values["shout"] = (("слышен", "is heard") if voice else ("жестикулирует", "gestures"))[i]
        values["shout_words"] = (f": «{p['words']}»", f": “{p['words']}”")[i] if voice else ""
    if "form" in p:
        values["form"] = FORMS.get(str(p["form"]), ("рука", "a hand"))[i]
    if "after" in p:
        after_time = ("после слова «время»", "after the judge's “time”")
        after_limit = (f"после своих {p.get('limit')} с", f"beyond the {p.get('limit')} s")
        values["after_words"] = (after_time if p["after"] == "time" else after_limit)[i]
    if flag.template == "vote_count_mismatch":
        values.update(_count(p, i))
    return values


def _count(p: Mapping[str, Any], i: int) -> Mapping[str, str]:
    if "announced" not in p:
        text = (
            f"Сумма объявленных чисел {p.get('said', '—')}, голосующих {p.get('living', '—')}.",
            f"The announced numbers add up to {p.get('said', '—')}, there are {p.get('living', '—')} voters.",
        )
        return {"count_seen": text[i], "count_margin": ""}
    low, high = p["low"], p["high"]
    seen = f"{low}" if low == high else f"{low}–{high}"
    text = (
        f"Против № {p['target']} объявлено {p['announced']}, по рукам {seen} (руки: {_list(p.get('yes', ()))}).",
        f"Against {p['target']}: {p['announced']} announced, {seen} by the hands (hands: {_list(p.get('yes', ()))}).",
    )
    away = max(low - p["announced"], p["announced"] - high)
    outcome = {
        True: (" По рукам исход был бы другим.", " By the hands the outcome would be another."),
        False: (" Исход от этого не меняется.", " The outcome stays the same."),
    }.get(p.get("decides"), ("", ""))  # type: ignore[arg-type]
    margin = (f"Расхождение: {away}.{outcome[0]}", f"Off by {away}.{outcome[1]}")
    return {"count_seen": text[i], "count_margin": margin[i]}
