"""Errors of the models' room."""

from __future__ import annotations


class ModelMissing(Exception):
    """A model file is absent or altered; `name` is its name in registry.toml (exit code 4)."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.name = name
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"
