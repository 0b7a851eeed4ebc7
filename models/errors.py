"""Errors of the models' room."""

from __future__ import annotations


class ModelMissing(Exception):
    """A model file is absent or altered (exit code 4).

    `name` is its name in registry.toml; `reason` is a short code ("absent", "altered",
    "unknown", "not fetched") or a plain remark; `detail` names the file or the attempts.
    The sentence a user reads is made in ui.
    """

    def __init__(self, name: str, reason: str, detail: str = "") -> None:
        super().__init__(f"{name}: {reason}" + (f" ({detail})" if detail else ""))
        self.name = name
        self.reason = reason
        self.detail = detail

    def __reduce__(self) -> tuple[type[ModelMissing], tuple[str, str, str]]:
        # Raised in worker processes too: the default pickling would call us with one argument.
        return type(self), (self.name, self.reason, self.detail)
