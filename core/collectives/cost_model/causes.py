"""Where errors of calibrated answers come from, and how they go together."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from core.checks import Floats

MACHINE_OCTAVES, COLLECTIVE_OCTAVES, CURVE_OCTAVES = 20.0, 10.0, 4.0
"""Of size (machine) or way (collective, curve) over which the error of each cause fades."""
WAY_OF_SIZE = 0.15
"""Octaves of way an octave of size, beside those of calibrated time: flat stretches of a curve are short."""
SPOT_OCTAVES = 1.0
"""Of way over which a switch of protocol that the model misses fades."""
CURVE_SMOOTHNESS = 1.5
"""Exponent: 1 is as rough as a random walk, 2 as smooth as can be."""
TWO_DOMAINS = 100.0
"""Doublings between a tree of two domains and larger ones, where a message moves: some libraries and networks
let each NIC carry half of it there, others do not."""
WAITING_CONTRAST = 4.0
"""How little a point that waits says about one that transfers."""


@dataclass(frozen=True, slots=True)
class Causes:
    """
    Shares of the variance of the ln error by cause, which sum to one, and how far each reaches.

    Attributes:
        spread: Standard deviation over that of the band, before surprising points widen it.
        far_spread: The same where no point reaches.
        machine, collective, curve, spot: The shares.
        implementation: Of the machine's share, what a library and an engine's kernels have in common.
        machine_doublings, collective_doublings: Of domains over which those causes fade.
        surprise: Points that the spread before them counts for: degrees of freedom of the Student t process.
        kin: The machine is off by what measured ones of its kind share.
    """

    spread: float
    far_spread: float
    machine: float
    collective: float
    curve: float
    spot: float
    implementation: float
    machine_doublings: float
    collective_doublings: float
    surprise: float
    kin: bool = False


# By the likelihood and the errors of measured rows given points of another sweep or of their own: UNSEEN over
# operators and kinds left out, the others over the calibration's own; each machine counts the same.
HOST = Causes(
    spread=0.75,
    far_spread=0.75,
    machine=0.5,
    collective=0.43,
    curve=0.055,
    spot=0.015,
    implementation=0.3,
    machine_doublings=40.0,
    collective_doublings=40.0,
    surprise=4.0,
)
"""One domain on another host than those fitted: much of what is off is off everywhere."""
LIKE_FITTED = Causes(
    spread=0.4,
    far_spread=0.55,
    machine=0.02,
    collective=0.1,
    curve=0.3,
    spot=0.58,
    implementation=0.3,
    machine_doublings=40.0,
    collective_doublings=40.0,
    surprise=4.0,
)
"""A machine like those fitted: its level is met, and what is off is a switch of protocol here or there."""
KIN = replace(LIKE_FITTED, kin=True)
"""One like those fitted that also switches and fills its channels where others of its generation do."""
UNSEEN = Causes(
    spread=1.0,
    far_spread=1.0,
    machine=0.7,
    collective=0.26,
    curve=0.03,
    spot=0.01,
    implementation=0.3,
    machine_doublings=200.0,
    collective_doublings=200.0,
    surprise=4.0,
)
"""A network that nobody measured: nearly all that is off is off everywhere and at every number of domains."""
FITTED = Causes(
    spread=0.7,
    far_spread=0.85,
    machine=0.05,
    collective=0.35,
    curve=0.54,
    spot=0.06,
    implementation=1.0,
    machine_doublings=1.0,
    collective_doublings=0.4,
    surprise=8.0,
)
"""A network that the constants were fitted on: its level is met, so each collective is off by itself."""


@dataclass(frozen=True, slots=True)
class Places:
    """
    Answers in the space over which errors go together, one value each.

    Attributes:
        log2_bytes: Of the message, or of the blocks that a collective hands to the network.
        log2_time: Of the calibrated time over that of one byte: where it stays the same, so does the error.
        halved: How much of the time moves a message of which each NIC carries half: trees of two domains.
        waiting: Launch and latency's share of the time.
        operation: A number for each collective, implementation and launch.
        implementation: A number for each library or engine.
        spread: Standard deviation of the ln error before any point.
        kin: Of the ln error, what measured machines of the kind share.
    """

    log2_bytes: Floats
    log2_time: Floats
    log2_domains: Floats
    halved: Floats
    waiting: Floats
    operation: NDArray[np.intp]
    implementation: NDArray[np.intp]
    spread: Floats
    kin: Floats


def joined(places: Sequence[Places]) -> Places:
    """Places one after the other."""
    return Places(
        *(np.concatenate([getattr(item, field.name) for item in places]) for field in fields(Places))
    )


def expected(causes: Causes, places: Places) -> Floats:
    """The ln error that an explanation expects, before any point."""
    return places.kin if causes.kin else np.zeros_like(places.kin)


@dataclass(frozen=True, slots=True)
class Apart:
    """
    How two lists of answers lie to each other, first by second, whatever explains their errors.

    Attributes:
        octaves, doublings: Of size and of domains between them.
        way: Between them along the curve.
        limits: How alike they wait and transfer.
        operation, library: Whether they are of one.
        smooth, spot: What is left of one curve's error, and of one switch of protocol.
        spread: Product of their standard deviations.
    """

    octaves: Floats
    doublings: Floats
    way: Floats
    limits: Floats
    operation: NDArray[np.bool_]
    library: NDArray[np.bool_]
    smooth: Floats
    spot: Floats
    spread: Floats


def apart(first: Places, second: Places) -> Apart:
    """Two lists of answers beside each other."""
    octaves = np.abs(first.log2_bytes[:, None] - second.log2_bytes)
    doublings = np.abs(first.log2_domains[:, None] - second.log2_domains)
    way = WAY_OF_SIZE * octaves + np.abs(first.log2_time[:, None] - second.log2_time)
    operation = first.operation[:, None] == second.operation
    own = operation & (doublings == 0)
    doublings = doublings + TWO_DOMAINS * (doublings > 0) * np.abs(first.halved[:, None] - second.halved)
    return Apart(
        octaves,
        doublings,
        way,
        _alike_limits(first.waiting[:, None], second.waiting),
        operation,
        first.implementation[:, None] == second.implementation,
        own * np.exp(-((way / CURVE_OCTAVES) ** CURVE_SMOOTHNESS)),
        own * np.exp(-way / SPOT_OCTAVES),
        first.spread[:, None] * second.spread,
    )


def covariance(causes: Causes, pairs: Apart) -> Floats:
    """Of the ln errors of two lists of answers."""
    library = np.where(pairs.library, causes.machine, causes.machine * causes.implementation)
    machine = library * np.exp(-pairs.octaves / MACHINE_OCTAVES - pairs.doublings / causes.machine_doublings)
    far = pairs.way / COLLECTIVE_OCTAVES + pairs.doublings / causes.collective_doublings
    common = pairs.limits * (machine + causes.collective * pairs.operation * np.exp(-far))
    together: Floats = (
        causes.spread**2 * pairs.spread * (common + causes.curve * pairs.smooth + causes.spot * pairs.spot)
    )
    return together


def _alike_limits(first: Floats, second: Floats) -> Floats:
    """How far two answers wait and transfer in the same shares: 1 alike, 0 one waits, the other moves."""
    both = first * second + (1 - first) * (1 - second)
    own = (first**2 + (1 - first) ** 2) * (second**2 + (1 - second) ** 2)
    alike: Floats = (both / np.sqrt(own)) ** WAITING_CONTRAST
    return alike


Explanations = tuple[tuple[Causes, float], ...]
"""Causes that compete, each with its probability before any point."""
HOSTS = ((HOST, 0.1), (LIKE_FITTED, 0.35), (KIN, 0.55))
NETWORKS = ((UNSEEN, 0.01), (FITTED, 0.69), (LIKE_FITTED, 0.3))
"""Of a calibrated kind, before any point."""


def explanations(domains: int, *, fitted: bool) -> Explanations:
    """
    What explains the errors of answers on so many domains.

    A network has constants of its own; a host of a kind that was measured may be like those, or another.
    """
    if not fitted:
        return ((HOST if domains == 1 else UNSEEN, 1.0),)
    return HOSTS if domains == 1 else NETWORKS
