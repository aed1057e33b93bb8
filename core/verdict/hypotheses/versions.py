"""Versions of NCCL known to be slow somewhere, each with where, and who says so."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from core.hardware import Architecture
from core.units import MIB
from core.verdict.evidence import whole
from core.verdict.hypotheses.case import AGAINST, SOME, STRONG, Case, Hypothesis
from core.verdict.hypotheses.frequencies import between_nodes
from core.verdict.records import NextTest, Reason

SMALL_BYTES = 4 * MIB
_PRIOR_INSIDE, _LISTED_PRIOR = 0.04, 0.1
_UNLISTED_SHARE = 0.5
"""Of the prior, where the log names a version that no thread calls slow on such a run."""
_LN_SPREAD = 0.35
"""Around what is left of the rate: threads tell single machines."""
_BUILD = re.compile(r"[-+]")
"""What follows a version of RCCL: its HIP, or that it is a development build."""
_OF_NCCL = "NET/IB"
NO_PATH = "no path for pattern"
"""Of an observation of kind ``graph``: the search for a tree or a ring fell back."""


@dataclass(frozen=True, slots=True)
class Regression:
    """
    What a version does slowly.

    Attributes:
        first, fixed: Versions: slow from the first on, mended in the other.
        what: Where it is slow.
        source: Who says so.
        applies: Whether a run is of that kind.
        sign: What a line of NCCL's graph search says where it happens; empty where no line shows it.
        library: Whose version it is: NCCL's or RCCL's.
        share: Of the rate of a sound version, what is left; None where no thread tells it.
    """

    first: tuple[int, ...]
    fixed: tuple[int, ...]
    what: str
    source: str
    applies: Callable[[Case], bool]
    sign: str = ""
    library: str = "NCCL"
    share: Callable[[Case], float] | None = None


def _bridged(case: Case) -> bool:
    """GPUs without switches between them: pairs over bridges, or PCIe."""
    return not case.several_nodes and not _switched(case)


def _one_node(case: Case) -> bool:
    return not case.several_nodes


def _switched(case: Case) -> bool:
    return case.ranks.system.gpu.in_network_reduction


def _nvls_across_nodes(case: Case) -> bool:
    return case.several_nodes and _switched(case) and case.scenario.collective == "all_reduce"


def _nvls_on_blackwell(case: Case) -> bool:
    blackwell = case.ranks.system.gpu.architecture is Architecture.BLACKWELL
    return blackwell and case.ranks.domains > 2 and _nvls_across_nodes(case)  # noqa: PLR2004


def _ampere_nodes(case: Case) -> bool:
    return case.several_nodes and case.ranks.system.gpu.architecture is Architecture.AMPERE


def _direct_refused(case: Case) -> bool:
    """NCCL's own transport does without GPUDirect RDMA; a plugin of another network asks for no peermem."""
    staged = any(text.startswith(_OF_NCCL) for text in case.evidence.staged)
    return case.several_nodes and (staged or "disabled" in case.evidence.values("gpudirect"))


def _small(case: Case) -> bool:
    return not case.several_nodes and float(case.size_bytes.max()) <= SMALL_BYTES


def _small_exchange(case: Case) -> bool:
    return case.scenario.collective == "all_to_all" and float(case.size_bytes.max()) <= SMALL_BYTES


