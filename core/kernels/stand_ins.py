"""Whose measured kernels answer where those that were asked for were not measured: named as stand-ins."""

from collections.abc import Iterable, Mapping
from typing import Any

from core.catalog.calibrations.kernels import attention, mla
from core.catalog.calibrations.kernels.gemm import GEMMS
from core.catalog.calibrations.kernels.moe import MOE
from core.catalog.calibrations.kernels.shapes import FALLBACK, Generation
from core.catalog.software import PRESETS
from core.hardware import Gpu
from core.kernels.engine_libraries import step_libraries
from core.kernels.formats import format_on
from core.kernels.generation import generation_of
from core.kernels.in_step import LIBRARY
from core.kernels.routed import of_engine


def label(generation: Generation) -> str:
    """A generation of GPUs in words."""
    architecture, memory = generation
    return f"{architecture.label} with {memory.value}"


def elsewhere(gpu: Gpu, measured: Mapping[Generation, Any]) -> str | None:
    """The generation whose constants stand in for this GPU's; None where its own was measured."""
    generation = generation_of(gpu, measured)
    return None if generation == (gpu.architecture, gpu.memory_kind) else label(generation)


def dense_stand_ins(gpu: Gpu, number_format: str, engine: str | None, *, latent: bool) -> list[str]:
    """What stands in for GEMMs and attention of a step: another generation, another engine."""
    entry, _ = format_on(gpu, number_format)
    lines = []
    others = elsewhere(gpu, GEMMS[entry.constants])
    if others:
        lines.append(f"GEMMs in {entry.name} of {others} stand in: none were measured on {gpu.name}'s kind")
    if engine is not None and engine != LIBRARY:
        lines.append(
            f"GEMMs and attention of {_name(LIBRARY)} stand in for those of {_name(engine)}, "
            "whose small kernels the engine's time a layer holds"
        )
    tables = (mla.PREFILL, mla.DECODE) if latent else (attention.PREFILL, attention.DECODE)
    engines = {
        name: kernel for table in tables for name, kernel in table[generation_of(gpu, table)].engines.items()
    }
    if LIBRARY not in engines:
        lines.append(
            f"attention is the median of {_names(engines)}: {_name(LIBRARY)}'s was not measured there"
        )
    return lines


def routed_stand_ins(gpu: Gpu, number_format: str, engine: str) -> list[str]:
    """The same of routed MLPs, whose kernels are those of the engine."""
    entry, _ = format_on(gpu, number_format)
    libraries = step_libraries(gpu, entry.routed, engine)
    lines = []
    others = elsewhere(gpu, MOE[entry.routed])
    if others:
        lines.append(
            f"routed MLPs in {entry.routed} of {others} stand in: none were measured on {gpu.name}'s kind"
        )
    if not of_engine(libraries, engine):
        names = _names(name.split(":")[0] for name in libraries)
        mean = "those" if names.count(" and ") == 0 else "the mean of those"
        lines.append(
            f"routed MLPs in {entry.routed} are {mean} of {names}: none of {_name(engine)} were measured"
        )
    return lines


def _name(engine: str) -> str:
    return PRESETS[engine].name


def _names(engines: Iterable[str]) -> str:
    *first, last = [_name(name) for name in sorted(set(engines)) if name != FALLBACK]
    return f"{', '.join(first)} and {last}" if first else last
