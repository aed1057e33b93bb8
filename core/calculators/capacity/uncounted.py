"""What an engine may hold beyond the account of memory, where that would change the answer."""

from collections.abc import Iterator

from core.calculators.capacity.parts import end_values
from core.calculators.capacity.scenario import Scenario
from core.calculators.capacity.usage import Usage
from core.calculators.tensor_parallel.formats import dense_weights
from core.units import format_memory
from core.workload import Model

BF16_BYTES = 2.0
RUNTIME_BYTES = 4e9
"""Of CUDA graphs, communicators and activations: the reserve of the serving presets."""
LARGE = 0.05
"""Share of a GPU's weights from which more of them is told although it fits."""


def uncounted(scenario: Scenario, model: Model | None, memory: Usage) -> tuple[str, ...]:
    """What would not fit beside the rest, or is a large part of the weights; nothing where nothing fits."""
    if model is None or not memory.fits:
        return ()
    weights = sum(part.bytes for part in memory.weight_parts)
    return tuple(
        f"not counted: {format_memory(size_bytes)} a GPU of {name}"
        for name, size_bytes, room_bytes in _parts(scenario, model, memory)
        if size_bytes > room_bytes or (room_bytes == memory.free_bytes and size_bytes > LARGE * weights)
    )


def _parts(scenario: Scenario, model: Model, memory: Usage) -> Iterator[tuple[str, float, float]]:
    """What it is, its bytes on a GPU, and the room that there is for it."""
    narrow = BF16_BYTES - dense_weights(model, scenario.weights).bytes_per_value
    if narrow > 0:
        name = "embedding and head, which published checkpoints keep in BF16"
        yield name, narrow * end_values(scenario, model) / scenario.attention_tp, memory.free_bytes
    beside_bytes = scenario.memory_bytes - scenario.limit_bytes + scenario.reserve_bytes
    yield "CUDA graphs, communicators and activations", RUNTIME_BYTES, beside_bytes + memory.free_bytes