REGRESSIONS = (
    Regression(
        (2, 16, 2),
        (2, 16, 5),
        "some ten times slower between pairs of GPUs on AMD sockets",
        "github.com/NVIDIA/nccl/issues/770",
        _bridged,
        share=lambda _: 0.1,
    ),
    Regression(
        (2, 19, 0),
        (2, 20, 3),
        "NVLSTree across nodes at about a third of its rate (NCCL_ALGO=Ring or a newer NCCL)",
        "github.com/pytorch/pytorch/issues/117748",
        _nvls_across_nodes,
        share=lambda _: 1 / 3,
    ),
    Regression(
        (2, 3, 0),
        (2, 23, 4),
        "does not recognise nvidia-peermem in place of nv_peer_mem and switches GPUDirect RDMA off",
        "github.com/NVIDIA/nccl/issues/1676",
        _direct_refused,
    ),
    Regression(
        (2, 25, 1),
        (2, 29, 0),
        "finds no tree between the NICs of some A100 and A800 nodes and takes a ring over one NIC",
        "github.com/NVIDIA/nccl/issues/1876 and 1946",
        _ampere_nodes,
        NO_PATH,
        share=lambda case: 1 / max(1, case.nics),
    ),
    Regression(
        (2, 29, 7),
        (2, 30, 3),
        "NVLSTree on more than two Blackwell nodes at a quarter of its rate (NCCL_ALGO=Ring or a newer NCCL)",
        "github.com/NVIDIA/nccl/issues/2035",
        _nvls_on_blackwell,
        share=lambda _: 0.25,
    ),
    Regression(
        (2, 29, 7),
        (2, 30, 0),
        "small messages in symmetric memory are slower than in 2.29.2",
        "github.com/NVIDIA/nccl/issues/2058",
        _small,
    ),
    Regression(
        (2, 30, 4),
        (2, 31, 0),
        "small all-to-all on racks is bimodal and slower than in 2.29.7",
        "github.com/NVIDIA/TensorRT-LLM/pull/17160",
        _small_exchange,
    ),
    Regression(
        (2, 28, 3),
        (2, 28, 4),
        "a fault in reading PCIe addresses leaves a node of MI300X or MI350X half of its channels",
        "github.com/ROCm/rocm-systems/pull/3272",
        _one_node,
        library="RCCL",
        share=lambda _: 0.5,
    ),
)
"""Each as its thread tells it; where the thread names no mended version, the next release that followed."""


def known_regression(case: Case) -> list[Hypothesis]:
    """A version that is known to be slow on such a run; else that some version may be (RCCL has its own)."""
    library = "RCCL" if case.ranks.system.gpu.architecture.vendor == "AMD" else "NCCL"
    version = _parsed(case.evidence.version)
    test = NextTest(
        "<command> with another NCCL (LD_PRELOAD=/path/to/libnccl.so.2), the newest and one before",
        "the rate changes with the version: a bug or a tuning of that version",
        "another NCCL version",
    )
    for item in REGRESSIONS:
        of_it = item.library == library and item.first <= version < item.fixed
        if version and of_it and item.applies(case):
            name = f"{library} {case.evidence.version}"
            reason = Reason("nccl_version", f"{name}: {item.what} ({item.source})", name)
            shown = case.evidence.quote("graph", item.sign) if item.sign else ()
            lines = shown or (f"{library} version {case.evidence.version}",)
            ln_lines = STRONG if shown else _unshown(item, case)
            times_s = None if item.share is None else case.expected_s / item.share(case)
            return [
                Hypothesis(
                    reason,
                    max(_LISTED_PRIOR, _prior(case)),
                    times_s,
                    0.0 if times_s is None else _LN_SPREAD,
                    test,
                    ln_lines,
                    lines,
                )
            ]
    named = f" (here {case.evidence.version})" if case.evidence.version else ""
    reason = Reason("nccl_version", f"a bug or tuning of this {library} version{named}", f"{library} version")
    share = _UNLISTED_SHARE if version else 1.0
    return [Hypothesis(reason, share * _prior(case), None, 0.0, test)]


def _prior(case: Case) -> float:
    return between_nodes("nccl_version") if case.several_nodes else _PRIOR_INSIDE


def _unshown(item: Regression, case: Case) -> float:
    """What a version alone says: little where a line would show it, and less where such lines do not."""
    if not item.sign:
        return SOME
    return AGAINST / 2 if case.evidence.tells_channels else 0.0


def _parsed(version: str | None) -> tuple[int, ...]:
    parts = map(whole, _BUILD.split(version or "")[0].split("."))
    return tuple(part for part in parts if part is not None)
