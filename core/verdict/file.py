"""The runs of one file together: a topology is judged by the GPUs that ran, a slow run by a sound one."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from core.collectives.rates import Rates
from core.hardware import System
from core.measurement import Matrix, Observation, Run
from core.verdict.acceptance import accept
from core.verdict.alone import alone_warning
from core.verdict.beside_ports import port_reached, with_best_told
from core.verdict.judge import judge_run
from core.verdict.links_down import links_down
from core.verdict.records import Reason, RunVerdict, Status
from core.verdict.wiring import as_wired

_PAIR, _PAIRS_LEAST = 2, 3
EVIDENCE_CODE = "as_evidence"
_EVIDENCE = Reason(EVIDENCE_CODE, "nothing to judge by itself; its paths count for the runs of this file")


def judge_runs(
    runs: Sequence[Run],
    system: System,
    *,
    rates: Rates | None = None,
    implementation: str = "nccl",
    launch: str = "stream",
) -> list[RunVerdict]:
    """
    The verdicts on the runs of one file, in their order.

    Where a file holds a topology and collectives of one node, only the paths between GPUs that ran count.

    Args:
        runs: As ``gpu_probe.parsers.read`` gives them.
        system: As for ``judge_run``, like the others.
        rates: Likewise.
        implementation: Likewise.
        launch: Likewise.

    Raises:
        InputError: As ``judge_run``.
    """
    ran = {name for run in runs for name in _gpus_that_ran(run)}
    restricted = [_of_those(run, ran) for run in runs]
    system = as_wired(system, runs)

    restricted = [*with_best_told(restricted, system)]

    def judge(run: Run) -> RunVerdict:
        return judge_run(run, system, rates=rates, implementation=implementation, launch=launch)

    verdicts = _with_topologies(restricted, [judge(run) for run in restricted])
    sound = {
        (verdict.collective, verdict.domains, _settings(run))
        for run, verdict in zip(restricted, verdicts, strict=True)
        if verdict.status in (Status.FINE, Status.HIGH) and (verdict.domains or 0) > 1
    }
    weak = _weak_hosts(restricted, verdicts)
    verdicts = [
        judge(replace(run, observations=(*run.observations, *told)))
        if (
            told := (
                *_sound_elsewhere(run, verdict, sound),
                *_weak_host(run, verdict, weak),
                *port_reached(run, verdict, restricted, verdicts),
                *links_down(verdict, verdicts),
            )
        )
        else verdict
        for run, verdict in zip(restricted, verdicts, strict=True)
    ]
    warning = alone_warning(runs)
    return [replace(item, warnings=(warning, *item.warnings)) for item in verdicts] if warning else verdicts


def _with_topologies(runs: Sequence[Run], verdicts: Sequence[RunVerdict]) -> list[RunVerdict]:
    """The verdicts, where a topology without an expectation is evidence of the runs beside it."""
    if all(verdict.status is Status.UNKNOWN for verdict in verdicts):
        return list(verdicts)
    return [
        replace(verdict, status=Status.FINE, reason=_EVIDENCE)
        if verdict.status is Status.UNKNOWN and _is_topology(run)
        else verdict
        for run, verdict in zip(runs, verdicts, strict=True)
    ]


def _is_topology(run: Run) -> bool:
    """Whether a run holds paths alone: as ``nvidia-smi topo -m`` prints them, or our probe notes them."""
    return not run.samples and bool(run.matrices) and all(item.kind == "topology" for item in run.matrices)


def _settings(run: Run) -> tuple[tuple[str, str], ...]:
    """What two runs share for one to speak of the other: NCCL's version and settings; a table's row."""
    told = [(notice.code, notice.message) for notice in run.warnings if notice.code == "from_prose"]
    return tuple(sorted([*run.machine.env.items(), ("version", run.machine.nccl or ""), *told]))


def _sound_elsewhere(
    run: Run,
    verdict: RunVerdict,
    sound: Collection[tuple[str | None, int | None, tuple[tuple[str, str], ...]]],
) -> tuple[Observation, ...]:
    """Of a slow run: that the same collective on fewer nodes, or as many others, is sound."""
    if verdict.status is not Status.LOW:
        return ()
    alike = [(nodes or 0, settings) for name, nodes, settings in sound if name == verdict.collective]
    fewer = [nodes for nodes, _ in alike if nodes < (verdict.domains or 0)]
    if fewer:
        return (Observation("fewer_nodes", str(max(fewer))),)
    as_many = any(nodes == verdict.domains and settings == _settings(run) for nodes, settings in alike)
    return (Observation("as_many_nodes", str(verdict.domains)),) if as_many else ()


def _weak_hosts(runs: Sequence[Run], verdicts: Sequence[RunVerdict]) -> dict[str, tuple[int, int]]:
    """Hosts slow with most partners, with their slow runs and all, where a file holds several pairs."""
    pairs = [
        (run, verdict)
        for run, verdict in zip(runs, verdicts, strict=True)
        if len(run.machine.hosts) == _PAIR and verdict.sizes
    ]
    if len(pairs) < _PAIRS_LEAST:
        return {}
    slow = {host for run, verdict in pairs if verdict.status is Status.LOW for host in run.machine.hosts}
    return {host: _slow_of_all(host, pairs) for host in accept(pairs).weak_nodes if host in slow}


def _slow_of_all(host: str, pairs: Sequence[tuple[Run, RunVerdict]]) -> tuple[int, int]:
    slow = [verdict.status is Status.LOW for run, verdict in pairs if host in run.machine.hosts]
    return sum(slow), len(slow)


def _weak_host(run: Run, verdict: RunVerdict, weak: dict[str, tuple[int, int]]) -> tuple[Observation, ...]:
    """Of a slow run with a weak host: which host that is."""
    if verdict.status is not Status.LOW:
        return ()
    return tuple(
        Observation("weak_host", f"{host} is slow in {slow} of its {pairs} pairs here")
        for host in run.machine.hosts
        if host in weak
        for slow, pairs in (weak[host],)
    )


def _gpus_that_ran(run: Run) -> set[str]:
    """Names such as ``GPU0`` in the paths that a collective's run carries."""
    paths = [item.value.split()[:2] for item in run.observations if item.kind == "path"]
    return {name for pair in paths for name in pair}


def _of_those(run: Run, ran: set[str]) -> Run:
    if not ran or run.samples:
        return run
    return replace(run, matrices=tuple(_restricted(matrix, ran) for matrix in run.matrices))


def _restricted(matrix: Matrix, ran: set[str]) -> Matrix:
    """A topology without the GPUs that did not run; other matrices as they are."""
    if matrix.kind != "topology":
        return matrix
    rows = [index for index, name in enumerate(matrix.rows) if name in ran or not name.startswith("GPU")]
    columns = [
        index for index, name in enumerate(matrix.columns) if name in ran or not name.startswith("GPU")
    ]
    return replace(
        matrix,
        rows=tuple(matrix.rows[index] for index in rows),
        columns=tuple(matrix.columns[index] for index in columns),
        values=tuple(
            tuple(matrix.values[row][column] for column in columns if column < len(matrix.values[row]))
            for row in rows
        ),
    )
