"""Commands of launchers and the tests' first line: how many hosts, and GPUs of one thread, they name."""

import re
from collections.abc import Iterator

from gpu_probe.parsers.evidence.nccl_lines import Said

LAUNCHERS = ("mpirun", "mpiexec", "horovodrun", "prterun")
_COMMAND = re.compile(r"\b(?:mpirun|mpiexec|horovodrun|prterun)(?=\s)")
_HOSTS = re.compile(
    r"\s(?:-H|--hosts?|-hosts?)[ =]"
    r"([A-Za-z\d][\w.-]{0,80}(?::\d{1,4})?(?:,[A-Za-z\d][\w.-]{0,80}(?::\d{1,4})?){1,64})(?=\s|$)"
)
_THREADS = re.compile(r"\bnThreads? \d{1,4} nGpus (\d{1,3})\b")
_MOST_BEFORE = 1500
"""Characters of a command in which its hosts are looked for."""


def launched(text: str) -> Iterator[Said]:
    """That a command starts ranks on several hosts, by their names."""
    if not any(launcher in text for launcher in LAUNCHERS):
        return
    command = _COMMAND.search(text, 0, _MOST_BEFORE)
    if command and (match := _HOSTS.search(text, command.end(), command.end() + _MOST_BEFORE)):
        names = {name.partition(":")[0] for name in match.group(1).split(",")}
        if len(names) > 1:
            yield "launched", str(len(names))


def gpus_of_a_thread(text: str) -> Iterator[Said]:
    """How many GPUs each thread of a run starts kernels on, where more than one (``-g 8``)."""
    match = _THREADS.search(text[:200])
    if match and int(match.group(1)) > 1:
        yield "gpus_per_thread", str(int(match.group(1)))
