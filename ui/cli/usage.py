"""Help pages and usage errors in the user's language: what the command-line library says by itself.

typer has no translations. Its titles are plain constants of `typer.rich_utils` (the documented way
to restyle help), its errors are classes; both are worded anew here. A title that a later typer
renames stays English, an error it invents is shown as it comes: nothing breaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from mafiavar.ui.language import say

if TYPE_CHECKING:
    from rich.console import Console

USAGE = 2


def translate_help(command: Any, names: list[str]) -> None:
    """Titles, usage line and the help option of `command` and everything below it."""
    for one in _tree(command):
        one.context_class.formatter_class = _formatter(one.context_class.formatter_class)
        option = one.get_help_option(one.context_class(one, help_option_names=names))
        if option is not None:
            option.help = say("Показать эту справку.", "Show this message and exit.")
        for parameter in (*one.params, *([option] if option is not None else ())):
            _name_type(parameter)
        one.format_help = _with_titles(one.format_help)


_TYPES = {
    "bool": ("", ""),
    "path": ("путь", "path"),
    "file": ("файл", "file"),
    "directory": ("папка", "folder"),
    "str": ("слово", "text"),
    "int": ("число", "number"),
    "int range": ("число", "number"),
    "float": ("число", "number"),
    "float range": ("число", "number"),
    "list[Path]": ("пути", "paths"),
    "list[str]": ("слова", "texts"),
}
"""What the library calls the kinds of values, for people who do not program."""


def _name_type(parameter: Any) -> None:
    """Say the kind of a parameter's value in words; a kind that is not in the table stays as it is."""
    library = getattr(parameter, "display_type_rich", None)
    if library is None:
        return

    def worded(ctx: Any) -> str | None:
        label = library(ctx)
        if label is None or label.strip("<>") not in _TYPES:
            return label  # type: ignore[no-any-return]  # the library's own
        return say(*_TYPES[label.strip("<>")])

    parameter.display_type_rich = worded


def _with_titles(format_help: Callable[..., None]) -> Callable[..., None]:
    """The library draws help with rich, which takes long to load: only when help is wanted."""

    def wrapped(*args: Any, **kwargs: Any) -> None:
        _set_titles()
        format_help(*args, **kwargs)

    return wrapped


def _set_titles() -> None:
    from typer import rich_utils

    titles = {
        "ARGUMENTS_PANEL_TITLE": say("Что указать", "Arguments"),
        "OPTIONS_PANEL_TITLE": say("Параметры", "Options"),
        "COMMANDS_PANEL_TITLE": say("Команды", "Commands"),
        "ERRORS_PANEL_TITLE": say("Ошибка", "Error"),
        "DEFAULT_STRING": say("[обычно: {}]", "[default: {}]"),
        "ENVVAR_STRING": say("[переменная среды: {}]", "[env var: {}]"),
        "REQUIRED_LONG_STRING": say("[обязательно]", "[required]"),
        "ABORTED_TEXT": say("Прервано.", "Aborted."),
    }
    for name, text in titles.items():
        if hasattr(rich_utils, name):
            setattr(rich_utils, name, text)


def _tree(command: Any) -> Iterator[Any]:
    yield command
    for child in getattr(command, "commands", {}).values():
        yield from _tree(child)


def _formatter(library: Any) -> Any:
    """The library's formatter with the usage line's fixed words in our language."""

    class Formatter(getattr(library, "library", library)):  # type: ignore[misc]  # found at run time
        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            args = args.replace("[OPTIONS]", say("[ПАРАМЕТРЫ]", "[OPTIONS]"))
            args = args.replace("COMMAND [ARGS]...", say("КОМАНДА ...", "COMMAND [ARGS]..."))
            super().write_usage(prog, args, prefix or say("Вызов: ", "Usage: "))

    Formatter.library = getattr(library, "library", library)
    return Formatter


