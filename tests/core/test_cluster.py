"""A whole cluster's logs on one page: weak links, a weak node, a weak GPU, another GPU, and the fine rest."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout

import pytest

from core.verdict.cluster_parts import host_in_name
from gpu_probe.__main__ import main
from tests.cluster import H200, cluster, name

NODES = 10
FAULTS = {"weak_links": ((1, 4), (5, 8)), "weak_nodes": (2,), "weak_gpus": (6,), "wrong": (9,)}


def accepted(folder, logs, *options):
    """What the shell prints of these logs, and its exit status."""
    paths = []
    for file, text in logs.items():
        path = folder / file
        path.write_text(text)
        paths.append(str(path))
    page = io.StringIO()
    with redirect_stdout(page), redirect_stderr(io.StringIO()):
        code = main(["accept", *paths, "--system", "dgx-h100", *options])
    return code, page.getvalue()


@pytest.fixture(scope="module")
def logs():
    """All pairs, all nodes together and the copies of each node, with every kind of fault."""
    return cluster(NODES, **FAULTS)


def test_each_fault_is_found_and_nothing_else(tmp_path, logs):
    """Two links, a node, a GPU and a node with other GPUs; the pairs of sound nodes are fine."""
    code, text = accepted(tmp_path, logs, "--json")
    page = json.loads(text)

    assert code == 1
    assert set(page["weak_nodes"]) == {name(2), name(6)}
    assert page["weak_links"] == [[name(1), name(4)], [name(5), name(8)]]
    assert page["other_gpus"] == {name(9): H200}
    assert page["unexplained"] == []
    assert (page["nodes"], page["fine_nodes"]) == (NODES, NODES - 7)


def test_what_to_do_names_the_part(tmp_path, logs):
    """The GPU whose copies are slow, the node that is slow in all of its pairs, both ends of a link, the other GPU."""
    swap = json.loads(accepted(tmp_path, logs, "--json")[1])["swap"]

    assert any(text.startswith(f"{name(6)}: all pairs of GPU3 are slow") for text in swap)
    assert any(text.startswith(f"{name(2)}: take it out") for text in swap)
    assert any(text.startswith(f"{name(1)} to {name(4)}: ") for text in swap)
    assert any(text.startswith(f"{name(9)}: holds {H200}") for text in swap)


def test_the_page_is_one_page(tmp_path, logs):
    """Of many runs it lists those that are not fine, links before the many pairs of a weak node, and sums up the rest."""
    _, text = accepted(tmp_path, logs)
    lines = text.splitlines()
    weak = [line for line in lines if line.startswith("  weak ")]

    assert len(lines) < 70
    assert f"{NODES - 7} of {NODES} nodes without a finding" in lines
    assert [
        f"{name(a)}+{name(b)}" in line for line, (a, b) in zip(weak[:2], FAULTS["weak_links"], strict=True)
    ] == [
        True,
        True,
    ]
    assert any("all.log" in line for line in lines)
    assert any("runs of 2 hosts" in line for line in lines)


def test_a_sound_cluster_has_one_line_for_all(tmp_path):
    """Nothing weak: counts, nodes, and what the runs reach."""
    code, text = accepted(tmp_path, cluster(NODES))

    assert code == 0
    assert "10 of 10 nodes without a finding" in text
    assert "what to do" not in text
    assert len(text.splitlines()) <= 7


@pytest.mark.parametrize(
    ("file", "host"),
    [
        ("p2p-gpu006.log", ("gpu006",)),
        ("logs/gpu006/p2p.log", ()),
        ("gpu006_gpu007.txt", ()),
        ("p2p-gpu0061.log", ()),
        ("rack1.node-a.txt", ("node-a",)),
        ("a-" * 20 + "gpu006.log", ("gpu006",)),
        ("a-" * 2_000 + "gpu006.log", ()),
    ],
)
def test_a_file_named_after_a_host_is_of_that_host(file, host):
    """Copies name no host: the one word of the file's name that is a host of the cluster tells it."""
    assert host_in_name(file, frozenset({"gpu006", "gpu007", "node-a"})) == host
