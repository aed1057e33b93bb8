"""The page My cluster: a log becomes a fit, is kept, and answers in the calculators as yours."""

import json
import re
from pathlib import Path

import pytest

from core.catalog import SYSTEMS
from core.collectives.fitted import read_fit
from core.collectives.pricing import Scenario, sweep
from core.shell.main import main
from core.systems import CustomSystem, custom_system, system_json
from pages.ui.shared import folded
from tests.gpu_probe.formats import nccl_tests, text
from tests.pages.test_badges import badges

SIZES = tuple(2**k for k in range(10, 31))
FACTOR = 1.4


def run_file():
    """A run file of an all-reduce on eight H100, slower than calibrated."""
    found = sweep(Scenario(SYSTEMS["dgx-h100"], "all_reduce", 8), SIZES)
    samples = [
        {
            "operation": "all_reduce",
            "size_bytes": size,
            "time_s": FACTOR * time_s,
            "placement": "out-of-place",
        }
        for size, time_s in zip(SIZES, found.time_s.tolist(), strict=True)
    ]
    machine = {"gpus": [{"name": "NVIDIA H100 80GB HBM3", "count": 8}], "hosts": ["node1"]}
    run = {"file": "a.json", "format": "wirespeed-run", "collective": "all_reduce", "ranks": 8}
    return json.dumps(
        {"format_version": 1, "runs": [run | {"machine": machine, "samples": samples}]}
    ).encode()


def fitted(visit, **query):
    """The page with the run uploaded."""
    app = visit("my_cluster", **query)
    app.file_uploader(key="_cluster_runs_file").upload("a.json", run_file())
    return app.run()


def opened_numbers(app):
    """What a page says once its numbers are opened."""
    app.session_state[folded.KEY] = True
    return " ".join(line.value for line in app.run().markdown)


def test_before_a_run_the_page_says_what_it_needs(visit):
    """Without a run there is an explanation and an empty list of fits."""
    said = " ".join(box.value for box in visit("my_cluster").info)

    assert "No run yet" in said
    assert "No fit is stored" in said


def test_a_run_file_becomes_a_fit(visit, headline):
    """The machine is taken from the run; sizes, error, doubts and two charts are there."""
    app = fitted(visit, fit_name="rack 7")

    assert not app.exception
    assert "rack 7: sizes left out are predicted" in headline(app)
    assert re.search(r"All-reduce, 1 × 8 GPUs: \d+ GB/s busbw at 1 GiB, calibrated \d+ GB/s", headline(app))
    assert len(app.get("vega_lite_chart")) == 2
    assert any("the network: no run spans domains" in line.value.lower() for line in app.markdown)


def test_a_kept_fit_answers_in_the_calculators(visit, headline):
    """Kept under its name it is offered with *yours*; the collective then takes as long as measured."""
    app = fitted(visit, fit_name="rack 7")
    app.button(key="_fit_save").click().run()
    assert any("rack 7 is saved" in box.value for box in app.success)

    plain = headline(visit("collectives", ranks=8))
    mine = visit("collectives", ranks=8, rates="yours", fit="rack 7")
    assert not mine.exception
    assert headline(mine) != plain
    assert "fitted:rack 7" in opened_numbers(mine)
    assert badges(mine) == ["your cluster"]
    for page in ("tensor_parallel", "gradient_sync", "bandwidth_hierarchy", "nvl72"):
        assert not visit(page, rates="yours", fit="rack 7").exception
    elsewhere = visit("collectives", system="dgx-b200", rates="yours", fit="rack 7")
    assert badges(elsewhere) == ["calibrated rates"]
    reasons = [item.value for item in elsewhere.container(key="headline").caption]
    assert any("The fit rack 7 does not cover it or is no better there" in reason for reason in reasons)


def test_a_stored_fit_is_what_yours_means(visit, headline):
    """After *Store fit* a choice of *yours* is enough; a link that names the fit says *yours* without saying so."""
    app = fitted(visit, fit_name="rack 7")
    app.button(key="_fit_save").click().run()
    app.switch_page(str(Path(__file__).resolve().parents[2] / "pages" / "collectives.py"))
    app.run()
    app.segmented_control(key="rates").set_value("yours").run()

    assert not app.exception
    assert "fitted:rack 7" in opened_numbers(app)
    linked = visit("collectives", ranks=8, fit="rack 7")
    assert badges(linked) == ["your cluster"]
    assert headline(linked) == headline(visit("collectives", ranks=8, rates="yours", fit="rack 7"))


