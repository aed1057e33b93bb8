"""Acceptance of a cluster: which node or link many runs together point at."""

import io
import json
from contextlib import redirect_stdout
from itertools import combinations

import pytest

from core.catalog import SYSTEMS
from core.collectives.pricing import Scenario, sweep
from core.measurement import GpuCount, Machine, Run, Sample
from core.measurement.run_json import to_json
from core.systems import configure
from core.verdict import judge_run
from core.verdict.acceptance import accept
from gpu_probe.__main__ import main

TWO = configure(SYSTEMS["dgx-h100"], domains=2)
SIZE = 4 << 30
NODES = ("n1", "n2", "n3", "n4")


def a_pair(first, second, factor=1.0):
    """A run of two nodes, so many times as slow as expected."""
    time_s = factor * float(sweep(Scenario(TWO, "all_gather", 16, dtype="float"), [SIZE]).time_s[0])
    machine = Machine((GpuCount("NVIDIA H100", 16),), (first, second))
    sample = Sample("all_gather", SIZE, time_s, "out-of-place", 0)
    return Run(f"{first}-{second}", "nccl-tests-text", "all_gather", 16, machine, (sample,), dtype="float")


def accepted(slow):
    """All pairs of four nodes, some of them slow."""
    runs = [a_pair(*pair, factor=slow.get(pair, 1.0)) for pair in combinations(NODES, 2)]
    return accept([(run, judge_run(run, TWO)) for run in runs])


def test_a_good_cluster_has_nothing_to_swap():
    """Six pairs as expected: all fine."""
    answer = accepted({})

    assert answer.counts == {"fine": 6}
    assert (answer.weak_nodes, answer.weak_links, answer.swap) == ({}, (), ())


def test_a_node_slow_in_all_its_pairs_is_the_weak_one():
    """Three slow pairs share one node."""
    answer = accepted({pair: 3.0 for pair in combinations(NODES, 2) if "n2" in pair})

    assert set(answer.weak_nodes) == {"n2"}
    assert answer.weak_links == ()
    assert "n2: take it out" in answer.swap[0]


def test_one_slow_pair_is_a_link():
    """Two nodes that are well with others: the path between them is weak."""
    answer = accepted({("n1", "n3"): 3.0})

    assert answer.weak_nodes == {}
    assert answer.weak_links == (("n1", "n3"),)


def test_behind_its_peers_is_weak_though_fine():
    """A pair 15 % slower than five like it stands out, even inside the interval."""
    answer = accepted({("n1", "n3"): 1.15})

    assert answer.weak_links == (("n1", "n3"),)


@pytest.mark.parametrize(("factor", "status"), [(1.0, 0), (3.0, 1)])
def test_the_shell_prints_one_page(tmp_path, factor, status):
    """Many files to one page; the exit tells whether all is well."""
    files = []
    for first, second in combinations(NODES, 2):
        path = tmp_path / f"{first}-{second}.json"
        path.write_text(
            json.dumps(to_json(a_pair(first, second, factor if "n4" in (first, second) else 1.0)))
        )
        files.append(str(path))
    out, page = io.StringIO(), io.StringIO()
    with redirect_stdout(out):
        code = main(["accept", *files, "--system", "dgx-h100", "--json"])
    with redirect_stdout(page):
        main(["accept", *files, "--system", "dgx-h100"])

    assert code == status
    assert list(json.loads(out.getvalue())["weak_nodes"]) == ([] if factor == 1.0 else ["n4"])
    assert ("weak nodes:" in page.getvalue()) == bool(status)
