"""The model against published figures that can be looked up; each names its source."""

import numpy as np
import pytest

from core.collectives.cost_model import Setting, predict
from tests.each import table

GIB = 2.0**30
MIB = 2.0**20


def busbw(setting, size):
    """Bus bandwidth in GB/s of an all-reduce."""
    ranks = setting.domain_gpus * setting.domains
    return float(2 * (ranks - 1) / ranks * size / predict(setting, size).time_s / 1e9)


@table(
    ("setting", "size", "gb_per_s"),
    [
        (Setting("h100-sxm", "nvlink4", 8), 16 * GIB, 480),  # NVIDIA/nccl issue 2140
        (Setting("h100-sxm", "nvlink4", 8, algorithm="ring"), 16 * GIB, 370),  # same, NVLS off
        (Setting("b300-sxm", "nvlink5", 8), 16 * GIB, 845),  # same
        (Setting("b300-sxm", "nvlink5", 8, algorithm="ring"), 16 * GIB, 695),  # same
        (Setting("h200-sxm", "nvlink4", 8), 16 * GIB, 482.26),  # stas00/ml-engineering network
        (Setting("a100-sxm-80gb", "nvlink3", 8), 16 * GIB, 234.89),  # same
        (Setting("mi300x", "if-mi300x", 8, implementation="rccl"), 16 * GIB, 312.9),  # same
        (Setting("b200-sxm", "nvlink5", 8, 4, "efa-v4-b200"), 16 * GIB, 381.8),  # same, P6-B200
        (Setting("gb200", "nvlink5", 72), 8 * GIB, 834.57),  # coreweave/nccl-tests
        (Setting("gb200", "nvlink5", 72), 512 * MIB, 586),  # same
        (Setting("gb200", "nvlink5", 72, 2, "ib-ndr"), 8 * GIB, 793),  # same
        (Setting("gb200", "nvlink5", 72, 20, "ib-ndr"), 8 * GIB, 381),  # same
    ],
)
def test_large_all_reduces_reach_the_published_rate(setting, size, gb_per_s):
    """Within 15 % of what others publish for machines and domain sizes mostly not calibrated on."""
    assert busbw(setting, size) == pytest.approx(gb_per_s, rel=0.15)


@pytest.mark.parametrize(
    ("setting", "us"),
    [
        (Setting("h100-sxm", "nvlink4", 8), 15.6),
        (Setting("h100-sxm", "nvlink4", 8, implementation="vllm-custom", launch="graph"), 4.6),
        (Setting("h100-sxm", "nvlink4", 8, implementation="vllm-custom"), 22.9),
        (Setting("h100-sxm", "nvlink4", 8, implementation="trtllm-auto"), 3.1),
        (Setting("b200-sxm", "nvlink5", 8), 25.0),
        (Setting("b200-sxm", "nvlink5", 8, implementation="vllm-custom", launch="graph"), 7.7),
        (Setting("b200-sxm", "nvlink5", 8, implementation="trtllm-auto"), 5.1),
    ],
)
def test_small_all_reduces_depend_on_engine_and_launch(setting, us):
    """At 4 KiB the engine and the launch decide, several-fold (aiconfigurator's measurements)."""
    assert float(predict(setting, 4096).time_s) * 1e6 == pytest.approx(us, rel=0.25)


def test_tree_latency_grows_by_the_doubling_and_ring_latency_by_the_rank():
    """GH200 on Slingshot: about 15.5 us a doubling of nodes; A100: an all-gather 7.5-8 us a rank."""
    small = [
        float(predict(Setting("gh200", "nvlink4", 4, n, "slingshot-200", 25e9), 8).time_s)
        for n in (4, 8, 16, 32, 64, 128)
    ]
    assert np.mean(np.diff(small)) * 1e6 == pytest.approx(15.5, rel=0.35)
    gather = Setting("a100-sxm-40gb", "nvlink3", 4, 256, "slingshot-200", 12.5e9, "all_gather")
    assert float(predict(gather, 2**17).time_s) / 1024 * 1e6 == pytest.approx(7.8, rel=0.3)


def test_two_domains_may_exceed_the_sum_of_their_nics():
    """With exactly two nodes a tree lets each NIC carry half, so busbw passes the NICs' 400 GB/s."""
    assert busbw(Setting("h100-sxm", "nvlink4", 8, 2, "efa-3200", 50e9), 16 * GIB) > 400
    assert busbw(Setting("h100-sxm", "nvlink4", 8, 3, "efa-3200", 50e9), 16 * GIB) < 400


def test_the_in_switch_reduction_starts_with_large_messages_and_eight_gpus():
    """NVLS wins from some MiB on 8 Hopper GPUs, and does not exist on 4, nor on A100."""
    sizes = np.exp2(np.arange(10, 34))
    eight = predict(Setting("h100-sxm", "nvlink4", 8), sizes).labels()
    assert eight[0].startswith("ring/")
    assert eight[-1] == "nvls"
    for setting in (Setting("h100-sxm", "nvlink4", 4), Setting("a100-sxm-80gb", "nvlink3", 8)):
        assert "nvls" not in predict(setting, sizes).labels()


def test_bases_say_what_an_answer_rests_on():
    """Measured kinds are calibrated, others extrapolated, with wider bands."""
    measured = predict(Setting("h100-sxm", "nvlink4", 8), GIB)
    rack = predict(Setting("gb200", "nvlink5", 72), GIB)
    future = predict(Setting("rubin", "nvlink6", 8), GIB)
    assert measured.basis == "calibrated:nvlink-hopper"
    assert rack.basis == "extrapolated:nvlink-blackwell"
    assert future.basis.startswith("extrapolated:")
    assert future.high_s / future.low_s > measured.high_s / measured.low_s
    assert any("larger than those of its constants" in warning for warning in rack.warnings)


@pytest.mark.parametrize("implementation", ["vllm-custom", "sglang-custom", "trtllm-auto"])
def test_an_engine_calls_nccl_above_its_limit(implementation):
    """The engines' own kernels end at 8 MiB; larger messages are NCCL's, ring or in-switch."""
    setting = Setting("b200-sxm", "nvlink5", 8, implementation=implementation, launch="graph")
    names = [str(label).partition("/")[0] for label in predict(setting, [4096, 64 * MIB, GIB]).labels()]
    assert names[0] in ("one-shot", "two-shot")
    assert set(names[1:]) <= {"ring", "nvls"}


def test_the_domain_that_was_measured_is_calibrated():
    """The constants of NVSwitch with V100 are those of twelve in a DGX-2: those are calibrated, sixteen not."""
    twelve, sixteen = (predict(Setting("v100-sxm", "nvlink2", gpus), GIB) for gpus in (12, 16))
    assert twelve.basis == "calibrated:nvlink-volta"
    assert sixteen.basis == "extrapolated:nvlink-volta"
    assert any("beyond 12 GPUs" in warning for warning in sixteen.warnings)
    assert not any("beyond" in warning for warning in twelve.warnings)
