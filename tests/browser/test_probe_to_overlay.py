"""From two processes of the probe to the picture: run, push, overlay."""

import httpx

from tests.gpu_probe.conftest import probe


def test_a_probing_of_two_processes_lies_on_the_overlay(visit, server, tmp_path):
    """Measured over gloo, pushed to the server, and drawn from its store, said to be of processors."""
    measured = probe("run", "--quick", "--ranks", 2, "-o", "run.json", cwd=tmp_path)
    sent = probe("push", "run.json", "--server", server, cwd=tmp_path)
    kept = httpx.get(f"{server}/api/v1/runs", params={"operation": "all_reduce"}).json()["runs"]

    assert (measured.returncode, sent.returncode) == (0, 0), measured.stderr + sent.stderr
    visitor = visit(f"measurements?runs={kept[0]['id']}")
    chart = visitor.page.locator('[aria-label^="All-reduce bus bandwidth vs message size: measured"]')
    chart.first.wait_for()
    assert f"run {kept[0]['id']}" in chart.first.inner_text()
    assert chart.first.is_visible()
