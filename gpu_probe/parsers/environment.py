"""What log lines say about software: NCCL's version and settings, and nothing else."""

import re
from dataclasses import dataclass, field

from core.measurement.run_json import allowed_variable
from gpu_probe.parsers.limits import VARIABLE_MOST, VARIABLES_MOST

_SET_BY = re.compile(
    r"\b(?:(?<=NCCL INFO )|(?=NCCL_[A-Z0-9_]{1,80} set by environment))"
    r"(NCCL_[A-Z0-9_]{1,80}) set (?:by environment )?to (\S[^\n]{0,300})"
)
"""``NCCL INFO NCCL_IB_HCA set to mlx5_0``; without NCCL's own mark ``set to`` may be prose."""
_ASSIGNED = re.compile(
    r"""(?<![\w$])(NCCL_[A-Z0-9_]{1,80})=("[^"\n]{0,300}"|'[^'\n]{0,300}'"""
    r"""|[^\s"',;)}\]]{1,300}(?:,(?!\w{1,80}=)[^\s"',;)}\]]{1,80}){0,40})"""
)
_QUOTED = re.compile(r"""(["'])(NCCL_[A-Z0-9_]{1,80})=([^"'\n]{0,300})\1""")
_LISTS = ("NCCL_IB_HCA", "NCCL_SOCKET_IFNAME", "NCCL_ALGO", "NCCL_PROTO", "NCCL_DEBUG_SUBSYS")
"""Variables that take a list; elsewhere a comma parts settings, as in ``--export=ALL,NCCL_DEBUG=INFO``."""
_SETS = re.compile(r"\s{0,20}(?:\+|export\b|set\b|env\b|\$ |NCCL_[A-Z0-9_]{1,80}=)")
_LAUNCHES = ("-x ", "--export=", "mpirun", "srun ", "docker run")
_VERSION = re.compile(r"\b[NR]CCL version ?:? ?(\d{1,3}\.\d{1,3}\.\d{1,3})(?:\+cuda(\d{1,3}\.\d{1,3}))?")
_LIBRARY = re.compile(r"nccl-library=(\d{4,6})\b")
_HEADERS = re.compile(r"nccl-tests version (\S{1,40})")


def code_to_version(code: int) -> str | None:
    """``2.22.3`` from NCCL's version code 22203 (before 2.9: 2408 for 2.4.8)."""
    if code >= 10_000:  # noqa: PLR2004 (the code grew a digit with 2.9)
        return f"{code // 10_000}.{code // 100 % 100}.{code % 100}"
    return f"{code // 1000}.{code // 100 % 10}.{code % 100}" if code >= 1000 else None  # noqa: PLR2004


@dataclass(slots=True)
class Software:
    """
    What has been read so far.

    Attributes:
        newest: Whether a later setting replaces an earlier one, as between runs; within one run the
            first stands.
    """

    nccl: str | None = None
    cuda: str | None = None
    tests: str | None = None
    env: dict[str, str] = field(default_factory=dict)
    newest: bool = False

    def look(self, text: str) -> None:
        """Take what one line says."""
        if "CCL" not in text and "nccl" not in text:
            return
        if self.nccl is None and "version" in text and (match := _VERSION.search(text)):
            self.nccl, self.cuda = match.group(1), match.group(2) or self.cuda
        if "nccl-tests version" in text:
            self._look_at_tests(text)
        if "NCCL_" in text:
            self._look_at_settings(text)

    def _look_at_settings(self, text: str) -> None:
        if " set " in text:
            for match in _SET_BY.finditer(text):
                self.keep(match.group(1), match.group(2))
        is_full = len(self.env) >= VARIABLES_MOST and not self.newest
        if "=" not in text or is_full or not _sets(text):
            return
        quoted = _QUOTED.finditer(text) if "'NCCL_" in text or '"NCCL_' in text else ()
        settings = {match.group(2): match.group(3) for match in quoted}
        for match in _ASSIGNED.finditer(text):
            name, value = match.group(1), match.group(2)
            is_list = name in _LISTS or value[:1] in "\"'"
            settings.setdefault(name, value if is_list else value.partition(",")[0])
        for name, value in settings.items():
            self.keep(name, value)

    def _look_at_tests(self, text: str) -> None:
        if match := _HEADERS.search(text):
            self.tests = match.group(1)
        if match := _LIBRARY.search(text):
            self.nccl = code_to_version(int(match.group(1))) or self.nccl

    def keep(self, name: str, value: str) -> None:
        """Keep one variable if it is NCCL's own."""
        is_set = name in self.env
        if (self.newest if is_set else len(self.env) < VARIABLES_MOST) and allowed_variable(name):
            self.env[name] = value.strip().strip("\"'`").rstrip(".")[:VARIABLE_MOST]


def _sets(text: str) -> bool:
    """Whether a line sets variables: as a shell does, or for what it launches."""
    return any(word in text for word in _LAUNCHES) or _SETS.match(text) is not None
