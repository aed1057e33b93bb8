"""Links from claims into the pages that answer them, with the claim's scenario filled in."""

from urllib.parse import urlencode

LADDER, RING, TP = "bandwidth_hierarchy", "collectives", "tensor_parallel"
SYNC, RACK, CATALOG, MONEY = "gradient_sync", "nvl72", "catalog", "cost"
TOPOLOGY, MEASURED, CHECK = "topology", "measurements", "check"
BOTH = "both-ways"


def _ladder(system="dgx-h100", **more):
    return LADDER, {"system": system, **more}


def _ring(system="dgx-h100", size="1 GiB", **more):
    return RING, {"system": system, "size": size, **more}


def _tp(system="dgx-h100", **more):
    return TP, {"system": system, **more}


def _wire(gbps, latency_us, **more):
    """A layer of a 70B model as document 000 reckons, on a wire of so many GB/s one way."""
    own = {"rates": "yours", "rate_gbps": gbps, "latency_us": latency_us, "latency_per": "operation"}
    layer = {"tokens": 32, "context": 0, "weights": "fp8", "mfu": 1.0, "hbm_efficiency": 1.0}
    return _tp(**own, **layer, **more)


def _sync(system="dgx-h100", params_b=70, **more):
    asked = {"system": system, "sync_model": "yours", "params_b": params_b, "strategy": "ddp", "dp_ranks": 8}
    return SYNC, asked | more


def _ring_sync(system="dgx-h100", params_b=70):
    """By the textbook's ring at datasheet rates."""
    return _sync(system, params_b, rates="spec", sync_algorithm="ring")


def _share(percent, **more):
    """A share of 16,384 GPUs at three dollars an hour."""
    known = {"money_from": "share", "lost_percent": percent, "money_gpus": 16384, "money_usd": 3.0}
    return MONEY, known | more


def _rack(rack="gb200-nvl72", **more):
    return RACK, {"rack": rack, **more}


def _sized(params_b, fmt, rack="gb200-nvl72", **more):
    """Parameters alone on a rack: no cache, all memory."""
    bare = {"rack_model": "yours", "rack_params_b": params_b, "rack_active_b": params_b, "sequences": 0}
    return _rack(rack, **bare, format=fmt, usable=1.0, **more)


def _big(rack, gpus):
    return _rack(rack, rack_model="llama-3.1-405b", format="fp8", rack_gpus=gpus, rack_tp=gpus, sequences=0)


def _card(card):
    return CATALOG, {"section": "NVLink", "card": card}


def _mesh(gpus, card):
    return CATALOG, {"section": "NVSwitch", "mesh_gpus": gpus, "mesh_card": card}


def _section(name, **more):
    return CATALOG, {"section": name, **more}


