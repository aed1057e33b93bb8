"""Is my number OK? A measured run against what its machine should do."""

from core.verdict.finding import PairFinding, Reason, SizeFinding, Verdict, Word
from core.verdict.judge import judge

__all__ = ["PairFinding", "Reason", "SizeFinding", "Verdict", "Word", "judge"]
