"""What a text leaves open that tells a rate and nothing more: said with the one test that would tell."""

from gpu_probe.parsers.sentence.copies import names_copies
from gpu_probe.parsers.sentence.machine import gpu_in, machine_of
from gpu_probe.parsers.sentence.passages import Passages
from gpu_probe.parsers.sentence.rate import SUBJECT, all_rates
from gpu_probe.parsers.sentence.transfers import names_transfers

_LINES_MOST = 40
_COLLECTIVE_TEST = "all_reduce_perf -b 1G -e 8G -f 2 -g N with NCCL_DEBUG=INFO"
_COPY_TEST = "nvbandwidth (all tests) beside nvidia-smi topo -m"
_NETWORK_TEST = "ib_write_bw --report_gbits beside ibstat"


def missing(text: str) -> str:
    """Why the rates of a text cannot be judged, and what test would tell; empty where it tells none."""
    if text.count("\n") > _LINES_MOST:
        return ""
    rates = [rate for rate in all_rates(text) if rate.bytes_per_s > 0]
    if not rates:
        return ""
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
