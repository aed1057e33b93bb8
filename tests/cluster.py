"""A cluster of H100 nodes as the tools print it: pairs, all nodes, copies; with weak links, a weak node, a wrong GPU."""

from itertools import combinations

import numpy as np

from core.catalog import SYSTEMS
from core.collectives.pricing import Scenario, sweep
from core.measurement.bus_factor import bus_factor
from core.systems import configure

SIZES = tuple(1 << power for power in range(28, 34))
H100, H200 = "NVIDIA H100 80GB HBM3", "NVIDIA H200"
_HEAD = (
    "#                                                              out-of-place                       in-place",
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong",
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)",
)


def name(index):
    """Of a node."""
    return f"gpu{index:03d}"


def collective(hosts, factor=1.0, *, operation="all_gather", gpus=None, seed=0):
    """A run over these hosts, so many times as slow as expected, as nccl-tests prints it."""
    system = configure(SYSTEMS["dgx-h100"], domains=len(hosts))
    ranks = 8 * len(hosts)
    noise = np.random.default_rng(seed).normal(0, 0.01, len(SIZES))
    times = factor * sweep(Scenario(system, operation, ranks, dtype="float"), SIZES).time_s * np.exp(noise)
    lines = [
        "# nccl-tests version 2.17.8 nccl-headers=22902 nccl-library=22902",
        f"# Collective test starting: {operation}_perf",
        "# nThread 1 nGpus 1 minBytes 268435456 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20",
        "#",
        "# Using devices",
    ]
    lines += [
        f"#  Rank {rank:2d} Group  0 Pid {4000 + rank:6d} on {hosts[rank // 8]:>10} device {rank % 8:2d} "
        f"[0x{rank % 8:02x}] {(gpus or {}).get(hosts[rank // 8], H100)}"
        for rank in range(ranks)
    ]
    lines += ["#", *_HEAD]
    for size, time_s in zip(SIZES, times, strict=True):
        algbw = size / time_s / 1e9
        half = f"{time_s * 1e6:8.2f} {algbw:7.2f} {bus_factor(operation, ranks) * algbw:7.2f}      0"
        lines.append(f"{size:12d} {size // 4:13d}     float    none      -1 {half} {half}")
    return "\n".join([*lines, "# Out of bounds values : 0 OK", "#", ""])


def copies(gpu=H100, weak=(), rate=390.0, seed=0):
    """p2pBandwidthLatencyTest of a node; the copies of a weak GPU are slow."""
    rows = ["[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]"]
    rows += [
        f"Device: {index}, {gpu}, pciBusID: {index + 16:x}, pciDeviceID: 0, pciDomainID:0"
        for index in range(8)
    ]
    rows += [f"Device={a} CAN Access Peer Device={b}" for a in range(8) for b in range(8) if a != b]
    rows += ["", "P2P Connectivity Matrix", "     D\\D     0     1     2     3     4     5     6     7"]
    rows += [f"     {a}\t" + " ".join("    1" for _ in range(8)) for a in range(8)]
    rows += ["Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)"]
    rows += ["   D\\D " + " ".join(f"{index:6d}" for index in range(8))]
    rate *= 1 + np.random.default_rng(seed).normal(0, 0.005)
    for a in range(8):
        cells = [2500.0 if a == b else rate * (0.4 if {a, b} & set(weak) else 1.0) for b in range(8)]
        rows.append(f"   {a:3d} " + " ".join(f"{cell:6.2f}" for cell in cells))
    return "\n".join([*rows, ""])


def cluster(nodes, *, weak_links=(), weak_nodes=(), weak_gpus=(), wrong=(), collective_nodes=True):
    """File name to text: all pairs, all nodes together, the copies of each."""
    logs = {}
    gpus = {name(index): H200 for index in wrong}
    for first, second in combinations(range(nodes), 2):
        slow = 2.4 if {first, second} & set(weak_nodes) else 1.8 if (first, second) in weak_links else 1.0
        hosts = [name(first), name(second)]
        logs[f"pair-{first:03d}-{second:03d}.log"] = collective(
            hosts, slow, gpus=gpus, seed=first * nodes + second
        )
    if collective_nodes:
        worst = 2.4 if weak_nodes else 1.8 if weak_links else 1.0
        everyone = [name(index) for index in range(nodes)]
        logs["all.log"] = collective(everyone, worst, operation="all_reduce", gpus=gpus)
    for index in range(nodes):
        logs[f"p2p-{name(index)}.log"] = copies(
            gpus.get(name(index), H100), (3,) if index in weak_gpus else (), seed=index
        )
    return logs
