"""Which reader takes which part of a file: every block is claimed by exactly one."""

from collections.abc import Callable
from dataclasses import replace

from core.errors import InputError
from core.file_names import file_name
from core.measurement import Run
from core.storable import storable
from gpu_probe.parsers.cuda_bandwidth import CudaBandwidth
from gpu_probe.parsers.deepep import DeepEp
from gpu_probe.parsers.documents import DOCUMENTS_MOST, Document, looks_like_json, parse
from gpu_probe.parsers.environment import Software
from gpu_probe.parsers.evidence.collector import Collector
from gpu_probe.parsers.hints import Hints
from gpu_probe.parsers.iperf import Iperf
from gpu_probe.parsers.json_block import JsonBlock
from gpu_probe.parsers.limits import FILE_MOST_BYTES, JSON_MOST_BYTES
from gpu_probe.parsers.lines import Line, lines_of
from gpu_probe.parsers.log_records import unwrapped
from gpu_probe.parsers.nccl_json import is_nccl_json, read_nccl_json
from gpu_probe.parsers.nccl_text import NcclText
from gpu_probe.parsers.nvbandwidth_json import is_nvbandwidth_json, read_nvbandwidth_json
from gpu_probe.parsers.nvbandwidth_text import NvBandwidthText
from gpu_probe.parsers.nvlink import NvLink
from gpu_probe.parsers.osu import Osu
from gpu_probe.parsers.p2p import P2p
from gpu_probe.parsers.perftest import Perftest
from gpu_probe.parsers.problem import ParseError, refuse
from gpu_probe.parsers.rccl_records import RcclCsv, is_rccl_record, read_rccl_records
from gpu_probe.parsers.reader import ParsedRun, Reader
from gpu_probe.parsers.rocm_bandwidth import RocmBandwidth
from gpu_probe.parsers.rocm_topology import RocmTopology
from gpu_probe.parsers.run_file import is_run_file, read_run_file
from gpu_probe.parsers.sentence import Spoken
from gpu_probe.parsers.sentence.launch import Commands, Launch
from gpu_probe.parsers.sentence.missing import AVERAGE_ALONE, missing
from gpu_probe.parsers.topology import Topology
from gpu_probe.parsers.transfer_tables import TransferTables
from gpu_probe.parsers.transferbench import TransferBench

PARSERS: tuple[Callable[[str], Reader], ...] = (
    NcclText,
    NvBandwidthText,
    P2p,
    CudaBandwidth,
    RocmBandwidth,
    TransferBench,
    RcclCsv,
    Osu,
    Perftest,
    Iperf,
    DeepEp,
    TransferTables,
    RocmTopology,
    Topology,
    NvLink,
    JsonBlock,
)
"""Readers of text, asked in this order; JSON files go to theirs by their keys."""

_OF_PORTS = ("perftest", "osu")
"""Formats whose output does not tell the rate of the port."""
_GZIP = b"\x1f\x8b"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read(name: str, data: bytes) -> list[Run]:
    """
    The runs in a file, in the order in which they stand there.

    Args:
        name: What the file is called; kept in each run.
        data: Its content: a tool's text or JSON, a log around it, or our own run file.

    Raises:
        ParseError: One line saying why the file holds no measurement that we can read, or the name is none.
    """
    try:
        file_name("file", name)
    except InputError as problem:
        refuse(str(problem))
    if len(data) > FILE_MOST_BYTES:
        refuse(f"more than {FILE_MOST_BYTES // 1_000_000} MB")
    if not data.strip():
        refuse("the file is empty (nvidia-smi nvlink -s prints nothing where there is no NVLink)")
    if data.startswith(_GZIP):
        refuse("compressed with gzip: unpack it first")
    return [storable(run) for run in _runs(name, data)]


def _runs(name: str, data: bytes) -> list[Run]:
    if data.startswith(_UTF16):
        data = _from_utf16(data)
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")
    data = unwrapped(data)
    if looks_like_json(data):
        runs = _from_json(name, data)
        if runs is not None:
            return runs
    return _from_text(name, data)


def _from_utf16(data: bytes) -> bytes:
    if len(data) > JSON_MOST_BYTES:
        refuse("UTF-16 of more than 16 MB: save the log as UTF-8")
    return data.decode("utf-16", "replace").encode("utf-8", "replace")


def _from_json(name: str, data: bytes) -> list[Run] | None:
    """The runs of a JSON file; None where text follows the JSON, which the line readers then take."""
    if len(data) > JSON_MOST_BYTES:
        refuse(f"JSON of more than {JSON_MOST_BYTES // 1_000_000} MB")
    try:
        documents = parse(data.decode("utf-8-sig", "replace"))
    except ParseError:
        if b"busbw" in data or b"P2P=" in data or b"GPU0" in data:
            return None
        raise
    values = [
        Document(value, document.mended)
        for document in documents
        for value in (document.value if isinstance(document.value, list) else [document.value])
    ]
    records = [document.value for document in values if is_rccl_record(document.value)]
    if records:
        return read_rccl_records(name, records)
    return [run for document in values[:DOCUMENTS_MOST] for run in _document_runs(name, document)]


