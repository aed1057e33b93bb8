"""A run of our own probe on one real GPU (an H200, 28 November 2026), read and judged."""

import json
from pathlib import Path

import pytest

from gpu_probe.__main__ import main

CAPTURED = Path(__file__).parent / "captured" / "one_h200.json"


def test_a_sound_gpu_is_fine_and_its_topology_is_no_second_verdict(capsys):
    """One GPU has no peers: its paths hold nothing to judge, and its copies are what an H200 should do."""
    assert main(["check", str(CAPTURED)]) == 0
    said = capsys.readouterr()
    headlines = [line for line in said.out.splitlines() if not line.startswith(" ")]
    assert [line.rsplit(": ", 1)[1] for line in headlines] == ["fine", "fine"]
    assert "TB/s of 4.8 TB/s" in headlines[0]
    assert "GB/s of 64 GB/s" in headlines[1]
    assert "not judged" not in said.err


@pytest.mark.parametrize(("factor", "status"), [(0.9, 0), (3.0, 1)])
def test_the_same_gpu_three_times_slower_is_low(factor, status, tmp_path, capsys):
    """The run with its times stretched: a tenth quicker stays fine, a third of the rate is low."""
    slower = tmp_path / "run.json"
    text = CAPTURED.read_text()
    document = json.loads(text)
    for run in document["runs"]:
        for sample in run.get("samples", []):
            for name in ("time_s", "low_s", "high_s"):
                sample[name] *= factor
    slower.write_text(json.dumps(document))
    assert main(["check", str(slower)]) == status
    assert ("low" in capsys.readouterr().out) == bool(status)
