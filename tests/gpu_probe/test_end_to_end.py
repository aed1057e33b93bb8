"""From the probe's processes to the store: measured, sent, kept once, read back."""

import re

from core.measurement import GpuCount, Machine
from core.measurement.run_json import runs_from_json
from gpu_probe.machine import merge_machines
from gpu_probe.parsers import read
from tests.gpu_probe.conftest import probe

NUMBER = re.compile(r"/measurements\?runs=(\d+)")
"""A run's number in what push prints."""


def test_four_processes_reach_the_store_once(four, tmp_path, plain_server):
    """A probing of four processes is pushed, pushed again, listed, and comes back as it was measured."""
    (tmp_path / "run.json").write_bytes(four.path.read_bytes())
    runs = read("run.json", four.path.read_bytes())
    server = plain_server

    first = probe("push", "run.json", "--server", server.base, cwd=tmp_path)
    for diary in tmp_path.glob(".run.json.*.pushed"):
        diary.unlink()
    again = probe("push", "run.json", "--server", server.base, cwd=tmp_path)
    numbers = {int(number) for number in NUMBER.findall(first.stdout)}
    page = server.get("/api/v1/runs", params={"limit": 200}).json()["runs"]
    ours = [row["id"] for row in page if row["id"] in numbers]
    back = [server.get(f"/api/v1/runs/{number}").json() for number in ours]

    assert (first.returncode, first.stdout.count("(new)")) == (0, 6), first.stderr
    assert (again.returncode, again.stdout.count("(already there)")) == (0, 6), again.stderr
    assert {int(number) for number in NUMBER.findall(again.stdout)} == numbers
    assert len(ours) == 6
    found = {run.collective: run for value in back for run in runs_from_json(value)}
    assert {name: run.samples for name, run in found.items()} == {run.collective: run.samples for run in runs}
    assert {run.origin for run in found.values()} == {"cpu"}


def test_a_probing_without_results_has_nothing_to_send(alone, tmp_path):
    """One process on a CPU skips everything: push says so and does not bother the server."""
    (tmp_path / "run.json").write_bytes(alone.path.read_bytes())
    process = probe("push", "run.json", "--server", "http://127.0.0.1:9", cwd=tmp_path)

    assert process.returncode == 1
    assert "nothing to send" in process.stderr


def test_gpus_of_many_processes_are_counted_once():
    """Eight processes that each see all eight GPUs, or each one of them, make eight GPUs a host."""
    all_seen = [Machine((GpuCount("H100", 8),), (f"node{i // 8}",)) for i in range(16)]
    one_each = [Machine((GpuCount("H100", 1),), (f"node{i // 8}",)) for i in range(16)]

    for machines in (all_seen, one_each):
        found = merge_machines(machines)
        assert [(gpu.name, gpu.count) for gpu in found.gpus] == [("H100", 16)]
        assert found.hosts == ("node0", "node1")
