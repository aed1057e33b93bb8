"""What a text leaves open that tells a rate and nothing more: said with the one test that would tell."""

import re

from gpu_probe.parsers.sentence.copies import names_copies
from gpu_probe.parsers.sentence.machine import gpu_in, machine_of
from gpu_probe.parsers.sentence.passages import Passages
from gpu_probe.parsers.sentence.rate import SUBJECT, all_rates
from gpu_probe.parsers.sentence.transfers import names_transfers

_LINES_MOST = 40
_COLLECTIVE_TEST = "all_reduce_perf -b 1G -e 8G -f 2 -g N with NCCL_DEBUG=INFO"
_COPY_TEST = "nvbandwidth (all tests) beside nvidia-smi topo -m"
_NETWORK_TEST = "ib_write_bw --report_gbits beside ibstat"

_ASKS = re.compile(
    r"(?i)\b(?:bandwidths?|bus ?bw|throughput|performance"
    r"|ib_\w+_bw|\w+_perf|nccl-tests|test_\w+\.py|nvbandwidth)\b"
)
_ELSEWHERE = re.compile(
    r"(?i)<img\b|!\[|\]\(https?:\S{1,200}\)|\b(?:screenshots?"
    r"|attached|attachments?|see the (?:picture|image|figure))\b"
    r"|\b(?:half|third|quarter|fraction|\d{1,2} ?%) of\b"
)
"""Where figures stand that a text lacks: pictures, files, shares of something."""
_BETWEEN_NODES = re.compile(r"(?i)\b(?:RDMA|NICs?|CX-?\d|InfiniBand|RoCE|inter-?node|test_internode\w*)\b")

AVERAGE_ALONE = (
    "no measurement: an average over all sizes, most of which are latency-bound; whether it is right "
    f"cannot be known without the rows of large sizes; the test that tells: {_COLLECTIVE_TEST}"
)


def missing(text: str) -> str:
    """Why the rates of a text cannot be judged, and what test would tell; empty where it tells none."""
    if text.count("\n") > _LINES_MOST:
        return ""
    rates = [rate for rate in all_rates(text) if rate.bytes_per_s > 0]
    if not rates:
        return _without_a_rate(text)
    collective, network = SUBJECT.search(text) is not None, names_transfers(text)
    copies = names_copies(text)
    lacks = [] if gpu_in(text) or (network and not collective) else ["one GPU's name"]
    if not (collective or network or copies):
        lacks.append("the operation (a collective, a copy, a test of the network)")
    elif collective and machine_of(Passages(text, text, text, 0), has_instance=False) is None:
        lacks.append("the number of nodes and GPUs")
    test = _COLLECTIVE_TEST if collective else _NETWORK_TEST if network else _COPY_TEST
    lacking = " and ".join(lacks) or "which of the rates is meant, and of which machine"
    return (
        f"no measurement: a rate is told, but whether it is right cannot be known without {lacking}; "
        f"the test that tells: {test}"
    )


def _without_a_rate(text: str) -> str:
    """What is said of a question on a test whose figures stand in a picture, a file, or in no unit."""
    if _ASKS.search(text) is None or _ELSEWHERE.search(text) is None:
        return ""
    network = names_transfers(text) or _BETWEEN_NODES.search(text) is not None
    test = _NETWORK_TEST if network else _COLLECTIVE_TEST if SUBJECT.search(text) else _COPY_TEST
    return (
        "no measurement: no measured rate stands in the text, pictures and attached files are not read; "
        "whether it is right cannot be known without the rates as text; "
        f"the test that tells: {test}"
    )
