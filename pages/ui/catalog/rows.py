"""Entries of the catalog as tables, each with its sources and confidence."""

from collections.abc import Iterable
from typing import Any

import pandas as pd
import streamlit as st

from core.catalog import link_name
from core.catalog.disputes.dispute import Dispute, Reading
from core.catalog.switches import Anatomy
from core.hardware import Gpu, Link, System
from core.provenance import Basis, Confidence, Quoted, Source
from core.units import GB, GIGABIT_BYTES, TERA, US
from core.workload import Model
from pages.ui.shared import names

DIRECTIONS = {
    Basis.ONE_WAY: "unidirectional",
    Basis.BOTH_WAYS: "bidirectional",
    Basis.SHARED: "reads and writes",
}
MARKS = {
    Confidence.HIGH: "● high",
    Confidence.MEDIUM: "◐ medium",
    Confidence.LOW: "○ low",
    Confidence.RUMOUR: "? rumour",
}


def _number(help_text: str | None = None, kind: str = "%.4g") -> Any:
    return st.column_config.NumberColumn(format=kind, help=help_text)


def _text(width: str) -> Any:
    return st.column_config.TextColumn(width="medium" if width == "medium" else "large")


UNIDIRECTIONAL = "unidirectional (GB/s)"
LINK_COLUMNS = {
    UNIDIRECTIONAL: _number("As used: per direction, in the scope of the published figure"),
    "effective (GB/s)": _number("Unidirectional after line code or protocol, where stated"),
    "raw (GB/s)": _number("Unidirectional on the link, before line code"),
    "year": _number(kind="%d"),
}
GPU_COLUMNS = {
    "year": _number(kind="%d"),
    "memory (GB)": _number(),
    "memory bandwidth (GB/s)": _number("Reads and writes share it"),
    "scale-up, unidirectional (GB/s)": _number(),
    "BF16 dense (TFLOP/s)": _number(),
    "FP8 dense (TFLOP/s)": _number(),
    "FP4 dense (TFLOP/s)": _number(),
}
SYSTEM_COLUMNS = {
    "scale-up per GPU, unidirectional (GB/s)": _number(),
    "scale-out per GPU, unidirectional (GB/s)": _number(),
}
MODEL_COLUMNS = {
    "parameters (B)": _number("Billions, recomputed from the shape"),
    "active (B)": _number("Parameters that one token uses"),
}
DISPUTE_COLUMNS = {
    "topic": _text("medium"),
    "used here": _text("medium"),
    "why": _text("large"),
    "published readings": _text("large"),
}


def legend() -> None:
    """What the confidence marks and directions mean."""
    st.caption(
        "● high and ◐ medium are shown; ○ low and ? rumour only with *Show unverified*. "
        "Unidirectional is half of a bidirectional figure; memory bandwidths are never halved."
    )


def _confidence(confidence: Confidence, unverified: str = "") -> str:
    mark = MARKS[confidence]
    return f"{mark} (unverified: {unverified})" if unverified else mark


def _sources(sources: Iterable[Source]) -> str:
    return "; ".join(f"{source.title} ({source.where})" for source in sources)


def _gigabytes(bytes_per_s: float | None) -> float | None:
    return None if bytes_per_s is None else bytes_per_s / GB


def published(quoted: Quoted | None) -> str:
    """A rate as its source states it, with direction and scope."""
    if quoted is None:
        return "not stated"
    unit = {GB: "GB/s", GIGABIT_BYTES: "Gb/s"}.get(quoted.unit, "bytes/s")
    return f"{quoted.value:,.6g} {unit} {DIRECTIONS[quoted.basis]}, {quoted.scope}"


def links(items: Iterable[Link]) -> pd.DataFrame:
    """Links with published and used rates."""
    return pd.DataFrame(
        {
            "id": link.id,
            "name": link.name,
            "confidence": _confidence(link.confidence, link.unverified),
            "published": published(link.rate),
            UNIDIRECTIONAL: _gigabytes(link.rate.bytes_per_s if link.rate else None),
            "effective (GB/s)": _gigabytes(link.effective_bytes_per_s),
            "latency": latency(link),
            "sources": _sources(link.sources),
            "year": link.year,
            "raw (GB/s)": _gigabytes(link.raw_bytes_per_s),
            "links or ports": link.links,
            "signalling": link.signalling,
            "largest domain": link.max_domain,
            "note": link.note,
        }
        for link in items
    )


def latency(link: Link) -> str:
    """The stated latency range."""
    if link.latency_low_s is None or link.latency_high_s is None:
        return "not stated"
    return f"{link.latency_low_s / US:g}-{link.latency_high_s / US:g} µs"


