"""``python -m core.collectives.refit``: what it writes, and what it says of a file that holds no calibration."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from core.catalog import GPUS
from core.collectives.cost_model.calibration import shipped
from core.collectives.refit.write import write_module

ROOT = Path(__file__).parents[2]
SEVERAL = "no rows of several domains by at least two operators"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "No such file"),
        ("gpu,system\nh100-sxm,mine\n", "no table of measured rows"),
        (
            "gpu,scale_up_link,domain_gpus,domains,collective,size_bytes\nh100-sxm,nvlink4,8,1,all_reduce,8\n",
            "missing column system",
        ),
        ("", SEVERAL),
    ],
)
def test_a_file_without_measured_rows_is_one_line(tmp_path, monkeypatch, capsys, text, said):
    """Nothing is fitted and no constant rewritten: exit 2, one line that names the file."""
    from core.collectives.refit.__main__ import main  # scipy

    path = tmp_path / "rows.csv"
    if text is not None:
        path.write_text(text)
    monkeypatch.setattr(sys, "argv", ["refit", str(path), "--into", str(tmp_path / "out")])

    with pytest.raises(SystemExit) as stop:
        main()

    error = capsys.readouterr().err
    assert stop.value.code == 2
    assert len(error.splitlines()) == 1
    assert "rows.csv" in error
    assert said in error
    assert not (tmp_path / "out").exists()


def test_the_module_runs_from_a_shell(tmp_path):
    """The same by ``python -m``: the exit status and the line reach the shell."""
    words = [sys.executable, "-m", "core.collectives.refit", "none.csv", "--into", str(tmp_path / "out")]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)

    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


@pytest.mark.parametrize("name", ["nvlink-hopper", "pcie-staged", "mesh"])
def test_written_constants_read_back_as_they_were(tmp_path, name):
    """A module of constants, hardware that they were measured on included, evaluates to the same set."""
    path = tmp_path / "written.py"
    write_module(path, "One set.", {"SETS": {name: shipped().domains[name]}})
    assert runpy.run_path(str(path))["SETS"] == {name: shipped().domains[name]}


def test_each_set_names_hardware_of_the_catalog():
    """What a domain was calibrated on are GPUs of its vendor and kind, its architecture among them."""
    for constants in shipped().domains.values():
        gpus = [GPUS[key] for key in constants.measured_on]
        assert gpus
        assert all(gpu.peer_to_peer is constants.peer_to_peer for gpu in gpus)
        if constants.architecture is not None:
            assert constants.architecture in {gpu.architecture for gpu in gpus}
            assert {gpu.vendor for gpu in gpus} == {constants.architecture.vendor}
