"""The catalog's figures as the rows of its charts."""

from collections.abc import Iterable
from functools import lru_cache

import pandas as pd

from core.catalog import GPUS
from core.hardware import Family, Gpu, Link

ANNOUNCED_FROM = 2026
LATENCIES_FROM = 2014
LEAST_MESH, MOST_MESH = 24, 576


@lru_cache(maxsize=1)
def _first_slots() -> dict[str, str]:
    """The PCIe slot of the first GPU that had each GPU-to-GPU link, by ids."""
    gpus = sorted(GPUS.values(), key=lambda gpu: (gpu.year, gpu.pcie_link or ""), reverse=True)
    return {gpu.scale_up_link: gpu.pcie_link for gpu in gpus if gpu.scale_up_link and gpu.pcie_link}


def mesh(gpu: Gpu, gpus: int) -> pd.DataFrame:
    """Rate of a pair by domain size: a mesh that spreads its links evenly against switches."""
    if gpu.scale_up is None or not gpu.scale_up_links:
        return pd.DataFrame(columns=["gpus", "pair_bytes_per_s", "topology"])
    links, rate = gpu.scale_up_links, gpu.scale_up.bytes_per_s
    sizes = range(2, max(LEAST_MESH, min(gpus, MOST_MESH)) + 1)
    rows = [(n, rate, "through switches") for n in sizes]
    rows += [(n, rate / (n - 1), "point-to-point mesh") for n in sizes if n - 1 <= links]
    return pd.DataFrame(rows, columns=["gpus", "pair_bytes_per_s", "topology"])


def generations(links: Iterable[Link]) -> pd.DataFrame:
    """NVLink generations on GPUs (bridges left out)."""
    return pd.DataFrame(
        {
            "name": link.name,
            "year": str(link.year),
            "bytes_per_s": link.rate.bytes_per_s,
            "per_link": link.rate.bytes_per_s / link.links if link.links else None,
            "links": link.links,
            "state": _state(link),
        }
        for link in links
        if link.rate and link.id.removeprefix("nvlink").isdigit()
    )


def _state(link: Link) -> str:
    return "announced" if link.year >= ANNOUNCED_FROM else "shipping"


def against_pcie(nvlinks: Iterable[Link], slots: Iterable[Link]) -> pd.DataFrame:
    """NVLink over the PCIe slot that its GPUs had, both unidirectional."""
    by_id = {slot.id: slot for slot in slots}
    rows = []
    for link in nvlinks:
        slot = by_id.get(_first_slots().get(link.id, ""))
        if slot is not None and slot.rate and link.rate:
            nvlink, pcie = link.rate.bytes_per_s, slot.rate.bytes_per_s
            name = link.name.partition(" (")[0]
            rows.append((name, slot.name, nvlink / pcie, nvlink, pcie, _state(link)))
    return pd.DataFrame(rows, columns=["name", "slot", "ratio", "nvlink", "pcie", "state"])


def slot_rates(slots: Iterable[Link]) -> pd.DataFrame:
    """Nominal and effective unidirectional rate of each slot, a row each."""
    rows = []
    for slot in slots:
        nominal = slot.rate.bytes_per_s if slot.rate else None
        for kind, rate in (
            ("nominal (published)", nominal),
            ("effective (after line code)", slot.effective_bytes_per_s),
        ):
            if rate:
                rows.append((slot.name, kind, rate))
    return pd.DataFrame(rows, columns=["name", "kind", "bytes_per_s"])


def _family(link: Link) -> str:
    return "RoCE (Ethernet)" if link.family is Family.ETHERNET else str(link.family)


def ports(links: Iterable[Link]) -> pd.DataFrame:
    """Port rate over the years, by family."""
    return pd.DataFrame(
        {
            "name": link.name,
            "year": link.year,
            "family": _family(link),
            "bytes_per_s": link.rate.bytes_per_s,
        }
        for link in links
        if link.rate
    )


def latencies(links: Iterable[Link]) -> pd.DataFrame:
    """Stated latency ranges of recent generations."""
    rows = [
        (link.name, _family(link), link.latency_low_s, link.latency_high_s)
        for link in links
        if link.latency_low_s is not None and link.year >= LATENCIES_FROM
    ]
    return pd.DataFrame(rows, columns=["name", "family", "low_s", "high_s"])


def gpus(items: Iterable[Gpu]) -> pd.DataFrame:
    """Scale-up and memory bandwidth of each GPU."""
    return pd.DataFrame(
        {
            "name": gpu.name,
            "vendor": gpu.vendor,
            "year": gpu.year,
            "memory_bytes_per_s": gpu.memory_rate.bytes_per_s,
            "scale_up_bytes_per_s": gpu.scale_up.bytes_per_s if gpu.scale_up else 0.0,
        }
        for gpu in items
    )
