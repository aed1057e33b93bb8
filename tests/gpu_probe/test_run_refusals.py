"""What ``gpu_probe run`` refuses before it measures anything: one line, and nothing is written."""

import pytest

from gpu_probe.__main__ import main


@pytest.mark.parametrize("output", ["", "/", "no/such/folder/run.json"])
def test_an_output_that_cannot_be_written_is_one_line(output, capsys, monkeypatch, tmp_path):
    """No name, a folder, a place that is not there: exit 2 before torch is asked for."""
    monkeypatch.chdir(tmp_path)
    status = main(["run", "--quick", "--only", "collectives", "-o", output])
    complaint = capsys.readouterr().err

    assert status == 2
    assert len(complaint.splitlines()) == 1
    assert "output" in complaint or "no/such" in complaint
    assert list(tmp_path.iterdir()) == []
