"""One (algorithm, protocol) line: launch + latency + transfer + reduction over an array of sizes."""

from dataclasses import dataclass, replace

import numpy as np

from core.checks import Floats
from core.collectives.cost_model.answer import PROTOCOLS
from core.collectives.cost_model.setting import ALGORITHMS
from core.collectives.cost_model.soft_maximum import MEASURED_HOST_SHARPNESS, soft_maximum

LARGE_BYTES = 2.0**29
"""Of a message, beyond which the rate inside a domain no longer falls with size: no fit has more data."""


@dataclass(frozen=True, slots=True)
class Line:
    """
    What one algorithm with one protocol costs, arrays over sizes.

    Attributes:
        wire_factor: Wire bytes per byte of size.
        least_s: Transfer at the rate of the bare wire: no measured point pushes an answer below it.
    """

    algorithm: str
    protocol: str
    launch_s: Floats
    latency_s: Floats
    transfer_s: Floats
    reduction_s: Floats
    wire_factor: float
    least_s: Floats

    @property
    def time_s(self) -> Floats:
        """Launch, latency, transfer and reduction."""
        total: Floats = self.launch_s + self.latency_s + self.transfer_s + self.reduction_s
        return total


def algorithm_code(name: str) -> int:
    """The number an algorithm has in the answer's arrays."""
    return ALGORITHMS.index(name)


def protocol_code(name: str) -> int:
    """The number a protocol has in the answer's arrays."""
    return PROTOCOLS.index(name)


def make_line(
    sizes: Floats,
    algorithm: str,
    protocol: str,
    *,
    launch_s: Floats | float = 0.0,
    latency_s: Floats | float = 0.0,
    transfer_s: Floats | float = 0.0,
    reduction_s: Floats | float = 0.0,
    wire_factor: float = 1.0,
    least_s: Floats | float = 0.0,
) -> Line:
    """A line whose parts are all arrays over `sizes`; fitted rates never outrun the bare wire."""
    zero = np.zeros_like(sizes)
    return Line(
        algorithm,
        protocol,
        zero + launch_s,
        zero + latency_s,
        np.maximum(zero + transfer_s, least_s),
        zero + reduction_s,
        wire_factor,
        zero + least_s,
    )


def slowed(line: Line, times: Floats) -> Line:
    """A line whose parts take so many times as long; its transfer never outruns the bare wire."""
    return replace(
        line,
        launch_s=line.launch_s * times,
        latency_s=line.latency_s * times,
        transfer_s=np.maximum(line.transfer_s * times, np.minimum(line.least_s, line.transfer_s)),
        reduction_s=line.reduction_s * times,
    )


def started_in_turn(line: Line, starting_s: float) -> Line:
    """A line whose host takes so long to start it on all GPUs: what is not hidden is launch."""
    whole = soft_maximum(line.time_s, starting_s, MEASURED_HOST_SHARPNESS)
    return replace(line, launch_s=line.launch_s + whole - line.time_s)


def steady(line: Line, sizes: Floats, scale: float) -> Line:
    """
    A line whose rate stays once messages are large: no hump of the fit between what was measured, no fall.

    512 MiB is the largest message that was measured on every number of GPUs. What bends a line beyond comes
    from other numbers of GPUs; two to four were seen to reach more on 1 to 8 GiB than on 512 MiB.

    Args:
        line: Over ``sizes``, which rise.
        sizes: Bytes.
        scale: Of the link to that of the fit; a slower one reaches each regime at fewer bytes.
    """
    large = LARGE_BYTES * min(scale, 1.0)
    slowness = line.time_s / np.maximum(sizes, 1.0)
    larger = np.maximum.accumulate(slowness[::-1])[::-1]
    most = float(np.interp(large, sizes, slowness))
    times = np.where(sizes > large, np.minimum(larger, most) / slowness, 1.0)
    return slowed(line, times) if (times != 1.0).any() else line
