"""Lines across domains (placeholder physics: ring and tree)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from core.cost_model.line import Line, make_line

if TYPE_CHECKING:
    from core.cost_model.line import Floats
    from core.cost_model.setting import Resolved

HOP_S = {"ib": 10e-6, "roce": 11e-6, "slingshot": 9e-6, "efa": 28e-6, "tcpx": 58e-6, "generic": 15e-6}


def lines(asked: Resolved, sizes: Floats) -> list[Line]:
    """Every algorithm that could run this collective across domains."""
    n, domains = asked.ranks, asked.domains
    passes = 2 if asked.setting.collective == "all_reduce" else 1
    hop = HOP_S[asked.network_family]
    block = sizes / n
    steps = passes * (n - 1)
    rate = min(asked.domain_nic_bytes_per_s * 0.9, 0.85 * asked.link_bytes_per_s)
    found = [
        make_line(
            sizes,
            "ring",
            "Simple",
            launch_s=8e-6,
            latency_s=passes * ((n - domains) * 1e-6 + domains * hop),
            transfer_s=steps * block / rate,
            wire_factor=steps / n,
        )
    ]
    if asked.setting.collective == "all_reduce":
        depth = 2 * math.log2(domains)
        found.append(
            make_line(
                sizes,
                "tree",
                "LL128",
                launch_s=8e-6,
                latency_s=2 * (asked.gpus - 1) * 1e-6
                + depth * hop * (1 + (sizes / 65536) ** 0.35),
                transfer_s=steps * block / (rate * 0.8),
                wire_factor=steps / n,
            )
        )
    return found
