"""Catalog rows as frames, and the sentences that a card or a domain size gets."""

import pandas as pd
import streamlit as st

from core.checks import InputError, count
from core.hardware import Family
from core.provenance import Basis
from core.units import GB, GIGABIT_BYTES, TERA, US

_NUMBER = st.column_config.NumberColumn
_TEXT = st.column_config.TextColumn


def _gbps(label, explanation=None):
    return _NUMBER(label, format="%.5g", help=explanation)


LINK_COLUMNS = {
    "one way": _gbps("One way (GB/s)", "As used: one direction, in the scope named beside it"),
    "effective": _gbps("Effective (GB/s)", "One way after line code or protocol, where stated"),
    "raw": _gbps("Raw (GB/s)", "One way on the wire, before line code"),
    "year": _NUMBER("Year", format="%d"),
    "sources": _TEXT("Sources", width="large"),
    "note": _TEXT("Note", width="large"),
}
GPU_COLUMNS = {
    "year": _NUMBER("Year", format="%d"),
    "memory": _gbps("Memory (GB)"),
    "memory rate": _gbps("Memory rate (GB/s)", "Reads and writes share it"),
    "scale-up": _gbps("Scale-up one way (GB/s)"),
    "bf16": _gbps("BF16 dense (TFLOP/s)"),
    "fp8": _gbps("FP8 dense (TFLOP/s)"),
    "fp4": _gbps("FP4 dense (TFLOP/s)"),
    "sources": _TEXT("Sources", width="large"),
    "note": _TEXT("Note", width="large"),
}
SYSTEM_COLUMNS = {
    "domain": _gbps("Scale-up one way per GPU (GB/s)"),
    "network rate": _gbps("Network one way per GPU (GB/s)"),
    "sources": _TEXT("Sources", width="large"),
}
DISPUTE_COLUMNS = {
    "topic": _TEXT("Topic", width="medium"),
    "used": _TEXT("Used here", width="medium"),
    "why": _TEXT("Why", width="large"),
    "readings": _TEXT("What sources say", width="large"),
    "about": _TEXT("About"),
}
MODEL_COLUMNS = {
    "parameters": _gbps("Parameters (10⁹)"),
    "active": _gbps("Active (10⁹)"),
    "sources": _TEXT("Sources", width="large"),
}
CONFIDENCE = {"high": "● high", "medium": "◐ medium", "low": "○ low", "rumour": "? rumour"}


def _confidence(item):
    mark = CONFIDENCE[str(item.confidence)]
    return f"{mark} (unverified: {item.unverified})" if getattr(item, "unverified", "") else mark


def _sources(item):
    return "; ".join(f"{one.title} ({one.where})" for one in item.sources)


def _rate(value):
    return None if value is None else value / GB


def printed(quoted):
    """A rate as its source prints it, with direction and scope."""
    if quoted is None:
        return "not stated"
    unit = {GB: "GB/s", GIGABIT_BYTES: "Gb/s"}.get(quoted.unit, "bytes/s")
    return f"{quoted.value:,.6g} {unit} {quoted.basis}, {quoted.scope}"


def legend():
    """What the confidence marks mean."""
    st.caption(
        "● high and ◐ medium are shown; ○ low and ? rumour only with *Show unverified*. "
        "One way is half of a figure that counts both directions; memory rates are never halved."
    )


def links(items):
    """Links as a table."""
    return pd.DataFrame(
        {
            "id": one.id,
            "name": one.name,
            "confidence": _confidence(one),
            "as printed": printed(one.rate),
            "one way": _rate(one.rate.bytes_per_s) if one.rate else None,
            "effective": _rate(one.effective_bytes_per_s),
            "latency": latency(one),
            "sources": _sources(one),
            "year": one.year,
            "raw": _rate(one.raw_bytes_per_s),
            "links or ports": one.links,
            "signalling": one.signalling,
            "largest domain": one.max_domain,
            "note": one.note,
        }
        for one in items
    )


def latency(link):
    """The stated latency range."""
    if link.latency_low_s is None:
        return "not stated"
    return f"{link.latency_low_s / US:g}-{link.latency_high_s / US:g} µs"


