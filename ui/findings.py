"""The sentences for findings: what the audit of a protocol or the engine found, in words a judge uses.

One entry per kind: Russian and English, with {seats} and the parameters of the finding as fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mafiavar.ui.language import say

SENTENCES: Mapping[str, tuple[str, str]] = {
    # the course of the game
    "out_of_phase": ("Это не могло быть здесь: идёт другая часть игры.", "This cannot happen here: another part of the game is on."),
    "day_not_announced": ("День начался без объявления.", "The day began without being announced."),
    "night_not_announced": ("Ночь началась без объявления.", "The night began without being announced."),
    "night_number_wrong": ("Номер ночи {said}, а должен быть {expected}.", "Night number {said}, it should be {expected}."),
    "played_after_end": ("Игра уже закончилась (победа: {winner}), а за столом продолжали играть.", "The game was over (winner: {winner}), yet the table played on."),
    "wrong_winner": ("Записана победа: {said}; из записанного следует: {expected}.", "Winner written: {said}; the facts give: {expected}."),
    "ended_too_early": ("Записана победа: {said}, но по записанному игра ещё не закончилась.", "Winner written: {said}, but by the facts the game is not over."),
    "draw_without_ground": ("Записана ничья, но трёх ночей подряд без ушедших не было.", "A draw is written, but there were no three nights in a row without departures."),
    "draw_not_declared": ("Три ночи подряд никто не ушёл: должна быть ничья.", "Nobody left for three nights in a row: this is a draw."),
    "dead_player_acts": ("Место {seats} уже не в игре, а записано: {what}.", "Seat {seats} is out of the game, yet the protocol has: {what}."),
    # speeches
    "wrong_opener": ("День открыл игрок {seats}, а должен был {expected}.", "Seat {seats} opened the day, it should have been {expected}."),
    "speaker_order_wrong": ("Нарушен порядок речей: игрок {seats} говорил не в свою очередь (верно: {expected}).", "Order of speeches: seat {seats} spoke out of order (right: {expected})."),
    "spoke_twice": ("Игрок {seats} говорил за день дважды.", "Seat {seats} spoke twice that day."),
    "speech_skipped": ("Не говорили: {seats}.", "Did not speak: {seats}."),
    "floor_seconds_wrong": ("Игроку {seats} дано {given} с, по правилам {limit} с.", "Seat {seats} was given {given} s, the rules say {limit} s."),
    "third_foul_not_enforced": ("У игрока {seats} три фола, а речь не сокращена (дано {given} с, положено {limit} с).", "Seat {seats} has three fouls, yet the speech was not shortened ({given} s given, {limit} s due)."),
    "floor_not_held": ("Игрок {seats} закончил речь, но слова не имел.", "Seat {seats} ended a speech without having the floor."),
    "last_word_without_right": ("Игрок {seats} получил последнее слово без права на него.", "Seat {seats} was given a last word without the right to it."),
    "last_word_missing": ("Игрок {seats} не получил последнего слова.", "Seat {seats} was not given a last word."),
    "protocol_without_right": ("Игрок {seats} оставил протокол без права на него.", "Seat {seats} left a protocol without the right to it."),
    # nominations
    "nomination_not_in_own_minute": ("Игрок {seats} выставил {target} не в свою минуту.", "Seat {seats} nominated {target} outside his own minute."),
    "nomination_tense": ("Принято выставление игрока {target} не в настоящем времени (выставил {seats}).", "A nomination of {target} not in the present tense was accepted (by {seats})."),
    "nomination_second": ("Игрок {seats} выставил за день второго: {target}.", "Seat {seats} made a second nomination that day: {target}."),
    "nomination_repeated": ("Игрок {target} уже был выставлен, а принят снова (выставил {seats}).", "Seat {target} had already been nominated and was accepted again (by {seats})."),
    "nomination_of_dead": ("Выставлен игрок {seats}, которого нет за столом.", "Seat {seats} was nominated, but is not at the table."),
    "nomination_refused_wrongly": ("Выставление игрока {target} не принято без причины (выставил {seats}).", "The nomination of {target} was refused for no reason (by {seats})."),
    "nomination_order_wrong": ("Выставления записаны не в порядке речей (с игрока {seats}).", "Nominations are not written in the order of speeches (from seat {seats})."),
    "withdrawal_not_allowed": ("Игрок {seats} отозвал {target}; эти правила отзыва не знают.", "Seat {seats} withdrew {target}; these rules know no withdrawal."),
    "withdrawal_of_nothing": ("Игрок {seats} отозвал {target}, которого не выставлял.", "Seat {seats} withdrew {target} without having nominated him."),
    # ballots
    "vote_held_though_cancelled": ("Голосование проведено, хотя не должно было: на столе удаление (место {seats}).", "A vote was held though it was cancelled by a removal (seat {seats})."),
    "vote_held_though_single": ("В первый день голосовали единственного кандидата {seats}: голосования быть не должно.", "A single candidate {seats} was voted on on day one: no vote should be held."),
    "vote_not_held_though_due": ("Выставлены {seats}, а голосования не было.", "Nominated: {seats}, yet no vote was held."),
    "vote_without_nominations": ("Голосовали {seats}, хотя никто не выставлен.", "A vote was held on {seats} though nobody was nominated."),
    "vote_unfinished": ("Голосование не доведено до конца.", "The vote was not finished."),
    "vote_not_opened": ("Голосование не объявлено.", "The vote was not announced."),
    "vote_round_wrong": ("Записан круг голосования {said}, а идёт {expected}.", "Voting round {said} is written, it is {expected}."),
    "ballot_rounds_wrong": ("Круги голосования пронумерованы {rounds}: должны идти подряд с первого.", "Voting rounds are numbered {rounds}: they must run from 1 without gaps."),
    "candidate_not_nominated": ("Голоса против игрока {seats}, который не выставлен.", "Votes against seat {seats}, who was not nominated."),
    "candidate_missing": ("Игрок {seats} выставлен, а в голосовании его нет.", "Seat {seats} was nominated but not voted on."),
    "wrong_vote_order": ("Порядок голосования {seats}, а выставлены в порядке {expected}.", "Voted in the order {seats}, nominated in the order {expected}."),
    "called_twice": ("Кандидата {seats} голосовали в одном круге дважды.", "Candidate {seats} was called twice in one round."),
    "two_candidates": ("Игрок {seats} голосовал дважды.", "Seat {seats} voted twice."),
    "remainder_not_to_last": ("Голос игрока {seats} отнесён не последнему кандидату ({expected}).", "The vote of seat {seats} was not given to the last candidate ({expected})."),
    "vote_count_mismatch": ("Объявлено голосов {said}, видно от {low} до {high}.", "{said} votes announced, {low} to {high} seen."),
    "votes_exceed_living": ("Голосов {said}, а за столом {living}.", "{said} votes, but {living} at the table."),
    "votes_do_not_add_up": ("Голоса не сходятся с числом игроков за столом: {said} из {living}. Нет голоса: {seats}.", "Votes do not add up to the living: {said} of {living}. No vote from: {seats}."),
    # ties and lifts
    "revote_without_tie": ("Переголосование без деления.", "A re-vote without a tie."),
    "revote_not_held": ("Голоса разделились между {seats}, а переголосования не было.", "The votes were tied between {seats}, yet there was no re-vote."),
    "revote_candidates_wrong": ("В переголосовании {seats}, а разделили голоса {expected}.", "The re-vote was on {seats}, tied were {expected}."),
    "revote_speech_missing": ("Перед переголосованием не говорили: {seats}.", "Did not speak before the re-vote: {seats}."),
    "revote_after_decision": ("Голосовали снова, хотя исход уже решён ({seats}).", "Another vote was held though the result was known ({seats})."),
    "day_one_tie_voted_on": ("В первый день разделились больше двух ({seats}): должна быть ночь, а голосовали снова.", "More than two tied on day one ({seats}): night was due, yet they voted again."),
    "forbidden_split": ("Запрещённое деление: {tied} при {at_table} за столом ({seats}).", "Forbidden split: {tied} at {at_table} ({seats})."),
    "forbidden_lift": ("Подъём {tied} при {at_table} за столом не разрешён ({seats}): все должны остаться.", "A lift of {tied} at {at_table} is not allowed ({seats}): all must stay."),
    "lift_of_whole_table": ("Поднимать весь стол нельзя ({seats}).", "The whole table may not be lifted ({seats})."),
    "lift_without_tie": ("Подъём без повторного деления ({seats}).", "A lift without the same tie twice ({seats})."),
    "lift_not_held_though_due": ("Стол дважды поделился ({seats}), а вопрос о подъёме не поставлен.", "The same tie twice ({seats}), yet the lift was not put to the vote."),
    "lift_candidates_wrong": ("Поднимали {seats}, а разделили голоса {expected}.", "The lift was on {seats}, tied were {expected}."),
    "lift_votes_do_not_add_up": ("Голоса за подъём не сходятся: {said} из {living}. Нет голоса: {seats}.", "Lift votes do not add up: {said} of {living}. No vote from: {seats}."),
    "lift_votes_missing": ("Кто голосовал за подъём, не записано: проверить нельзя.", "Who voted for the lift is not written: it cannot be checked."),
    # leaving
    "wrong_person_left": ("Ушли: {said}; по голосам должны уйти: {expected}.", "Left: {said}; by the votes should have left: {expected}."),
    "not_left_though_voted": ("Игрок {seats} должен был уйти и не ушёл.", "Seat {seats} should have left and did not."),
    "left_without_ground": ("Игрок {seats} ушёл без основания.", "Seat {seats} left without ground."),
    "left_unannounced": ("Уход игрока {seats} не объявлен.", "The leaving of seat {seats} was not announced."),
    "left_twice": ("Игрок {seats} записан ушедшим, хотя его уже нет за столом.", "Seat {seats} is written as leaving, but was already gone."),
    # night
    "shot_by_dead": ("Стрелял игрок {seats}, которого нет за столом.", "Seat {seats} shot but is not at the table."),
    "shot_at_dead": ("Игрок {seats} стрелял в {target}, которого нет за столом.", "Seat {seats} shot at {target}, who is not at the table."),
    "shot_by_red": ("Стрелял красный игрок {seats}.", "Red seat {seats} shot."),
    "shots_too_many": ("Стреляющих {count}: больше, чем чёрных.", "{count} shooters: more than there are blacks."),
    "shot_twice": ("Игрок {seats} стрелял за ночь дважды: это промах.", "Seat {seats} shot twice in one night: that is a miss."),
    "wrong_night_result": ("Записан убитый: {said}; по выстрелам: {expected}.", "Killed as written: {said}; by the shots: {expected}."),
    "shots_missing": ("Выстрелы не записаны: кто убит, проверить нельзя.", "Shots are not written: who was killed cannot be checked."),
    "two_checks": ("За ночь две проверки ({by}, место {seats}).", "Two checks in one night ({by}, seat {seats})."),
    "check_of_dead": ("Проверен игрок {seats}, которого нет за столом.", "Seat {seats} was checked but is not at the table."),
    "check_by_dead": ("Проверял игрок {seats} ({by}), которого уже нет за столом.", "Seat {seats} ({by}) checked but is no longer at the table."),
    "check_by_wrong_role": ("Проверял игрок {seats}: он не дон и не шериф.", "Seat {seats} checked: he is neither don nor sheriff."),
    "check_answer_wrong": ("Ответ на проверку игрока {seats} не сходится с ролями.", "The answer to the check of seat {seats} does not fit the roles."),
    "night_check_of_own_shot": ("В первую ночь дон проверил того, в кого стрелял ({target}).", "In the first night the don checked the seat he shot at ({target})."),
    "checks_missing": ("Проверки не записаны.", "Checks are not written."),
    "sheriff_without_checks": ("Шериф ({seats}) не проверял ночами {nights}.", "The sheriff ({seats}) made no checks in nights {nights}."),
    "black_without_shots": ("Чёрный игрок {seats} не стрелял ночами {nights}.", "Black seat {seats} did not shoot in nights {nights}."),
    # best move
    "best_move_without_right": ("Лучший ход игрока {seats} записан без права на него.", "A best move of seat {seats} without the right to it."),
    "best_move_not_offered": ("Игроку {seats} не дали лучшего хода.", "Seat {seats} was not offered the best move."),
    "best_move_size": ("В лучшем ходе {said} номеров, должно быть {expected}.", "{said} numbers in the best move, {expected} are due."),
    "best_move_target_wrong": ("Номера лучшего хода {targets}: повторены или невозможны.", "Numbers of the best move {targets}: repeated or impossible."),
    "best_move_readback_wrong": ("Игрок {seats} назвал {said}, судья повторил {readback}.", "Seat {seats} named {said}, the judge repeated {readback}."),
    "best_move_twice": ("Два лучших хода одного игрока ({seats}).", "Two best moves of one player ({seats})."),
    "best_move_missing": ("Лучший ход не записан.", "The best move is not written."),
    "testament_without_right": ("Записано завещание или протокол, хотя никто не уходил.", "A testament or protocol is written though nobody left."),
    "reveal_by_absent": ("Вскрытие игрока {seats}, которого нет за столом.", "A reveal of seat {seats}, who is not at the table."),
    # discipline
    "foul_to_absent": ("Фол игроку {seats}, которого нет за столом.", "A foul to seat {seats}, who is not at the table."),
    "foul_ordinal_wrong": ("Игроку {seats} записан фол № {said}, а это № {expected}.", "Seat {seats}: foul number {said} is written, it is number {expected}."),
    "fourth_foul_not_enforced": ("У игрока {seats} четвёртый фол, а он не покинул стол.", "Seat {seats} has a fourth foul but did not leave."),
    "removal_not_enforced": ("Игрок {seats} должен быть удалён и не удалён.", "Seat {seats} should have been removed and was not."),
    "removed_without_ground": ("Игрок {seats} удалён, хотя нарушений не хватает ({count}).", "Seat {seats} was removed without enough offences ({count})."),
    "too_many_fouls": ("У игрока {seats} записано фолов {count}: после четвёртого его нет за столом.", "Seat {seats} has {count} fouls: after the fourth he is gone."),
    "hand_foul_not_technical": ("Отдёрнутая рука игрока {seats} стала бы удаляющим фолом: вместо него полагается технический.", "The withdrawn hand of seat {seats} would be a removing foul: a technical foul is due instead."),
    "technical_unknown": ("Технический фол игроку {seats}: эти правила таких не знают.", "A technical foul to seat {seats}: these rules know none."),
    "third_technical": ("У игрока {seats} технических фолов {count}: второй уже удаляет.", "Seat {seats} has {count} technical fouls: the second removes."),
    "removal_is_team_defeat": ("Нарушение {violation} в последнюю минуту: это не удаление, а ППК (место {seats}).", "Offence {violation} in the last minute is a defeat of the team, not a removal (seat {seats})."),
    "punished_after_decision": ("Исход уже решён: наказание по {violation} не применяется (место {seats}).", "The game was decided: punishment by {violation} is not applied (seat {seats})."),
    "removal_phase_missing": ("Не записано, до или после голосования удалён игрок: отменяется ли голосование, проверить нельзя.", "It is not written whether the removal came before or after the vote: cancelling cannot be checked."),
    "fouls_missing": ("Фолы не записаны.", "Fouls are not written."),
    # the table
    "seat_impossible": ("Место {seats} невозможно: за столом места 1-10.", "Seat {seats} is impossible: seats are 1-10."),
    "roles_impossible": ("Роли не сходятся (места {seats}): нужны один дон, две мафии, один шериф и шесть красных.", "Roles do not add up (seats {seats}): one don, two mafia, one sheriff, six red."),
    "roles_missing": ("Роли записаны не все: победителя и ночи проверить нельзя.", "Not all roles are written: the winner and the nights cannot be checked."),
    "winner_missing": ("Победитель не записан; следует: {expected}.", "The winner is not written; the facts give: {expected}."),
    "winner_unchecked": ("Записана победа: {said}; без ролей проверить нельзя.", "Winner written: {said}; it cannot be checked without roles."),
    "speakers_missing": ("Порядок речей не записан.", "The order of speeches is not written."),
    "nominations_missing": ("Выставления не записаны.", "Nominations are not written."),
    "ballots_missing": ("Голоса не записаны: кто ушёл, проверить нельзя.", "Ballots are not written: who left cannot be checked."),
    "votes_unseen": ("Чьи-то голоса не видны: кто должен уйти, проверить нельзя.", "Some votes were not seen: who had to leave cannot be checked."),
    "day_missing": ("День не записан.", "The day is not written."),
    "night_missing": ("Ночь не записана.", "The night is not written."),
    "double_entry": ("День или ночь записаны дважды; взята первая запись.", "A day or night is written twice; the first entry was taken."),
    # reading
    "reading_bad_type": ("{where}: непонятное значение «{value}», пропущено.", "{where}: not understood: “{value}”, skipped."),
    "reading_bad_value": ("{where}: неизвестное значение «{value}», пропущено.", "{where}: unknown value “{value}”, skipped."),
    "reading_seat_impossible": ("{where}: место {value} невозможно (за столом места 1-10), пропущено.", "{where}: seat {value} is impossible (seats are 1-10), skipped."),
    "reading_day_impossible": ("{where}: номер дня или ночи {value} невозможен, пропущено.", "{where}: day or night {value} is impossible, skipped."),
    "reading_duplicate_key": ("{where}: записано дважды; взято последнее.", "{where}: written twice; the last one was taken."),
    "reading_encoding": ("Файл не в UTF-8; прочитан как {value}.", "The file is not UTF-8; read as {value}."),
    "reading_unknown_option": ("{where}: настройка неизвестна или не принимает «{value}», не учтена.", "{where}: unknown option or value “{value}”, ignored."),
    "reading_unknown_ruleset": ("Правила «{value}» неизвестны; взяты fsm-2026.", "Unknown rules “{value}”; fsm-2026 taken."),
}  # fmt: skip
"""kind -> (Russian, English)."""

WORDS: Mapping[str, tuple[str, str]] = {
    "red": ("красные", "red"), "black": ("чёрные", "black"), "draw": ("ничья", "draw"), "don": ("дон", "don"),
    "sheriff": ("шериф", "sheriff"), "speech": ("речь", "a speech"), "nomination": ("выставление", "a nomination"),
    "vote": ("голос", "a vote"), "lift": ("голос за подъём", "a vote for the lift"), "shot": ("выстрел", "a shot"),
    "removal": ("удаление", "a removal"), "check": ("проверка", "a check"),
}  # fmt: skip


def sentence(kind: str, seats: Iterable[int], params: Mapping[str, Any]) -> str:
    """The finding in the chosen language."""
    russian, english = SENTENCES[kind]
    fields = {name: words(value) for name, value in params.items()}
    fields["seats"] = words(tuple(seats))
    return say(russian, english).format_map(_Gaps(fields))


def words(value: Any) -> str:
    """A parameter as it is said: lists with commas, nothing as «никто»."""
    if value is None or value == ():
        return say("никто", "nobody")
    if isinstance(value, (tuple, list)):
        return ", ".join(words(v) for v in value)
    if isinstance(value, str) and value in WORDS:
        return say(*WORDS[value])
    return str(value)


class _Gaps(dict[str, str]):
    """A parameter that a finding does not carry is shown as a dash instead of failing."""

    def __missing__(self, key: str) -> str:
        return "-"
