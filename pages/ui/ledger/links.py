"""Links from claims into the pages that answer them, with the claim's inputs filled in."""

from typing import Any, NamedTuple
from urllib.parse import urlencode

from core.calculators.bandwidth_hierarchy.scenario import BOTH_WAYS

HIERARCHY, COLLECTIVES, TP = "bandwidth_hierarchy", "collectives", "tensor_parallel"
GRADIENTS, CAPACITY, CATALOG, COST = "gradient_sync", "nvl72", "catalog", "cost"
TOPOLOGY, MEASUREMENTS, CHECK = "topology", "measurements", "check"


class PageLink(NamedTuple):
    """A page's path and the inputs of its address."""

    page: str
    query: dict[str, Any]


def _hierarchy(system: str = "dgx-h100", **more: Any) -> PageLink:
    return PageLink(HIERARCHY, {"system": system, **more})


def _collective(system: str = "dgx-h100", size: str = "1 GiB", **more: Any) -> PageLink:
    return PageLink(COLLECTIVES, {"system": system, "size": size, **more})


def _tp(system: str = "dgx-h100", **more: Any) -> PageLink:
    return PageLink(TP, {"system": system, "software": "nccl", **more})


def _typed_link(gbps: float, latency_us: float, **more: Any) -> PageLink:
    """A layer of a 70B model as document 000 computes it, on a link of so many GB/s per direction."""
    own: dict[str, Any] = {
        "rates": "yours",
        "rate_gbps": gbps,
        "latency_us": latency_us,
        "latency_per": "operation",
    }
    layer: dict[str, Any] = {"tokens": 32, "context": 0, "weights": "fp8", "mfu": 1.0, "hbm_efficiency": 1.0}
    return _tp(**own, **layer, **more)


def _gradients(system: str = "dgx-h100", params_b: float = 70, **more: Any) -> PageLink:
    query = {"system": system, "model": "yours", "params_b": params_b, "strategy": "ddp", "gpus": 8}
    return PageLink(GRADIENTS, query | more)


def _ring_gradients(system: str = "dgx-h100", params_b: float = 70) -> PageLink:
    """The textbook ring at datasheet rates."""
    return _gradients(system, params_b, rates="spec", sync_algorithm="ring")


def _cost(percent: float, **more: Any) -> PageLink:
    """A share of 16,384 GPUs at $3 per GPU-hour."""
    query = {"money_from": "share", "lost_percent": percent, "gpus": 16384, "money_usd": 3.0}
    return PageLink(COST, query | more)


def _capacity(system: str = "gb200-nvl72", **more: Any) -> PageLink:
    """A rack that serves 1,024 requests of 8,192 tokens, unless ``more`` says otherwise."""
    served = {"model": "deepseek-v3-r1", "weights": "fp8", "requests": 1024, "context": 8192}
    return PageLink(CAPACITY, {"system": system} | served | more)


def _weights_alone(params_b: float, fmt: str, system: str = "gb200-nvl72", **more: Any) -> PageLink:
    """Weights alone on a rack: no KV cache, all memory usable."""
    bare = {"model": "yours", "params_b": params_b, "active_b": params_b, "requests": 0}
    return _capacity(system, **bare, weights=fmt, usable=1.0, **more)


def _sharded(system: str, gpus: int) -> PageLink:
    return _capacity(system, model="llama-3.1-405b", rack_gpus=gpus, rack_tp=gpus, requests=0)


def _gpu(card: str) -> PageLink:
    return PageLink(CATALOG, {"section": "NVLink", "card": card})


def _domain(gpus: int, card: str) -> PageLink:
    return PageLink(CATALOG, {"section": "NVSwitch", "mesh_gpus": gpus, "mesh_card": card})


def _section(name: str, **more: Any) -> PageLink:
    return PageLink(CATALOG, {"section": name, **more})


_TOKEN: dict[str, Any] = {"model": "llama-3.1-70b", "tokens": 1, "tp": 8}
_RUMOUR: dict[str, Any] = {"hbm_gb": 192.0, "active_b": 280}
_405B: dict[str, Any] = {
    "model": "llama-3.1-405b",
    "tokens": 32,
    "context": 0,
    "weights": "fp8",
    "mfu": 1.0,
    "hbm_efficiency": 1.0,
}

