"""Copies between GPU and host, and within a GPU's memory, against the links that should carry them."""

from collections.abc import Iterator

from core.catalog import LINKS
from core.hardware import Family, System
from core.measurement import Matrix, Run
from core.units import MIB
from core.verdict.links import host_link_rate
from core.verdict.pair_rate import GOOD_COPY_SHARE, pair_verdict
from core.verdict.records import PairVerdict

KERNEL_READ_SHARE = 0.5
"""What kernels that read host memory reach of a slot: 0.55 on H100, H20, H800 (nvbandwidth issue 24)."""
SHARED_HOST_SHARE = 0.4
"""
Of a C2C link where two GPUs share a Grace: 201 GB/s to a GB200 and 193 back
(github.com/Azure/AI-benchmarking-guide, ND_GB200_v6_results), of the 450 that GH200 has.
"""
C2C_SHARE = 0.6
"""
Of a C2C link with one GPU, of 450 GB/s: 375 to a GH200 and 297 back (arxiv.org/abs/2407.07850), 346 to one
and a seventh less back (nvbandwidth issue 23).
"""
LARGE_COPY_BYTES = int(16 * MIB)
"""Copies of fewer bytes are latency-bound and not judged."""
LARGE_MEMORY_COPY_BYTES = int(256 * MIB)
"""Smaller copies within a GPU's memory stay in its cache: 128 MB on the largest, of source and target."""


def judge_copies(run: Run, system: System) -> list[PairVerdict]:
    """Verdicts on our probe's own samples: copies in a GPU's memory and between host and GPU."""
    verdicts = []
    for sample in run.samples:
        operation = sample.operation or ""
        least = LARGE_MEMORY_COPY_BYTES if operation == "hbm_copy" else LARGE_COPY_BYTES
        if sample.time_s <= 0 or sample.size_bytes < least:
            continue
        expected = _copy_rate(operation, system)
        if expected is None:
            continue
        traffic = 2 if operation == "hbm_copy" else 1
        rate = traffic * sample.size_bytes / sample.time_s
        share = GOOD_COPY_SHARE if operation == "hbm_copy" else _host_share(system)
        verdicts.append(pair_verdict(operation, sample.detail or "GPU0", "", rate, expected, share))
    return verdicts


def _copy_rate(operation: str, system: System) -> float | None:
    if operation == "hbm_copy":
        return system.gpu.memory_rate.bytes_per_s
    pinned = operation in ("host_to_device_pinned", "device_to_host_pinned")
    return host_link_rate(system) if pinned else None


def judge_host_copies(matrix: Matrix, system: System) -> Iterator[PairVerdict]:
    """Of each GPU the fastest copy: that from the memory of its own socket, where a tool tries several."""
    expected = host_link_rate(system)
    reads = matrix.name.startswith("host_to_device_memcpy_sm")
    good_share = min(KERNEL_READ_SHARE, _host_share(system)) if reads else _host_share(system)
    for place, column in enumerate(matrix.columns):
        rates = [row[place] for row in matrix.values]
        fastest = max((rate for rate in rates if isinstance(rate, float)), default=None)
        if expected is not None and fastest is not None:
            yield pair_verdict(matrix.name, "host", f"GPU{column}", fastest, expected, good_share)


def _host_share(system: System) -> float:
    """What a good copy reaches of a GPU's link to the host."""
    link = LINKS.get(system.host_link or "")
    if link is None or link.family is not Family.C2C:
        return GOOD_COPY_SHARE
    return SHARED_HOST_SHARE if system.gpu.gpus_per_cpu > 1 else C2C_SHARE