def test_a_taken_name_is_refused_unless_replaced(visit):
    """The same name again is one line, and with the box ticked it replaces."""
    app = fitted(visit, fit_name="rack 7")
    app.button(key="_fit_save").click().run()
    app.button(key="_fit_save").click().run()
    assert any("already" in box.value for box in app.error)
    app.checkbox(key="_fit_replace").check().run()
    app.button(key="_fit_save").click().run()

    assert any("is saved" in box.value for box in app.success)
    assert len(app.dataframe[-1].value) == 1


def test_a_kept_fit_can_go(visit):
    """Delete takes the fit off the list."""
    app = fitted(visit)
    app.button(key="_fit_save").click().run()
    app.button(key="_fit_delete").click().run()

    assert any("is deleted" in box.value for box in app.success)
    assert any("No fit is stored" in box.value for box in app.info)


def test_a_fit_file_is_taken_by_the_calculators(visit):
    """An exported fit uploaded beside the rates answers without the store."""
    from core.collectives.fitted import fit_json
    from core.verdict.points import fit_runs
    from gpu_probe.parsers import read

    fit = fit_runs("from afar", read("a.json", run_file()), SYSTEMS["dgx-h100"])
    app = visit("collectives", ranks=8, rates="yours", fit="uploaded file")
    app.file_uploader(key="_fit_file").upload("fit.json", json.dumps(fit_json(fit)).encode())
    app.run()

    assert not app.exception
    assert "fitted:from afar" in opened_numbers(app)
    app.file_uploader(key="_fit_file").upload("bad.json", b"{}")
    app.run()
    assert not app.exception
    assert any("fit." in box.value for box in app.error)
    assert read_fit(json.dumps(fit_json(fit))).name == "from afar"


def test_a_log_without_enough_sizes_is_explained(visit):
    """A log of one size is no sweep; the page says so in words."""
    app = visit("my_cluster", cluster_system="dgx-h100")
    app.file_uploader(key="_cluster_runs_file").upload("a.log", text(nccl_tests(ranks=8, sizes=(1024,))))
    app.run()

    assert not app.exception
    assert any("usable sizes" in box.value for box in app.warning)


@pytest.mark.parametrize(
    ("inputs", "options"),
    [({}, []), ({"launch": "graph"}, ["--launch", "graph"])],
)
def test_the_plan_is_that_of_the_shell(visit, capsys, inputs, options):
    """Before any run the page names the runs that tell most, with commands, widths and notes of ``plan``."""
    app = visit("my_cluster", plan_runs=2, **inputs)
    assert main(["plan", "--runs", "2", *options, "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)

    assert not app.exception
    assert "\n".join(run["command"] for run in plan["runs"]) in [block.value for block in app.code]
    assert any(f"{plan['runs'][-1]['width_after']:.2f} times" in line.value for line in app.markdown)
    assert any(f"{plan['width_before']:.2f} times" in line.value for line in app.markdown)
    assert any(plan["warnings"][0] in line.value for line in app.caption)


def test_stored_fits_stay_where_nothing_can_be_planned(visit):
    """One GPU has nothing to measure between GPUs: a sentence says so, and the fits stand below as ever."""
    app = visit("my_cluster", system="file")
    system = json.dumps(system_json(custom_system(CustomSystem("b200-sxm", 1, name="alone"))))
    app.file_uploader(key="_system_file").upload("box.json", system.encode()).run()

    assert not app.exception
    assert any("there is nothing to measure between GPUs" in box.value for box in app.info)
    assert "Stored fits" in [box.label for box in app.expander]


def test_a_fit_leaves_less_to_measure(visit):
    """With a sweep of all-reduce at hand the plan goes on with other collectives."""
    app = fitted(visit, plan_runs=1)

    assert not app.exception
    command = next(block.value for block in app.code if "_perf" in block.value)
    assert "all_reduce_perf" not in command
