"""Is my number OK? One run, one system, one verdict; page, shell and HTTP ask here."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.checks import InputError
from core.collectives.formulas import COLLECTIVES
from core.collectives.pricing import Scenario
from core.collectives.pricing.scenario import DTYPES
from core.collectives.rates import Rates
from core.hardware import System
from core.measurement import Run
from core.verdict.adapter_causes import adapter_causes
from core.verdict.adapters import OF_ADAPTERS, judge_adapters
from core.verdict.bottleneck import bottleneck
from core.verdict.detour import with_detour
from core.verdict.evidence import evidence_of
from core.verdict.experts import FORMAT as EXPERTS
from core.verdict.experts import expert_causes, judge_experts
from core.verdict.misread import with_readings
from core.verdict.next_step import next_step
from core.verdict.nic_share import within_slots
from core.verdict.pair_causes import pair_causes
from core.verdict.pairs import judge_copies, judge_matrix, judge_staged
from core.verdict.ranks import gpu_mismatch, gpu_remark, map_ranks, with_ranks_of
from core.verdict.reasons import LARGE_BYTES, LATENCY_BOUND_MOST_BYTES
from core.verdict.records import Cause, PairVerdict, Reason, RunVerdict, SizeVerdict, Status
from core.verdict.remarks import remarks
from core.verdict.rooted import as_all_to_all, with_own_name
from core.verdict.sizes import NAMED_WEIGHT, NEAR_LIMIT_RATIO, TOLERATED_SMALL_SHARE, judge_sizes
from core.verdict.stated_link import by_stated_link

TOLERATED_SHARE = 0.1
"""Share of slow sizes or pairs that a run may have and still be fine; more where all large sizes are."""
_LARGE_SIZES_LEAST = 2
ALL_SIZES_RATIO = 0.3
"""With more slow large sizes than this per slow latency-bound one, all sizes are slow, not latency alone."""
TRANSIENT_CODES = ("cold", "outlier")
EXPLAINED_CODES = ("nvls_above_wire", "two_domains_share", "rings_between_two", "direct_copies")
UNSPECIFIC_CODES = ("below_the_band", "below_the_wire", "latency_bound")
NEAR_LIMIT = Reason(
    "near_the_limit",
    "near the slow end of the interval, and nothing in the log points at a defect: not low by itself; "
    "measure again, with more sizes",
)
EARLY = Reason(
    "better_than_expected",
    "small messages are faster than on calibrated systems of this kind: a later library, CUDA "
    "graphs or of registered buffers",
    "low latencies",
)
ALONE = Reason(
    "one_rank",
    "one rank sends nothing over a link: where mpirun or srun started several, each ran alone; "
    "build nccl-tests with MPI=1",
)
THROUGH_MPI = Reason("through_mpi", "measured through MPI: what is expected here is of NCCL and RCCL")
NOTHING_JUDGED = Reason("nothing_judged", "nothing here has an expectation")


def judge_run(
    run: Run,
    system: System,
    *,
    rates: Rates | None = None,
    implementation: str = "nccl",
    launch: str = "stream",
) -> RunVerdict:
    """
    The verdict on one run of a collective, a matrix tool or our probe.

    Args:
        run: What was measured; where its log names no collective or ranks, its guesses are used.
        system: The hardware that it is compared with; domains are added as the run needs them.
        rates: Calibrated by default; datasheet rates give no band.
        implementation: Library or engine kernel that ran.
        launch: ``stream`` or ``graph``.

    Raises:
        InputError: An unknown implementation or launch.
    """
    judged = with_ranks_of(as_all_to_all(run), system)
    scenario = _scenario(judged, system, rates or Rates(), implementation, launch)
    verdict = with_readings(
        judged, _judge(judged, system, scenario), lambda read: _judge(read, system, scenario)
    )
    verdict = with_own_name(verdict, run)
    mismatch = "" if run.format in OF_ADAPTERS else gpu_mismatch(run, system)
    if mismatch:
        return _on_another_gpu(verdict, mismatch)
    remark = gpu_remark(run, system)
    return replace(verdict, warnings=(remark, *verdict.warnings)) if remark else verdict


def _on_another_gpu(verdict: RunVerdict, mismatch: str) -> RunVerdict:
    """A run on another GPU than the system's is never fine, and needs no vaguer reason for being slow."""
    warned = replace(verdict, warnings=(mismatch, *verdict.warnings))
    if verdict.status in (Status.UNKNOWN, Status.WRONG):
        return warned
    unexplained = verdict.status is Status.LOW and verdict.reason.code in UNSPECIFIC_CODES
    if unexplained or verdict.status in (Status.FINE, Status.HIGH):
        text = f"{mismatch}: name the system that was measured"
        reason = Reason("another_gpu", text)
        return replace(warned, status=Status.UNKNOWN, reason=reason, causes=(), next_step=None)
    if verdict.reason.code == "faster_than_the_wire":
        return replace(warned, reason=Reason("another_gpu", f"{mismatch}; {verdict.reason.text}"))
    return warned


