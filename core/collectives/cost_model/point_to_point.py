"""Rates of send-recv: how many channels NCCL gives a pair of ranks, and what one channel moves.

NCCL shares its channels among all ranks of a communicator; inside a domain a pair gets more of them as
its message grows, across domains at most four times its share.
"""

import numpy as np

from core.catalog.calibrations.estimates import (
    SEND_RECV_CHANNEL,
    SEND_RECV_CHANNEL_GROWTH,
    SEND_RECV_NETWORK_CHANNEL,
    SEND_RECV_SHARE,
)
from core.catalog.calibrations.shapes import DomainKind
from core.checks import Floats
from core.collectives.cost_model.communicator import Communicator
from core.units import GB

CHANNELS = 32.0
"""Of NCCL for all peers of a rank together."""
MOST_SHARES = 4.0
"""Times its share of the channels that a pair may take across domains."""
CHANNEL_BYTES = 16 * 2.0**20
"""Of a message on each channel inside a domain before it is given more."""
CHANNEL_LINK_BYTES_PER_S = 900 * GB
"""The links' rate at which a channel was measured."""
FEW_DOMAINS, MANY_DOMAINS = 4.0, 8.0
"""Up to which a pair drives its NIC as between two domains, and from which as between many."""


def channels_rate(comm: Communicator, sizes: Floats) -> Floats:
    """Unidirectional bytes/s that the channels of a pair inside a domain move, of messages of these sizes."""
    if comm.kind is not DomainKind.NVLINK:
        return np.full(sizes.shape, np.inf)
    channels = np.clip(sizes / CHANNEL_BYTES, max(CHANNELS / comm.ranks, 1.0), CHANNELS)
    slower = (comm.link_bytes_per_s / CHANNEL_LINK_BYTES_PER_S) ** SEND_RECV_CHANNEL_GROWTH.value
    rate: Floats = channels * SEND_RECV_CHANNEL.value * slower
    return rate


def links_share(comm: Communicator) -> float:
    """Of a ring's rate that a pair reaches inside a domain."""
    return SEND_RECV_SHARE.value if comm.kind is DomainKind.NVLINK else 1.0


def across_rate(comm: Communicator, shares: tuple[float, float]) -> float:
    """Unidirectional bytes/s of each pair across domains, of the shares of its NIC between two and many."""
    many = float(np.interp(np.log2(comm.domains), np.log2((FEW_DOMAINS, MANY_DOMAINS)), (0.0, 1.0)))
    share = shares[0] + many * (shares[1] - shares[0])
    channels = max(MOST_SHARES * CHANNELS / comm.ranks, 1.0)
    return min(share * comm.nic_bytes_per_s, channels * SEND_RECV_NETWORK_CHANNEL.value)
