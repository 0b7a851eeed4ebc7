"""Misuse of the engine by a programmer. Wrong play at the table is never an exception but an `Issue`."""

from __future__ import annotations


class RuleError(ValueError):
    """The engine was asked something that makes no sense: an unknown event kind, a field of the
    wrong type, a rule set or an option that does not exist. The text is for developers."""
