"""What can go wrong with the store, in sentences."""

from __future__ import annotations

from mafiavar.analyzer.errors import MafiavarError


class StoreBroken(MafiavarError):
    """The database cannot be opened or is damaged: the review goes on without writing."""


class StoreRefused(MafiavarError):
    """The store does not do that: a record cannot be changed, a name is taken."""
