"""Three accounts of one game side by side: what the judge said, what the hands did, what the official
protocol says.

    lines = reconcile(timeline, votes, protocol)     # values of timeline.json, votes.json, a protocol
"""

from mafiavar.analyzer.reconcile.compare import Line, Verdict, reconcile

__all__ = ["Line", "Verdict", "reconcile"]
