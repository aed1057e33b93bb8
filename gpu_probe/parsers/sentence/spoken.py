"""The run that a sentence tells: ``only 5 GB/s busbw on 2 nodes x 8 A100 with 4x200G``."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from core.measurement import GpuCount, Machine, Notice, Observation, Run, Sample
from core.measurement.bus_factor import bus_factor
from core.units import GIB, format_rate, format_size
from gpu_probe.parsers.limits import CELLS_OF_PROSE_MOST, PROSE_MOST
from gpu_probe.parsers.names import collectives_named
from gpu_probe.parsers.sentence.beside import with_words
from gpu_probe.parsers.sentence.cells import cell_sentences
from gpu_probe.parsers.sentence.copies import copies_of, fastest_of_rows, lanes_stated, link_stated, slot_card
from gpu_probe.parsers.sentence.experts import experts_of, spoken_experts
from gpu_probe.parsers.sentence.heard import LINE_MOST, LINES_MOST, Heard
from gpu_probe.parsers.sentence.launch import Launch
from gpu_probe.parsers.sentence.machine import Stated, gpu_in, gpu_of, machine_of
from gpu_probe.parsers.sentence.network import stated_network
from gpu_probe.parsers.sentence.pair_list import weak_host
from gpu_probe.parsers.sentence.passages import Passages, unwrapped
from gpu_probe.parsers.sentence.rate import Rate, measured
from gpu_probe.parsers.sentence.references import references
from gpu_probe.parsers.sentence.remarks import remarks
from gpu_probe.parsers.sentence.summary import runs_of
from gpu_probe.parsers.sentence.timed import sizes_of, timed
from gpu_probe.parsers.sentence.transfers import transfers_of
from gpu_probe.parsers.sentence.units import spelled

_MEASURING = re.compile(
    r"(?i)\bmeasur\w+|\bresults?\b|\btest(?:s|ed)?\b|\bobserv\w+|\bactual\b|\bachiev\w+"
    r"|\b(?:we|I) (?:get|got|see)\b|\bnvbandwidth|bandwidthTest\b|\bib_\w+_bw|\biperf\d?|\bperftest"
    r"|\bDeepEP|\bbenchmark\w*"
)
"""Words without which a table may list what links are said to have."""
_USUAL_BYTES = int(8 * GIB)
_CONVENTIONS_AGREE = 0.1


@dataclass(slots=True)
class Spoken(Heard):
    """Listens to lines that no reader takes, for the case that there is no measurement but a sentence."""

    def beside(self, run: Run, launch: Launch | None, line: int = 0) -> Run:
        """A run with what the prose and the command beside its table, at this line, say of its machine."""
        text = self.above(line) if line and not run.machine.gpus and not gpu_in(self.text) else self.text
        told = with_words(run, text, launch, self.first)
        said = _remarks(text, self.first) if told.samples else ()
        if told.samples and (weak := weak_host(self.lines)):
            said = (*said, Observation("weak_host", weak, "", self.first))
        return replace(told, observations=(*told.observations, *said)) if said else told

    def table(self, file: str, data: bytes, machine: Sequence[Observation] = ()) -> list[Run]:
        """The runs of a table of results in prose, by the file itself: first cells may look like prefixes."""
        head = data[: LINES_MOST * LINE_MOST].decode("utf-8", "replace").splitlines()[:LINES_MOST]
        lines = [spelled(line[:LINE_MOST]) for line in head]
        text = unwrapped([line for line in lines if line.strip()])[:PROSE_MOST]
        return runs_of(lines, text, file, self.first, machine) or self._cells(file, lines)

    def _cells(self, file: str, lines: Sequence[str]) -> list[Run]:
        """The copies, transfers and rates of DeepEP that a table tells: a run for each cell."""
        prose = unwrapped([line for line in lines if line.strip() and "|" not in line])
        measuring = _MEASURING.search("\n".join(lines)) is not None
        told = list(islice(cell_sentences(lines), CELLS_OF_PROSE_MOST)) if measuring else []
        experts = experts_of([(item.label, item.text) for item in told], prose, file, self.first)
        if experts is not None:
            return [with_words(experts, prose, None, self.first)]
        runs: list[tuple[str, Run]] = []
        gpu, port = gpu_in(prose), self.port() if told else ()
        for item in told:
            copies = self._copies(file, item.text, gpu)
            found = [copies] if copies is not None else transfers_of(item.text, file, self.first, port)
            runs += [(item.label, run) for run in found]
        return fastest_of_rows(runs)

    def runs(self, file: str, machine: Sequence[Observation] = (), launch: Launch | None = None) -> list[Run]:
        """
        The measurement that the prose states, one of each machine where it compares several.

        None where it may mean two of one machine, or does not state it all.

        Args:
            file: Its name.
            machine: What the file's other lines say of the machine; an instance type names its GPU.
            launch: What its command started, for ranks and nodes that the prose leaves open.
        """
        text = self.text
        rates = measured(text) or timed(text) or self._averages(text)
        if self.own and len(self.own) < len(self.lines):
            own = unwrapped(self.own)
            rates = _of_whom_asks(rates, measured(own) or timed(own))
            if not rates:
                return []
        if not rates:
            if (experts := spoken_experts(text, file, self.first)) is not None:
                return [with_words(experts, text, launch, self.first)]
            copies = self._copies(file, text)
            named = tuple(item for item in machine if item.kind == "instance")
            port = (*self.port(), *named)
            return [copies] if copies is not None else transfers_of(text, file, self.first, port)
        groups = _by_gpu(rates) or [(rates[0].passages, rates)]
        runs = [self._run(file, scope, of_it, machine, launch) for scope, of_it in groups]
        told = [run for run in runs if run is not None]
        return told if len(told) == len(runs) else []

    def _averages(self, text: str) -> list[Rate]:
        """The average of a test of large sizes, whose table the paste leaves out."""
        if not (self.average and self.large):
            return []
        return [Rate(self.average, is_algorithm=False, passages=Passages(text, text, text, 0))]

    def _run(
        self,
        file: str,
        scope: Passages,
        rates: list[Rate],
        machine: Sequence[Observation],
        launch: Launch | None,
    ) -> Run | None:
        """The run of one machine, which the passages of ``scope`` name."""
        text, passages = scope.text, rates[0].passages
        stated = machine_of(scope, has_instance=any(item.kind == "instance" for item in machine))
        stated = stated or _launched(scope, launch)
        names = passages.nearest(collectives_named) or {"all_reduce"}
        sizes = passages.nearest(sizes_of) or {0}
        if stated is None or len(names) != 1 or len(sizes) != 1:
            return None
        collective, size_bytes = next(iter(names)), next(iter(sizes)) or _USUAL_BYTES
        factor = bus_factor(collective, stated.ranks)
        rate = _only(rates, factor) if factor else None
        if factor is None or rate is None:
            return None
        told = (
            f"taken from a sentence: {collective}, {stated.ranks} ranks on {stated.nodes} "
            f"node{'s' if stated.nodes > 1 else ''}, {format_rate(rate.bytes_per_s)} "
            f"{'algbw' if rate.is_algorithm else 'busbw'} at {format_size(size_bytes)}"
            f"{'' if any(sizes) else ' (size assumed)'}; the log itself tells more"
        )
        time_s = size_bytes / rate.bytes_per_s * (1.0 if rate.is_algorithm else factor)
        return Run(
            file=file,
            format="nccl-tests-text",
            collective=collective,
            ranks=stated.ranks,
            machine=Machine((GpuCount(stated.gpu, stated.ranks),) if stated.gpu else ()),
            samples=(Sample(collective, size_bytes, time_s),),
            warnings=(Notice("from_prose", told, self.first),),
            observations=(
                *_observations(text, stated.nodes, self.first),
                *_remarks(text, self.first),
                *([Observation("unit_stated", "Gb/s", "", self.first)] if rate.in_bits else []),
                *([] if rate.is_named else [Observation("metric_open", "busbw or algbw", "", self.first)]),
                *machine,
            ),
        )

    def _copies(self, file: str, text: str, named: str = "") -> Run | None:
        """The copies between GPUs or with the host that the prose tells; None where it tells none."""
        told = copies_of(text)
        gpu = (slot_card(told, text) or gpu_of(told[0].passages) or named or None) if told else None
        if gpu is None:
            return None
        words = "; ".join(copy.told for copy in told)
        notice = Notice(
            "from_prose", f"taken from a sentence: {words}; the log itself tells more", self.first
        )
        machine = Machine((GpuCount(gpu, 2),))
        form = "p2p-bandwidth-latency-test"
        matrices, said = tuple(copy.matrix for copy in told), _remarks(text, self.first)
        stated = {"link_stated": link_stated(text), "lanes_stated": lanes_stated(text)}
        said += tuple(
            Observation(kind, f"{value:.6g}", "", self.first) for kind, value in stated.items() if value
        )
        return Run(file, form, None, None, machine, matrices=matrices, warnings=(notice,), observations=said)


def _launched(scope: Passages, launch: Launch | None) -> Stated | None:
    """The machine of a command's ranks and nodes, where prose names its GPU and leaves those open."""
    gpu = gpu_of(scope)
    if launch is None or not launch.nodes or launch.ranks <= 1 or not gpu:
        return None
    return Stated(gpu, launch.nodes, launch.ranks)


