"""Comparison: answers of one calculator side by side, their differences explained term by term."""

from core.calculators.comparison.collective import collective
from core.calculators.comparison.compare import Comparison, Difference, compare
from core.calculators.comparison.cost import cost, known_share
from core.calculators.comparison.explanation import Explanation, Factor, Figure, Part, Quantity
from core.calculators.comparison.gradient_sync import gradient_sync
from core.calculators.comparison.hierarchy import hierarchy
from core.calculators.comparison.layouts import serving_layout, training_layout
from core.calculators.comparison.memory import capacity
from core.calculators.comparison.tensor_parallel import tensor_parallel
from core.calculators.comparison.training import training
from core.calculators.comparison.transfer import transfer

__all__ = [
    "Comparison",
    "Difference",
    "Explanation",
    "Factor",
    "Figure",
    "Part",
    "Quantity",
    "capacity",
    "collective",
    "compare",
    "cost",
    "gradient_sync",
    "hierarchy",
    "known_share",
    "serving_layout",
    "tensor_parallel",
    "training",
    "training_layout",
    "transfer",
]
