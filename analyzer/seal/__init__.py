"""The seal of a case: hashes of everything in it, chained, so that a change is found without database
or network.

    seal(folder)                # writes seal.json, returns its head
    verify(folder)              # what was altered, lost, or added
"""

from mafiavar.analyzer.seal.seal import Check, seal, verify

__all__ = ["Check", "seal", "verify"]
