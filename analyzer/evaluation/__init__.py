"""How a case compares with the truth: `evaluate(truth, case_dir)` -> `mafiavar/eval@1`.

A missing answer is never right: it is a miss, a "cannot tell", or a difference.
"""

from mafiavar.analyzer.evaluation.aggregate import aggregate
from mafiavar.analyzer.evaluation.case import evaluate, evaluate_parts

__all__ = ["aggregate", "evaluate", "evaluate_parts"]
