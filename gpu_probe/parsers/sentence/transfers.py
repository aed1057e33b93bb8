"""Rates between two NICs told in a sentence: ``ib_write_bw gives 92 Gb/s``, ``iperf3: 9.4 Gbit/s``."""

import re

from core.measurement import GpuCount, Machine, Notice, Observation, Run, Sample
from core.units import GIGABIT_BYTES, MIB
from gpu_probe.parsers.sentence.adapters import adapters_of
from gpu_probe.parsers.sentence.kept_data import is_of_kept_data
from gpu_probe.parsers.sentence.machine import gpu_in
from gpu_probe.parsers.sentence.pair_list import pairs_in_words
from gpu_probe.parsers.sentence.rate import SUBJECT, VERB, Rate, all_rates, is_note

_RDMA = re.compile(
    r"(?i)\bib_(?:write|read|send)_bw\w*|\bperftest\b|\bRDMA\b|\bqperf\b|\bshmem_(?:put|get)_bw\w*|\bnixl\w*"
    r"|\bGPU ?Direct\b|\bucx_perftest\b|\bMooncake\b|\btransfer[ _]engine(?:_bench)?\b|\bUCCL\b"
)
_NO_RDMA = re.compile(r"(?i)\b(?:no|not|without|instead of|rather than)(?: us(?:e|ing))? RDMA\b")
_TCP = re.compile(
    r"(?i)\biperf\d?\b|\bnetperf\b|\bnt?tttcp\b|\bTCP (?:throughput|bandwidth|test|mode|protocol)"
    r"|\b(?:over|via|with) TCP\b"
)
_BETWEEN = re.compile(
    r"(?i)\bnode ?\w{1,3}\b.{0,40}?(?:<?-+>|to|and).{0,12}?\bnode ?\w{1,3}\b"
    r"|\b(?:over|through|with|using) (?:\w+ ){0,3}?\d{0,3} ?(?:Gb\w*(?:/s)? ?)?(?:RDMA )?"
    r"(?:NICs?|HCAs?|adapters?)\b"
    r"|\bosu_(?:bi)?bw\b|\b(?:inter-?node|cross-?node)\b"
    r"|\bbetween (?:the )?(?:two )?(?:nodes|hosts|machines|servers)\b"
)
"""A transfer from node to node, where the text says of what kind."""
_FABRIC = re.compile(
    r"(?i)\bRDMA\b|\bGPU ?Direct\b|\bInfiniBand\b|\bRoCE\w{0,3}\b|\b(?:Q|F|E|H|N|X)DR\b|\bosu_(?:bi)?bw\b"
    r"|\bConnectX(?:-?\d)?\b"
)
_BOTH = re.compile(r"(?i)\bosu_bibw\b|\bbi-?dir\w*|\bboth (?:ways|directions)\b|\bduplex\b")
_IN_GPU = re.compile(
    r"(?i)\bGPU(?:'s)? (?:memory|RDMA|buffers?|-?> ?GPU|to GPU)\b|\bVRAM\b|\bGPU ?Direct\b|\bGDR\b"
    r"|--use_(?:cuda|rocm)\b|\bdevice memory\b|\bGPU-to-GPU\b|\bcuda memory\b"
)
_IN_HOST = re.compile(r"(?i)\b(?:host|CPU|system|main) (?:memory|RDMA|buffers?)\b|\bDRAM\b|\bhost-to-host\b")
_RAN = re.compile(r"(?i)\bdrops? to\b|\b(?:is|was|are|ceiling|speed|rate|result)\b|[:=]\s*[~≈]?$|->\s*$")
_OF_PORT = re.compile(
    r"(?i)\b(?:NICs?|HCAs?|ConnectX-?\d|CX-?\d|BlueField-?\d|ports?|links?|adapters?|cards?|network"
    r"|interconnect|DACs?|switch|fabric|InfiniBand|RoCE|Ethernet"
    r"|(?:F|Q|E|H|N|X)DR)[ ,(@:]{0,3}"
    r"(?:(?:of|with|at|each|rated|is|are|speed|rate|having|has|a|peak|maximum|max|bandwidth) ){0,6}$"
)
_PORT_BEHIND = re.compile(
    r"(?i)^\s{0,3}(?:RDMA |ConnectX\S{0,3} |single )?"
    r"(?:NICs?|HCAs?|ports?|links?|adapters?|cards?|network|DACs?|each|per (?:port|NIC|card)"
    r"|InfiniBand|IB|RoCE|Ethernet|line rate|QSFP\w{0,4}|cables?)\b"
)
"""Around a rate that a port has."""
_FIGURE = re.compile(r"^[\d.]+\+? ?[A-Za-z]+(?:/s(?:ec)?)?")
_TOOL = re.compile(
    r"(?i)\bib_(?:write|read|send)_bw\w*|\bperftest\b|\biperf\d?\b|\bMooncake\b"
    r"|\btransfer[ _]engine(?:_bench)?\b"
)
_PROGRAMS = {
    "UCX": re.compile(r"(?i)\bucx\w*"),
    "NIXL": re.compile(r"(?i)\bnixl\w*"),
    "Mooncake": re.compile(r"(?i)\bMooncake\b|\btransfer[ _]engine(?:_bench)?\b"),
    "UCCL": re.compile(r"\bUCCL\b"),
    "NVSHMEM": re.compile(r"\bshmem_(?:put|get)_bw\w*|\bNVSHMEM\b"),
}
"""Programs over RDMA, the first named counts; perftest is none."""
_PERFTEST = re.compile(r"(?i)\bib_(?:write|read|send)_bw\w*|\bperftest\b")
_UDP = re.compile(r"\bUDP\b|\biperf3? (?:-\S{1,20} ){0,8}-u\b")
_ALONE = re.compile(r"\W{0,8}[\d.]{1,12} ?[KMGT]i?[Bb]\S{0,6}\W{0,8}")
"""A line that is a rate and nothing else."""
_HEADING = re.compile(r"(?m)^\W{0,6}(?:(TCP|IPoIB)|(RDMA|IB|InfiniBand|RoCE|EFA|GPUDirect))\W{0,4}$")
"""A line that says what is below it."""
_LOCAL = re.compile(r"(?i)\bP2P\b|\bNV-?Link\b|\bcuda_ipc\b|\blocalhost\b|\bintra-?node\b")
"""Within a host, whatever program ran."""
_SEVERAL = re.compile(r"(?i)\b(?:total|aggregated?|together|combined|sum)\b")
_ONE = re.compile(r"(?i)\b(?:single|one|each|per) (?:\w+ )?(?:NIC|port|rail|adapter|card)\b")
_LARGE_BYTES = int(MIB)
_RATES_MOST, _LINES_MOST = 4, 40
"""More rates, or lines, are a document, whose words need not be of one another."""


