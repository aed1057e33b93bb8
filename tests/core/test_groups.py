"""A process group: one of many that communicate at the same time over the same links."""

import pytest

from core import catalog
from core.parallel.groups import group_view, straddles
from core.systems import configure


@pytest.mark.parametrize(
    ("span", "gpus", "domain_gpus", "domains", "cut"),
    [
        (16, 144, 72, 2, True),  # 64 of each rack's 72 GPUs hold whole groups, 16 GPUs are left over
        (16, 128, 72, 2, False),  # the same racks with 16 GPUs idle
        (2, 14, 7, 2, True),  # pairs in domains of seven
        (3, 8, 8, 1, False),  # one domain has no edge to cut at
        (8, 16, 8, 2, False),
        (1, 14, 7, 2, False),
        (16, 32, 8, 4, False),  # a group larger than a domain fits into none
    ],
)
def test_an_edge_cuts_groups_where_no_gpu_can_stay_idle(span, gpus, domain_gpus, domains, cut):
    """Neighbours are cut by a domain's edge only where there are no domains to spare."""
    assert straddles(span, gpus, domain_gpus, domains) is cut


def test_a_strided_group_over_pcie_has_its_share_of_the_uplink():
    """Four GPUs behind one uplink leave each a quarter of the link; with an uplink each, all of it."""
    alone = catalog.system("l40s-x8")
    shared = configure(alone, gpus_per_uplink=4)

    assert group_view(shared, 2).scale_up.bytes_per_s == shared.scale_up.bytes_per_s / 4
    assert group_view(alone, 2).scale_up.bytes_per_s == alone.scale_up.bytes_per_s / alone.gpus_per_uplink
