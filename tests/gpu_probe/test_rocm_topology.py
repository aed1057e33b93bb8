"""Links between AMD's GPUs, as rocm-smi and amd-smi list them: read, judged, and said to be missing."""

import pytest

from core.catalog import SYSTEMS
from core.verdict import Status, judge_run
from gpu_probe.parsers import read
from gpu_probe.parsers.problem import ParseError
from tests.gpu_probe.formats import text

MESH = SYSTEMS["mi300x-x8"]


def listing(links, names=("GPU0", "GPU1", "GPU2")):
    """A table of links between all GPUs, those of ``links`` other than XGMI."""
    head = "       " + "".join(f"{name:<13}" for name in names)
    rows = [
        f"{name:<7}"
        + "".join(
            f"{'0' if name == other else links.get(frozenset((name, other)), 'XGMI'):<13}" for other in names
        )
        for name in names
    ]
    return ["====== Link Type between two GPUs ======", head, *rows, ""]


def showtopo(links):
    """The output of rocm-smi, with a table of weights before that of links."""
    weights = ["====== Weight between two GPUs ======", "       GPU0         GPU1         GPU2"]
    weights += [
        f"GPU{row}   " + "".join(f"{0 if row == other else 15:<13}" for other in range(3)) for row in range(3)
    ]
    return [
        "====== ROCm System Management Interface ======",
        *weights,
        "",
        *listing(links),
        "====== Numa Nodes ======",
        "GPU[0]\t\t: (Topology) Numa Node: 0",
        "====== End of ROCm SMI Log ======",
    ]


def test_links_of_rocm_smi():
    """The table of link types is the topology; weights are none, a GPU's own cell is X."""
    (run,) = read("log", text(showtopo({frozenset(("GPU0", "GPU2")): "PCIE"})))
    (matrix,) = run.matrices

    assert run.format == "topo-m"
    assert matrix.values == (("X", "XGMI", "PCIE"), ("XGMI", "X", "XGMI"), ("PCIE", "XGMI", "X"))


def test_links_of_amd_smi():
    """The same under bus addresses, whose places number the GPUs."""
    names = ("0000:c1:00.0", "0000:c6:00.0")
    rows = [
        "LINK TYPE TABLE:",
        "             " + " ".join(names),
        f"{names[0]} SELF         XGMI",
        f"{names[1]} XGMI         SELF",
    ]
    hops = ["HOPS TABLE:", rows[1], f"{names[0]} 0 1", f"{names[1]} 1 0", ""]
    (run,) = read("log", text([*hops, *rows]))

    assert run.matrices[0].rows == ("GPU0", "GPU1")
    assert run.matrices[0].values == (("X", "XGMI"), ("XGMI", "X"))


def test_gpus_joined_by_pcie_are_low():
    """Where a mesh of Infinity Fabric should join all, a pair on PCIe is named."""
    (sound,) = read("log", text(showtopo({})))
    (broken,) = read("log", text(showtopo({frozenset(("GPU0", "GPU2")): "PCIE"})))

    assert judge_run(sound, MESH).status is Status.FINE
    assert judge_run(broken, MESH).status is Status.LOW
    assert "PCIE, not by Infinity Fabric" in judge_run(broken, MESH).reason.text


def test_without_link_types_it_is_said():
    """Weights and hops alone tell no link."""
    with pytest.raises(ParseError, match="showtopo"):
        read("log", text(showtopo({})[:6]))
