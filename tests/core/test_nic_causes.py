"""Causes among the NICs: those that the ranks can use, those that a log names, and their ports."""

import pytest

from core.catalog import SYSTEMS
from core.measurement import GpuCount, Machine, Observation, Run, Sample
from core.systems import configure
from core.verdict import judge_run
from core.verdict.links import link_rates, nics_in_use
from tests.each import table

TWO = configure(SYSTEMS["dgx-h100"], domains=2)
GB = 1e9


def verdict_of(busbw, ranks, lines=(), env=None):
    """Two nodes of DGX H100 that reach so many GB/s in an all-gather, and what their log says."""
    samples = tuple(
        Sample("all_gather", size, (ranks - 1) / ranks * size / (busbw * GB) + 3e-5, "out-of-place", 0)
        for size in (1 << 28, 1 << 30, 1 << 32)
    )
    said = tuple(Observation(kind, value, "node1", 7) for kind, value in lines)
    machine = Machine((GpuCount("NVIDIA H100", ranks),), ("node1", "node2"), env=env or {})
    run = Run(
        "log", "nccl-tests-text", "all_gather", ranks, machine, samples, dtype="float", observations=said
    )
    return judge_run(run, TWO)


def weights(verdict):
    """Weight by code of its causes."""
    return {cause.reason.code: cause.weight for cause in verdict.causes}


def odds(verdict):
    """Of fewer NICs against all other causes: a line changes them by what it says, whatever the model predicts."""
    weight = weights(verdict)["fewer_nics"]
    return weight / (1 - weight)


@pytest.mark.parametrize("env", [{}, {"NCCL_IB_HCA": "mlx5_0:1"}])
def test_one_gpu_of_a_node_has_one_nic(env):
    """Half a NIC between single GPUs of two nodes is not four of eight NICs, nor is a list of one a restriction."""
    verdict = verdict_of(23.9, 2, env=env)

    assert verdict.causes
    assert "fewer_nics" not in weights(verdict)
    assert verdict.bottleneck.startswith("bottleneck: 1 NIC of a node, 50 GB/s unidirectional for 1 GPU")


def test_four_gpus_of_a_node_have_four_nics():
    """One NIC named for four GPUs is one of four."""
    verdict = verdict_of(46, 8, env={"NCCL_IB_HCA": "mlx5_0:1"})

    assert verdict.reason.code == "fewer_nics"
    assert "1 of 4 NICs" in verdict.reason.text


def test_fewer_names_than_the_system_has_nics_are_no_full_list():
    """Five of eight adapters named for four GPUs a node: half a rate may well be two NICs of four."""
    names = (("nics", " ".join(f"mlx5_{index}:1/IB" for index in range(5))),)
    verdict = verdict_of(95, 8, names)

    assert weights(verdict)["fewer_nics"] > weights(verdict_of(95, 8))["fewer_nics"]
    assert "2 of 4 NICs" in verdict.reason.text


@table(("system", "nics"), [("dgx-h100", 8), ("dgx-h100", 4), ("dgx-a100", 16), ("l40s-x8", 1)])
@table("local", [1, 2, 4, 8])
def test_nics_in_use_carry_the_rate_of_the_domain(system, nics, local):
    """So many NICs at a NIC's rate are what the ranks of a domain have."""
    machine = configure(SYSTEMS[system], domains=2, network="ib-ndr", nics_per_domain=nics)
    rate = machine.scale_out.bytes_per_s * machine.domain_gpus / machine.nics_per_domain
    across = link_rates(machine, local, 2).domain_bytes_per_s

    assert nics_in_use(machine, local) * rate == pytest.approx(across)


@pytest.mark.parametrize(
    ("lines", "env", "counted"),
    [
        ((("nic_state", "mlx5_3 Down"),), {}, False),
        ((("nic_state", "mlx5_3 Down"),), {"NCCL_IB_HCA": "mlx5_0,mlx5_1,mlx5_2,mlx5_3,mlx5_4,mlx5_5,mlx5_6,mlx5_7"}, True),
        ((("nic_state", "mlx5_3 Down"), ("nics", " ".join(f"mlx5_{i}:1/IB" for i in range(8)))), {}, True),
    ],
)  # fmt: skip
def test_a_port_that_is_down_counts_where_nccl_names_it(lines, env, counted):
    """Nodes hold unused ports: one that NCCL does not name says nothing."""
    ratio = odds(verdict_of(190, 16, lines, env)) / odds(verdict_of(190, 16))

    assert ratio > 50 if counted else ratio == pytest.approx(1)


