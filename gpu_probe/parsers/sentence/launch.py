"""How many ranks and nodes the command of a run starts: mpirun, mpiexec, srun, options of nccl-tests."""

import re
from dataclasses import dataclass, field

_LAUNCHER = re.compile(r"(?:^|[\s/$`\"'(;])(mpirun|mpiexec(?:\.hydra)?|srun|prterun|orterun)\b(?=.*\s-)")
_TEST = re.compile(r"\b[a-z_]{4,20}_perf(?:_mpi)?\b(.*)")
_PROCESSES = re.compile(r"(?:^|\s)(?:--?np|-n|--ntasks)[ =]{1,4}(\d{1,6})\b")
_PER_NODE = re.compile(
    r"(?:^|\s)(?:--?npernode|--?ppn|-perhost|--ntasks-per-node|--?tasks-per-node)[ =]{1,4}(\d{1,4})\b"
    r"|\bppr:(\d{1,4}):node\b"
)
_BIG_N = re.compile(r"(?:^|\s)-N[ =]{0,4}(\d{1,5})\b")
_NODES = re.compile(r"(?:^|\s)(?:--nodes|--nnodes)[ =]{1,4}(\d{1,5})\b")
_HOSTS = re.compile(r"(?:^|\s)(?:-H|--?hosts?)[ =]{1,4}([\w.,:<>-]{1,2000})")
_SLOTS = re.compile(r"[^,:]{1,200}:(\d{1,4})")
_GPUS = re.compile(r"\s(?:-g|--ngpus)[ =]{0,4}(\d{1,3})\b")
_THREADS = re.compile(r"\s(?:-t|--nthreads)[ =]{0,4}(\d{1,3})\b")
_LINES_MOST, _TEXT_MOST = 60, 4000


@dataclass(frozen=True, slots=True)
class Launch:
    """Ranks that a command starts, and nodes where it tells them; 0 for unknown."""

    ranks: int
    nodes: int


@dataclass(slots=True)
class Commands:
    """Puts the lines of a command together that a backslash continues."""

    open: list[str] = field(default_factory=list)

    def launched(self, text: str) -> Launch | None:
        """What a command starts that ends with this line; None where none does, or it does not say."""
        if not self.open and not text.rstrip().endswith("\\") and not _launches(text):
            return None
        stripped = text.strip()
        self.open.append(stripped.rstrip("\\"))
        if stripped.endswith("\\") and len(self.open) < _LINES_MOST:
            return None
        command, self.open = " ".join(self.open)[:_TEXT_MOST], []
        return launch_of(command)


def _launches(text: str) -> bool:
    """Whether a line calls a launcher; the words first, as nearly no line of a log has them."""
    return ("run" in text or "mpiexec" in text) and _LAUNCHER.search(text) is not None


def launch_of(command: str) -> Launch | None:
    """The ranks and nodes of a command line; None where it does not say how many."""
    launcher, test = _LAUNCHER.search(command), _TEST.search(command)
    if launcher is None or test is None:
        return None
    options = command[launcher.end() : test.start()]
    by_slurm = launcher.group(1) == "srun"
    each = _number(_GPUS, test.group(1), 1) * _number(_THREADS, test.group(1), 1)
    per_node, nodes = _number(_PER_NODE, options, 0), _number(_NODES, options, 0)
    if count := _number(_BIG_N, options, 0):
        per_node, nodes = (per_node, nodes or count) if by_slurm else (per_node or count, nodes)
    hosts = _hosts(options)
    nodes = nodes or len(hosts)
    processes = _number(_PROCESSES, options, 0) or nodes * per_node or sum(hosts)
    if not nodes and per_node and processes % per_node == 0:
        nodes = processes // per_node
    if not processes or (nodes and processes % nodes):
        return None
    return Launch(processes * each, nodes)


def _hosts(options: str) -> list[int]:
    """Slots of each host of ``-H``; 1 where it names none."""
    match = _HOSTS.search(options)
    names = [name for name in match.group(1).split(",") if name] if match else []
    return [int(slots.group(1)) if (slots := _SLOTS.fullmatch(name)) else 1 for name in names]


def _number(pattern: re.Pattern[str], text: str, otherwise: int) -> int:
    match = pattern.search(text)
    return next((int(group) for group in match.groups() if group), otherwise) if match else otherwise