def gpus(items: Iterable[Gpu]) -> pd.DataFrame:
    """GPUs with memory, peaks and links."""
    return pd.DataFrame(
        {
            "id": gpu.id,
            "name": gpu.name,
            "confidence": _confidence(gpu.confidence, gpu.unverified),
            "year": gpu.year,
            "architecture": gpu.architecture_name,
            "memory (GB)": gpu.memory_bytes / GB,
            "memory bandwidth (GB/s)": gpu.memory_rate.bytes_per_s / GB,
            "scale-up, unidirectional (GB/s)": _gigabytes(gpu.scale_up.bytes_per_s if gpu.scale_up else None),
            "scale-up, published": published(gpu.scale_up) if gpu.scale_up else "no GPU-to-GPU link",
            "links": gpu.scale_up_links,
            "PCIe": link_name(gpu.pcie_link),
            "BF16 dense (TFLOP/s)": _tera(gpu.bf16_flop_per_s),
            "FP8 dense (TFLOP/s)": _tera(gpu.fp8_flop_per_s),
            "FP4 dense (TFLOP/s)": _tera(gpu.fp4_flop_per_s),
            "scale-up domains": gpu.domain_sizes,
            "in-network reduction": gpu.in_network_reduction,
            "note": gpu.note,
            "sources": _sources(gpu.sources),
        }
        for gpu in items
    )


def _tera(flop_per_s: float | None) -> float | None:
    return None if flop_per_s is None else flop_per_s / TERA


def systems(items: Iterable[System]) -> pd.DataFrame:
    """Systems with their scale-up domain and scale-out fabric."""
    return pd.DataFrame(
        {
            "id": system.id,
            "name": system.name,
            "confidence": _confidence(system.confidence),
            "GPU": names.with_id(system.gpu.name, system.gpu.id),
            "GPUs per domain": system.domain_gpus,
            "scale-up topology": str(system.scale_up.topology),
            "scale-up link": link_name(system.scale_up.link),
            "scale-up per GPU, unidirectional (GB/s)": system.scale_up.bytes_per_s / GB,
            "scale-out fabric": link_name(system.network) or "none",
            "NICs per domain": system.nics_per_domain,
            "scale-out per GPU, unidirectional (GB/s)": _gigabytes(
                system.scale_out.bytes_per_s if system.scale_out else None
            ),
            "note": system.note,
            "sources": _sources(system.sources),
        }
        for system in items
    )


def models(items: Iterable[Model]) -> pd.DataFrame:
    """Model shapes with recomputed and published parameter counts."""
    return pd.DataFrame(
        {
            "id": model.id,
            "name": model.name,
            "confidence": _confidence(model.confidence),
            "parameters (B)": model.params / 1e9,
            "active (B)": model.active_params / 1e9,
            "published": model.published_params,
            "layers": model.layers,
            "hidden size": model.hidden,
            "heads": model.heads,
            "KV heads": model.kv_heads,
            "attention": str(model.attention or ""),
            "experts": model.experts or None,
            "experts per token": model.active_experts or None,
            "note": model.note,
            "sources": _sources(model.sources),
        }
        for model in items
    )


def disputes(items: Iterable[Dispute]) -> pd.DataFrame:
    """Every published reading with its source, which one is used and why."""
    return pd.DataFrame(
        {
            "topic": dispute.topic,
            "used here": dispute.used,
            "why": dispute.why,
            "published readings": "; ".join(
                f"{_reading(reading)} ({reading.source.title})" for reading in dispute.readings
            ),
            "about": ", ".join(dispute.about),
        }
        for dispute in items
    )


def _reading(reading: Reading) -> str:
    value = f"{reading.value:,.6g}" if isinstance(reading.value, float | int) else reading.value
    note = f", {reading.note}" if reading.note else ""
    return f"{value} {reading.unit}".strip() + note


def switches(items: Iterable[Anatomy]) -> pd.DataFrame:
    """Chips and ports of each switched system: ports facing GPUs are GPUs times links per GPU."""
    return pd.DataFrame(
        {
            "system": system.id,
            "chip": link_name(system.switch),
            "GPUs": system.gpus,
            "links per GPU": system.links_per_gpu,
            "ports facing GPUs": system.gpu_ports,
            "chips": system.chips,
            "ports per chip": system.ports_per_chip,
            "ports used": f"{system.ports_used:,} of {system.ports:,}",
            "GPU links on one chip": system.gpu_ports_per_chip,
            "unverified": system.unverified,
            "sources": _sources(system.sources),
        }
        for system in items
    )
