"""Constants estimated by hand rather than by the fit: each with the measurements it rests on."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number chosen by hand: its unit, and the measurements that were in view."""

    value: float
    unit: str
    estimated_on: str


NICS_ONE_COLLECTIVE_DRIVES = Estimate(
    9.0,
    "NICs of a domain",
    "8 GiB all-reduces of one, two and twenty NVL72 racks at 834, 793 and 381 GB/s of bus bandwidth "
    "(coreweave/nccl-tests README): a node's worth of NICs explains them, 72 do not",
)
IN_SWITCH_SLICING = Estimate(
    0.5,
    "exponent of 8 / ranks on the size at which in-switch all-reduce speeds up",
    "586 GB/s at 512 MiB and 834 at 8 GiB on 72 GPUs of an NVL72 (coreweave/nccl-tests README)",
)
CHAIN_WAIT = Estimate(
    0.15,
    "share of the hops' latency that a broadcast or reduce shows",
    "broadcasts and reduces of one node repeat faster than their hops add up: ranks do not wait for "
    "each other between calls; no row of the calibration holds them",
)
HOST_ALLOWANCE = Estimate(
    0.5e-6,
    "s of NCCL's launch in one domain",
    "the calibration's hosts are idle; other operators' 8 GPU nodes take 0 (Alps), 0.8 (DGX Cloud) "
    "and 10 to 15 us (Azure) longer on small messages",
)
START_IN_TURN = Estimate(
    4.5e-6,
    "s that one process takes to start a collective's kernel on each of its GPUs",
    "nccl-tests and rccl-tests with -g on small messages, over the GPUs: 3.9 us (8 x H200), 4.3 (4 x GB200, "
    "8 x MI355X), 5.3 (8 x A100), 6.0 (4 x H100), 6.3 (8 x MI350X, where eight processes take 13 us in all)",
)
CROWDED_LINK = Estimate(
    63.015e9,
    "unidirectional bytes/s of the PCIe link on which more than two GPUs were seen to share host bridges",
    "RTX PRO 6000 on PCIe 5: 39 GB/s in pairs, 25 on 4 and 8; L40S on PCIe 4 keep 20 to 21 GB/s on 2, 4 "
    "and 8 where peer access works (aiconfigurator, sglang 0.5.12): bridges limit in GB/s, not in shares",
)
SEND_RECV_SHARE = Estimate(
    0.85,
    "of a ring's rate that send-recv reaches inside an NVLink domain, on large messages",
    "650 and 663 GB/s on two 8 x B200 nodes, 195 on 8 x A100, where the ring's links carry 784 and 226 "
    "(nccl-tests sendrecv from 1 GiB on)",
)
SEND_RECV_CHANNEL = Estimate(
    21.2e9,
    "unidirectional bytes/s of one channel of send-recv on NVLink 5",
    "8 x B200: 85 GB/s up to 64 MiB on 4 channels, then the same time for 128, 256 and 512 MiB on 8, 16 and 32; "
    "8 x A100: 111 GB/s at 128 MiB on 8 channels",
)
SEND_RECV_CHANNEL_GROWTH = Estimate(
    0.39,
    "exponent of the links' rate on the rate of a channel of send-recv",
    "21.2 GB/s of 900 on B200, 13.8 of 300 on A100",
)
SEND_RECV_NETWORK_CHANNEL = Estimate(
    17e9,
    "unidirectional bytes/s of one channel of send-recv across domains",
    "two clusters of B200 on NDR InfiniBand: 17 and 15 GB/s from 128 ranks on, whatever the number of nodes",
)