def gpus(items):
    """GPUs as a table."""
    return pd.DataFrame(
        {
            "id": one.id,
            "name": one.name,
            "confidence": _confidence(one),
            "year": one.year,
            "architecture": one.architecture_name,
            "memory": one.memory_bytes / GB,
            "memory rate": one.memory_rate.bytes_per_s / GB,
            "scale-up": _rate(one.scale_up.bytes_per_s) if one.scale_up else None,
            "as printed": printed(one.scale_up) if one.scale_up else "no GPU-to-GPU link",
            "links": one.scale_up_links,
            "PCIe": one.pcie_link or "",
            "bf16": _tera(one.bf16_flop_per_s),
            "fp8": _tera(one.fp8_flop_per_s),
            "fp4": _tera(one.fp4_flop_per_s),
            "domains": one.domain_sizes,
            "reduces in switch": one.in_network_reduction,
            "note": one.note,
            "sources": _sources(one),
        }
        for one in items
    )


def _tera(value):
    return None if value is None else value / TERA


def systems(items):
    """Systems as a table."""
    return pd.DataFrame(
        {
            "id": one.id,
            "name": one.name,
            "confidence": _confidence(one),
            "GPU": one.gpu.id,
            "GPUs in a domain": one.domain_gpus,
            "wired as": str(one.scale_up.topology),
            "link": one.scale_up.link,
            "domain": one.scale_up.bytes_per_s / GB,
            "network": one.network or "none",
            "NICs per domain": one.nics_per_domain,
            "network rate": _rate(one.scale_out.bytes_per_s) if one.scale_out else None,
            "note": one.note,
            "sources": _sources(one),
        }
        for one in items
    )


def models(items):
    """Models as a table."""
    return pd.DataFrame(
        {
            "id": one.id,
            "name": one.name,
            "confidence": _confidence(one),
            "parameters": one.params / 1e9,
            "active": one.active_params / 1e9,
            "published": one.published_params,
            "layers": one.layers,
            "hidden": one.hidden,
            "heads": one.heads,
            "KV heads": one.kv_heads,
            "attention": str(one.attention or ""),
            "experts": one.experts or None,
            "active experts": one.active_experts or None,
            "note": one.note,
            "sources": _sources(one),
        }
        for one in items
    )


def alone(gpu):
    """Whether a card has no link to others, and not only none with a stated rate."""
    return gpu.scale_up is None and gpu.domain_sizes == "1"


def has_nvlink(gpu):
    """Verdict and reason for one card."""
    if gpu.scale_up is None and not alone(gpu):
        reason = f"It joins domains of {gpu.domain_sizes}, but no source gives the rate of a GPU."
        return f"Not stated: how fast the link of {gpu.name} is.", reason
    if gpu.scale_up is None:
        slot = gpu.pcie_link or "PCIe"
        reason = f"Its GPUs reach each other over {slot}, through the host's PCIe tree."
        return f"No: {gpu.name} has no GPU-to-GPU link.", reason
    rate = gpu.scale_up.bytes_per_s / GB
    both = f" ({2 * rate:,.5g} counting both directions)" if gpu.scale_up.basis is Basis.BOTH_WAYS else ""
    reason = f"{rate:,.5g} GB/s one way {gpu.scale_up.scope}{both}; domains of {gpu.domain_sizes}."
    nvidia = (gpu.scale_up_link or "").startswith("nvlink")
    links = f"{gpu.scale_up_links} links of " if gpu.scale_up_links else ""
    word = "Yes" if nvidia else "Not NVLink, but a link of its own"
    return f"{word}: {gpu.name} has {links}{gpu.scale_up_link}.", reason


def switched(gpus_by_id):
    """Cards whose links can go to switches."""
    return [key for key, one in gpus_by_id.items() if one.scale_up and (one.scale_up_links or 0) > 1]


