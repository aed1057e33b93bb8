"""The one command to run next: which separates the likely causes, and what each of them would show."""

from dataclasses import replace

import numpy as np
import pytest

from core.measurement import GpuCount, Observation
from core.verdict import judge_run
from core.verdict.evidence import Evidence
from core.verdict.instruments import INSTRUMENTS
from core.verdict.next_step import next_step
from core.verdict.posterior import UNKNOWN
from core.verdict.records import Cause, NextTest, Reason
from core.verdict.report import verdict_json, verdict_text
from tests.core.defects import DEFECTS

SOUND_LINES = (
    Observation("transport", "NET/IB GDRDMA receive"),
    Observation("nics", "mlx5_0:1/IB mlx5_1:1/IB"),
    Observation("channels", "16"),
)


def a_cause(code, weight):
    """A cause of this code with a test of its own."""
    reason = UNKNOWN if code == UNKNOWN.code else Reason(code, f"because of {code}", code)
    return Cause(reason, weight, (), NextTest(f"test {code}", f"{code} shown", f"try {code}"))


def step_of(*causes, lines=()):
    """The next step of causes by code and weight."""
    return next_step([a_cause(code, weight) for code, weight in causes], Evidence(lines))


def test_no_cause_asks_for_nothing():
    """A run that is not low has no next step."""
    assert next_step((), Evidence()) is None


def test_one_command_tells_three_causes_apart():
    """Half of the rate without a line: NCCL's own lines tell copies through the host, missing NICs and neither."""
    step = step_of(("no_gpudirect", 0.45), ("fewer_nics", 0.3), ("pcie_path", 0.2))

    assert step.command.startswith("NCCL_DEBUG=INFO")
    assert "via NET|NET/IB : Using" in step.command
    assert [item.reason.code for item in step.outcomes] == ["no_gpudirect", "fewer_nics", "pcie_path"]
    assert len({item.shows for item in step.outcomes}) == 3


def test_what_the_log_holds_is_not_asked_for_again():
    """With NCCL's lines in the paste the next command is another one."""
    causes = (("no_gpudirect", 0.4), ("pcie_path", 0.35), ("oversubscribed", 0.1))

    assert step_of(*causes).command.startswith("NCCL_DEBUG=INFO")
    assert "lspci" in step_of(*causes, lines=SOUND_LINES).command


def test_a_sure_cause_is_confirmed_by_its_own_test():
    """From nine tenths on its own test comes next."""
    step = step_of(("fewer_nics", 0.95), ("pcie_path", 0.05))

    assert (step.command, step.brief) == ("test fewer_nics", "try fewer_nics")


def test_the_network_and_a_node_are_told_by_pairs():
    """Oversubscription and one slow node show in the pairs of nodes, each in its own way."""
    step = step_of(("oversubscribed", 0.5), ("slow_node", 0.4), (UNKNOWN.code, 0.1))

    assert "every pair of nodes" in step.command
    assert step.outcomes[-1].reason.short == "another cause"


def test_an_unknown_cause_alone_keeps_its_test():
    """Where nothing is known but that it is slow, the command is that of the unknown cause."""
    assert step_of((UNKNOWN.code, 0.7)).command == f"test {UNKNOWN.code}"


@pytest.mark.parametrize("instrument", INSTRUMENTS, ids=lambda item: item.name)
def test_every_instrument_says_what_it_shows_and_what_else(instrument):
    """A command takes the patterns that it searches for, and says what it shows without the cause."""
    patterns = [pattern for pattern, _ in instrument.signs.values() if pattern]

    assert instrument.nothing
    assert instrument.brief
    assert ("{}" in instrument.command) == bool(patterns)
    assert all(shows for _, shows in instrument.signs.values())


@pytest.mark.parametrize("name", ["ACS on", "throttled GPU", "TCP"])
@pytest.mark.parametrize("lines", [True, False])
def test_each_low_run_says_what_to_run_next(name, lines):
    """In JSON and text: the command, and a line for each listed cause."""
    defect = DEFECTS[name]
    run = defect.run(np.random.default_rng(1), lines=lines)
    verdict = defect.verdict(np.random.default_rng(1), lines=lines)
    report = verdict_json(run, defect.system, verdict)

    assert [item["reason"] for item in report["next"]["shows"]] == [c["reason"] for c in report["causes"]]
    assert f"run next: {report['next']['command']}" in verdict_text(report)
    assert verdict.next_step.brief in report["headline"]


def test_what_is_not_judged_has_no_next_step():
    """A slow run on another GPU than the system's has no verdict, no cause and nothing to run for one."""
    defect = DEFECTS["throttled GPU"]
    run = defect.run(np.random.default_rng(1), lines=False)
    verdict = judge_run(
        replace(run, machine=replace(run.machine, gpus=(GpuCount("NVIDIA A100", 8),))), defect.system
    )

    assert (str(verdict.status), verdict.causes, verdict.next_step) == ("unknown", (), None)
