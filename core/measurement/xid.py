"""Xid errors of NVIDIA's driver that tell of a fault of a GPU or its links."""

HARDWARE_XIDS = ("48", "63", "64", "74", "79", "92", "94", "95", "119", "120")
"""ECC, remapped rows, NVLink, a GPU off the bus, its firmware; others, such as 31 and 43, are of programs."""