# fmt: off
_LINKS = {
    1: _tp(phase="prefill", tokens=1024, tp=8), 2: _tp(rates="spec", **_TOKEN),
    3: _tp("rtx-pro-6000-x8", phase="prefill", tokens=1024, rates="spec"), 4: _tp(phase="prefill", tokens=1024, rates="spec"),
    5: _collective("rtx-pro-6000-x8"), 6: _hierarchy(direction=BOTH_WAYS, unverified="true"), 7: _hierarchy(unverified="true"),
    8: _hierarchy(direction=BOTH_WAYS), 9: _hierarchy(direction=BOTH_WAYS), 10: _hierarchy(), 11: _hierarchy(copy_size="4 KiB"),
    12: _gpu("p100-sxm"), 13: _domain(4, "p100-sxm"), 14: _gpu("v100-sxm"), 15: _domain(8, "v100-sxm"), 16: _gpu("a100-sxm-80gb"),
    17: _domain(8, "a100-sxm-80gb"), 18: _domain(8, "a100-sxm-80gb"), 19: _gpu("h100-sxm"), 20: _collective(algorithm="nvls", rates="spec"),
    21: _gpu("b200-sxm"), 22: _domain(72, "gb200"), 23: _gpu("p100-sxm"), 24: _gpu("v100-sxm"), 25: _gpu("a100-sxm-80gb"),
    26: _gpu("h100-sxm"), 27: _domain(16, "v100-sxm"), 28: _section("Systems"), 29: _domain(8, "h100-sxm"), 30: _domain(8, "a100-sxm-80gb"),
    31: _domain(72, "gb200"), 32: _domain(72, "gb200"), 33: _domain(8, "h100-sxm"), 34: _capacity("dgx-h100"), 35: _capacity(), 36: _capacity(),
    37: _weights_alone(1800, "fp4", hbm_gb=192.0), 38: _weights_alone(1800, "nvfp4", hbm_gb=192.0),
    39: _capacity(model="yours", params_b=1800, weights="fp4", requests=0, **_RUMOUR),
    40: _hierarchy(), 41: _tp("gb200-nvl72", tp=72),
    42: _section("PCIe"), 43: _section("PCIe", unverified="true"), 44: _gpu("b200-sxm"), 45: _hierarchy(copy_size="1 GB"),
    46: _hierarchy("dgx-b200"), 47: _section("Networks"), 48: _hierarchy("dgx-1-v100"), 49: _hierarchy("dgx-a100"), 50: _hierarchy(),
    51: _hierarchy("dgx-b200"), 52: _hierarchy(copy_size="1 GB"), 53: _hierarchy(copy_size="1 GB"), 54: _hierarchy(),
    55: _collective(algorithm="ring", rates="spec"), 56: _tp(**_TOKEN), 57: _tp(**_TOKEN),
    58: _tp("l40s-x8", rates="published", **_TOKEN), 59: _tp("rtx-pro-6000-x8", rates="published", **_TOKEN),
    60: _tp("dgx-a100", rates="published", **_TOKEN), 61: _tp("dgx-h100", rates="published", **_TOKEN),
    62: _tp("dgx-b200", rates="published", **_TOKEN), 63: _collective(size="16 KiB", implementation="trtllm-auto"), 64: _collective(size="4 MiB"),
    65: _typed_link(450, 1), 66: _typed_link(450, 1), 67: _typed_link(450, 1), 68: _typed_link(64, 3), 69: _typed_link(64, 3), 70: _typed_link(450, 1),
    71: PageLink(CHECK, {}), 72: _collective("dgx-a100", collective="send_recv", ranks=2), 73: _collective(collective="send_recv", ranks=2),
    74: _collective("l40s-x8", collective="send_recv", ranks=2), 75: _collective("rtx-pro-6000-x8", collective="send_recv", ranks=2),
    76: _collective(algorithm="ring"), 77: _collective("dgx-h200", "16 GiB"), 78: _collective(size="1 KiB"), 79: _collective(size="64 KiB"),
    80: _collective(size="1 MiB"), 81: _collective(size="64 MiB"), 82: _collective(size="1 GiB"), 83: PageLink(TOPOLOGY, {"topo_gpu": "h100-sxm"}),
    84: PageLink(TOPOLOGY, {}), 85: PageLink(TOPOLOGY, {}), 86: _tp("dgx-h200", model="deepseek-v3-r1", tp=8, ep=8, weights="fp8"),
    87: _tp(tp=8, **_405B), 88: _sharded("dgx-h100", 8), 89: _sharded("dgx-b200", 4), 90: _collective("dgx-b200", algorithm="ring", ranks=4, rates="spec"),
    91: _tp(tp=8, rates="spec", **_405B), 92: _tp("dgx-b200", tp=4, rates="spec", **_405B), 93: _tp("dgx-b200", tp=4, **_405B), 94: _hierarchy(),
    95: _tp(sequence_parallel="true"), 96: _ring_gradients(), 97: _ring_gradients(), 98: _ring_gradients("rtx-pro-6000-x8"),
    99: _tp(phase="prefill", tokens=4096), 100: _gradients("rtx-pro-6000-x8"), 101: _section("PCIe"), 102: _hierarchy(copy_size="280 GB"),
    103: _hierarchy("dgx-b200"), 104: _gpu("v100-sxm"), 105: _gpu("h100-sxm"), 106: _ring_gradients(), 107: _typed_link(450, 1),
    108: _domain(8, "h100-sxm"), 109: _capacity("dgx-h100"), 110: _capacity(), 111: _capacity(hbm_gb=192.0), 112: _hierarchy("gb200-nvl72"),
    113: _domain(72, "gb200"), 114: _capacity("nvlink5-576"), 115: _weights_alone(55000, "fp16", "nvlink5-576", hbm_gb=192.0),
    116: _section("Networks"), 117: _section("Networks"), 118: _hierarchy(), 119: _hierarchy(), 120: _section("Networks"),
    121: _gradients(gpus=128, network="roce-400"), 122: _hierarchy("dgx-b200"), 123: _hierarchy("dgx-b200"),
    124: _hierarchy("dgx-b200", direction=BOTH_WAYS), 125: _hierarchy("dgx-b200"), 126: _gradients(), 127: _gradients(gpus=128, network="roce-400"),
    128: _gradients(gpus=128), 129: PageLink(MEASUREMENTS, {}), 130: _cost(1.0), 131: _cost(1.0), 132: _cost(5.0),
    133: _cost(5.0, upgrade_usd=10e6),
    134: _capacity(), 135: _hierarchy(), 136: _section("Systems"), 137: _section("GPUs", unverified="true"), 138: _domain(72, "gb200"),
    139: _capacity(weights="fp8"), 140: _weights_alone(5000, "fp8", "dgx-h100"), 141: _weights_alone(5000, "fp8", hbm_gb=192.0),
    142: _capacity(domains=2, rack_gpus=144, rack_pp=2), 143: _hierarchy(direction=BOTH_WAYS), 144: _hierarchy(),
    145: _gpu("h100-sxm"), 146: _section("PCIe"), 147: _section("Networks"), 148: _hierarchy(copy_size="80 GB"),
    149: _ring_gradients(params_b=5), 150: _collective("dgx-h200", "16 GiB"), 151: _gpu("rtx-4090"), 152: _hierarchy("dgx-a100"),
    153: _capacity("dgx-gh200-256"), 154: PageLink(TOPOLOGY, {}), 155: _collective(size="4000"), 156: _gpu("h200-sxm"), 157: _gpu("gb200"),
    158: _ring_gradients(), 159: _ring_gradients("rtx-pro-6000-x8"), 160: _gpu("v100-sxm"), 161: _gpu("rtx-3090"), 162: _gpu("rtx-5090"),
}
# fmt: on

LINKS = {f"C{number:03d}": link for number, link in _LINKS.items()}
"""The link of every claim, by its id."""


def url(claim_id: str) -> str:
    """The address of the claim's page, relative to this page's own."""
    link = LINKS[claim_id]
    return f"{link.page}?{urlencode(link.query)}" if link.query else link.page
