"""How many tokens the busiest GPU of an expert-parallel group gets without a load balancer, as measured."""

import math

from core.provenance import Source

SOURCES = (
    Source(
        "trtllm-ep-load",
        "TensorRT-LLM: load of the ranks of DeepSeek-R1 at EP32, without and with its load balancer",
        "github.com/NVIDIA/TensorRT-LLM at 195a8bdc43, examples/ep_load_balancer/README.md",
        "2025",
    ),
)
EXPERT_SPREAD = 491.65 / 1024 * math.sqrt(256 / 32)
"""Standard deviation of the tokens of an expert over their mean: of a rank that holds eight, 0.48."""
MOST_OVER_CHANCE = 1.56 / (math.sqrt(2 * math.log(32)) * 491.65 / 1024)
"""The measured excess of the busiest rank over what so many independent ranks with this spread would have."""


def unbalanced(experts: int, ep: int) -> float:
    """
    Tokens at the experts of the busiest GPU over the mean, no load balancer at work.

    Args:
        experts: Of a layer.
        ep: GPUs that share them.
    """
    if ep < 2 or experts < ep:
        return 1.0
    spread = EXPERT_SPREAD / math.sqrt(experts / ep)
    return min(float(ep), 1 + MOST_OVER_CHANCE * math.sqrt(2 * math.log(ep)) * spread)
