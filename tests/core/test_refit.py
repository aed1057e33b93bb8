"""The fit of the networks, on times that no machine measured."""

from dataclasses import replace

import numpy as np
import pytest

from core.collectives.cost_model import Setting
from core.collectives.cost_model.calibration import shipped
from core.collectives.cost_model.communicator import resolve

NODES = Setting("h100-sxm", "nvlink4", 8, 2, "ib-ndr", 50e9)
SIZES = np.array([1e3, 1e6, 1e9])
MADE = (
    NODES,
    replace(NODES, domains=8, collective="all_gather"),
    replace(NODES, collective="all_to_all"),
    replace(NODES, collective="send_recv"),
    Setting("a100-sxm-40gb", "nvlink3", 4, 4, "slingshot-200", 25e9, "broadcast"),
)
MOVE = 1e-5


def test_every_derivative_of_the_fit_is_that_of_its_errors():
    """One difference a shared constant serves class, generation, network and pair; each is checked alone."""
    pytest.importorskip("scipy", reason="the fitting code needs scipy")
    from core.collectives.refit.data import Sweep
    from core.collectives.refit.network_fit import misfit_of

    sweeps = [
        Sweep("made", str(i), setting, resolve(setting), SIZES, 1e-5 + SIZES / 40e9)
        for i, setting in enumerate(MADE)
    ]
    misfit = misfit_of(sweeps, shipped().domains)
    start = np.array(misfit.unknowns.start)
    vector = start + 0.01 * np.sin(np.arange(len(start)))
    before, slope = misfit.residuals(vector), misfit.slope(vector)

    for column in range(0, len(start), 37):
        moved = vector.copy()
        moved[column] += MOVE
        plain = (misfit.residuals(moved) - before) / MOVE
        np.testing.assert_allclose(slope[:, column], plain, atol=1e-4, err_msg=misfit.unknowns.names[column])


def test_a_band_holds_at_sizes_that_no_left_out_row_is_near():
    """Two large messages 20 % slower than answered: the band of small ones is theirs, and no network varies."""
    from core.collectives.refit.band_fit import several_bands
    from core.collectives.refit.validation import Comparison

    sizes, usual = np.array([2.0**30, 2.0**32]), np.array([1e-2, 4e-2])
    left_out = Comparison(
        "somebody", "two nodes", True, "calibrated:ib/hopper", sizes, 1.2 * usual, usual, usual, usual
    )
    bands = several_bands([left_out])

    assert set(bands) == {"several"}
    assert np.allclose(bands["several"].ln_high[3:], np.log(1.2))


def test_the_calibrations_that_ship_are_what_the_refit_writes(tmp_path):
    """Written again, the shipped constants give the files that ship: none was edited by hand or left out."""
    pytest.importorskip("scipy", reason="the fitting code needs scipy")
    from core.collectives.refit.__main__ import TARGET, write

    write(shipped(), tmp_path)

    written = {path.name for path in tmp_path.iterdir()}
    assert written == {
        f"{name}.py" for name in ("nvlink", "bridges", "networks", "engines", "residuals", "sizes", "bands")
    }
    for name in written:
        assert (tmp_path / name).read_text() == (TARGET / name).read_text(), name
