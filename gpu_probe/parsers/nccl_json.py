"""nccl-tests' ``-J`` JSON, versions 1 to 3: the environment in it is read through an allow-list."""

from typing import Any

from core.measurement import GpuCount, Machine, Run
from gpu_probe.parsers import guess
from gpu_probe.parsers.environment import Software, code_to_version
from gpu_probe.parsers.limits import RANKS_MOST, SAMPLES_MOST
from gpu_probe.parsers.names import collective_of
from gpu_probe.parsers.nccl_block import remark_on_rates, samples_of
from gpu_probe.parsers.nccl_table import Figures, Row, real
from gpu_probe.parsers.problem import refuse
from gpu_probe.parsers.reader import Notices

_PLACES = (("out_of_place", "out-of-place"), ("in_place", "in-place"))
_SIZE_MOST = 10**18
_VERSIONS = (1, 2, 3)


def is_nccl_json(value: Any) -> bool:
    """Whether a JSON value is a report of nccl-tests, even one cut before its results."""
    if not isinstance(value, dict) or "nvbandwidth" in value or "format_version" in value:
        return False
    return "results" in value or {"version", "args", "env"} <= set(value)


def read_nccl_json(file: str, value: dict[str, Any], *, mended: bool) -> Run:
    """
    The run in one report.

    Raises:
        ParseError: No complete result.
    """
    notices = Notices()
    results = value.get("results")
    rows = [
        row
        for i, result in enumerate(results if isinstance(results, list) else [])
        if (row := _row(i, result))
    ]
    if not rows:
        refuse(
            "nccl-tests JSON without results: the run failed"
            + (" and the file is cut short" if mended else "")
        )
    if len(rows) > SAMPLES_MOST // 2:
        refuse(f"more than {SAMPLES_MOST // 2:,} results in one file")
    if mended:
        notices.add("truncated", f"the file ends early: {len(rows)} complete results are kept")
    _version(value, notices)
    collective = _collective(value)
    config = value.get("config") if isinstance(value.get("config"), dict) else {}
    ranks = _ranks(config or {})
    samples = samples_of(rows, collective)
    redop, root = _single({row.redop for row in rows}), _single({row.root for row in rows})
    collective_guess = None if collective else guess.collective_guess(samples, ranks, redop, root)
    if collective is None:
        hint = f"; algbw and busbw fit {collective_guess}" if collective_guess else ""
        notices.add("collective_unknown", f"neither arguments nor results name the collective{hint}")
    if ranks is None:
        notices.add("ranks_unknown", "the file lists no devices")
    remark_on_rates(notices, rows, collective, ranks)
    return Run(
        file=file,
        format="nccl-tests-json",
        collective=collective,
        ranks=ranks,
        machine=_machine(value, config or {}, ranks),
        samples=samples,
        warnings=notices.all(),
        dtype=_single({row.dtype for row in rows}),
        tool_version=_text(value.get("version")),
        started_at=_text(value.get("start_time")),
        collective_guess=collective_guess,
        ranks_guess=guess.ranks_guess(samples, collective or collective_guess) if ranks is None else None,
    )


def _version(value: dict[str, Any], notices: Notices) -> None:
    version = value.get("version")
    if version is not None and version not in _VERSIONS:
        notices.add("version_unknown", f"report version {str(version)[:20]}: read as version {_VERSIONS[-1]}")


def _single(values: set[str | None]) -> str | None:
    return next(iter(values)) if len(values) == 1 else None


def _text(value: Any) -> str | None:
    return str(value)[:100] if isinstance(value, (str, int)) and not isinstance(value, bool) else None


def _whole(value: Any) -> int | None:
    if isinstance(value, str):
        value = real(value.strip())
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _SIZE_MOST:
        return None
    return int(value) if value == int(value) else None


def _figure(value: Any) -> float | None:
    """A number, printed as such or as text; NaN and its name are none."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)) or len(str(value)) > 40:  # noqa: PLR2004
        return None
    return real(str(value).strip())


def _row(index: int, result: Any) -> Row | None:
    if not isinstance(result, dict):
        return None
    size = _whole(result.get("size"))
    figures = [
        part
        for key, placement in _PLACES
        if (part := _figures(placement, result.get(key), result.get(f"{key}_per_iter")))
    ]
    if size is None or not figures:
        return None
    redop, root = _text(result.get("redop")), _text(result.get("root"))
    dtype = _text(result.get("type")) or "unknown"
    return Row(index + 1, size, dtype, redop, root.strip() if root else None, tuple(figures))


def _figures(placement: str, value: Any, per_iteration: Any) -> Figures | None:
    if not isinstance(value, dict):
        return None
    time_us = _figure(value.get("time", value.get("cpu_time")))
    algbw, busbw = _figure(value.get("alg_bw")), _figure(value.get("bus_bw"))
    if time_us is None:
        return None
    iterations = per_iteration if isinstance(per_iteration, dict) else {}
    spread = _figure(iterations.get("min_us")), _figure(iterations.get("max_us"))
    wrong = _whole(value.get("nwrong"))
    return Figures(placement, time_us, algbw, busbw, wrong, fastest_us=spread[0], slowest_us=spread[1])


def _collective(value: dict[str, Any]) -> str | None:
    arguments = value.get("args")
    if isinstance(arguments, list) and arguments and isinstance(arguments[0], str):
        name = collective_of(arguments[0][-200:])
        if name is not None:
            return name
    results = value.get("results")
    first_result = (
        results[0] if isinstance(results, list) and results and isinstance(results[0], dict) else {}
    )
    name = first_result.get("experiment_name")
    return collective_of(name[:200]) if isinstance(name, str) else None


def _devices(config: dict[str, Any]) -> list[dict[str, Any]]:
    devices = config.get("devices")
    entries = devices if isinstance(devices, list) else []
    return [device for device in entries[:RANKS_MOST] if isinstance(device, dict)]


def _ranks(config: dict[str, Any]) -> int | None:
    """Each process lists its first device only: the others follow from threads and GPUs."""
    devices = _devices(config)
    gpus_per_process = (_whole(config.get("nthreads")) or 1) * (_whole(config.get("ngpus")) or 1)
    ranks_listed = max((_whole(device.get("rank")) or 0 for device in devices), default=0) + 1
    count = max(len(devices) * gpus_per_process, ranks_listed)
    groups = {_text(device.get("group")) for device in devices}
    return count // len(groups) if devices and 0 < count <= RANKS_MOST else None


def _machine(value: dict[str, Any], config: dict[str, Any], ranks: int | None) -> Machine:
    software = Software()
    environment = value.get("env")
    for entry in environment if isinstance(environment, list) else []:
        if isinstance(entry, str) and entry.startswith("NCCL_"):
            name, _, setting = entry.partition("=")
            software.keep(name, setting)
    devices = _devices(config)
    names = [text for entry in devices if (text := _text(entry.get("device_info")))]
    hosts = [text for entry in devices if (text := _text(entry.get("hostname")))]
    gpu_names = list(dict.fromkeys(name.strip() for name in names))
    counts = [names.count(name) for name in gpu_names]
    if len(gpu_names) == 1 and ranks is not None:
        counts = [ranks]
    gpus = tuple(GpuCount(name, count) for name, count in zip(gpu_names, counts, strict=True))
    code = value.get("nccl_version")
    nccl = (
        code_to_version(code) if isinstance(code, int) and not isinstance(code, bool) and code > 0 else None
    )
    return Machine(gpus, tuple(dict.fromkeys(hosts)), nccl=nccl, env=software.env)