@pytest.mark.parametrize(
    ("lines", "least", "most"),
    [
        ((("iommu", "passthrough"), ("iommu", "on")), -0.02, 0.02),
        ((("pcie_speed", "2.5 GT/s x16: NVIDIA"),), 0.1, 0.75),
        ((("pcie_link", "32 GT/s x8: NVIDIA"),), 0.6, 1.0),
    ],
)
def test_what_healthy_hosts_print_is_no_proof(lines, least, most):
    """An IOMMU in passthrough says nothing of the PCIe path, an idle GPU's link speed little, half a width much."""
    plain = weights(verdict_of(190, 16))["pcie_path"]
    said = weights(verdict_of(190, 16, lines))["pcie_path"]

    assert plain + least <= said <= plain + most


def test_what_the_ofi_plugin_counts_and_a_bond():
    """Four NICs that EFA counts are four of eight; a bond may be one port or two and is no count of NICs."""
    four = verdict_of(190, 16, (("nic_count", "4"),))
    bond = verdict_of(190, 16, (("nics", "mlx5_bond_0:1/RoCE"),), {"NCCL_IB_QPS_PER_CONNECTION": "1"})

    assert four.reason.code == "fewer_nics"
    assert four.causes[0].lines == ("line 7: found 4 nics (node1)",)
    assert bond.reason.code == "bonded_port"
    assert not any(cause.lines for cause in bond.causes if cause.reason.code == "fewer_nics")


NICS = tuple(f"mlx5_{index}" for index in range(8))
FULL = tuple(("nic_rate", f"{name} 400") for name in NICS)
SLOW = (*FULL[:7], ("nic_rate", "mlx5_7 100"))
USED = (("nics", " ".join(f"{name}:1/IB" for name in NICS)),)


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ((*SLOW, *USED), True),
        (SLOW, True),
        (FULL, False),
        ((*FULL, ("nic_rate", "mlx5_8 100")), False),
        (tuple(("nic_rate", f"rdmap{index} 100") for index in range(32)), False),
        ((("nic_rate", "mlx5_bond_0 100"),), False),
        ((("nic_rate", "mlx5_0 x"), ("nic_rate", ""), ("nic_count", "many")), False),
    ],
    ids=["used", "unnamed", "full", "beside a storage NIC", "32 of 100", "bond", "not a rate"],
)
def test_a_port_below_its_rate_sets_the_pace(lines, named):
    """One port of eight at 100 of 400 Gb/s explains a quarter of the rate; ports beside the eight do not."""
    verdict = verdict_of(92, 16, lines)

    assert ("slow_port" in weights(verdict)) == named
    if named:
        assert verdict.causes[0].reason.text.endswith("mlx5_7 at 100 of 400 Gb/s")
        assert verdict.causes[0].lines == ("line 7: port mlx5_7 100 Gb/s (node1)",)


@table("names", ["mlx5_bond_0:1/RoCE", "mlx5_0:1/IB mlx5_1:1/IB"])
def test_adapters_that_nccl_names_speak_against_sockets(names):
    """A bond leaves the number of ports open, not whether RDMA is used."""
    assert weights(verdict_of(4, 16)).get("tcp_sockets", 0) > 0.3
    assert weights(verdict_of(4, 16, (("nics", names),))).get("tcp_sockets", 0) < 0.1


@table("busbw", [12, 18, 25])
def test_fewer_nics_that_are_not_even_full_say_so(busbw):
    """One NIC named of eight is a finding, also where less than it carries comes out of it."""
    verdict = verdict_of(busbw, 16, env={"NCCL_IB_HCA": "mlx5_0:1"})

    assert verdict.reason.code == "fewer_nics"
    assert verdict.causes[0].lines == ("NCCL_IB_HCA=mlx5_0:1",)
    assert "something else slows them too" in verdict.reason.text
    assert "something else" not in verdict_of(46, 16, env={"NCCL_IB_HCA": "mlx5_0:1"}).reason.text
