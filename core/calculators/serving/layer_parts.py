"""What a layer's time is spent on: attention, GEMM, experts, elementwise, kernel launch, communication."""

from dataclasses import dataclass

from core.calculators.tensor_parallel.answer import first
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.terms import step

GEMM, COMMUNICATION, LAYERS, HEAD = "GEMM", "exposed communication", "compute", "LM head and sampling"
KERNELS = {"projections": GEMM, "mlp": GEMM}
"""Kernels that count as one part; every other kernel is a part of its own."""


@dataclass(frozen=True, slots=True)
class LayerPart:
    """
    One part of a step.

    Attributes:
        layer_s: The mean layer's; 0 for what is outside the layers.
        step_s: The whole step's.
        share: Of the step.
    """

    part: str
    layer_s: float
    step_s: float
    share: float


def layer_parts(scenario: Scenario) -> tuple[LayerPart, ...]:
    """
    The step of a scenario by part, in the order of a layer; they sum to the step.

    Where compute is a roofline of whole layers, or is overridden, all of it is one part.
    """
    point = step(scenario, scenario.tp)
    seconds: dict[str, float] = {}
    for kernel, value in (point.compute.parts_s or {LAYERS: point.compute.layers_s}).items():
        name = KERNELS.get(kernel, kernel)
        seconds[name] = seconds.get(name, 0.0) + first(value)
    seconds[COMMUNICATION] = first(point.exposed_s)
    seconds[HEAD] = first(point.compute.head_s)
    step_s = first(point.step_s)
    return tuple(
        LayerPart(
            part=name,
            layer_s=0.0 if name == HEAD else value / scenario.layer_count,
            step_s=value,
            share=value / step_s if step_s > 0 else 0.0,
        )
        for name, value in seconds.items()
        if value > 0
    )