def _scenario(run: Run, system: System, rates: Rates, implementation: str, launch: str) -> Scenario | Reason:
    """The collective that the run measured, or why nothing can be expected of it."""
    collective, ranks = run.collective_or_guess, run.ranks_or_guess
    if run.format == "osu":
        return THROUGH_MPI
    if ranks == 1:
        return ALONE
    if collective is None:
        return Reason("collective_unknown", "the log does not name the collective: say which it was")
    if collective not in COLLECTIVES:
        return Reason("collective_unpriced", f"nothing is expected of {collective}: it has no model here")
    if ranks is None:
        return Reason("ranks_unknown", "the log does not list its ranks: say how many there were")
    scenario = Scenario(system, collective, ranks, rates=rates, implementation=implementation, launch=launch)
    return replace(scenario, dtype=run.dtype) if run.dtype in DTYPES else scenario


def _judge(run: Run, system: System, scenario: Scenario | Reason) -> RunVerdict:
    if run.origin == "cpu":
        text = "measured over gloo on the CPU: it says nothing of this system's GPUs"
        reason = Reason("measured_on_cpu", text)
        return RunVerdict(Status.UNKNOWN, reason, collective=run.collective, ranks=run.ranks)
    if run.format == "osu" and (pairs := judge_adapters(run, system)):
        return _pairs_verdict(run, system, pairs)
    pairs = [pair for matrix in run.matrices for pair in judge_matrix(matrix, system)]
    pairs = pairs or [pair for matrix in run.matrices for pair in judge_staged(matrix, system)]
    pairs = (
        by_stated_link(run, with_detour(run, pairs)) + judge_copies(run, system) + judge_adapters(run, system)
    )
    pairs += judge_experts(run, system)
    if not any(sample.operation in COLLECTIVES or sample.operation is None for sample in run.samples):
        return _pairs_verdict(run, system, pairs)
    if isinstance(scenario, Reason):
        return RunVerdict(
            Status.UNKNOWN,
            scenario,
            collective=run.collective_or_guess,
            ranks=run.ranks_or_guess,
            warnings=guess_warnings(run),
        )
    return _collective_verdict(run, scenario, pairs)


def guess_warnings(run: Run) -> tuple[str, ...]:
    """What was taken from algbw and busbw because the log does not say it."""
    warnings: list[str] = []
    if run.collective is None and run.collective_guess:
        text = f"the log names no collective; taken for {run.collective_guess}, which algbw and busbw fit"
        warnings.append(text)
    if run.ranks is None and run.ranks_guess:
        warnings.append(f"the log lists no ranks; taken for {run.ranks_guess}, which algbw and busbw fit")
    warnings += [notice.message for notice in run.warnings if notice.code == "from_prose"]
    return tuple(warnings)


def _pairs_verdict(run: Run, system: System, pairs: Sequence[PairVerdict]) -> RunVerdict:
    """The verdict on a run of copies alone: its matrices and the samples of our probe."""
    status, reason = _overall((), pairs)
    unknown = [pair.reason for pair in pairs if pair.status is Status.UNKNOWN]
    if status is Status.UNKNOWN and unknown:
        reason = unknown[0]
    elif status is Status.UNKNOWN:
        text = f"nothing in this {run.format} output has an expectation on this system"
        reason = Reason("nothing_expected", text)
    low = status is Status.LOW
    causes = _pair_causes(run, system, pairs) if low else ()
    first = causes[0] if causes else None
    named = first is not None and first.weight >= NAMED_WEIGHT and first.reason.code not in UNSPECIFIC_CODES
    if first is not None and named and reason.code in UNSPECIFIC_CODES:
        reason = replace(first.reason, text=f"{first.reason.text}; {reason.text}")
    step = next_step(causes, evidence_of(run))
    return RunVerdict(status, reason, pairs=tuple(pairs), basis="spec", causes=causes, next_step=step)


def _pair_causes(run: Run, system: System, pairs: Sequence[PairVerdict]) -> tuple[Cause, ...]:
    evidence = evidence_of(run)
    if run.format in OF_ADAPTERS:
        return adapter_causes(pairs, run, evidence)
    return (expert_causes if run.format == EXPERTS else pair_causes)(pairs, system, evidence)