_TOKEN = {"model": "llama-3.1-70b", "tokens": 1, "tp": 8}
_RUMOUR = {"hbm_gb": 192.0, "rack_active_b": 280}
_405B = {
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
    5: _ring("rtx-pro-6000-x8"), 6: _ladder(direction=BOTH, unverified="true"), 7: _ladder(unverified="true"),
    8: _ladder(direction=BOTH), 9: _ladder(direction=BOTH), 10: _ladder(), 11: _ladder(copy_size="4 KiB"),
    12: _card("p100-sxm"), 13: _mesh(4, "p100-sxm"), 14: _card("v100-sxm"), 15: _mesh(8, "v100-sxm"), 16: _card("a100-sxm-80gb"),
    17: _mesh(8, "a100-sxm-80gb"), 18: _mesh(8, "a100-sxm-80gb"), 19: _card("h100-sxm"), 20: _ring(algorithm="nvls", rates="spec"),
    21: _card("b200-sxm"), 22: _mesh(72, "gb200"), 23: _card("p100-sxm"), 24: _card("v100-sxm"), 25: _card("a100-sxm-80gb"),
    26: _card("h100-sxm"), 27: _mesh(16, "v100-sxm"), 28: _section("Systems"), 29: _mesh(8, "h100-sxm"), 30: _mesh(8, "a100-sxm-80gb"),
    31: _mesh(72, "gb200"), 32: _mesh(72, "gb200"), 33: _mesh(8, "h100-sxm"), 34: _rack("dgx-h100"), 35: _rack(), 36: _rack(),
    37: _sized(1800, "fp4", hbm_gb=192.0), 38: _sized(1800, "nvfp4", hbm_gb=192.0),
    39: _rack(rack_model="yours", rack_params_b=1800, format="fp4", sequences=0, **_RUMOUR),
    40: _ladder(), 41: _tp("gb200-nvl72", tp=72),
    42: _section("PCIe"), 43: _section("PCIe", unverified="true"), 44: _card("b200-sxm"), 45: _ladder(copy_size="1 GB"),
    46: _ladder("dgx-b200"), 47: _section("Networks"), 48: _ladder("dgx-1-v100"), 49: _ladder("dgx-a100"), 50: _ladder(),
    51: _ladder("dgx-b200"), 52: _ladder(copy_size="1 GB"), 53: _ladder(copy_size="1 GB"), 54: _ladder(),
    55: _ring(algorithm="ring", rates="spec"), 56: _tp(**_TOKEN), 57: _tp(**_TOKEN),
    58: _tp("l40s-x8", rates="published", **_TOKEN), 59: _tp("rtx-pro-6000-x8", rates="published", **_TOKEN),
    60: _tp("dgx-a100", rates="published", **_TOKEN), 61: _tp("dgx-h100", rates="published", **_TOKEN),
    62: _tp("dgx-b200", rates="published", **_TOKEN), 63: _ring(size="16 KiB", implementation="trtllm-auto"), 64: _ring(size="4 MiB"),
    65: _wire(450, 1), 66: _wire(450, 1), 67: _wire(450, 1), 68: _wire(64, 3), 69: _wire(64, 3), 70: _wire(450, 1),
    71: (CHECK, {}), 72: _ring("dgx-a100", collective="send_recv", ranks=2), 73: _ring(collective="send_recv", ranks=2),
    74: _ring("l40s-x8", collective="send_recv", ranks=2), 75: _ring("rtx-pro-6000-x8", collective="send_recv", ranks=2),
    76: _ring(algorithm="ring"), 77: _ring("dgx-h200", "16 GiB"), 78: _ring(size="1 KiB"), 79: _ring(size="64 KiB"),
    80: _ring(size="1 MiB"), 81: _ring(size="64 MiB"), 82: _ring(size="1 GiB"), 83: (TOPOLOGY, {"topo_gpu": "h100-sxm"}),
    84: (TOPOLOGY, {}), 85: (TOPOLOGY, {}), 86: _tp("dgx-h200", model="deepseek-v3-r1", tp=8, ep=8, weights="fp8"),
    87: _tp(tp=8, **_405B), 88: _big("dgx-h100", 8), 89: _big("dgx-b200", 4), 90: _ring("dgx-b200", algorithm="ring", ranks=4, rates="spec"),
    91: _tp(tp=8, rates="spec", **_405B), 92: _tp("dgx-b200", tp=4, rates="spec", **_405B), 93: _tp("dgx-b200", tp=4, **_405B), 94: _ladder(),
    95: _tp(sequence_parallel="true"), 96: _ring_sync(), 97: _ring_sync(), 98: _ring_sync("rtx-pro-6000-x8"),
    99: _tp(phase="prefill", tokens=4096), 100: _sync("rtx-pro-6000-x8"), 101: _section("PCIe"), 102: _ladder(copy_size="280 GB"),
    103: _ladder("dgx-b200"), 104: _card("v100-sxm"), 105: _card("h100-sxm"), 106: _ring_sync(), 107: _wire(450, 1),
    108: _mesh(8, "h100-sxm"), 109: _rack("dgx-h100"), 110: _rack(), 111: _rack(hbm_gb=192.0), 112: _ladder("gb200-nvl72"),
    113: _mesh(72, "gb200"), 114: _rack("nvlink5-576"), 115: _sized(55000, "fp16", "nvlink5-576", hbm_gb=192.0),
    116: _section("Networks"), 117: _section("Networks"), 118: _ladder(), 119: _ladder(), 120: _section("Networks"),
    121: _sync(domains=16, dp_ranks=128, network="roce-400"), 122: _ladder("dgx-b200"), 123: _ladder("dgx-b200"),
    124: _ladder("dgx-b200", direction=BOTH), 125: _ladder("dgx-b200"), 126: _sync(), 127: _sync(domains=16, dp_ranks=128, network="roce-400"),
    128: _sync(domains=16, dp_ranks=128), 129: (MEASURED, {}), 130: _share(1.0), 131: _share(1.0), 132: _share(5.0),
    133: _share(5.0, upgrade_usd=10e6),
    134: _rack(), 135: _ladder(), 136: _section("Systems"), 137: _section("GPUs", unverified="true"), 138: _mesh(72, "gb200"),
    139: _rack(rack_model="deepseek-v3-r1", format="fp8"), 140: _sized(5000, "fp8", "dgx-h100"), 141: _sized(5000, "fp8", hbm_gb=192.0),
    142: _rack(rack_model="deepseek-v3-r1", domains=2, rack_gpus=144, rack_pp=2), 143: _ladder(direction=BOTH), 144: _ladder(),
    145: _card("h100-sxm"), 146: _section("PCIe"), 147: _section("Networks"), 148: _ladder(copy_size="80 GB"),
    149: _ring_sync(params_b=5), 150: _ring("dgx-h200", "16 GiB"), 151: _card("rtx-4090"), 152: _ladder("dgx-a100"),
    153: _rack("dgx-gh200-256"), 154: (TOPOLOGY, {}), 155: _ring(size="4000"), 156: _card("h200-sxm"), 157: _card("gb200"),
    158: _ring_sync(), 159: _ring_sync("rtx-pro-6000-x8"), 160: _card("v100-sxm"), 161: _card("rtx-3090"), 162: _card("rtx-5090"),
}
# fmt: on

LINKS = {f"C{number:03d}": link for number, link in _LINKS.items()}
"""Page and query of every claim, by its id."""


def url(claim_id):
    """The address of the page, relative to the ledger's own."""
    page, query = LINKS[claim_id]
    return f"{page}?{urlencode(query)}" if query else page
