"""nccl-tests' ``-J`` JSON, versions 1 to 3: the environment in it is read through an allow-list."""

from typing import Any

from core.measurement import GpuCount, Machine, Run
from gpu_probe.parsers import guess
from gpu_probe.parsers.environment import Software, code_to_version
from gpu_probe.parsers.limits import RANKS_MOST, SAMPLES_MOST
from gpu_probe.parsers.names import collective_of
from gpu_probe.parsers.nccl_block import remark_on_rates, samples_of
from gpu_probe.parsers.nccl_table import Half, Row, real
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
        row for i, item in enumerate(results if isinstance(results, list) else []) if (row := _row(i, item))
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
    one, root = _single({row.redop for row in rows}), _single({row.root for row in rows})
    idea = None if collective else guess.collective_guess(samples, ranks, one, root)
    if collective is None:
        fit = f"; the printed rates fit {idea}" if idea else ""
        notices.add("collective_unknown", f"neither arguments nor results name the collective{fit}")
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
        collective_guess=idea,
        ranks_guess=guess.ranks_guess(samples, collective or idea) if ranks is None else None,
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


def _row(index: int, item: Any) -> Row | None:
    if not isinstance(item, dict):
        return None
    size = _whole(item.get("size"))
    halves = [
        (place, half) for key, place in _PLACES if (half := _half(item.get(key), item.get(f"{key}_per_iter")))
    ]
    if size is None or not halves:
        return None
    redop, root = _text(item.get("redop")), _text(item.get("root"))
    kind = _text(item.get("type")) or "unknown"
    return Row(index + 1, size, kind, redop, root.strip() if root else None, tuple(halves))


def _half(value: Any, single: Any) -> Half | None:
    if not isinstance(value, dict):
        return None
    time_us = _figure(value.get("time", value.get("cpu_time")))
    algbw, busbw = _figure(value.get("alg_bw")), _figure(value.get("bus_bw"))
    if time_us is None:
        return None
    each = single if isinstance(single, dict) else {}
    spread = _figure(each.get("min_us")), _figure(each.get("max_us"))
    wrong = _whole(value.get("nwrong"))
    return Half(time_us, algbw, busbw, wrong, fastest_us=spread[0], slowest_us=spread[1])


def _collective(value: dict[str, Any]) -> str | None:
    arguments = value.get("args")
    if isinstance(arguments, list) and arguments and isinstance(arguments[0], str):
        name = collective_of(arguments[0][-200:])
        if name is not None:
            return name
    results = value.get("results")
    first = results[0] if isinstance(results, list) and results and isinstance(results[0], dict) else {}
    name = first.get("experiment_name")
    return collective_of(name[:200]) if isinstance(name, str) else None


def _devices(config: dict[str, Any]) -> list[dict[str, Any]]:
    devices = config.get("devices")
    found = devices if isinstance(devices, list) else []
    return [item for item in found[:RANKS_MOST] if isinstance(item, dict)]


def _ranks(config: dict[str, Any]) -> int | None:
    """Each process lists its first device only: the others follow from threads and GPUs."""
    devices = _devices(config)
    each = (_whole(config.get("nthreads")) or 1) * (_whole(config.get("ngpus")) or 1)
    highest = max((_whole(item.get("rank")) or 0 for item in devices), default=0) + 1
    count = max(len(devices) * each, highest)
    groups = {_text(item.get("group")) for item in devices}
    return count // len(groups) if devices and 0 < count <= RANKS_MOST else None


def _machine(value: dict[str, Any], config: dict[str, Any], ranks: int | None) -> Machine:
    software = Software()
    environment = value.get("env")
    for item in environment if isinstance(environment, list) else []:
        if isinstance(item, str) and item.startswith("NCCL_"):
            name, _, setting = item.partition("=")
            software.keep(name, setting)
    devices = _devices(config)
    names = [text for item in devices if (text := _text(item.get("device_info")))]
    hosts = [text for item in devices if (text := _text(item.get("hostname")))]
    unique = list(dict.fromkeys(name.strip() for name in names))
    counts = [names.count(name) for name in unique]
    if len(unique) == 1 and ranks is not None:
        counts = [ranks]
    gpus = tuple(GpuCount(name, number) for name, number in zip(unique, counts, strict=True))
    code = value.get("nccl_version")
    nccl = (
        code_to_version(code) if isinstance(code, int) and not isinstance(code, bool) and code > 0 else None
    )
    return Machine(gpus, tuple(dict.fromkeys(hosts)), nccl=nccl, env=software.env)
