"""How much must be measured: each run narrows the interval, and what is known is not measured again."""

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.catalog import system
from core.checks import InputError
from core.collectives.cost_model import Point, predict
from core.collectives.plan import COLLECTIVES, measurement_plan
from core.collectives.pricing import Scenario, setting_of
from core.shell import call
from core.shell.commands.plan import text
from core.shell.main import main
from core.systems import configure

NODE = system("dgx-h100")
NODES = configure(NODE, domains=16)


@given(st.sampled_from(("dgx-a100", "dgx-h100", "gb200-nvl72", "mi300x-x8")), st.integers(1, 4))
@settings(max_examples=4, deadline=None)
def test_every_run_narrows_the_interval(name, domains):
    """On any machine each planned run leaves a narrower interval than the one before, and none comes twice."""
    plan = measurement_plan(configure(system(name), domains=domains), runs=2)
    widths = [plan.width_before, *(run.width_after for run in plan.runs)]
    assert all(later < earlier for earlier, later in pairwise(widths))
    assert widths[-1] > 1
    assert len({(run.collective, run.domains, run.size_bytes) for run in plan.runs}) == 2


def test_the_plan_goes_on_from_what_is_measured():
    """Measured as expected, the first runs of a plan leave no more than the plan said, and the same next ones."""
    whole = measurement_plan(NODES, runs=3)
    points = []
    for run in whole.runs[:2]:
        scenario = Scenario(NODES, collective=run.collective, ranks=run.ranks)
        points.append(Point(setting_of(scenario), run.size_bytes, run.expected_s))
    rest = measurement_plan(NODES, runs=1, points=points)
    assert rest.points == 2
    assert rest.width_before < 1.01 * whole.runs[1].width_after
    assert [run.command for run in rest.runs] == [run.command for run in whole.runs[2:]]


def test_the_width_is_that_of_the_answers():
    """The interval of a planned size is narrower once it is measured, by the cost model itself."""
    run = measurement_plan(NODE, runs=1).runs[0]
    setting = setting_of(Scenario(NODE, collective=run.collective, ranks=run.ranks))
    before = predict(setting, [run.size_bytes])
    after = predict(setting, [run.size_bytes], [Point(setting, run.size_bytes, run.expected_s)])
    assert after.high_s[0] / after.low_s[0] < 0.8 * before.high_s[0] / before.low_s[0]


def test_points_of_another_machine_change_nothing():
    """They are counted as such; the plan is that of a cluster without points."""
    foreign = setting_of(Scenario(system("dgx-a100"), collective="all_reduce", ranks=8))
    plan = measurement_plan(NODE, runs=1, points=[Point(foreign, 2**20, 1e-4)])
    assert plan.runs == measurement_plan(NODE, runs=1).runs
    assert plan.points == 0
    assert "1 measured point is of another machine" in plan.warnings


def test_shell_and_programs_get_the_same_plan(capsys, tmp_path):
    """Measured points come as a CSV to the shell and as rows to a program; the answer is one."""
    rows = {"gpu": "h100-sxm", "scale_up_link": "nvlink4", "domain_gpus": 8, "domains": 1}
    rows |= {"collective": "all_reduce", "size_bytes": 2**20, "time_us": 40}
    path = tmp_path / "points.csv"
    path.write_text(",".join(rows) + "\n" + ",".join(map(str, rows.values())) + "\n")
    assert main(["plan", "--runs", "2", "--measured", str(path), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == call.answer("plan", {"runs": 2, "measured": [rows]})
    assert printed["points"] == 1
    assert printed["runs"][0]["command"].startswith("mpirun -np 8 ")


def test_there_are_at_most_so_many_runs(capsys):
    """A node has ten sizes of an all-reduce: eleven runs are ten, and a remark says why; one point is one point."""
    whole = measurement_plan(NODE, runs=11, collectives=("all_reduce",))
    assert len(whole.runs) == 10
    assert "Every size of every collective is measured then" in whole.warnings[1]
    setting = setting_of(Scenario(NODE, collective="all_reduce", ranks=8))
    points = [Point(setting, run.size_bytes, run.expected_s) for run in whole.runs]
    assert measurement_plan(NODE, runs=1, points=points, collectives=("all_reduce",)).runs == ()
    assert "with 1 measured point:" in text(measurement_plan(NODE, runs=1, points=points[:1]))
    assert main(["plan", "--collectives", "all_reduce", "--runs", "11"]) == 0
    assert "more runs would tell nothing" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ({"runs": 99}, "runs: a whole number from 1 to 20"),
        ({"collectives": ()}, "collectives: at least one"),
        ({"collectives": ("gossip",)}, "collectives: 'gossip' is unknown"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(inputs, reason):
    """In one line that names the argument."""
    with pytest.raises(InputError, match=reason):
        measurement_plan(NODE, **inputs)


def test_collectives_that_nobody_asks_for_are_not_measured():
    """A service that only gathers needs no all-to-all."""
    plan = measurement_plan(NODE, runs=3, collectives=("all_gather",))
    assert {run.collective for run in plan.runs} == {"all_gather"}
    assert set(plan.collectives) < set(COLLECTIVES)
