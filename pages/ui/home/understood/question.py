"""A question in free text, read: every part of it that an input of a page can hold."""

import re
from dataclasses import dataclass

from core.calculators.gradient_sync import STRATEGIES
from core.catalog import PRECISIONS
from core.units import parse_size
from pages.ui.home.understood.arrivals import lengths, request_rate
from pages.ui.home.understood.machines import Machine, machines
from pages.ui.home.understood.models import models
from pages.ui.home.understood.target import target
from pages.ui.home.understood.text import MOST, Text, whole

MOST_COUNT = 10_000_000
_NUMBER = r"(?<![\d,.])\d[\d,]{0,8}"
_LENGTH = rf"(?:{_NUMBER}|\d{{1,4}}k)"
_RATE = r"(?<![\d.])(?<!\de)(?<!\de[+-])\d[\d.,]*\s*(?:[kmgt]i?b|[gt]bit)\s*(?:/\s*s|ps)\b"
"""No message size, and not the exponent of a number."""
_SIZE = r"\b(\d{1,9}(?:\.\d{1,6})?) ?([kmgt])(i?)b\b"
_SHORT_SIZE = r"(?<![\d,.])(\d{1,9}(?:\.\d{1,6})?)([kmg])()\b"
"""As nccl-tests takes sizes: 64k is 64 KiB."""
_PREFILL = r"\bprefill\b|\bttft\b|\bfirst token\b"
_DECODE = r"\bdecod|\btpot\b|\bitl\b"
_TRAINING = r"\b(?:pre)?train"
_HAS_NVLINK = r"\b(?:has|have|supports?) (?:an? )?nv ?links?\b"
_SHARP = r"(?<!nvlink )(?<!nvl )\bsharp\b"
_OPERATIONS = {
    r"all[ -]?to[ -]?all": "all_to_all",
    r"all[ -]?reduce": "all_reduce",
    r"all[ -]?gather": "all_gather",
    r"reduce[ -]?scatter": "reduce_scatter",
    r"broad ?cast": "broadcast",
    r"send[ -/]*recv": "send_recv",
    r"moe[ -]?combine": "moe_combine",
    r"(?:moe[ -]?)?dispatch|deep ?ep": "moe_dispatch",
}
_NETWORKS = {
    r"(?:infiniband |ib |ib-)?(fdr|edr|hdr|ndr|xdr)\d*": "ib-{}",
    r"infiniband|ib": "ib-ndr",
    r"(?:ro ?ce ?(?:v2)?|ethernet)[ -]?(100|200|400|800|1600)g?": "roce-{}",
    r"ro ?ce ?(?:v2)?|ethernet": "roce-400",
    r"spectrum[ -]?x": "spectrum-x-400",
    r"slingshot": "slingshot-200",
}
_SOFTWARE = {
    r"vllm": "vllm",
    r"sglang": "sglang",
    r"(?:tensorrt|trt)(?:[ -]?llm)?": "trtllm",
    r"megatron(?:[ -]?lm)?": "megatron",
    r"deepspeed": "deepspeed",
}


@dataclass(frozen=True, slots=True)
class Read:
    """
    What a question names; empty or None where it names nothing.

    Attributes:
        machines: Systems, in the order of the question.
        models: Ids.
        degrees: TP, PP, CP and EP degrees by name, ascending.
        size: A message size as it was written.
        gpus: GPUs or ranks in all.
        domains: Nodes or racks.
        requests: Concurrent requests.
        request_rate: Requests/s that arrive.
        lengths: Tokens by ISL and OSL.
        batch: Batch size.
        context: Tokens.
        rates: Measured rates as they were written, such as 46 GB/s.
        pcie: Whether PCIe or the need of NVLink is asked about.
        whatif: Whether it is asked what would be.
        prefill: Whether the prompt's step is asked about.
        target_ms: Milliseconds of a latency target of decode.
        has_nvlink: Whether it is asked if a GPU has NVLink.
        sharp: Whether the network's switches reduce; NVLink SHARP is the NVSwitches'.
        unread: Numbers of the question that no input holds, as written.
    """

    machines: tuple[Machine, ...]
    models: tuple[str, ...]
    degrees: dict[str, tuple[int, ...]]
    operation: str
    size: str
    gpus: int | None
    domains: int | None
    requests: int | None
    request_rate: float | None
    lengths: dict[str, int]
    batch: int | None
    context: int | None
    networks: tuple[str, ...]
    precision: str
    software: str
    strategy: str
    rates: tuple[str, ...]
    pcie: bool
    whatif: bool
    prefill: bool
    target_ms: float | None
    has_nvlink: bool
    sharp: bool
    unread: tuple[str, ...]


