"""Load of experts without a load balancer, as TensorRT-LLM printed it for DeepSeek-R1."""

import pytest

from core.catalog.calibrations.expert_load import unbalanced


def test_the_busiest_rank_of_32_has_what_was_measured():
    """256 experts over 32 GPUs: 1.56 times the mean on top of it."""
    assert unbalanced(256, 32) == pytest.approx(2.56)


def test_fewer_gpus_share_experts_more_evenly():
    """More experts a GPU level each other out; one GPU has nothing to wait for."""
    loads = [unbalanced(256, ep) for ep in (1, 2, 4, 8, 16, 32)]

    assert loads[0] == 1.0
    assert loads == sorted(loads)
    assert unbalanced(8, 8) <= 8
    assert unbalanced(0, 4) == 1.0
