"""What the rules say: pure Python, no input or output, no clock, no sentences.

from mafiavar.engine.game import Game
from mafiavar.engine.ruleset import FSM_2026, ruleset
from mafiavar.engine.events import event_from, fields_of
"""