def read(question: str) -> Read:
    """The parts of a question; no text is an error."""
    text = Text(question)
    read_models = models(text)
    degrees = {name: _degrees(text, name) for name in ("tp", "pp", "cp", "ep")}
    rates = tuple(place[0] for place in re.finditer(_RATE, question[:MOST], re.IGNORECASE))
    for _ in text.take(_RATE):
        """Not read again."""
    size, arriving, sequence = _size(text, _SIZE), request_rate(text), lengths(text)
    operation, networks = _named(text, _OPERATIONS), _networks(text)
    context = _first(text, rf"(?:context|ctx|seq(?:uence)?)(?: length)?(?: of| =|=)? ?({_LENGTH})\b")
    context = context or _first(text, rf"\b({_LENGTH})[ -](?:tokens?|context|ctx|prompts?)\b")
    if operation and not size:
        size = _size(text, _SHORT_SIZE)
    context = context or _first(text, r"\b(\d{1,4}k)\b")
    batch = _first(text, rf"\b(?:batch(?: size)?|bs)(?: of| =|=)? ?({_NUMBER})\b")
    requests = _first(
        text, rf"\b({_NUMBER}) (?:concurrent |parallel )?(?:requests?|users?|sequences?|seqs?)\b"
    )
    systems = machines(text)
    has_nvlink = any(True for _ in text.take(_HAS_NVLINK))
    sharp = any(True for _ in text.take(_SHARP))
    decode = re.search(_DECODE, text.left) is not None
    prefill = not decode and re.search(_PREFILL, text.left) is not None
    of_decode = not (prefill or operation or re.search(_TRAINING, text.left))
    target_ms = target(text, of_decode=of_decode)
    return Read(
        machines=systems,
        models=read_models,
        degrees={name: values for name, values in degrees.items() if values},
        operation=operation,
        size=size,
        gpus=_first(text, rf"\b({_NUMBER}) ?x? ?(?:gpus?|ranks?|cards?|accelerators?)\b"),
        domains=_first(text, rf"\b({_NUMBER}) ?x? ?(?:nodes?|domains?|racks?|hosts?|servers?|machines?)\b"),
        requests=requests,
        request_rate=arriving,
        lengths=sequence,
        batch=batch,
        context=context,
        networks=networks,
        precision=next((key for key in PRECISIONS for _ in text.take(rf"\b{key}\b")), ""),
        software=_named(text, _SOFTWARE),
        strategy=next((key for key in STRATEGIES for _ in text.take(rf"\b{key}\b")), ""),
        rates=rates,
        pcie=any(True for _ in text.take(r"\bpcie\b|\bnv ?links?\b")),
        whatif="what if" in text.left or "whatif" in text.left,
        prefill=prefill,
        target_ms=target_ms,
        has_nvlink=has_nvlink,
        sharp=sharp,
        unread=(*rates, *text.numbers_left()),
    )


def _degrees(text: Text, name: str) -> tuple[int, ...]:
    numbers = {whole(place[1]) for place in text.take(rf"\b{name}[ =-]?(\d{{1,4}})\b")}
    return tuple(sorted(number for number in numbers if number))


def _first(text: Text, pattern: str) -> int | None:
    """The first count of a pattern that an input holds; every other one stays unread."""
    first = None
    for place in text.take(pattern):
        number = whole(place[1])
        if first is None and 0 < number <= MOST_COUNT:
            first = number
        else:
            text.unread.append(place[0].strip())
    return first


def _size(text: Text, pattern: str) -> str:
    """The first size that core reads."""
    binary = "i" if pattern == _SHORT_SIZE else ""
    for place in text.take(pattern):
        size = f"{place[1]} {place[2].upper()}{place[3] or binary}B"
        try:
            parse_size(size)
        except ValueError:
            continue
        return size.replace("KB", "kB")
    return ""


def _named(text: Text, names: dict[str, str]) -> str:
    return next((key for pattern, key in names.items() for _ in text.take(rf"\b(?:{pattern})\b")), "")


def _networks(text: Text) -> tuple[str, ...]:
    places = [
        (place.start(), key.format(place[1]) if "{}" in key else key)
        for pattern, key in _NETWORKS.items()
        for place in text.take(rf"\b(?:{pattern})\b")
    ]
    return tuple(dict.fromkeys(key for _, key in sorted(places)))