def _collective_verdict(run: Run, scenario: Scenario, pairs: Sequence[PairVerdict]) -> RunVerdict:
    """The verdict on a run of a collective, and on the copies that it may hold."""
    verdict = RunVerdict(
        Status.UNKNOWN,
        NOTHING_JUDGED,
        pairs=tuple(pairs),
        collective=scenario.collective,
        ranks=scenario.ranks,
        warnings=guess_warnings(run),
    )
    try:
        mapping = within_slots(run, scenario, map_ranks(run, scenario.system, scenario.ranks))
    except InputError as error:
        return replace(verdict, reason=Reason("does_not_fit", str(error)))
    mapped = replace(scenario, system=mapping.system, per_domain=mapping.local_ranks)
    judged = judge_sizes(run, mapped, mapping)
    status, reason = _overall(judged.sizes, pairs)
    if status is Status.LOW and judged.near_limit and not any(pair.status is Status.LOW for pair in pairs):
        status, reason = Status.FINE, NEAR_LIMIT
    status, reason = _with_own_check(run, status, reason)
    causes = judged.causes if status is Status.LOW else ()
    return replace(
        verdict,
        status=status,
        reason=reason,
        sizes=judged.sizes,
        local_ranks=mapping.local_ranks,
        domains=mapping.domains,
        basis=judged.expected.basis,
        causes=causes,
        next_step=next_step(causes, evidence_of(run)),
        bottleneck=bottleneck(mapped, mapping, judged.expected),
        warnings=(*verdict.warnings, *remarks(run, mapping, status), *judged.expected.warnings),
    )


def _with_own_check(run: Run, status: Status, reason: Reason) -> tuple[Status, Reason]:
    """Wrong where the tool's own check at the end of the run failed."""
    failed = next((notice for notice in run.warnings if notice.code == "out_of_bounds"), None)
    if failed is None or status is Status.WRONG:
        return status, reason
    return Status.WRONG, Reason("wrong_results", f"the tool's own check failed: {failed.message}")


def _overall(sizes: Sequence[SizeVerdict], pairs: Sequence[PairVerdict]) -> tuple[Status, Reason]:
    """The worst that is no accident: wrong, impossible, low where more than a tenth is, high, fine."""
    verdicts: list[SizeVerdict | PairVerdict] = [*sizes, *pairs]
    for status in (Status.WRONG, Status.IMPOSSIBLE):
        if any(verdict.status is status for verdict in verdicts):
            return status, _commonest(verdicts, status)
    statuses = [verdict.status for verdict in verdicts if verdict.status is not Status.UNKNOWN]
    if not statuses:
        return Status.UNKNOWN, NOTHING_JUDGED
    low = [
        verdict.reason.code
        for verdict in verdicts
        if verdict.status is Status.LOW and verdict.reason.code not in TRANSIENT_CODES
    ]
    if len(low) > _tolerated_share(sizes) * len(statuses) or "slow_link" in low:
        return Status.LOW, _commonest(verdicts, Status.LOW)
    if statuses.count(Status.HIGH) > len(statuses) / 2 and not _near_fast_end(sizes):
        early = not any(pair.status is Status.HIGH for pair in pairs) and _only_small_high(sizes)
        return (Status.FINE, EARLY) if early else (Status.HIGH, _commonest(verdicts, Status.HIGH))
    return Status.FINE, _explained_rate(sizes) or Reason("as_expected", "as expected of this system")


def _tolerated_share(sizes: Sequence[SizeVerdict]) -> float:
    """More of the sizes may be slow where two large ones or more are fine: in the middle protocols switch."""
    large = [size.status for size in sizes if size.size_bytes >= LARGE_BYTES]
    fine = len(large) >= _LARGE_SIZES_LEAST and Status.LOW not in large
    return TOLERATED_SMALL_SHARE if fine else TOLERATED_SHARE


def _only_small_high(sizes: Sequence[SizeVerdict]) -> bool:
    """Whether no size that rates decide is faster than its interval."""
    return all(size.size_bytes <= LATENCY_BOUND_MOST_BYTES for size in sizes if size.status is Status.HIGH)


def _near_fast_end(sizes: Sequence[SizeVerdict]) -> bool:
    """Whether no size is faster than the fast end of its interval by more than a little."""
    return all(
        (size.low_s or 0.0) <= NEAR_LIMIT_RATIO * size.time_s for size in sizes if size.status is Status.HIGH
    )


def _explained_rate(sizes: Sequence[SizeVerdict]) -> Reason | None:
    """What explains the best rate where it lies above the link's, or below that of a tree."""
    explained = [
        size
        for size in sizes
        if size.reason.code in EXPLAINED_CODES and size.status in (Status.FINE, Status.HIGH)
    ]
    if not explained:
        return None
    best = max(explained, key=lambda size: size.size_bytes / size.time_s).reason
    linked = "" if best.code == "rings_between_two" else "its best rate is "
    return Reason(best.code, f"as expected of this system; {linked}{best.text}", best.short)


def _commonest(verdicts: Sequence[SizeVerdict | PairVerdict], status: Status) -> Reason:
    """The reason named most often, a named cause before the unspecific ones."""
    reasons = [
        verdict.reason
        for verdict in verdicts
        if verdict.status is status and verdict.reason.code not in TRANSIENT_CODES
    ]
    counts = Counter(reason.code for reason in reasons)
    specific = [code for code in counts if code not in UNSPECIFIC_CODES]
    code = max(specific or counts, key=lambda candidate: counts[candidate])
    if code == "latency_bound" and counts["below_the_band"] > ALL_SIZES_RATIO * counts[code]:
        code = "below_the_band"
    return next(reason for reason in reasons if reason.code == code)
