"""Tensor parallelism: what sharing every layer between GPUs costs a serving step."""

from core.calculators.tensor_parallel.answer import (
    Answer,
    Crossover,
    Dead,
    Degree,
    DegreeVerdict,
    Totals,
)
from core.calculators.tensor_parallel.calculator import answer
from core.calculators.tensor_parallel.compare import Comparison, compare
from core.calculators.tensor_parallel.json_form import answer_json, required_json
from core.calculators.tensor_parallel.required import required_bytes_per_s
from core.calculators.tensor_parallel.scenario import Scenario, valid_degrees
from core.calculators.tensor_parallel.service import (
    LargestBatch,
    Objective,
    Running,
    Service,
    largest_batch,
    service,
)
from core.calculators.tensor_parallel.sweep import Grid, sweep

__all__ = [
    "Answer",
    "Comparison",
    "Crossover",
    "Dead",
    "Degree",
    "DegreeVerdict",
    "Grid",
    "LargestBatch",
    "Objective",
    "Running",
    "Scenario",
    "Service",
    "Totals",
    "answer",
    "answer_json",
    "compare",
    "largest_batch",
    "required_bytes_per_s",
    "required_json",
    "service",
    "sweep",
    "valid_degrees",
]