def names_transfers(text: str) -> bool:
    """Whether a text speaks of a test of the network."""
    return _TOOL.search(text) is not None


def transfers_of(text: str, file: str, line: int, port: tuple[Observation, ...]) -> list[Run]:
    """
    The transfers between NICs that a text tells as measured, each as a run of perftest.

    None where a rate is told of something else too, for then it is not clear of what.

    Args:
        text: The prose.
        file: Its name.
        line: Where it begins.
        port: What it states of the port.
    """
    if text.count("\n") > _LINES_MOST:
        return []
    if pairs := pairs_in_words(text):
        return [_run_of_pair(names, rate, file, line, port) for names, rate in pairs]
    rates = {
        rate.bytes_per_s: rate
        for rate in all_rates(text)
        if not (is_of_port(rate) or is_of_kept_data(rate.passages.sentence))
    }
    kinds = {value: _kind(rate) for value, rate in rates.items()}
    told = [(rate, kinds[value]) for value, rate in rates.items() if kinds[value] and _is_measured(rate)]
    if not told or not rates or len(rates) > _RATES_MOST or min(rates) <= 0 or len(told) < len(rates):
        return []
    gpu, adapters = gpu_in(text), adapters_of(text)
    ports = adapters.count if adapters is not None and _SEVERAL.search(text) else 1
    return [_run(rate, kind, gpu, ports, file, line, port) for rate, kind in told]


