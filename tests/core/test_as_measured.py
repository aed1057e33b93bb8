"""A log of other GPUs than the system that it is held against."""

from dataclasses import replace

import pytest

from core.catalog import SYSTEMS
from core.measurement import Matrix
from core.systems import configure
from core.verdict.as_measured import as_measured
from tests.core.test_verdict import a_run
from tests.each import table


def of_log(gpu, system, *, ranks=8, hosts=1, **cluster):
    """The system taken for a log of these GPUs; None where it is the one named."""
    base = SYSTEMS[system]
    named = configure(base, **cluster) if cluster else base
    match = as_measured([a_run([1e-3] * 10, gpu=gpu, ranks=ranks, hosts=hosts)], named)
    return match and match.system


@table(
    ("gpu", "system", "taken"),
    [
        ("NVIDIA H800", "dgx-h100", "hgx-h800-x8"),
        ("NVIDIA H200", "dgx-h100", "dgx-h200"),
        ("NVIDIA A800-SXM4-80GB", "dgx-a100", "hgx-a800-x8"),
        ("NVIDIA B200", "dgx-h100", "dgx-b200"),
        ("NVIDIA H100 NVL", "dgx-h100", "h100-nvl-x8"),
        ("NVIDIA A100 80GB PCIe", "dgx-a100", "a100-pcie-x8"),
        ("NVIDIA GeForce RTX 5090", "rtx-4090-x8", "rtx-5090-x8"),
        ("AMD Instinct MI300X", "mi355x-x8", "mi300x-x8"),
    ],
)
def test_the_gpus_of_the_log_count(gpu, system, taken):
    """A log of another GPU is held against a system of that GPU."""
    assert of_log(gpu, system).id == taken


@table(
    ("gpu", "system"),
    [
        ("NVIDIA H100 80GB HBM3", "dgx-h100"),
        ("NVIDIA A100-SXM4-40GB", "dgx-a100"),
        ("NVIDIA A40", "l40s-x8"),
        ("NVIDIA L40", "l40s-x8"),
        ("NVIDIA Graphics Device", "dgx-b200"),
        ("AMD Instinct MI250X", "mi300x-x8"),
    ],
)
def test_the_named_system_stays(gpu, system):
    """So it does where the GPU is its own, one on the same link or slot, none, or one without a system."""
    assert of_log(gpu, system) is None


def test_a_card_without_nvlink_is_no_module_of_its_name():
    """V100 cards have the slot of their kind, which no DGX-1 has."""
    assert of_log("Tesla V100-PCIE-32GB", "dgx-1-v100").scale_up.topology.pcie


def test_cluster_as_named():
    """Domains, network and NICs that were named stay."""
    taken = of_log(
        "NVIDIA H800", "dgx-h100", ranks=16, hosts=2, domains=2, network="roce-200", nics_per_domain=4
    )

    assert (taken.gpu.id, taken.domains, taken.network, taken.nics_per_domain) == (
        "h800-sxm",
        2,
        "roce-200",
        4,
    )


def test_more_cards_than_the_system_holds():
    """Four cards of one host are no two hosts of two."""
    assert of_log("NVIDIA GeForce RTX 3090", "rtx-3090-x2", ranks=4).domain_gpus == 4


def test_your_own_system_is_not_doubted():
    """What an owner states stays."""
    yours = replace(SYSTEMS["dgx-h100"], yours=True)

    assert as_measured([a_run([1e-3] * 10, gpu="NVIDIA H800")], yours) is None


def test_a_topology_tells_how_cards_are_joined():
    """With ``topo -m`` beside it a card is judged by what joins it, on the system that was named."""
    run = a_run([1e-3] * 10, gpu="NVIDIA A100 80GB PCIe")
    matrix = Matrix(
        "topo -m",
        "topology",
        None,
        None,
        ("GPU0", "GPU1"),
        ("GPU0", "GPU1"),
        ((None, "NODE"), ("NODE", None)),
    )

    assert as_measured([run, replace(run, samples=(), matrices=(matrix,))], SYSTEMS["dgx-a100"]) is None
    assert as_measured([run], SYSTEMS["dgx-a100"]) is not None


@pytest.mark.parametrize("several", [False, True])
def test_files_of_several_gpus(several):
    """A file that compares GPUs is held against the system that was named."""
    runs = [
        a_run([1e-3] * 10, gpu=gpu) for gpu in ("NVIDIA H800", "NVIDIA H20" if several else "NVIDIA H800")
    ]

    assert (as_measured(runs, SYSTEMS["dgx-h100"]) is None) is several
