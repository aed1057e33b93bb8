"""The cost model against typed published curves: in sample, on sites it was not fitted on, and by plateau."""

import numpy as np

from core.units import MIB
from tests.each import table
from tests.figures import one_domain, several_domains

ALL = one_domain.CURVES + several_domains.CURVES
LARGE = 512 * MIB
TOLERANCE = {
    "Polaris, 8 nodes of 4 A100, nccl all_reduce": 0.75,  # 9.8 GB/s, over TCP as later files of that curve
    "Polaris, 256 nodes of 4 A100, nccl all_reduce": 0.35,  # 31 GB/s, 34 to 36 with 2 nodes
    "2 nodes of 8 H20, nccl all_reduce": 0.25,  # its page does not name the rate of its NICs
    "p4d, 2 nodes of 8 A100, nccl all_reduce": 0.35,  # NCCL 2.9 of 2021; others reach 77 GB/s
    "p4de, 2 nodes of 8 A100, nccl all_reduce": 0.25,  # 1.6 times its NICs, other A100 on two nodes 0.7 to 1.2
}
"""Plateaus further than 20 % from the model."""


def errors(curves):
    """Absolute relative errors of time, all sizes of all curves."""
    return np.abs(np.concatenate([curve.error for curve in curves]))


def inside(curves):
    """Share of figures inside the answer's interval."""
    return float(np.concatenate([curve.inside for curve in curves]).mean())


def fitted(curves, start=""):
    """Curves of sites the constants rest on, whose basis starts so."""
    return [curve for curve in curves if curve.calibrated_on and curve.answer.basis.startswith(start)]


def foreign(curves):
    """Curves of sites that calibrated nothing."""
    return [curve for curve in curves if not curve.calibrated_on]


@table("curve", [curve for curve in ALL if max(curve.busbw) >= LARGE], ids=str)
def test_plateaus_are_met(curve):
    """From 512 MiB on the prediction lies within 20 % of the print, or of a wider named tolerance."""
    large = np.abs(curve.error[curve.size_bytes >= LARGE])

    assert (large <= TOLERANCE.get(str(curve), 0.20)).all()


def test_every_named_tolerance_is_needed():
    """No site is excused that the model meets within 20 %."""
    by_name = {str(curve): curve for curve in ALL}

    for name in TOLERANCE:
        curve = by_name[name]
        assert (np.abs(curve.error[curve.size_bytes >= LARGE]) > 0.20).any(), name


def test_one_domain_holds_its_calibration():
    """NVLink machines it was fitted on: median 4 %, nine of ten within 14 %, eight of ten in the interval."""
    curves = fitted(one_domain.CURVES, "calibrated:nvlink")
    off = errors(curves)

    assert off.size > 80
    assert np.median(off) < 0.045
    assert np.quantile(off, 0.9) < 0.15
    assert inside(curves) > 0.8


def test_several_domains_hold_their_calibration():
    """2 to 256 nodes on eleven networks: median 12 %, nine of ten within 52 %, eight of ten in the interval."""
    curves = fitted(several_domains.CURVES)
    off = errors(curves)

    assert off.size > 80
    assert np.median(off) < 0.13
    assert np.quantile(off, 0.9) < 0.55
    assert inside(curves) > 0.78


def test_sites_that_calibrated_nothing():
    """Azure and DGX Cloud: from 1 MiB on a median of 3 %, nine of ten within 12 % and in the interval."""
    curves = foreign(ALL)
    large = np.abs(np.concatenate([curve.error[curve.size_bytes >= MIB] for curve in curves]))

    assert {curve.source.key for curve in curves} == {"azure", "dgx-cloud"}
    assert np.median(large) < 0.03
    assert np.quantile(large, 0.9) < 0.12
    assert inside(curves) > 0.8


def test_sources_can_be_looked_up():
    """Every curve names a document with an address and a pinned version or issue, and at least one size."""
    for curve in ALL:
        assert curve.source.title
        assert curve.source.where.startswith("github.com/")
        assert " at " in curve.source.where or "/issues/" in curve.source.where
        assert curve.busbw
