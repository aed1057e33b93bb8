"""Systems compared for serving one model: requests that fit, decode step, throughput and cost."""

from core.calculators.system_comparison.compare import Candidate, Comparison, compare_systems
from core.calculators.system_comparison.result import SystemResult, WithinTarget
from core.calculators.system_comparison.text import verdict

__all__ = ["Candidate", "Comparison", "SystemResult", "WithinTarget", "compare_systems", "verdict"]