def _document_runs(name: str, document: Document) -> list[Run]:
    value, mended = document.value, document.mended
    if is_run_file(value):
        if mended:
            refuse("run file: it is cut short")
        return read_run_file(value)
    if is_nvbandwidth_json(value):
        return [read_nvbandwidth_json(name, value, mended=mended)]
    if is_nccl_json(value):
        return [read_nccl_json(name, value, mended=mended)]
    return refuse("JSON of no known tool: nccl-tests -J, nvbandwidth -j or a run file are read")


def _from_text(name: str, data: bytes) -> list[Run]:
    readers = [parser(name) for parser in PARSERS]
    hints, evidence, spoken, commands, software = Hints(), Collector(), Spoken(), Commands(), Software()
    launch: Launch | None = None
    last_reader: Reader | None = None
    for line in lines_of(data):
        evidence.listen(line)
        software.look(line.text)
        launch = commands.launched(line.text) or launch
        reader = _claiming_reader(readers, last_reader, line)
        if reader is None:
            hints.listen(line)
            spoken.listen(line)
        else:
            last_reader = reader
    parsed = sorted((run for reader in readers for run in reader.finish()), key=lambda run: run.line)
    if not parsed and (told := spoken.runs(name, evidence.machine, launch)):
        return spoken.noted(_as_set(told, software))
    if not parsed and (rows := spoken.table(name, data, evidence.machine)):
        return spoken.noted(rows)
    return _result(_beside(evidence.attach(parsed), spoken, launch), hints, spoken)


def _as_set(told: list[Run], software: Software) -> list[Run]:
    """A run of words with settings and version of the lines beside it; of several each may have its own."""
    if len(told) != 1:
        return told
    machine = told[0].machine
    set_so = replace(machine, nccl=machine.nccl or software.nccl, env={**software.env, **machine.env})
    return [replace(told[0], machine=set_so)]


def _beside(parsed: list[ParsedRun], spoken: Spoken, launch: Launch | None) -> list[ParsedRun]:
    """The runs with the machine that words or command tell, those of several nodes with their NICs."""
    parsed = [replace(item, run=spoken.beside(item.run, launch, item.line)) for item in parsed]
    ports = any(item.run.format in _OF_PORTS for item in parsed)
    several = any(_several(item.run) for item in parsed)
    adapters, port = spoken.adapters() if several else (), spoken.port() if ports else ()
    beside = []
    for item in parsed:
        said = port if item.run.format in _OF_PORTS else adapters if _several(item.run) else ()
        told = replace(item.run, observations=(*item.run.observations, *said)) if said else item.run
        beside.append(replace(item, run=told))
    return beside


def _several(run: Run) -> bool:
    """Whether hosts or words tell of several nodes."""
    return len(run.machine.hosts) > 1 or any(item.kind == "nodes" for item in run.observations)


def _claiming_reader(readers: list[Reader], last_reader: Reader | None, line: Line) -> Reader | None:
    """
    The one reader that takes a line: the open block's first, then the others in their order.

    What NCCL prints is for its own reader's ears only, so it ends no other tool's run.
    """
    if " NCCL INFO " in line.text:
        return readers[0] if readers[0].feed(line) else None
    open_reader = last_reader if last_reader is not None and last_reader.busy else None
    if open_reader is not None and open_reader.feed(line):
        return open_reader
    for reader in readers:
        if reader is not open_reader and reader.feed(line):
            return reader
    return None


def _result(parsed: list[ParsedRun], hints: Hints, spoken: Spoken) -> list[Run]:
    if any(run.problem is None for run in parsed):
        return _with_shared_guess([run.run for run in parsed if run.problem is None or run.run.warnings])
    if spoken.average and not spoken.large:
        refuse(AVERAGE_ALONE)
    problems = [run.problem for run in parsed if run.problem is not None]
    if problems:
        raise problems[0]
    reason, line = hints.reason()
    open_question = missing(spoken.text) if line is None else ""
    left_out = f" ({spoken.left_out})" if spoken.cut and line is None else ""
    return refuse((open_question or reason) + left_out, line)


def _with_shared_guess(runs: list[Run]) -> list[Run]:
    """Runs of one size each: small sizes have no guess of their own and take that of their neighbours."""
    guesses = {run.collective_guess for run in runs if run.collective_guess and run.collective is None}
    settings = {(run.ranks, run.dtype, run.machine.gpus) for run in runs if run.collective is None}
    if len(guesses) != 1 or len(settings) != 1:
        return runs
    (shared,) = guesses
    return [replace(run, collective_guess=shared) if run.collective is None else run for run in runs]
