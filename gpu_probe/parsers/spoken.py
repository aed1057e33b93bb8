"""A measurement told in a sentence: ``only 5 GB/s busbw on 2 nodes x 8 A100 with 4x200G``."""

import re
from dataclasses import dataclass, field

from core.measurement import GpuCount, Machine, Notice, Observation, Run, Sample
from core.measurement.bus_factor import bus_factor
from core.units import GB, GIB, KIB, MB, MIB, format_rate, format_size
from gpu_probe.parsers.lines import Line
from gpu_probe.parsers.names import collective_in_words

_LINES_MOST, _LINE_MOST = 200, 400
_SUBJECT = re.compile(
    r"(?i)\b(?:bus ?bw|bus bandwidth|alg ?bw|[nr]ccl|all[\s_-]?(?:reduce|gather|to[\s_-]?all))\b"
)
_RATE = re.compile(
    r"(?i)(?<![\w.])(\d{1,5}(?:\.\d{1,3})?) ?(GB/s|GBps|GB/sec|Gb/s|Gbps|Gbit/s|MB/s)(?![\w/])"
)
_EXPECTED = re.compile(
    r"(?i)(?:expect|theor|instead of|should|spec\b|peak|line rate|maximum|out of|ib_\w+_bw|perftest|\bvs)"
    r"[^.,;\n]{0,30}$"
)
_ALGORITHM = re.compile(r"(?i)alg ?bw|algorithm bandwidth")
_MODELS = r"GB[23]00|[ABHV][128]00|A800|H800|H20|L20|L40S?|L4|T4|P100|MI[23]\d\dX|A6000|[345]0[789]0"
_MODEL = re.compile(rf"\b({_MODELS}|RTX ?(?:PRO )?\d{{4}}D?)\b")
_PER_NODE = re.compile(rf"(?i)\b(\d{{1,2}}) ?[x×*]? ?(?:nvidia |amd |rtx ){{0,2}}(?:{_MODELS}|GPUs?)\b")
_NUMBERS = {"one": 1, "single": 1, "two": 2, "three": 3, "four": 4, "six": 6, "eight": 8, "sixteen": 16}
_NODES = re.compile(
    r"(?i)\b(\d{1,4}|one|single|two|three|four|six|eight|sixteen)[ -](?:(?:x|×|gpu|dgx|hgx)[ -])?"
    r"(?:nodes?|servers?|machines?|hosts?|dgx)\b"
)
_NICS = re.compile(r"(?i)\b(\d{1,2}) ?(?:x|×|\*) ?(\d{2,3}) ?(?:GbE|Gbps|Gb/s|Gbit/s|Gb|G)(?![\w/])")
_SIZE = re.compile(
    r"(?i)(?:at|of|size|messages?|for) (?:size )?(\d{1,4}) ?(KiB|MiB|GiB|KB|MB|GB|K|M|G)(?![\w/])"
)
_UNITS = {"k": KIB, "m": MIB, "g": GIB}
_NODE_GPUS, _USUAL_BYTES = 8, int(8 * GIB)


@dataclass(slots=True)
class Spoken:
    """Listens to lines that no reader takes, for the case that there is no measurement but a sentence."""

    lines: list[str] = field(default_factory=list)
    first: int = 1

    def listen(self, line: Line) -> None:
        """Keep a line of prose."""
        text = line.text.strip()
        if text and " NCCL " not in text and len(self.lines) < _LINES_MOST and len(text) <= _LINE_MOST:
            self.first = self.first if self.lines else line.number
            self.lines.append(text)

    def run(self, file: str) -> Run | None:
        """The measurement that the prose states; None where rate, subject, GPU or their number is missing."""
        text = "\n".join(self.lines)
        model, rate = _MODEL.search(text), _measured(text)
        if rate is None or model is None or _SUBJECT.search(text) is None:
            return None
        nodes = _nodes(text)
        ranks = nodes * _gpus(text)
        said = (collective_in_words(line) for line in self.lines)
        collective = next((name for name in said if name), "all_reduce")
        factor = bus_factor(collective, ranks)
        if factor is None or ranks < 2:  # noqa: PLR2004 (a rank alone has no peer)
            return None
        size_bytes, is_stated = _size(text)
        bytes_per_s, is_algorithm = rate
        told = (
            f"taken from a sentence: {collective}, {ranks} ranks on {nodes} node{'s' if nodes > 1 else ''}, "
            f"{format_rate(bytes_per_s)} {'algbw' if is_algorithm else 'busbw'} at {format_size(size_bytes)}"
            f"{'' if is_stated else ' (size assumed)'}; the log itself tells more"
        )
        time_s = size_bytes / bytes_per_s * (1.0 if is_algorithm else factor)
        return Run(
            file=file,
            format="nccl-tests-text",
            collective=collective,
            ranks=ranks,
            machine=Machine((GpuCount(model.group(1), ranks),)),
            samples=(Sample(collective, size_bytes, time_s),),
            warnings=(Notice("from_prose", told, self.first),),
            observations=_observations(text, nodes, self.first),
        )


def _measured(text: str) -> tuple[float, bool] | None:
    """The first rate that no word calls expected, in bytes/s, and whether it is algorithm bandwidth."""
    for match in _RATE.finditer(text):
        if _EXPECTED.search(text[max(0, match.start() - 60) : match.start()]) is not None:
            continue
        unit = match.group(2)
        scale = MB if unit[0] in "mM" else GB / 8 if unit[1] == "b" else GB
        value = float(match.group(1)) * scale
        near = text[max(0, match.start() - 25) : match.end() + 25]
        return (value, _ALGORITHM.search(near) is not None) if value > 0 else None
    return None


def _nodes(text: str) -> int:
    match = _NODES.search(text)
    if match is None:
        return 1
    word = match.group(1).lower()
    return _NUMBERS.get(word) or max(1, int(word))


def _gpus(text: str) -> int:
    """GPUs of a node; eight where the sentence does not say."""
    match = _PER_NODE.search(text)
    return max(1, int(match.group(1))) if match is not None else _NODE_GPUS


def _size(text: str) -> tuple[int, bool]:
    match = _SIZE.search(text)
    if match is None:
        return _USUAL_BYTES, False
    return int(int(match.group(1)) * _UNITS[match.group(2)[0].lower()]) or _USUAL_BYTES, True


def _observations(text: str, nodes: int, line: int) -> tuple[Observation, ...]:
    said = [Observation("nodes", str(nodes), "", line)] if nodes > 1 else []
    if nodes > 1 and (match := _NICS.search(text)):
        kind = "RoCE" if re.search(r"(?i)\broce|ethernet", text) else "IB"
        said.append(Observation("nics_stated", f"{match.group(1)} {match.group(2)} {kind}", "", line))
    return tuple(said)
