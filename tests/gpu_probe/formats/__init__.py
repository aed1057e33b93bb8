"""Prints measurements the way the tools print them, so that no captured log lives here."""

from tests.gpu_probe.formats.copies import cuda_bandwidth, rocm_bandwidth, transferbench
from tests.gpu_probe.formats.matrices import (
    matrix_rows,
    nvbandwidth_json,
    nvbandwidth_text,
    nvlink,
    p2p,
    styled,
    topology,
)
from tests.gpu_probe.formats.nccl import (
    FACTORS,
    SIZES,
    half,
    nccl_json,
    nccl_tests,
    new_table,
    old_table,
    rank_lines,
    time_us,
)
from tests.gpu_probe.formats.reading import codes, only, text

__all__ = [
    "FACTORS",
    "SIZES",
    "codes",
    "cuda_bandwidth",
    "half",
    "matrix_rows",
    "nccl_json",
    "nccl_tests",
    "new_table",
    "nvbandwidth_json",
    "nvbandwidth_text",
    "nvlink",
    "old_table",
    "only",
    "p2p",
    "rank_lines",
    "rocm_bandwidth",
    "styled",
    "text",
    "time_us",
    "topology",
    "transferbench",
]
