"""One slow GPU or link inside a node: clocks, a fault, a link that is down."""

import math
import re

from core.measurement.xid import HARDWARE_XIDS
from core.verdict.hypotheses.case import CERTAIN, SOME, STRONG, Case, Hypothesis
from core.verdict.records import NextTest, Reason

TEST = NextTest(
    "nvidia-smi -q -d PERFORMANCE,CLOCK; nvidia-smi nvlink -e; sudo dmesg | grep -i xid; "
    "nvbandwidth -t device_to_device_memcpy_read_ce",
    "a GPU with HW Slowdown, Xid lines, replay errors, or a row of the matrix below the others",
    "nvidia-smi -q -d PERFORMANCE and dmesg, grep Xid",
)
_BALANCING = re.compile(r"(?i)numa[ _](?:auto[ _])?balancing")
_BALANCING_TEST = NextTest(
    "sudo sysctl kernel.numa_balancing=0; <command>",
    "steadier and faster: the kernel moved memory between sockets during the run",
    "sysctl kernel.numa_balancing=0",
)
_SHARED_TEST = NextTest(
    "<command> with one process for each GPU: srun --gpus-per-task=1, CUDA_VISIBLE_DEVICES by rank, or -g N",
    "a slot of its own behind each `Rank`",
    "one process for each GPU",
)
_MOST_FACTOR = 2.0
"""That pages on the move cost."""


def slow_device(case: Case) -> list[Hypothesis]:
    """Any factor: collectives go at the pace of the slowest GPU."""
    evidence = case.evidence
    faults = [xid for xid in evidence.values("xid") if xid in HARDWARE_XIDS]
    if said := evidence.quote_of("xid", faults):
        ln_lines, what = STRONG, f"a GPU reported Xid {', '.join(faults[:3])}"
    elif said := evidence.quote("throttle"):
        ln_lines, what = CERTAIN, "a GPU is throttled"
    elif said := evidence.quote("gpu_fault"):
        ln_lines, what = STRONG, "a GPU reports memory errors (ECC, retired pages or remapped rows)"
    elif said := evidence.quote("clock"):
        ln_lines, what = STRONG, "a GPU runs at a low clock under load"
    elif said := evidence.quote("power_cap"):
        ln_lines, what = SOME, "a GPU is held at its power limit"
    else:
        ln_lines, what = 0.0, "one slow GPU or link (clocks, faults) sets the pace for all"
    prior = 0.04 if case.several_nodes else 0.1
    return [
        Hypothesis(Reason("slow_gpu", what, "one slow GPU or link"), prior, None, 0.0, TEST, ln_lines, said)
    ]


def shared_gpu(case: Case) -> list[Hypothesis]:
    """Ranks that take turns on one GPU: any factor, known by the slots that the log lists."""
    said = case.evidence.quote("shared_gpu")
    if not said:
        return []
    count = case.evidence.values("shared_gpu")[0]
    text = f"{count}: they take turns on it instead of talking to each other"
    return [Hypothesis(Reason("shared_gpu", text, count), 0.1, None, 0.0, _SHARED_TEST, CERTAIN, said)]


def numa_balancing(case: Case) -> list[Hypothesis]:
    """Pages that the kernel moves meanwhile: RCCL warns of it, and it may double a time."""
    warned = case.evidence.warned(_BALANCING)
    if not warned:
        return []
    text = "the kernel balances memory between sockets during the run (kernel.numa_balancing)"
    reason = Reason("numa_balancing", text, "NUMA balancing is on")
    return [Hypothesis(reason, 0.03, None, math.log(_MOST_FACTOR), _BALANCING_TEST, SOME, warned)]
