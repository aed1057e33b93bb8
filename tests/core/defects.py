"""Machines with a known defect: times from the model or from arithmetic of their own, and what NCCL prints there."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.catalog import SYSTEMS
from core.collectives.pricing import Scenario, sweep
from core.measurement import GpuCount, Machine, Observation, Run, Sample
from core.measurement.bus_factor import bus_factor
from core.systems import configure
from core.verdict import judge_run

SIZES = tuple(1 << power for power in range(24, 34))
TWO_H100 = configure(SYSTEMS["dgx-h100"], domains=2)
FOUR_A100 = configure(SYSTEMS["dgx-a100"], domains=4)
H100, A100, CARDS = SYSTEMS["dgx-h100"], SYSTEMS["dgx-a100"], SYSTEMS["l40s-x8"]


@dataclass(frozen=True)
class Defect:
    """
    A defect of a machine.

    Attributes:
        code: The reason that names it.
        system, collective: Where it is shown.
        busbw: Largest bus bandwidth that it leaves, from a random generator; None uses ``times``.
        lines: What its log says: kind and value of observations.
        env: Settings in its log.
        times: Times of its own, of the system.
    """

    code: str
    system: object
    busbw: Callable | None = None
    lines: tuple[tuple[str, str], ...] = ()
    env: dict | None = None
    collective: str = "all_reduce"
    times: Callable | None = None

    def run(self, random, *, lines=True):
        """One log of it; with or without what NCCL says."""
        ranks = self.system.gpus
        scenario = Scenario(self.system, self.collective, ranks, dtype="float")
        if self.times is not None:
            times = np.array(self.times(scenario))
        else:
            factor = bus_factor(self.collective, ranks)
            times = np.maximum(
                sweep(scenario, SIZES).time_s, factor * np.array(SIZES) / self.busbw(random) + 30e-6
            )
        times = times * np.exp(random.normal(0, 0.02, len(times)))
        samples = tuple(
            Sample(self.collective, size, float(time), "out-of-place", 0)
            for size, time in zip(SIZES, times, strict=True)
        )
        said = tuple(Observation(kind, value, "node1", 7) for kind, value in self.lines) if lines else ()
        hosts = tuple(f"node{index}" for index in range(self.system.domains))
        machine = Machine(
            (GpuCount(f"NVIDIA {self.system.gpu.name}", ranks),), hosts, env=(self.env or {}) if lines else {}
        )
        return Run(
            "log",
            "nccl-tests-text",
            self.collective,
            ranks,
            machine,
            samples,
            dtype="float",
            observations=said,
        )

    def verdict(self, random, *, lines=True):
        """The verdict on one such log."""
        return judge_run(self.run(random, lines=lines), self.system)


def between(low, high):
    """A rate in GB/s drawn evenly."""
    return lambda random: random.uniform(low, high) * 1e9


def algorithm(name):
    """Times with an algorithm forced."""
    return lambda scenario: sweep(Scenario(scenario.system, scenario.collective, scenario.ranks, dtype="float", algorithm=name), SIZES).time_s  # fmt: skip


def nics(count):
    """Times with so many NICs a node."""
    return lambda scenario: sweep(Scenario(configure(scenario.system, domains=scenario.system.domains, nics_per_domain=count), scenario.collective, scenario.ranks, dtype="float"), SIZES).time_s  # fmt: skip


def scaled(factor):
    """Times of the whole system, so many times as long."""
    return lambda scenario: factor * sweep(scenario, SIZES).time_s


STAGED = ("transport", "NET/IB staged receive")
DIRECT = ("transport", "NET/IB GDRDMA receive")
DEFECTS = {
    "no GPUDirect RDMA": Defect("no_gpudirect", FOUR_A100, between(55, 75), (STAGED,)),
    "no GPUDirect RDMA, 8 x 400G": Defect("no_gpudirect", TWO_H100, between(55, 85), (STAGED,)),
    "ACS on": Defect("pcie_path", FOUR_A100, between(85, 105), (DIRECT, ("acs", "on"))),
    "slot at half its width": Defect(
        "pcie_path", TWO_H100, between(180, 205), (DIRECT, ("pcie_link", "16 GT/s x8 of 32 GT/s x16: NIC"))
    ),
    "1 of 8 NICs": Defect("fewer_nics", TWO_H100, None, (("nics", "mlx5_0:1/IB"),), times=nics(1)),
    "4 of 8 NICs": Defect(
        "fewer_nics",
        FOUR_A100,
        None,
        (DIRECT,),
        {"NCCL_IB_HCA": "mlx5_0,mlx5_1,mlx5_2,mlx5_3"},
        times=nics(4),
    ),
    "TCP": Defect("tcp_sockets", TWO_H100, between(1, 4), (("network", "Socket"),)),
    "no RDMA device": Defect("tcp_sockets", FOUR_A100, between(1, 3), (("no_adapter", "no RDMA device"),)),
    "TCP over IP on InfiniBand": Defect("tcp_sockets", TWO_H100, between(4, 9), (("sockets", "ib0"),)),
    "RDMA library missing": Defect(
        "tcp_sockets", TWO_H100, between(1, 3), (("warning", "Failed to open libibverbs.so[.1]"),)
    ),
    "no NIC on the GPUs' sockets": Defect(
        "no_gpudirect", FOUR_A100, between(55, 75), (("nic_distance", "SYS"), ("nic_distance", "NODE SYS"))
    ),
    "port with errors": Defect(
        "slow_node",
        TWO_H100,
        None,
        (DIRECT, ("warning", "NET/IB : mlx5_3:1 Got async event : port error")),
        times=scaled(3.1),
    ),
    "host split by containers": Defect(
        "split_node", H100, between(20, 40), (("nodes", "8"), ("transport", "NET/IB GDRDMA receive"))
    ),
    "coarse-grained GPU memory": Defect(
        "staged_copies", CARDS, between(2, 5), (("warning", 'Missing "HSA_FORCE_FINE_GRAIN_PCIE=1"'),)
    ),
    "RDMA off": Defect("network_off", TWO_H100, between(1, 4), (), {"NCCL_IB_DISABLE": "1"}),
    "no peer access": Defect("staged_copies", CARDS, between(2, 5), (("transport", "SHM"),)),
    "peer access off": Defect("peer_access_off", A100, between(4, 9), (), {"NCCL_P2P_DISABLE": "1"}),
    "PCIe, not NVLink": Defect(
        "pcie_instead_of_nvlink", A100, between(17, 24), (("transport", "P2P"), ("path", "GPU0 GPU1 PHB"))
    ),
    "NVLS off": Defect("nvls_off", H100, None, (("nvls", "unavailable"),), times=algorithm("ring")),
    "2 channels": Defect("few_channels", A100, between(38, 50), (("transport", "P2P"), ("channels", "2"))),
    "tree forced": Defect("forced_setting", H100, None, (), {"NCCL_ALGO": "Tree"}, times=algorithm("tree")),
    "LL forced": Defect("forced_setting", A100, None, (), {"NCCL_PROTO": "LL"}, times=scaled(2.2)),
    "throttled GPU": Defect(
        "slow_gpu",
        H100,
        None,
        (("transport", "P2P"), ("throttle", "HW Slowdown : Active")),
        times=scaled(1.6),
    ),
    "faulty GPU": Defect("slow_gpu", A100, None, (("transport", "P2P"), ("xid", "74")), times=scaled(2.0)),
}
