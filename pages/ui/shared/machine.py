"""The machine a question is about: a system of the catalog, your own numbers, or your own file."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core.catalog import GPUS, LINKS, SYSTEMS, visible
from core.checks import InputError
from core.hardware import System
from core.systems import (
    NETWORKS,
    CustomSystem,
    DomainSpec,
    NetworkSpec,
    configure,
    custom_gpu,
    custom_system,
    read_system,
    system_json,
)
from core.units import GB, TERA, US, format_rate
from pages.ui.shared import bound
from pages.ui.shared.messages import plain

YOURS, FILE, CATALOG = "yours", "file", "catalog"
FILE_MOST_BYTES = 100_000
_HANDED = "_system_handed_over"


@dataclass(frozen=True, slots=True)
class Box:
    """What the widgets say; the machine is built only when all widgets of the page stand."""

    chosen: str
    base: Callable[[], System]
    how: dict[str, Any]
    place: Any
    built: list[System] = field(default_factory=list)

    def system(self):
        """The configured machine, described once under its widget; InputError where it cannot be built."""
        if self.built:
            return self.built[0]
        system = configure(self.base(), **self.how)
        self.built.append(system)
        with self.place:
            st.caption(plain(describe(system)))
            if system.yours:
                _download(system)
        return system


def choose(default="dgx-h100", key="system", extra=()):
    """The machine's widgets; ``key`` names the system in the URL, ``extra`` are other choices."""
    place = st.container()
    with st.expander("Domains, network, NICs", icon=":material/lan:"):
        unverified = bound.toggle(
            "Show unverified", "unverified", help="Parts whose figures are low in confidence or rumoured."
        )
        domains = bound.number("Domains (nodes or racks)", "domains", 1, low=1, step=1)
        wires = [key for key in NETWORKS if key in visible(LINKS, unverified)]
        network = bound.choice("Network", "network", [CATALOG, *wires], help="Catalog: the system's own.")
        nics = bound.number("NICs per domain", "nics", None, low=1, step=1, help="Empty: the catalog's.")
        ratio = bound.number(
            "Oversubscription of a leaf",
            "oversubscription",
            1.0,
            low=1.0,
            step=0.5,
            help="1 is non-blocking.",
        )
        adds = bound.toggle(
            "The network's switches add (SHARP)",
            "sharp",
            help="InfiniBand from HDR on, where it is switched on.",
        )
    with place:
        chosen = bound.choice("System", key, [*extra, *visible(SYSTEMS, unverified), YOURS, FILE], default)
        base = {YOURS: _typed, FILE: _uploaded}.get(chosen, lambda: lambda: SYSTEMS[chosen])()
    how = {
        "domains": domains,
        "network": None if network == CATALOG else network,
        "nics_per_domain": nics,
        "oversubscription": ratio,
        "in_network_reduction": True if adds else None,
    }
    return Box(chosen, base, how, place)


def _typed():
    """A machine from a GPU, a rate and NICs; empty fields take the catalog's figures."""
    with st.container(border=True):
        card = bound.choice("GPU", "own_gpu", [YOURS, *GPUS], "h100-sxm")
        gpu = _typed_gpu() if card == YOURS else lambda: card
        gpus = bound.number("GPUs in a domain", "own_gpus", 8, low=1, step=1)
        rate = bound.number(
            "Scale-up, one way per GPU (GB/s)", "own_gbps", None, low=0.001, help="Empty: the GPU's own."
        )
        latency = bound.number(
            "Latency of a step (µs)", "own_latency_us", None, low=0.0, help="Empty: the link's own."
        )
        nic = bound.number("Rate of a NIC, one way (GB/s)", "own_nic_gbps", 50.0, low=0.001, step=12.5)
        nics = bound.number("NICs in a domain", "own_nics", 8, low=1, step=1)
    return lambda: custom_system(
        CustomSystem(
            gpu(),
            DomainSpec(
                gpus,
                bytes_per_s=None if rate is None else rate * GB,
                latency_s=None if latency is None else latency * US,
            ),
            NetworkSpec(nics_per_domain=nics, nic_bytes_per_s=nic * GB),
        )
    )


def _typed_gpu():
    """A GPU nobody has listed."""
    memory = bound.number("Memory (GB)", "own_memory_gb", 80.0, low=0.001, step=8.0)
    memory_rate = bound.number("Memory rate (GB/s)", "own_memory_gbps", 3350.0, low=0.001, step=100.0)
    peak = bound.number("BF16 dense (TFLOP/s)", "own_tflops", 989.0, low=0.001, step=100.0)
    return lambda: custom_gpu(
        "your GPU",
        memory_bytes=memory * GB,
        memory_bytes_per_s=memory_rate * GB,
        bf16_flop_per_s=peak * TERA,
        scale_up_bytes_per_s=450 * GB,
    )


def hand_over(text):
    """Make a system file the machine of the calculators, as if it had been uploaded there."""
    st.session_state[_HANDED] = text
    st.session_state["system"] = FILE


def handed_over():
    """The system file that was handed over, if one was."""
    return st.session_state.get(_HANDED, "")


def _uploaded():
    """A machine from a JSON file; its template is the default system's own file."""
    with st.container(border=True):
        if handed := handed_over():
            st.caption(":material/device_hub: The machine of the page Topology, until a file is uploaded.")
        file = st.file_uploader("System file (JSON)", type="json", key="_system_file")
        template = json.dumps(system_json(SYSTEMS["dgx-h100"]), indent=2)
        st.download_button("Template", template, "system.json", "application/json", key="_template")
    return lambda: _parsed(file, handed)


def _parsed(file, handed):
    """The machine of an uploaded file, or of what another page handed over."""
    if file is None and handed:
        return read_system(handed)
    if file is None:
        message = "system file: none yet; upload one, or start from the template"
        raise InputError(message)
    data = file.getvalue()
    if len(data) > FILE_MOST_BYTES:
        message = f"system file: at most {FILE_MOST_BYTES:,} bytes"
        raise InputError(message)
    return read_system(data.decode("utf-8", "replace"))


def _download(system):
    """What was typed, as a file that shell and page read back."""
    text = json.dumps(system_json(system), indent=2)
    st.download_button("Save as system file", text, "system.json", "application/json", key="_system_save")


def describe(system):
    """One line: what the machine is made of, one way per GPU."""
    up, out = system.scale_up, system.scale_out
    parts = [f"{system.domain_gpus} × {system.gpu.name}", f"{up.link} {format_rate(up.bytes_per_s)}"]
    if out is not None:
        parts.append(f"{system.nics_per_domain} × {out.link}, {format_rate(out.bytes_per_s)} per GPU")
    if system.domains > 1:
        parts.insert(0, f"{system.domains:,} domains, {system.gpus:,} GPUs")
    return f"{system.name}: {'; '.join(parts)}. One way."
