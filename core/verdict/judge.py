"""Is my number OK? One run, one system, one verdict; page, shell and HTTP ask here."""

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
from core.verdict.host_copies import judge_copies
from core.verdict.misread import with_readings
from core.verdict.next_step import next_step
from core.verdict.nic_share import within_slots
from core.verdict.overall import NOTHING_JUDGED, UNSPECIFIC_CODES, overall
from core.verdict.pair_causes import pair_causes
from core.verdict.pairs import judge_matrix, judge_staged
from core.verdict.ranks import gpu_mismatch, gpu_remark, map_ranks, with_ranks_of
from core.verdict.records import Cause, PairVerdict, Reason, RunVerdict, Status
from core.verdict.remarks import remarks
from core.verdict.rooted import as_all_to_all, with_own_name
from core.verdict.sizes import NAMED_WEIGHT, judge_sizes
from core.verdict.stated_link import by_stated_link

NEAR_LIMIT = Reason(
    "near_the_limit",
    "near the slow end of the interval, and nothing in the log points at a defect: not low by itself; "
    "measure again, with more sizes",
)
ALONE = Reason(
    "one_rank",
    "one rank sends nothing over a link: where mpirun or srun started several, each ran alone; "
    "build nccl-tests with MPI=1",
)
THROUGH_MPI = Reason("through_mpi", "measured through MPI: what is expected here is of NCCL and RCCL")


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
    status, reason = overall((), pairs)
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
    status, reason = overall(judged.sizes, pairs)
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