def _run_of_pair(names: str, bytes_per_s: float, file: str, line: int, port: tuple[Observation, ...]) -> Run:
    """What two hosts exchange, by whatever they ran, to be compared with other pairs of the text."""
    sample = Sample("rdma_transfer", _LARGE_BYTES, _LARGE_BYTES / bytes_per_s, detail=f"nodes {names}")
    notice = Notice("from_prose", f"taken from a sentence: between {names}", line)
    return Run(file, "perftest", None, None, Machine(), (sample,), (), (notice,), observations=port)


def _kind(rate: Rate) -> str:
    """``rdma`` or ``tcp``, by the nearest words; empty for another thing."""
    passages = rate.passages
    if SUBJECT.search(passages.sentence) is not None or _LOCAL.search(passages.sentence) is not None:
        return ""
    parts = [passages.clause, passages.sentence]
    for part in (*parts, *([passages.text] if _TOOL.search(passages.text) else [])):
        tcp, rdma = _TCP.search(part), _RDMA.search(_NO_RDMA.sub(" ", part))
        if tcp or rdma:
            return "tcp" if tcp and not rdma else "rdma" if not tcp else ""
    if any(map(_BETWEEN.search, parts)) and _FABRIC.search(passages.text):
        return "rdma"
    return _headed(rate)


def _headed(rate: Rate) -> str:
    """``tcp`` or ``rdma`` by the last heading above a rate; empty without one."""
    place = rate.passages.text.find(rate.passages.sentence)
    headings = list(_HEADING.finditer(rate.passages.text[: max(0, place)]))
    return "" if not headings else "tcp" if headings[-1].group(1) else "rdma"


def _program(sentence: str) -> list[str]:
    """The program that a sentence names as what ran, in a list; none for perftest or none."""
    if _PERFTEST.search(sentence):
        return []
    return next(([name] for name, pattern in _PROGRAMS.items() if pattern.search(sentence)), [])


def is_of_port(rate: Rate) -> bool:
    """Whether a rate is what a port or cable has."""
    before, behind = (
        rate.passages.sentence[: rate.passages.place],
        rate.passages.sentence[rate.passages.place :],
    )
    return (
        _OF_PORT.search(before) is not None
        or _PORT_BEHIND.search(_FIGURE.sub("", behind, count=1)) is not None
    )


def _is_measured(rate: Rate) -> bool:
    before = rate.passages.sentence[: rate.passages.place]
    alone = _ALONE.fullmatch(rate.passages.sentence) is not None
    note = is_note(rate.passages.text) and _TOOL.search(before) is not None
    return alone or note or VERB.search(rate.passages.sentence) is not None or _RAN.search(before) is not None


def _run(
    rate: Rate, kind: str, gpu: str, ports: int, file: str, line: int, port: tuple[Observation, ...]
) -> Run:
    sentence = rate.passages.sentence
    one = ports == 1 or _ONE.search(sentence) is not None
    words = ["the NIC"] if one else ["the NICs", f"{ports} ports"]
    words += ["bidirectional"] if _BOTH.search(sentence) else []
    words += ["GPU memory"] if _IN_GPU.search(sentence) and not _IN_HOST.search(sentence) else []
    words += _program(sentence) if kind != "tcp" else ["UDP" if _UDP.search(sentence) else "TCP"]
    told = f"taken from a sentence: {rate.bytes_per_s / GIGABIT_BYTES:.4g} Gb/s between two NICs"
    sample = Sample(
        "tcp_stream" if kind == "tcp" else "rdma_write",
        _LARGE_BYTES,
        _LARGE_BYTES / rate.bytes_per_s,
        detail=", ".join(words),
    )
    notice = Notice("from_prose", f"{told}; the test's own output tells more", line)
    machine = Machine((GpuCount(gpu, 2),) if gpu else ())
    return Run(file, "perftest", None, None, machine, (sample,), (), (notice,), observations=port)
