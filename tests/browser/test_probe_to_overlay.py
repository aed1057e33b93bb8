"""From the processes of the probe to the picture: run, push, overlay."""

import re

from tests.gpu_probe.conftest import alone, four, probe, single  # noqa: F401 - fixtures


def test_a_probing_of_four_processes_lies_on_the_overlay(visit, server, four, tmp_path):  # noqa: F811
    """Measured over gloo, pushed to the server, and drawn from its store, said to be of processors."""
    (tmp_path / "run.json").write_bytes(four.path.read_bytes())
    sent = probe("push", "run.json", "--server", server, cwd=tmp_path)

    assert sent.returncode == 0, sent.stderr
    path, number = re.search(r"/(measurements\?runs=(\d+)) \(new\)", sent.stdout).groups()
    visitor = visit(path)
    chart = visitor.page.locator('[aria-label="All-reduce bus bandwidth vs message size"]')
    chart.first.wait_for()
    assert f"run {number}" in chart.first.inner_text()
    assert chart.first.is_visible()
