"""Commands that name several hosts, and ranks that list one."""

import pytest

from core.catalog import SYSTEMS
from core.verdict import Status, judge_run
from gpu_probe.parsers.evidence.launch_lines import gpus_of_a_thread, launched
from tests.figures.threads import Thread, reduced
from tests.gpu_probe.formats import only
from tests.gpu_probe.thread_logs import log_of

APART = "mpirun -np 8 -H worker1:4,worker2:4 ./build/all_reduce_perf -b 256M -e 4G -f 2"

ONE_NODE = Thread("one node", "", "", (), gpu="NVIDIA H100 80GB HBM3", local=8, tables=reduced(470))


def verdict_of(rate, *lines, nodes=1):
    """Of eight H100 at a rate, GB/s, with lines before the run."""
    thread = Thread("apart", "", "", (), gpu="NVIDIA H100 80GB HBM3", nodes=nodes, local=8 // nodes, tables=reduced(rate), lines=lines)  # fmt: skip
    return judge_run(only(log_of(thread).splitlines()), SYSTEMS["dgx-h100"])


def test_containers_of_one_host_are_told_by_the_command():
    """Two hosts of a command and one of the ranks are containers apart: the cause where slow, nothing where fast."""
    slow = verdict_of(40, APART)

    assert (slow.status, slow.causes[0].reason.code) == (Status.LOW, "split_node")
    assert verdict_of(40).causes[0].reason.code != "split_node"
    assert verdict_of(470, APART).status is Status.FINE


def test_hosts_that_ran_are_no_containers():
    """Where the ranks list as many hosts as the command names, nothing is odd."""
    assert all(cause.reason.code != "split_node" for cause in verdict_of(10, APART, nodes=2).causes)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (APART, ["2"]),
        ("horovodrun -np 4 --hosts a:2,b:2,c:2 python train.py", ["3"]),
        ("mpirun -H a:4,b:4 -np 8 ./all_reduce_perf", ["2"]),
        ("mpirun -np 8 -H localhost:8 ./all_reduce_perf", []),
        ("mpirun -np 8 -H a:4,a:4 ./all_reduce_perf", []),
        ("ssh -H a,b", []),
        ("mpirun -np 2 ./all_reduce_perf -b 8,16", []),
    ],
)
def test_hosts_of_a_command(line, said):
    """Only a launcher's list of different hosts counts."""
    assert [value for _, value in launched(line)] == said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("# nThread 1 nGpus 8 minBytes 8 maxBytes 134217728 step: 2(factor)", ["8"]),
        ("nThreads 2 nGpus 4 minBytes 8", ["4"]),
        ("# nThread 8 nGpus 1 minBytes 8", []),
        ("nGpus 8", []),
    ],
)
def test_gpus_of_a_thread(line, said):
    """The tests' first line says on how many GPUs each thread starts kernels."""
    assert [value for _, value in gpus_of_a_thread(line)] == said


def test_a_run_keeps_the_gpus_of_its_threads():
    """By ``-g 8``; one process a GPU is nothing to tell."""
    alone, together = (
        only([line.replace("nGpus 1", f"nGpus {count}") for line in log_of(thread).splitlines()])
        for count, thread in ((1, ONE_NODE), (8, ONE_NODE))
    )

    assert [item.value for item in together.observations if item.kind == "gpus_per_thread"] == ["8"]
    assert all(item.kind != "gpus_per_thread" for item in alone.observations)
