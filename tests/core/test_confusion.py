"""Causes on logs of machines with a known defect: named with their lines, told from each other, no false alarm."""

import numpy as np
import pytest

from core.verdict import judge_runs
from core.verdict.recognition import system_of_file
from gpu_probe.parsers import read
from tests.bench.causes.defects import DEFECTS, harms
from tests.bench.causes.machines import LEFT_OUT, SEEN
from tests.bench.causes.matrix import EVIDENCE, asked

SOUND = ("none", "rings forced, two nodes at full rate")
SOME = tuple(bench for bench in (*SEEN, *LEFT_OUT) if bench.ranks <= 32)[1::3]
NEEDED = {"all lines": (0.93, 0.93), "half of the lines": (0.65, 0.75), "curve alone": (0.42, 0.6)}
"""First and among three; the docs hold what the whole matrix reaches."""
DEVIATIONS = 2.4
"""Standard deviations of the share of right answers: 0.15 of 64 logs."""


@pytest.fixture(scope="module")
def rows():
    """One log of each defect and machine at each evidence."""
    return asked(SOME)


@pytest.mark.parametrize("evidence", EVIDENCE)
def test_defects_are_named_as_far_as_their_log_tells(rows, evidence):
    """With all lines nearly every defect comes first; from the curve alone most are among the three."""
    part = [row for row in rows if row.evidence == evidence and row.defect not in SOUND]
    first, among = np.mean([row.right for row in part]), np.mean([row.among for row in part])

    assert first >= NEEDED[evidence][0]
    assert among >= NEEDED[evidence][1]


def test_sound_machines_are_fine(rows):
    """Seven percent of noise makes no sound machine low, whatever its log holds."""
    assert [row for row in rows if row.defect == "none" and not row.right] == []


def test_what_is_listed_and_not_first_is_told_by_the_next_command(rows):
    """Where another cause comes first, the next command mostly shows something else under the right one."""
    second = [row for row in rows if row.among and not row.right]

    assert len(second) > 20
    assert np.mean([row.apart for row in second]) > 0.6


@pytest.mark.parametrize(("least", "most"), [(0.4, 0.6), (0.6, 0.8), (0.8, 1.01)])
def test_a_weight_is_no_boast(rows, least, most):
    """Of causes stated at such a weight as many are right, but for what chance does to so many logs."""
    part = [row for row in rows if row.defect not in SOUND and row.named != "below_the_band"]
    part = [row for row in part if least <= row.weight < most]
    chance = DEVIATIONS * 0.5 / np.sqrt(len(part))

    assert np.mean([row.right for row in part]) > np.mean([row.weight for row in part]) - chance


def test_every_defect_is_asked_of_some_machine():
    """No line of the table is empty."""
    for defect in DEFECTS:
        assert any(defect.applies(bench) and harms(defect, bench) for bench in (*SEEN, *LEFT_OUT)), (
            defect.name
        )


def test_a_fine_run_on_half_of_its_nics_says_so():
    """Two nodes whose tree hides missing adapters are fine; that the log names half of them is said."""
    defect = next(item for item in DEFECTS if item.name == "none")
    bench = next(item for item in SEEN if item.name == "H100, InfiniBand" and item.nodes == 2)
    log = defect.log(bench, np.random.default_rng(2), share=1.0, noise=0.01)
    half = " ".join(f"[{index}]mlx5_{index}:1/IB" for index in range(4))
    whole = next(line for line in log.splitlines() if "NET/IB : Using" in line)
    fewer = log.replace(
        whole, f"node0:4100:4200 [0] NCCL INFO NET/IB : Using {half} [RO]; OOB eno1:10.0.0.1<0>"
    )
    said = [judge_runs(read("log", text.encode()), bench.system)[0] for text in (log, fewer)]

    assert [str(verdict.status) for verdict in said] == ["fine", "fine"]
    assert [any("4 of 8 NICs" in text for text in verdict.warnings) for verdict in said] == [False, True]


def test_one_host_that_nccl_counts_as_eight_is_one_machine():
    """Without a system named, eight GPUs of one host that talk over the network are a split node, no eight machines."""
    defect = next(item for item in DEFECTS if item.name == "host split by containers")
    bench = next(item for item in LEFT_OUT if item.name == "H20" and item.nodes == 1)
    runs = read("log", defect.log(bench, np.random.default_rng(4), share=1.0, noise=0.03).encode())
    match = system_of_file(runs)
    verdict = judge_runs(runs, match.system)[0]

    assert (match.system.domains, match.system.domain_gpus) == (1, 8)
    assert verdict.causes[0].reason.code == "split_node"
