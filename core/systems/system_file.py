"""The system file: a custom system as JSON, read and written (schema in docs/CATALOG.md)."""

import json
from typing import Any

from core.catalog.gpus import GPUS
from core.catalog.wiring import WIRINGS
from core.checks import choice
from core.errors import InputError
from core.hardware import Architecture, Gpu, System
from core.systems.custom import CustomSystem, custom_system
from core.systems.custom_domain import DomainSpec
from core.systems.custom_gpu import custom_gpu
from core.systems.custom_network import NetworkSpec

_SYSTEM_KEYS = ("name", "gpu", "domain", "network", "domains")
_GPU_KEYS = (
    *("name", "memory_bytes", "memory_bytes_per_s", "bf16_flop_per_s", "fp8_flop_per_s", "fp4_flop_per_s"),
    *("int8_flop_per_s", "scale_up_bytes_per_s", "pcie_link", "in_network_reduction", "architecture"),
)
_MOST_CHARACTERS = 100_000


def read_system(text: str) -> System:
    """
    A custom system from JSON text.

    Raises:
        InputError: One line that names the field and what is allowed.
    """
    document = _object("system file", _parse(text), _SYSTEM_KEYS, needed=("gpu", "domain"))
    gpu = _gpu(document["gpu"])
    domain = _object("domain", document["domain"], tuple(DomainSpec.__dataclass_fields__), needed=("gpus",))
    _check_texts("domain", domain, "topology", "link", "host_link", "wiring")
    _flags("domain", domain, "in_network_reduction")
    network = None
    if document.get("network") is not None:
        fields = tuple(NetworkSpec.__dataclass_fields__)
        stated = _object("network", document["network"], fields)
        _check_texts("network", stated, "link")
        _flags("network", stated, "in_network_reduction")
        network = NetworkSpec(**_given(stated))
    _check_texts("system file", document, "name")
    values = _given(document)
    return custom_system(
        CustomSystem(
            gpu,
            DomainSpec(**_given(domain)),
            network,
            domains=values.get("domains", 1),
            name=values.get("name", "yours"),
        )
    )


def system_json(system: System) -> dict[str, Any]:
    """The same system as a JSON object that ``read_system`` reads back; SI units."""
    domain = system.bridge or system.scale_up
    leaf = system.scale_out
    network = None
    if leaf is not None:
        network = {
            "link": system.network,
            "nics_per_domain": system.nics_per_domain,
            "nic_bytes_per_s": leaf.bytes_per_s * system.domain_gpus / system.nics_per_domain,
            "latency_s": leaf.latency_s,
            "oversubscription": leaf.oversubscription,
            "in_network_reduction": leaf.in_network_reduction,
        }
    return {
        "name": system.name,
        "gpu": system.gpu.id if system.gpu.id in GPUS else _gpu_json(system.gpu),
        "domain": {
            "gpus": system.domain_gpus,
            "topology": str(system.scale_up.topology),
            "link": domain.link,
            "bytes_per_s": domain.bytes_per_s,
            "latency_s": domain.latency_s,
            "in_network_reduction": domain.in_network_reduction,
            "pair_bytes_per_s": system.pair_bytes_per_s,
            "taper": domain.taper,
            "untapered_ranks": domain.untapered_ranks,
            "gpus_per_uplink": system.gpus_per_uplink,
            "host_link": system.host_link,
            "wiring": next((key for key, links in WIRINGS.items() if links == system.wiring), None),
        },
        "network": network,
        "domains": system.domains,
    }


def _parse(text: str) -> Any:
    if len(text) > _MOST_CHARACTERS:
        message = f"system file: at most {_MOST_CHARACTERS} characters"
        raise InputError(message)
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except InputError:
        raise
    except ValueError as error:
        message = f"system file: not JSON ({' '.join(str(error).split())})"
        raise InputError(message) from None
    except RecursionError:
        message = "system file: nested too deeply"
        raise InputError(message) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys stand there once: of two values JSON would silently keep the last."""
    keys = [key for key, _ in pairs]
    twice = next((key for key in keys if keys.count(key) > 1), None) if len(set(keys)) < len(keys) else None
    if twice is not None:
        message = f"system file: {twice[:40]!r} stands there twice"
        raise InputError(message)
    return dict(pairs)


def _object(name: str, value: Any, keys: tuple[str, ...], needed: tuple[str, ...] = ()) -> dict[str, Any]:
    """A JSON object with known keys only and with the needed ones."""
    if not isinstance(value, dict):
        message = f"{name}: a JSON object with {', '.join(keys)}"
        raise InputError(message)
    for key in value:
        choice(f"{name} field", key, keys)
    for key in needed:
        if value.get(key) is None:
            message = f"{name}: {key} is missing"
            raise InputError(message)
    return value


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields that say something: null means not given."""
    return {key: value for key, value in fields.items() if value is not None}


def _check_texts(name: str, fields: dict[str, Any], *keys: str) -> None:
    for key in keys:
        if not isinstance(fields.get(key), (str, type(None))):
            message = f"{name}: {key} is a word, not {fields[key]!r}"
            raise InputError(message)


def _flags(name: str, fields: dict[str, Any], *keys: str) -> None:
    for key in keys:
        if not isinstance(fields.get(key), (bool, type(None))):
            message = f"{name}: {key} is true or false, not {fields[key]!r}"
            raise InputError(message)


def _gpu(value: Any) -> Gpu:
    if isinstance(value, str):
        return GPUS[choice("gpu", value, GPUS, listed="the Catalog page")]
    fields = _object("gpu", value, _GPU_KEYS, needed=("name", "memory_bytes", "memory_bytes_per_s"))
    _check_texts("gpu", fields, "name", "pcie_link", "architecture")
    _flags("gpu", fields, "in_network_reduction")
    return custom_gpu(**{key: item for key, item in fields.items() if item is not None or key == "pcie_link"})


def _gpu_json(gpu: Gpu) -> dict[str, Any]:
    return {
        "name": gpu.name,
        "memory_bytes": gpu.memory_bytes,
        "memory_bytes_per_s": gpu.memory_rate.bytes_per_s,
        "bf16_flop_per_s": gpu.bf16_flop_per_s,
        "fp8_flop_per_s": gpu.fp8_flop_per_s,
        "fp4_flop_per_s": gpu.fp4_flop_per_s,
        "int8_flop_per_s": gpu.int8_flop_per_s,
        "scale_up_bytes_per_s": None if gpu.scale_up is None else gpu.scale_up.bytes_per_s,
        "pcie_link": gpu.pcie_link,
        "in_network_reduction": gpu.in_network_reduction,
        "architecture": None if gpu.architecture is Architecture.UNKNOWN else str(gpu.architecture),
    }
