"""The audit of a protocol: what follows from its facts under a rule set, and where it says otherwise.

    result = audit(record, rules)
    result.winner, result.left, result.findings

Facts are nominations, ballots, shots, checks, fouls and removals. Who left, who was killed and who won
are claims: they are derived from the facts and compared. After a difference the audit names it once
and keeps both tables in mind, the one of the rules and the one that was really played, so that one
error does not accuse everything after it.
"""

from mafiavar.engine.audit.findings import Audit, Finding, LeftAt
from mafiavar.engine.audit.run import audit, audit_file_rules, rules_of
from mafiavar.engine.audit.settle import settled

__all__ = ["Audit", "Finding", "LeftAt", "audit", "audit_file_rules", "rules_of", "settled"]
