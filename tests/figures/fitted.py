"""``python -m tests.figures.fitted > figures.csv``: the curves of the four sets that entered the fit, as its rows."""

import csv
import sys
from collections.abc import Iterator

from core.collectives.refit.data import Sweep, sweeps_of
from tests.figures import clusters, more_clusters, new_kinds, newest_clusters
from tests.figures.curve import Curve

OPERATORS = {
    "skypilot-a3-ultra": "gcp",
    "dstack-a4": "gcp",
    "a3-mega-tcpxo": "gcp",
    "eks": "aws",
    "amd-aac": "aac",
    "nebius-dstack": "nebius",
    "dgx-h100-2x2": "dgxh100",
    "issue-309": "qoofyk",
    "issue-309-rest": "qoofyk",
    "vultr-mi355x": "vultrmi",
    "mi308x-thor2": "amdccs",
    "oke-a100-kueue": "oci",
    "gke-a4x-racks": "gcp",
}
"""Who ran a source's machine: left out together with all that he measured."""
EVERY = (*clusters.CURVES, *more_clusters.CURVES, *newest_clusters.CURVES, *new_kinds.CURVES)
FITTED = tuple(curve for curve in EVERY if curve.calibrated_on)


def rows() -> Iterator[dict[str, str]]:
    """One row a size, with the columns of a calibration CSV."""
    for curve in FITTED:
        yield from _rows(curve)


def _rows(curve: Curve) -> Iterator[dict[str, str]]:
    setting = {
        "source_id": f"{OPERATORS[curve.source.key]}-{curve.source.key}",
        "system": curve.site,
        "gpu": curve.gpu,
        "scale_up_link": curve.link,
        "domain_gpus": str(curve.domain_gpus),
        "domains": str(curve.domains),
        "scale_out_link": curve.network or "",
        "scale_out_GBps_per_gpu": str(curve.nic_gb_per_s or ""),
        "collective": curve.collective,
        "implementation": curve.implementation,
        "launch": curve.launch,
    }
    for size, time_s in zip(curve.size_bytes, curve.time_s, strict=True):
        yield setting | {"size_bytes": f"{size:.0f}", "time_us": f"{time_s * 1e6:.4g}"}


def sweeps() -> list[Sweep]:
    """The same as the fit groups them."""
    return list(sweeps_of(rows()))


if __name__ == "__main__":
    table = list(rows())
    writer = csv.DictWriter(sys.stdout, table[0])
    writer.writeheader()
    writer.writerows(table)
