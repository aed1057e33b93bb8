"""The libraries of routed MLPs that a step may run: those that engines start, not all that were timed."""

from core.catalog.calibrations.kernels.libraries import ALSO, STARTED
from core.catalog.calibrations.kernels.moe import MOE
from core.catalog.calibrations.kernels.moe_constants import Libraries
from core.hardware import Gpu
from core.kernels.generation import constants_of


def step_libraries(gpu: Gpu, routed: str, engine: str) -> Libraries:
    """
    Kernels by ``engine:library`` for constants ``routed``, without what ``engine`` does not start by itself.

    Kernels of another format that run this one too come in where they were timed on this generation.
    """
    libraries, _ = constants_of(gpu, MOE[routed])
    started = STARTED.get((engine, routed, gpu.architecture))
    if started is not None and started in libraries:
        return {started: libraries[started]}
    if routed not in ALSO:
        return libraries
    also, measured = constants_of(gpu, MOE[ALSO[routed]])
    named = {f"{name} ({ALSO[routed]})": kernel for name, kernel in also.items()}
    return {**libraries, **named} if measured else libraries
