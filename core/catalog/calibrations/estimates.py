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
NICS_ONE_GATHER_DRIVES = Estimate(
    16.0,
    "NICs of a domain",
    "16 GiB all-gathers and reduce-scatters between two racks of 32 and of 72 GB200 on ports of 50 GB/s: 674 to 704 "
    "GB/s of bus bandwidth, what 14 ports carry at least and as much as inside a rack (A4X on GKE)",
)
RACK_CHAIN = Estimate(
    0.5,
    "of the steps of a chain over the GPUs of a rack beyond eight that an in-switch tree takes, too",
    "all-reduce of 16 MiB to 1 GiB on two racks of 64 GB300 (OCI): 0.5 errs by 7 % where none erred by 20, all by 15",
)
EXCHANGE_RACK = Estimate(
    0.2,
    "exponent by which an exchange loses rate as domains grow beyond eight GPUs, of one port each",
    "16 GiB all-to-alls between two racks of 8, 32 and 72 GB200 reach 0.94, 0.84 and 0.65 of a port of 50 GB/s (A4X "
    "on GKE), of 64 GB300 with two such ports 0.48 of one (OCI)",
)
EXCHANGE_PORT = Estimate(
    50e9,
    "bytes/s of a GPU's port, the most that an exchange between racks was seen to drive",
    "the same all-to-alls, on ports of 50 GB/s, one or two a GPU: nobody published one on a port of 100 GB/s",
)
IN_SWITCH_SLICING = Estimate(
    0.65,
    "exponent of 8 / ranks on the size at which in-switch all-reduce speeds up",
    "586 GB/s at 512 MiB and 834 at 8 GiB on 72 GPUs of an NVL72 (coreweave/nccl-tests README); 16, 32 and 60 of "
    "GB300 racks at 4 MiB to 8 GiB (NCCLbpf, OKE topology block test)",
)
IN_SWITCH_START = Estimate(
    0.25,
    "of its start on 8 GPUs that an in-switch all-reduce starts later for each doubling beyond them",
    "4 MiB on 8, 16, 32 and 60 GB300 of a rack take 57, 75, 89 and 96 us (NCCLbpf, NCCL 2.29.7)",
)
RACK_TREE_PIECES = Estimate(
    5.5,
    "pieces of what a tree over the trays of a rack has on its way, of which each hop waits for one",
    "4 MiB on 16, 32 and 60 GB300 of a rack take 75, 89 and 96 us, 8 to 32 MiB on 32 of them 118 to 237 (NCCLbpf, "
    "NCCL 2.29.7); NCCL takes trays for nodes and joins them by trees",
)
MSCCLPP_FLOOR = Estimate(
    10.5e-6,
    "s that an all-reduce of MSCCL++ takes at least from a stream",
    "10.3 to 11.7 us for 2 to 256 KiB on eight H200 (SGLang pull 22734), where its kernels take 6 to 11 in a graph",
)
MESH_RING_LINKS = Estimate(
    0.75,
    "links of a GPU that one of RCCL's rings fills on a mesh of 3, 5, 6 or 7 GPUs: two rings on 3, one on 5 to 7",
    "all-reduces on 3, 5, 6 and 7 MI355X: 75, 38, 38 and 38 GB/s at 8 GiB (RCCL 2.22.3), 86, 46, 45 and 45 at 128 MiB "
    "(Primus): the middle; the library has rings of its own for 2, 4 and 8 GPUs of a mesh (61, 164, 382)",
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
SCATTER_PORTS = Estimate(
    3.5,
    "ports of its domain over which the root of a scatter sends, through the GPUs beside it",
    "16 GiB scatters on three pairs of B200 nodes with eight ports of 50 GB/s: 290, 293 and 327 GB/s, where gathers, "
    "which reach the root over its own port, stay at 90 to 93",
)
IN_NETWORK_OVERLAP = Estimate(
    1.75,
    "sharpness of the maximum of the times inside and across that a chain with in-network reduction takes; 1 is one "
    "after the other",
    "533 to 548 GB/s on 2 to 64 nodes of three B200 clusters (NCCL 2.28 and 2.29); two nodes of A100 with NCCL 2.8 "
    "(ABCI) take the sum of both, which stays for GPUs before Hopper",
)
PLAIN_TREE = Estimate(
    0.54,
    "of its NICs' share that a tree of large messages keeps where the domain's switches could add and do not",
    "forced trees with NVLS off on 2 and 4 to 64 nodes of B200: 332 and 184 to 193 GB/s where rings reach 288 to 344",
)
