"""Acceptance of a cluster: which node or link many runs together point at."""

import io
import json
from contextlib import redirect_stdout
from dataclasses import replace
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


def a_pair(first, second, factor=1.0, sizes=(SIZE,)):
    """A run of two nodes, so many times as slow as expected."""
    times = factor * sweep(Scenario(TWO, "all_gather", 16, dtype="float"), sizes).time_s
    machine = Machine((GpuCount("NVIDIA H100", 16),), (first, second))
    samples = tuple(
        Sample("all_gather", size, float(time_s), "out-of-place", 0)
        for size, time_s in zip(sizes, times, strict=True)
    )
    return Run(f"{first}-{second}", "nccl-tests-text", "all_gather", 16, machine, samples, dtype="float")


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


@pytest.mark.parametrize("smallest", [64 << 20, 1 << 30])
def test_peers_are_compared_at_one_size(smallest):
    """A healthy log to 64 MiB beside three to 8 GiB is not behind them; without a common size nothing is said."""
    large = [smallest << power for power in range(4)] + [8 << 30]
    runs = [a_pair(*pair, sizes=large) for pair in (("n1", "n2"), ("n1", "n3"), ("n2", "n3"))]
    runs.append(a_pair("n1", "n4", sizes=(32 << 20, 64 << 20)))
    answer = accept([(run, judge_run(run, TWO)) for run in runs])

    assert (answer.weak_nodes, answer.weak_links) == ({}, ())
    assert answer.members[0].peer_share == pytest.approx(1)
    assert (answer.members[3].peer_share is None) == (smallest > 64 << 20)


def test_a_log_that_names_no_host_is_no_node():
    """A weak run whose log lists no hosts is told by its file, and no node is taken out for it."""
    run = replace(a_pair("n1", "n2", 3.0), machine=Machine(), file="all.log")
    answer = accept([(run, judge_run(run, TWO))])

    assert (answer.weak_nodes, answer.weak_links, answer.unexplained) == ({}, (), ("all.log",))
    assert answer.swap == ("all.log: names no host; keep the lines `# Rank ... on HOST` of nccl-tests",)


def test_what_was_not_judged_is_not_ok(tmp_path):
    """A run on another GPU than the system's has no verdict: the page marks it with a question mark."""
    run = a_pair("n1", "n2")
    path = tmp_path / "pair.json"
    path.write_text(
        json.dumps(to_json(replace(run, machine=replace(run.machine, gpus=(GpuCount("NVIDIA A100", 16),)))))
    )
    page = io.StringIO()
    with redirect_stdout(page):
        code = main(["accept", str(path), "--system", "dgx-h100"])

    assert code == 2
    assert "  ?    " in page.getvalue()


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
