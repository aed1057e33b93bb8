"""Lines inside one domain (placeholder physics: ring by protocol, NVLS, direct all-to-all)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.catalog.calibrations.one_domain import RINGS
from core.cost_model.line import Line, make_line

if TYPE_CHECKING:
    from core.cost_model.line import Floats
    from core.cost_model.setting import Resolved

PASSES = {"all_reduce": 2}


def lines(asked: Resolved, sizes: Floats) -> list[Line]:
    """Every algorithm and protocol that could run this collective inside one domain."""
    key = asked.generation if asked.family == "nvlink" and asked.generation in RINGS else None
    constants = RINGS[key or {"nvlink": "hopper", "pcie": "pcie", "mesh": "mesh"}[asked.family]]
    n = asked.ranks
    block = sizes / n
    passes = PASSES.get(asked.setting.collective, 1)
    steps = passes * (n - 1)
    rate = asked.link_bytes_per_s
    found = [
        make_line(
            sizes,
            "ring",
            name,
            launch_s=constants.launch_s,
            latency_s=steps * protocol.step_s,
            transfer_s=steps * block / (protocol.rate_share * rate),
            reduction_s=block / rate,
            wire_factor=steps / n,
        )
        for name, protocol in constants.protocols
    ]
    if asked.setting.collective == "all_reduce" and n >= 8 and asked.family == "nvlink":  # noqa: PLR2004
        if asked.generation in ("hopper", "blackwell"):
            found.append(
                make_line(
                    sizes,
                    "nvls",
                    "",
                    launch_s=constants.launch_s,
                    latency_s=30e-6,
                    transfer_s=steps * block / (rate * 1.04 if rate < 800e9 else rate * 0.84),
                    wire_factor=(n + 1) / n,
                )
            )
    return found
