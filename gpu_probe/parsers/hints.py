"""What a file is when it is none of ours: one line that helps to bring the right one."""

import re

from gpu_probe.parsers.failures import explained
from gpu_probe.parsers.lines import Line

ROCM = "rocm-smi's topology without its table of link types: bring all of rocm-smi --showtopo"
_SIGNS = (
    (
        re.compile(r"(?:cpu|gpu\d{1,4}|gpu_all)_(?:to|and)_\w{1,60} \d"),
        "SuperBench gpu_copy output, which is not read: bring nvbandwidth or p2pBandwidthLatencyTest",
    ),
    (
        re.compile(r"\bnccom-test\b|size\(B\)\s+count\(elems\)\s"),
        "nccom-test of Trainium or Inferentia, whose links have no calibration here",
    ),
    (
        re.compile(r"\bcomm op: \w{3,40} \| time \(ms\)|\bbusbw_avg ?\(Gbps\)|Comm\. Op\s+Message Size"),
        "DeepSpeed's log of its calls, whose times hold the wait for other ranks: bring nccl-tests output",
    ),
    (
        re.compile(r"=*NVSMI LOG=*|\| NVIDIA-SMI \d"),
        "nvidia-smi's status, which holds no bandwidth: bring nvidia-smi topo -m or nvidia-smi nvlink -s",
    ),
    (
        re.compile(r"(?i:NVLink information as all links are inactive)"),
        "all NVLinks are inactive: no bridge or switch, or its manager does not run",
    ),
    (
        re.compile(r"NVIDIA-SMI has failed|^No devices were found"),
        "nvidia-smi found no driver or no GPU on this machine",
    ),
    (
        re.compile(r"memcpyKernel (?:Read|Write) |Measured bandwidth in GB/s of size"),
        "another copy test, which is not read: bring nvbandwidth or p2pBandwidthLatencyTest",
    ),
    (
        re.compile(r"^SUM [a-z_]{3,40}_(?:ce|sm)\w{0,8} \d"),
        "nvbandwidth's sums without their matrices: bring its whole output",
    ),
    (
        re.compile(r"^#?\s?OSU (?:MPI|NCCL|xCCL)"),
        "a test of MPI, which is not read but between GPUs: bring nccl-tests, rccl-tests or perftest output",
    ),
    (
        re.compile(r"ROC[mM] System Management Interface|Link Type between two GPUs"),
        ROCM,
    ),
    (
        re.compile(r"\bsize\b.{0,200}\bbusbw\b.{0,200}\bsize\b.{0,200}\bbusbw\b"),
        "two tables side by side: bring each log by itself",
    ),
    (
        re.compile(r"#?\s*size\s+count\s+time\s"),
        "a table without nccl-tests' type column, of another tool: bring nccl-tests output",
    ),
    (
        re.compile(r"(?i:launch failed|no such file or directory|command not found|permission denied)"),
        "",
    ),
    (re.compile(r"(?i:srun: error|mpirun (?:noticed|was unable)|slurmstepd: error|\bORTE\b|\bPRTE\b)"), ""),
    (re.compile(r"(?:CUDA|NCCL|HIP) (?:failure|error)|ncclSystemError|Segmentation fault|out of memory"), ""),
    (
        re.compile(
            r"\s{0,12}\d{1,18}\s{1,20}\d{1,18}\s{1,20}(?:float|half|double|bfloat16|u?int\d{1,2})\s|# Rank"
        ),
        "a piece of nccl-tests output without the header line that names its columns: bring the whole table",
    ),
)


_FAILED_RANK = next(rank for rank, (_, message) in enumerate(_SIGNS) if not message)
"""From here on a sign says only that a run failed."""
_WORD_MOST = 60
_GAP = re.compile(r"[\s,]")
"""A long line without blanks or commas is no sentence but data."""


class Hints:
    """Listens to the first lines of a file for signs of what it is."""

    def __init__(self) -> None:
        """Nothing heard."""
        self.first = ""
        self._best: tuple[int, str, int] | None = None
        self._meaning: tuple[str, int] | None = None
        self._left = 5000

    def listen(self, line: Line) -> None:
        """Look at one line."""
        if self._left <= 0:
            return
        text = line.text.strip()
        if not text or (len(text) > _WORD_MOST and not _GAP.search(text)):
            return
        self._left -= 1
        self.first = self.first or text
        if (meaning := explained(text)) and not self._meaning:
            self._meaning = (meaning, line.number)
        for rank, (pattern, message) in enumerate(_SIGNS):
            if (self._best is None or rank < self._best[0]) and pattern.search(text[:300]):
                reason = message or f"the run failed: {text[:200]}"
                self._best = (rank, reason, line.number)
                return

    def reason(self) -> tuple[str, int | None]:
        """Why nothing was found, and the line that says it."""
        if self._meaning is not None and (self._best is None or self._best[0] >= _FAILED_RANK):
            return f"no measurement, the run failed: {self._meaning[0]}", self._meaning[1]
        if self._best is not None:
            return f"no measurement: {self._best[1]}", self._best[2]
        begin = f"; it begins {self.first[:60]!r}" if self.first else ""
        return f"no measurement of a known tool{begin}", None
