"""What a log holds, by the names of the field: its tool, its collectives, remarks on it."""

import re

from core.measurement.run import COLLECTIVES_MEASURED
from pages.ui.shared import names

TOOLS = {
    "nccl-tests-text": "nccl-tests",
    "nccl-tests-json": "nccl-tests, JSON",
    "rccl-tests-text": "rccl-tests",
    "rccl-tests-json": "rccl-tests, JSON",
    "rccl-tests-csv": "rccl-tests, CSV",
    "nvbandwidth-text": "nvbandwidth",
    "nvbandwidth-json": "nvbandwidth, JSON",
    "p2p-bandwidth-latency-test": "p2pBandwidthLatencyTest",
    "topo-m": "nvidia-smi topo -m",
    "nvlink-s": "nvidia-smi nvlink -s",
    "perftest": "perftest",
    "deepep": "DeepEP",
    "cuda-bandwidth-test": "bandwidthTest",
    "rocm-bandwidth-test": "rocm-bandwidth-test",
    "transferbench": "TransferBench",
    "osu": "OSU micro-benchmarks",
    "wirespeed-run": "Wirespeed run file",
}
_COLLECTIVE = re.compile(rf"\b(?:{'|'.join(COLLECTIVES_MEASURED)})\b")


def tool(log_format: str) -> str:
    """The tool that wrote a log, and how, such as *nccl-tests, JSON* for ``nccl-tests-json``."""
    return TOOLS.get(log_format, log_format)


def operation(measured: str) -> str:
    """What was measured: a collective in words, such as *all-reduce*; a copy as its tool calls it."""
    return names.operation(measured) if measured in COLLECTIVES_MEASURED else measured


def remark(text: str) -> str:
    """A remark of a reader or of a verdict, with its collectives in words."""
    return _COLLECTIVE.sub(lambda found: names.operation(found[0]), text)