def anatomy(gpu, gpus_count):
    """What a domain of this many GPUs needs: ports, and whether a mesh is possible."""
    n = count("gpus", gpus_count, least=2, most=100_000)
    links = gpu.scale_up_links
    if not links:
        message = f"gpu: {gpu.name} has no links to wire"
        raise InputError(message)
    rate = gpu.scale_up.bytes_per_s / GB
    ports = n * links
    verdict = f"{n} × {gpu.name} need {n} × {links} = {ports:,} switch ports."
    if n - 1 <= links:
        pair = rate * -(-links // (n - 1)) / links
        return (
            verdict,
            f"A mesh is still possible: at most {pair:,.4g} GB/s a pair; switches give any pair {rate:,.4g} GB/s.",
            f"The mesh stops at {links + 1} GPUs: beyond it a GPU has fewer links than peers.",
        )
    return (
        verdict,
        f"A point-to-point mesh is impossible: {n - 1} peers, {links} links. It would take {n * (n - 1) // 2:,} cables.",
        f"A mesh of {gpu.name} stops at {links + 1} GPUs; through switches any pair has {rate:,.4g} GB/s one way.",
    )


def mesh(gpu, gpus_count):
    """Rate of one pair by domain size: mesh (links spread evenly) against switch."""
    links, rate = gpu.scale_up_links, gpu.scale_up.bytes_per_s
    sizes = range(2, max(24, min(gpus_count, 576)) + 1)
    rows = [(n, rate, "through switches") for n in sizes]
    rows += [(n, rate / (n - 1), "point-to-point mesh") for n in sizes if n - 1 <= links]
    return pd.DataFrame(rows, columns=["gpus", "pair_bytes_per_s", "wiring"])


def generations(items):
    """NVLink generations on GPUs (bridges left out)."""
    full = [one for one in items if one.id.removeprefix("nvlink").isdigit()]
    return pd.DataFrame(
        {
            "name": one.name,
            "year": str(one.year),
            "bytes_per_s": one.rate.bytes_per_s,
            "per_link": one.rate.bytes_per_s / one.links if one.links else None,
            "links": one.links,
            "state": "announced" if one.year >= 2026 else "shipping",
        }
        for one in full
    )


def against_pcie(nvlinks, slots):
    """NVLink over the PCIe slot that its GPUs had, both one way."""
    partner = {
        "nvlink1": "pcie3-x16",
        "nvlink2": "pcie3-x16",
        "nvlink3": "pcie4-x16",
        "nvlink4": "pcie5-x16",
        "nvlink5": "pcie5-x16",
        "nvlink6": "pcie6-x16",
    }
    by_id = {one.id: one for one in slots}
    rows = []
    for one in nvlinks:
        slot = by_id.get(partner.get(one.id, ""))
        if slot is not None:
            ratio = one.rate.bytes_per_s / slot.rate.bytes_per_s
            rows.append((one.name, slot.name, ratio, one.rate.bytes_per_s, slot.rate.bytes_per_s))
    return pd.DataFrame(rows, columns=["name", "slot", "ratio", "nvlink", "pcie"])


def tiers(items):
    """Raw, nominal, effective one-way rates in long form."""
    rows = []
    for one in items:
        for tier, value in (
            ("nominal (printed)", one.rate.bytes_per_s),
            ("effective (after coding)", one.effective_bytes_per_s),
        ):
            if value:
                rows.append((one.name, tier, value))
    return pd.DataFrame(rows, columns=["name", "tier", "bytes_per_s"])


def ports(items):
    """Port rate over the years, by family."""
    return pd.DataFrame(
        {
            "name": one.name,
            "year": one.year,
            "family": "RoCE (Ethernet)" if one.family is Family.ETHERNET else str(one.family),
            "bytes_per_s": one.rate.bytes_per_s,
        }
        for one in items
    )


def latencies(items):
    """Stated latency ranges of the newest five of each family."""
    rows = [
        (
            one.name,
            "RoCE (Ethernet)" if one.family is Family.ETHERNET else str(one.family),
            one.latency_low_s,
            one.latency_high_s,
        )
        for one in items
        if one.latency_low_s is not None and one.year >= 2014
    ]
    return pd.DataFrame(rows, columns=["name", "family", "low_s", "high_s"])


def card_points(items):
    """Scale-up and memory rate of each GPU."""
    return pd.DataFrame(
        {
            "name": one.name,
            "vendor": one.vendor,
            "year": one.year,
            "memory_bytes_per_s": one.memory_rate.bytes_per_s,
            "scale_up_bytes_per_s": one.scale_up.bytes_per_s if one.scale_up else 0.0,
        }
        for one in items
    )


def disputes(items):
    """Disputes as a table: every reading with its source, which one is used and why."""
    return pd.DataFrame(
        {
            "topic": one.topic,
            "used": one.used,
            "why": one.why,
            "readings": "; ".join(f"{_said(each)} ({each.source.title})" for each in one.readings),
            "about": ", ".join(one.about),
        }
        for one in items
    )


def _said(reading):
    value = f"{reading.value:,.6g}" if isinstance(reading.value, float | int) else reading.value
    note = f", {reading.note}" if reading.note else ""
    return f"{value} {reading.unit}".strip() + note


def switches(items):
    """Chips and ports of each switched machine: ports that face GPUs are GPUs times links."""
    return pd.DataFrame(
        {
            "system": one.id,
            "chip": one.switch,
            "GPUs": one.gpus,
            "links per GPU": one.links_per_gpu,
            "ports facing GPUs": one.gpu_ports,
            "chips": one.chips,
            "ports per chip": one.ports_per_chip,
            "ports used": f"{one.ports_used:,} of {one.ports:,}",
            "GPU links on one chip": one.gpu_ports_per_chip,
            "unverified": one.unverified,
            "sources": _sources(one),
        }
        for one in items
    )
