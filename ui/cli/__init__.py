"""The console command `mafiavar`."""

from mafiavar.ui.cli.app import main

__all__ = ["main"]
