"""What may have been wrong: expected, seen, margin, doubts. Facts with a clause, never guilt.

flags = find_flags(alignment, votes, transcript, rules)
flags_json(flags, "ru")        # mafiavar/flags@1
"""

from mafiavar.analyzer.flags.find import find_flags, flags_json
from mafiavar.analyzer.flags.flag import Flag, default_thresholds

__all__ = ["Flag", "default_thresholds", "find_flags", "flags_json"]
