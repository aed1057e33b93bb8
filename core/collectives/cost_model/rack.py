"""A rack: an NVLink domain of several hosts, which NCCL takes for nodes and joins by trees."""

import math

import numpy as np

from core.catalog.calibrations.estimates import RACK_TREE_PIECES
from core.catalog.calibrations.shapes import DomainKind, Protocol
from core.catalog.gpus import GPUS
from core.checks import Floats
from core.collectives.cost_model.communicator import Communicator
from core.collectives.cost_model.line import Line, make_line
from core.collectives.cost_model.point_to_point import CHANNELS
from core.hardware import Architecture
from core.hardware.link import NODE_GPUS

TREE_SHARE = 0.92
"""Of a ring's rate that NCCL's own tuning gives a tree."""
BUFFER_BYTES, BUFFER_STEPS = 4 * 2.0**20, 8
"""Of a channel with Simple (NCCL_BUFFSIZE), and the parts of which one is on its way (NCCL_STEPS)."""
TREE_BYTES = CHANNELS * BUFFER_BYTES / BUFFER_STEPS
"""Of a message that all channels of a tree have on their way at once."""


def of_hosts(comm: Communicator) -> bool:
    """Whether an NVLink domain spans hosts: none of Hopper and later holds more GPUs than a node."""
    switched = comm.kind is DomainKind.NVLINK and comm.architecture.year >= Architecture.HOPPER.year
    return switched and comm.gpus > host_gpus(comm)


def host_gpus(comm: Communicator) -> int:
    """GPUs of one host of a domain: a node's, or those of the two superchips of a tray."""
    gpu = GPUS.get(comm.setting.gpu)
    return 2 * gpu.gpus_per_cpu if gpu is not None and gpu.gpus_per_cpu > 1 else NODE_GPUS


def tree_lines(
    comm: Communicator, sizes: Floats, protocols: tuple[Protocol, ...], rate: float, launch_s: float
) -> list[Line]:
    """
    An all-reduce up a tree of hosts, over a chain in each, and down again.

    Each hop waits for a piece of the message.

    Args:
        comm: Of several hosts.
        sizes: Bytes.
        protocols: Steps and rates of a ring there.
        rate: The links' over those that were measured.
        launch_s: Of the kernel.
    """
    host = host_gpus(comm)
    hops = 2 * (host - 1 + math.log2(comm.gpus / host))
    pieces = np.minimum(sizes, TREE_BYTES) / RACK_TREE_PIECES.value
    return [
        make_line(
            sizes,
            "tree",
            protocol.name,
            launch_s=launch_s,
            latency_s=hops * (protocol.step_s + pieces / (protocol.bytes_per_s * rate)),
            transfer_s=2 * sizes / (TREE_SHARE * protocol.bytes_per_s * rate),
            wire_factor=2.0,
            least_s=2 * (comm.ranks - 1) / comm.ranks * sizes / comm.link_bytes_per_s,
        )
        for protocol in protocols
    ]
