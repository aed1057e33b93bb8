"""DeepEP's rates told in prose or in a table of results: ``dispatch 25 GB/s`` on so many nodes."""

import re

from core.measurement import Run
from core.units import GB
from gpu_probe.parsers.deepep import told_run
from gpu_probe.parsers.sentence.rate import all_rates
from gpu_probe.parsers.sentence.transfers import is_of_port

_TOOL = re.compile(r"\bDeepEP\b|\btest_(?:intra|inter)node\b|\btest_low_latency\b")
_NAMED = re.compile(r"\bDeepEP\b")
_OTHER = re.compile(r"(?i)\b(?:ib_\w+|perftest|shmem_\w+|[nr]ccl|README|published)\b")
_RATES_MOST = 4
_OPERATION = re.compile(r"(?i)\b(dispatch|combine)\b")
_RATE = re.compile(r"(?<![\w.])(\d{1,4}(?:\.\d{1,3})?) ?GB/s")
_LOW_LATENCY = re.compile(r"(?i)\blow[-_ ]latency\b")
_NETWORK = re.compile(r"(?i)\bRDMA\b|\binter-?node\b|\b(?:[2-9]|[1-9]\d|two|four|eight) nodes\b")


def spoken_experts(text: str, file: str, line: int) -> Run | None:
    """The run of DeepEP that sentences tell: its measured rates; None of another tool."""
    if _NAMED.search(text) is None:
        return None
    rates = []
    for rate in all_rates(text):
        sentence = rate.passages.sentence
        if rate.bytes_per_s <= 0 or is_of_port(rate) or _OTHER.search(sentence):
            continue
        operation = _OPERATION.search(sentence)
        if operation is None and _NAMED.search(sentence) is None:
            continue
        over_network = _NETWORK.search(sentence) or _NETWORK.search(text)
        rates.append(
            (operation.group(1).lower() if operation else "all", rate.bytes_per_s, bool(over_network))
        )
    if not 0 < len(rates) <= _RATES_MOST:
        return None
    return told_run(file, rates, line, low_latency=_LOW_LATENCY.search(text) is not None)


def experts_of(cells: list[tuple[str, str]], prose: str, file: str, line: int) -> Run | None:
    """
    The run of DeepEP that the cells of a table tell; None of another tool.

    Args:
        cells: The name of a cell's row, and the cell as a sentence.
        prose: Beside the table.
        file: Its name.
        line: Where it begins.
    """
    if _TOOL.search(prose) is None:
        return None
    rates = []
    for label, text in cells:
        operation, rate = _OPERATION.search(f"{label}, {text}"), _RATE.search(text)
        if operation and rate:
            over_network = _NETWORK.search(text) or (_NETWORK.search(prose) and "NVL" not in label)
            rates.append((operation.group(1).lower(), float(rate.group(1)) * GB, bool(over_network)))
    low_latency = _LOW_LATENCY.search(prose) is not None
    return told_run(file, rates, line, low_latency=low_latency) if rates else None