def tell(error: Any, console: Console) -> int:
    """Say what is wrong with the command line; its exit code.

    `error` is typer's (`MissingParameter`, `NoSuchOption`, `BadParameter`, ...). A command called
    without anything has already shown its help.
    """
    if type(error).__name__ == "NoArgsIsHelpError":
        return USAGE
    console.print(sentence(error), style="red", soft_wrap=True, markup=False)
    ctx = getattr(error, "ctx", None)
    if ctx is not None:
        console.print(ctx.get_usage(), style="dim", soft_wrap=True, markup=False)
        command = f"{ctx.command_path} {ctx.help_option_names[-1]}"
        console.print(
            say(f"Справка: {command}", f"Help: {command}"), style="dim", soft_wrap=True, markup=False
        )
    return int(error.exit_code)


def sentence(error: Any) -> str:
    """The error as a sentence."""
    match type(error).__name__:
        case "MissingParameter":
            name = _name(error)
            return say(f"Не указано: {name}.", f"Missing: {name}.")
        case "NoSuchOption":
            near = ", ".join(sorted(error.possibilities or ()))
            like = say(f" Похожие: {near}.", f" Similar: {near}.") if near else ""
            return (
                say(f"Параметра {error.option_name} нет.", f"There is no option {error.option_name}.") + like
            )
        case "BadOptionUsage":
            if "does not take" in error.message:
                return say(
                    f"Параметр {error.option_name} пишется без значения.",
                    f"Option {error.option_name} takes no value.",
                )
            return say(
                f"После {error.option_name} нужно значение.", f"Option {error.option_name} needs a value."
            )
        case "BadParameter":
            return f"{_name(error)}: {_reason(error)}"
    return _plain(error.format_message())


def _name(error: Any) -> str:
    hint = error.param_hint or (error.param.get_error_hint() if error.param is not None else "")
    if not isinstance(hint, str):
        hint = ", ".join(hint)
    return hint.replace("'", "").removesuffix("...")


def _reason(error: Any) -> str:
    """Why a value does not do: from the validation's own kinds where there are any."""
    cause = error.__cause__
    problems = cause.errors() if hasattr(cause, "errors") else ()
    if not problems:
        return _plain(error.message)
    first = problems[0]
    value, limits = first.get("input"), first.get("ctx", {})
    match first["type"]:
        case "int_parsing" | "int_type" | "int_from_float":
            return say(f"нужно целое число, а не «{value}».", f"a whole number is needed, not “{value}”.")
        case "float_parsing" | "float_type":
            return say(f"нужно число, а не «{value}».", f"a number is needed, not “{value}”.")
        case "greater_than_equal" | "greater_than":
            low = limits.get("ge", limits.get("gt"))
            return say(f"нужно не меньше {low}, а не {value}.", f"at least {low} is needed, not {value}.")
        case "less_than_equal" | "less_than":
            high = limits.get("le", limits.get("lt"))
            return say(f"нужно не больше {high}, а не {value}.", f"at most {high} is needed, not {value}.")
    return _plain(error.message)


_SHAPES = (
    (r"No such command '(.*?)'\.?", "Команды «{}» нет."),
    (r"No such command '(.*?)'\.? Did you mean '?(.*?)'?\?", "Команды «{}» нет. Похожие: {}."),
    (r"No such command '(.*?)'\.? Did you mean one of: (.*?)\?", "Команды «{}» нет. Похожие: {}."),
    (r"Missing command\.?", "Не указана команда."),
    (r"Got unexpected extra argument\(s\) \((.*)\)", "Лишнее: {}."),
    (r"\w+ '(.*)' does not exist\.?", "«{}» не найдено."),
    (r"\w+ '(.*)' is a file\.?", "«{}» — файл, а нужна папка."),
    (r"\w+ '(.*)' is a directory\.?", "«{}» — папка, а нужен файл."),
    (r"\w+ '(.*)' is not readable\.?", "«{}» нельзя прочесть: нет прав."),
    (r"\w+ '(.*)' is not writable\.?", "«{}» нельзя изменить: нет прав."),
)


def _plain(message: str) -> str:
    """A message that has no class of its own, known by its shape; an unknown one as it comes."""
    for shape, russian in _SHAPES:
        if found := re.fullmatch(shape, message.strip()):
            return say(russian.format(*found.groups()), message)
    return message
