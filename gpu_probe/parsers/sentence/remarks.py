"""What prose beside a measurement says of its machine: virtual, ACS, TCP, no GPUDirect, a perftest."""

import re
from collections.abc import Iterator

_CLAUSE = re.compile(r"(?<=[.;!])\s|\n|(?<=[?])|\|")
_VIRTUAL = re.compile(
    r"(?i)\b(?:virtual machines?|virtuali[sz]\w+|KVM|QEMU|hypervisor|VFIO|pass-?through|vGPU|ESXi|Proxmox"
    r"|OpenStack|guest OS)\b|\bVMs?\b"
)
_BARE = re.compile(r"(?i)\bbare[ -]?metal\b")
_RATED = re.compile(r"\d ?[GM]B(?:/s|ps)")
"""A rate of bare metal is what a virtual machine is compared with."""
_ON = (
    r"(?:enabled|turned on|switched on|(?:is|was) on\b|on(?=\s*(?:[,.;:)]|$))|active|not (?:been )?disabled)"
)
_ACS = re.compile(
    rf"(?i)\bACS\b:?(?: is| was| still| has)?(?:(?! not\b)[\w ]){{0,24}}? ?{_ON}"
    r"|\b(?:enabled|\+) ACS\b(?! (?:off|disabled))"
)
_IOMMU = re.compile(rf"(?i)\b(?:IOMMU|VT-d|AMD-Vi)\b:?(?: is| was| still)? {_ON}")
_OFF = (
    r"(?:not (?:been )?(?:enabled|loaded|installed|available|used|detected|working|active|supported)"
    r"|disabled|is off|turned off|missing|n't (?:enabled|loaded|work\w*|available))"
)
_DIRECT = r"(?:GPU ?Direct(?: RDMA)?|GDR(?:DMA)?|nvidia[-_]peermem|nv_peer_mem\w*)"
_NO_DIRECT = re.compile(
    rf"(?i)\b{_DIRECT}\b[^,.;]{{0,24}}? {_OFF}"
    rf"|\b(?:no|(?:have|has)n't (?:enabled|loaded|installed)|not (?:enabled|loaded|installed)) {_DIRECT}\b"
)
_TCP = re.compile(
    r"(?i)\b(?:over|via|with|using|uses?|only|through) (?:plain |just )?(?:TCP(?:/IP)?|sockets|IPoIB)\b"
    r"|\bTCP(?:/IP)? (?:network|sockets?|only|transport)\b|\bno (?:RDMA|InfiniBand|IB)\b"
)
_NETWORK = re.compile(
    r"(?i)\b(?:over|via|using|across|through|on) (?:the )?"
    r"(?:RoCE\w{0,3}|InfiniBand|IB|EFA|Ethernet|Slingshot)\b"
    r"|\b(?:RoCE\w{0,3}|InfiniBand|EFA|Slingshot) (?:[nr]ccl|all[\s_-]?reduce)"
    r"|\bMNNVL[\w ]{0,8}(?:=\s?0|disabled|off)\b"
)
"""Words that send a collective between GPUs of one rack over its NICs."""
_PERFTEST = re.compile(
    r"(?i)\b(?:ib_(?:write|read|send)_bw|perftest)\b[^.;\n]{0,80}?(?<![\w.])(\d{2,3}(?:\.\d{1,3})?)"
    r" ?(?:Gb/s|Gbps|Gbit/s|Gb)\b"
)
_BRIDGE = re.compile(r"(?i)\bNV[- ]?Link(?:ed|s)?\b|\bNV[- ]?bridges?\b")
_NO_BRIDGE = re.compile(r"(?i)\b(?:no|not|without|lack\w*|isn't|aren't) [^,.;]{0,24}$")
_DOUBTED = re.compile(
    r"(?i)\b(?:if|whether|check|make sure|could|may|might|should|would|unless|before|after|until)\b"
)
_NEGATED = re.compile(r"(?i)\b(?:not?|never|isn't|disable[sd]?|disabling)\b")
_PAGEABLE = re.compile(r"(?i)\b(?:pageable|paged (?:memory|alloc\w*)|un-?pinned|not pinned|non-pinned)\b")
_PROGRAM = re.compile(
    r"(?i)\b(?:torch|PyTorch|CuPy|NumPy|load_state_dict|state_dict|weights?|parameters|tensors?|offload\w*)\b"
    r"|\bcudaMemcpy\w*|\bpinned (?:buffers?|memory)\b|\b(?:my|our) (?:app|application|code|program)\b"
)
"""Copies of somebody's own code, which may come from memory that is not pinned."""


def remarks(text: str) -> Iterator[tuple[str, str]]:
    """What a text says of the machine, as kinds and values of observations; nothing asked or doubted."""
    clauses = [part for part in _CLAUSE.split(text) if part and not part.rstrip().endswith("?")]
    bare = any(_BARE.search(part) and not _RATED.search(part) for part in clauses)
    if any(_VIRTUAL.search(part) and not _BARE.search(part) for part in clauses) and not bare:
        yield "stated", "virtual machine"
    if _PROGRAM.search(text):
        yield "stated", "a program's copy"
    for part in clauses:
        if match := _PERFTEST.search(part):
            yield "perftest_stated", match.group(1)
        if _DOUBTED.search(part):
            continue
        yield from _of_clause(part)


def _of_clause(part: str) -> Iterator[tuple[str, str]]:
    """What one clause says of the machine."""
    if (match := _ACS.search(part)) and not _NEGATED.search(part[: match.start()]):
        yield "stated", "ACS on"
    if (match := _BRIDGE.search(part)) and not _NO_BRIDGE.search(part[: match.start()]):
        yield "bridge", "stated"
    if _IOMMU.search(part):
        yield "stated", "IOMMU on"
    if _PAGEABLE.search(part) and not _NEGATED.search(part):
        yield "stated", "pageable memory"
    if _NO_DIRECT.search(part):
        yield "stated", "no GPUDirect RDMA"
    if _NETWORK.search(part) and not _NEGATED.search(part):
        yield "stated", "over the network"
    if (match := _TCP.search(part)) and not _NEGATED.search(part[max(0, match.start() - 12) : match.start()]):
        yield "stated", "TCP"
