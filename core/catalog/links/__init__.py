"""Links: every kind of link by id, in the order of the reference table."""

from core.catalog.links.network import NETWORK_LINKS
from core.catalog.links.nvlink import SCALE_UP_LINKS
from core.catalog.links.pcie import PCIE_LINKS

LINKS = {entry.id: entry for entry in (*SCALE_UP_LINKS, *PCIE_LINKS, *NETWORK_LINKS)}