def _of_whom_asks(rates: list[Rate], own: list[Rate]) -> list[Rate]:
    """Rates without those of a mail that is quoted; their passages are those of the whole text."""
    asked = {(rate.bytes_per_s, rate.is_algorithm) for rate in own}
    return [rate for rate in rates if (rate.bytes_per_s, rate.is_algorithm) in asked]


def _by_gpu(rates: list[Rate]) -> list[tuple[Passages, list[Rate]]]:
    """Rates by the GPU that their own clause or sentence names, with those words; none of one GPU."""
    groups: dict[str, tuple[Passages, list[Rate]]] = {}
    for rate in rates:
        parts = (rate.passages.clause, rate.passages.sentence)
        own, gpu = next(((part, name) for part in parts if (name := gpu_in(part))), ("", ""))
        groups.setdefault(gpu, (Passages(own, own, own, 0), []))[1].append(rate)
    return list(groups.values()) if len(groups) > 1 and "" not in groups else []


def _only(rates: list[Rate], factor: float) -> Rate | None:
    """The one measured rate, as busbw where both conventions of one measurement are told; None of several."""
    bus = [rate for rate in rates if not rate.is_algorithm]
    algorithm = [rate for rate in rates if rate.is_algorithm]
    if min(rate.bytes_per_s for rate in rates) <= 0 or len(bus) > 1 or len(algorithm) > 1:
        return None
    if bus and algorithm:
        ratio = algorithm[0].bytes_per_s * factor / bus[0].bytes_per_s
        return bus[0] if abs(ratio - 1) < _CONVENTIONS_AGREE else None
    return rates[0]


def _observations(text: str, nodes: int, line: int) -> tuple[Observation, ...]:
    said = (Observation("nodes", str(nodes), "", line),) if nodes > 1 else ()
    return (*said, *stated_network(text, line)) if nodes > 1 else said


@lru_cache(maxsize=4)
def _remarks(text: str, line: int) -> tuple[Observation, ...]:
    said = dict.fromkeys(remarks(text))
    known = dict.fromkeys(references(text))
    return (
        *(Observation(kind, value, "", line) for kind, value in said),
        *(Observation("reference", f"{rate:.6g} {words}", "", line) for rate, words in known),
    )
