"""One question has one answer: a row of ``predict`` and ``collective`` on the system that it describes."""

import csv
import io
import json

import pytest

from core import catalog
from core.checks import InputError
from core.collectives.cost_model.table import answer_table
from core.collectives.pricing import Scenario, answer
from core.hardware import Topology
from core.systems import configure, read_system
from core.units import MIB

SIZE = 16 * MIB
JOINED = (
    ("dgx-1-v100", "cube mesh", range(2, 9)),
    ("dgx-1-p100", "hybrid cube mesh", range(2, 9)),
    ("hgx-a100-x4", "mesh", range(2, 5)),
    ("a100-pcie-x8", "pairs", (2, 3, 8)),
    ("a100-pcie-x8", "", (2, 3, 8)),
    ("h100-nvl-x2", "bridge", (2,)),
    ("dgx-h100", "switch", (2, 5, 8)),
    ("gb200-nvl72", "", (4, 16, 72)),
    ("mi300x-x8", "", (2, 5, 8)),
)
CASES = [(name, word, gpus) for name, word, counts in JOINED for gpus in counts]


def row_of(system, ranks, **cells):
    """The row of ``predict`` that describes some ranks of a system, filled in order."""
    gpus = min(ranks, system.domain_gpus)
    known = {
        "gpu": system.gpu.id,
        "scale_up_link": (system.bridge or system.scale_up).link,
        "domain_gpus": gpus,
        "domains": ranks // gpus,
        "collective": "all_reduce",
        "size_bytes": SIZE,
        "scale_out_link": system.network or "",
    }
    return known | {name: value for name, value in cells.items() if value}


def predicted(row):
    """Time, low, high in microseconds and basis of a row, or its refusal alone."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(row))
    writer.writeheader()
    writer.writerow(row)
    text.seek(0)
    *times, _, basis = answer_table(text).answers[0]
    return [basis] if basis.startswith("error") else [*map(float, times), basis]


def shown(system, ranks, collective="all_reduce", **asked):
    """The same of ``collective``."""
    result = answer(Scenario(system, collective, ranks, SIZE, **asked), with_crossovers=False)
    times = [pytest.approx(1e6 * value, rel=1e-4) for value in (result.time_s, result.low_s, result.high_s)]
    return [*times, result.basis]


@pytest.mark.parametrize("collective", ["all_reduce", "all_gather", "all_to_all", "broadcast", "send_recv"])
@pytest.mark.parametrize(("name", "word", "gpus"), CASES, ids=[" ".join(map(str, case)) for case in CASES])
def test_gpus_with_and_without_switches(name, word, gpus, collective):
    """Switches, meshes, cube meshes and bridged pairs: a row that names them is the catalog's system."""
    system = catalog.system(name)

    row = row_of(system, gpus, collective=collective, scale_up_topology=word)

    assert predicted(row) == shown(system, gpus, collective)


@pytest.mark.parametrize("engine", ["nvls-multimem", "vllm-custom", "mscclpp"])
@pytest.mark.parametrize("collective", ["all_reduce", "all_gather", "all_to_all"])
@pytest.mark.parametrize("domains", [1, 4])
def test_engines_where_they_have_no_kernel(engine, collective, domains):
    """Across domains, or of a collective that it lacks, an engine is its library at both doors."""
    system = configure(catalog.system("dgx-h100"), domains=domains, network="ib-ndr")

    row = row_of(system, system.gpus, collective=collective, implementation=engine)

    assert predicted(row) == shown(system, system.gpus, collective, implementation=engine)


@pytest.mark.parametrize("adds", ["on", ""], ids=["SHARP", "no SHARP"])
@pytest.mark.parametrize("nvls", ["", "on", "off"])
@pytest.mark.parametrize(
    "algorithm",
    ["", "ring", "tree", "nvlstree", "sharp", "sharp-pipelined", "nvls-sharp", "two-level", "two-level-tree"],
)
def test_networks_that_add(algorithm, nvls, adds):
    """SHARP, NVLS and a forced algorithm go together alike; what cannot run is refused by name in a row."""
    system = configure(
        catalog.system("dgx-h100"), domains=4, network="ib-ndr", in_network_reduction=bool(adds)
    )
    asked = {"algorithm": algorithm or "auto", "nvls": nvls or "auto"}
    row = row_of(system, 32, asked_algorithm=algorithm, nvls=nvls, in_network_reduction=adds)

    answered = predicted(row)

    if len(answered) > 1:
        assert answered == shown(system, 32, **asked)
        return
    assert answered[0].startswith(f"error: asked_algorithm: {algorithm} cannot run this")
    with pytest.raises(InputError, match=f"{algorithm} does not apply"):
        shown(system, 32, **asked)


def test_nccls_names_of_in_network_reduction_are_understood():
    """``CollnetChain``, as NCCL_ALGO spells it, is SHARP; RoCE's switches do not add, and a row says which do."""
    system = configure(catalog.system("dgx-h100"), domains=4, network="ib-ndr", in_network_reduction=True)
    row = row_of(system, 32, asked_algorithm="CollnetChain", in_network_reduction="on")

    assert predicted(row)[-1] == "parts:sharp"
    assert (
        "in_network_reduction: the switches of ib-hdr" in predicted(row | {"scale_out_link": "roce-400"})[0]
    )


def test_a_cube_mesh_of_more_gpus_than_it_joins_is_refused():
    """A DGX-1 has eight GPUs; PCIe joins none by NVLink."""
    row = row_of(catalog.system("dgx-1-v100"), 8, scale_up_topology="cube mesh")

    assert "a cube mesh joins 8 GPUs, not 12" in predicted(row | {"domain_gpus": 12})[0]
    assert "cube mesh is of NVLink" in predicted(row | {"scale_up_link": "pcie3-x16"})[0]


@pytest.mark.parametrize(
    ("gpu", "link", "gpus", "words"),
    [
        ("a100-sxm-80gb", "nvlink3", 2, ("mesh", "full mesh")),
        ("v100-sxm", "nvlink2", 2, ("cube mesh", "hybrid cube mesh")),
        ("a100-pcie-80gb", "nvlink3", 2, ("bridge", "pairs")),
        ("h100-sxm", "nvlink4", 4, ("switch",)),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_system_file_takes_the_words_of_a_row(gpu, link, gpus, words):
    """How GPUs are joined is said alike in a table and in a file, which shell, pages and HTTP read."""
    rows = {"gpu": gpu, "scale_up_link": link, "domain_gpus": gpus, "domains": 1}
    rows |= {"collective": "all_reduce", "size_bytes": SIZE}
    answers = {tuple(predicted(rows | {"scale_up_topology": word})) for word in words}
    systems = {
        read_system(json.dumps({"gpu": gpu, "domain": {"gpus": 4, "topology": word}})).scale_up.topology
        for word in words
    }

    assert len(answers) == len(systems) == 1
    assert len(answers.pop()) == 4
    assert systems == {Topology(words[0])}
