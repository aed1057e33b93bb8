"""Commands of launchers: how many hosts they name."""

import re
from collections.abc import Iterator

from gpu_probe.parsers.evidence.nccl_lines import Said

LAUNCHERS = ("mpirun", "mpiexec", "horovodrun", "prterun")
_HOSTS = re.compile(
    r"\b(?:mpirun|mpiexec|horovodrun|prterun)\s.{0,600}?\s(?:-H|--hosts?|-hosts?)[ =]"
    r"([A-Za-z\d][\w.-]{0,80}(?::\d{1,4})?(?:,[A-Za-z\d][\w.-]{0,80}(?::\d{1,4})?){1,64})(?=\s|$)"
)


def launched(text: str) -> Iterator[Said]:
    """That a command starts ranks on several hosts, by their names."""
    if any(launcher in text for launcher in LAUNCHERS) and (match := _HOSTS.search(text[:2000])):
        names = {name.partition(":")[0] for name in match.group(1).split(",")}
        if len(names) > 1:
            yield "launched", str(len(names))
