"""Logs that compare machines: every run is judged on its own, and the headline says which."""

import json

from core.verdict.machines import by_machine
from gpu_probe.__main__ import main
from gpu_probe.parsers import read
from pages.http.ask.check import judged
from tests.each import table
from tests.gpu_probe.formats import nccl_tests, text, topology

COMPARED = (
    "all_reduce_perf",
    "",
    "| System | busbw (GB/s) |",
    "|---|---|",
    "| 8x A100 | 231 |",
    "| 8x H100 | 231 |",
)


def test_runs_of_two_machines_are_judged_on_their_own(tmp_path, capsys):
    """231 GB/s is what eight A100 reach and half of what eight H100 do, whichever row comes first."""
    path = tmp_path / "compared.md"
    path.write_text("\n".join(COMPARED))
    status = main(["check", "--json", str(path)])
    reports = json.loads(capsys.readouterr().out)

    assert status == 1
    assert [(report["system"], report["verdict"]) for report in reports] == [
        ("dgx-a100", "fine"),
        ("dgx-h100", "low"),
    ]
    assert [report["headline"].partition(":")[0] for report in reports] == ["DGX A100", "DGX H100"]
    assert [verdict.status for _, verdict, _, _ in judged(path.read_bytes(), None, {})] == ["fine", "low"]


@table(
    ("parts", "places"),
    [
        (("h100", "h100"), [[0, 1]]),
        (("paths", "h100", "paths", "a100"), [[0, 1], [2, 3]]),
        (("a100", "h100", "a100", "paths"), [[0, 2, 3], [1]]),
        (("paths", "h100"), [[0, 1]]),
    ],
)
def test_runs_by_machine(parts, places):
    """Runs of one GPU stay together; a topology goes with the run that follows it."""
    names = {"h100": "NVIDIA H100 80GB HBM3", "a100": "NVIDIA A100-SXM4-80GB"}
    logs = {name: [line.replace(names["h100"], gpu) for line in nccl_tests()] for name, gpu in names.items()}
    runs = [run for part in parts for run in read("log", text(logs.get(part) or topology(path="NV18")))]

    assert by_machine(runs) == places
