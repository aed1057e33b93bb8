"""A process group: one of many that communicate at the same time over the same links."""

from dataclasses import replace

import pytest

from core import catalog
from core.hardware import Topology
from core.parallel.groups import Group, group_system, group_view, straddles
from core.systems import configure, scale_up_path


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


@pytest.mark.parametrize(
    ("behind", "size", "stride", "share"),
    [
        (8, 4, 2, 1),  # all eight GPUs behind one switch
        (4, 2, 2, 1),  # neighbours but one, still behind theirs
        (4, 4, 2, 4),  # two behind each switch: four GPUs use each uplink
        (4, 2, 4, 4),  # one behind each: the four groups use the same uplink
    ],
)
def test_a_strided_group_behind_one_pcie_switch_has_the_slot(behind, size, stride, share):
    """A switch gives its GPUs the slot among themselves, strided or not; its uplink is shared by all of them."""
    node = configure(catalog.system("l40s-x8"), gpus_per_uplink=behind)
    switched = replace(node, fabrics=(replace(node.scale_up, topology=Topology.PCIE_SWITCH),))
    slot = switched.scale_up.bytes_per_s

    assert scale_up_path(group_system(switched, Group(size, stride)), size).bytes_per_s == slot / share
