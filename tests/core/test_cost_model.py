"""Laws and refusals of the collective cost model, for any setting it accepts."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.checks import InputError
from core.collectives.cost_model import Setting, label, predict
from core.collectives.formulas import MEASURED_COLLECTIVES
from tests.each import table

DOMAINS_OF = {
    ("a100-sxm-80gb", "nvlink3"): "nccl",
    ("h100-sxm", "nvlink4"): "nccl",
    ("h800-sxm", "nvlink4"): "nccl",
    ("gb200", "nvlink5"): "nccl",
    ("v100-sxm", "nvlink2"): "nccl",
    ("rtx-4090", "pcie4-x16"): "nccl",
    ("l40s", "pcie4-x16"): "nccl",
    ("mi300x", "if-mi300x"): "rccl",
    ("rubin", "nvlink6"): "nccl",
}
NETWORKS = ("ib-ndr", "ib-xdr", "roce-400", "slingshot-200", "efa-3200", "efa-400", "tcpxo-200", "tcpx-100")
H100 = Setting("h100-sxm", "nvlink4", 8)
H100_NODES = Setting("h100-sxm", "nvlink4", 8, 4, "ib-ndr", 50e9)


@st.composite
def settings_of(draw, *, several=None):
    """Any machine, domain size, number of domains, network and collective."""
    gpu, link = draw(st.sampled_from(sorted(DOMAINS_OF)))
    crosses = draw(st.booleans()) if several is None else several
    domains = draw(st.integers(2, 600)) if crosses else 1
    return Setting(
        gpu,
        link,
        draw(st.sampled_from((1, 2, 3, 4, 5, 6, 7, 8, 16, 36, 72))) if crosses else draw(st.integers(2, 72)),
        domains,
        draw(st.sampled_from(NETWORKS)) if crosses else None,
        draw(st.sampled_from((None, 6.25e9, 25e9, 50e9, 100e9))) if crosses else None,
        draw(st.sampled_from(MEASURED_COLLECTIVES)),
        DOMAINS_OF[gpu, link],
    )


SIZES = st.lists(st.floats(0, 2**40), min_size=2, max_size=30)


@given(settings_of(), SIZES)
def test_the_parts_add_up_inside_the_band(setting, sizes):
    """Launch, latency, transfer and reduction are the whole time, and the band holds it."""
    answer = predict(setting, sizes)
    parts = answer.launch_s + answer.latency_s + answer.transfer_s + answer.reduction_s
    np.testing.assert_allclose(parts, answer.time_s, rtol=1e-9, atol=0)
    assert (answer.low_s <= answer.time_s).all()
    assert (answer.time_s <= answer.high_s).all()
    assert np.isfinite(answer.time_s).all()
    for part in (answer.launch_s, answer.latency_s, answer.transfer_s, answer.reduction_s):
        assert (part >= 0).all()


@given(settings_of(), SIZES)
def test_more_bytes_never_cost_less(setting, sizes):
    """A larger message takes at least as long as a smaller one."""
    times = predict(setting, np.sort(sizes)).time_s
    assert (np.diff(times) >= -1e-15).all()


@given(settings_of())
def test_no_jump_between_sizes_one_percent_apart(setting):
    """Protocol and algorithm switches bend the curve and never break it by more than 30 %."""
    sizes = 1.01 ** np.arange(0, 2600)
    times = predict(setting, sizes).time_s
    assert (times[1:] / times[:-1] < 1.30).all()


@given(
    st.sampled_from(("vllm-custom", "sglang-custom", "trtllm-auto")),
    st.sampled_from(("stream", "graph")),
    st.sampled_from((2, 4, 8)),
)
def test_engines_hand_over_to_nccl_without_a_cliff(implementation, launch, ranks):
    """Where an engine's kernel ends and NCCL takes over, one percent of size is no cliff either."""
    setting = replace(H100, domain_gpus=ranks, implementation=implementation, launch=launch)
    times = predict(setting, 1.01 ** np.arange(500, 2300)).time_s
    assert (times[1:] / times[:-1] < 1.30).all()
    assert (np.diff(times) >= -1e-15).all()


@given(settings_of(several=True), st.floats(8, 2**36))
def test_a_faster_network_never_costs_time(setting, size):
    """Doubling the NIC rate can only help."""
    slow = replace(setting, scale_out_bytes_per_s_per_gpu=25e9)
    fast = replace(setting, scale_out_bytes_per_s_per_gpu=50e9)
    assert predict(fast, size).time_s <= predict(slow, size).time_s * (1 + 1e-9)


@given(
    st.sampled_from([("a100-sxm-80gb", "nvlink3"), ("h100-sxm", "nvlink4"), ("b200-sxm", "nvlink5")]),
    st.sampled_from(MEASURED_COLLECTIVES),
    st.floats(8, 2**36),
)
@example(("b200-sxm", "nvlink5"), "all_reduce", 16 * 2**20)
def test_ranks_inside_a_domain_change_the_time_smoothly(gpu, collective, size):
    """From three GPUs on, one more in the domain changes no answer by more than its share of steps."""
    times = [
        float(predict(Setting(*gpu, ranks, collective=collective), size).time_s) for ranks in range(3, 33)
    ]
    for ranks, (before, after) in enumerate(itertools.pairwise(times), start=3):
        assert 0.7 < after / before < 1.3 * ranks / (ranks - 1)


@given(st.integers(3, 500), st.floats(8, 2**36))
def test_one_more_domain_changes_the_time_smoothly(domains, size):
    """Beyond the step from two to three, one more domain costs a little more."""
    before = predict(replace(H100_NODES, domains=domains), size).time_s
    after = predict(replace(H100_NODES, domains=domains + 1), size).time_s
    assert 0.99 < after / before < 1.3 * (domains + 1) / domains


@given(settings_of(), st.floats(0, 2**40))
def test_one_rank_and_no_bytes_are_free(setting, size):
    """Nobody to talk to, or nothing to say, costs nothing."""
    alone = replace(setting, domain_gpus=1, domains=1)
    assert predict(alone, size).time_s == 0
    assert predict(setting, 0).time_s == 0
    assert predict(setting, 0).high_s == 0


@table(
    ("change", "names"),
    [
        ({"domain_gpus": 2.5}, "domain_gpus"),
        ({"domain_gpus": 0}, "domain_gpus"),
        ({"domain_gpus": True}, "domain_gpus"),
        ({"domain_gpus": float("nan")}, "domain_gpus"),
        ({"domains": -1}, "domains"),
        ({"domains": 2}, "scale_out_link"),
        ({"gpu": ""}, "gpu"),
        ({"gpu": "h900", "scale_up_link": "nvlink9"}, "scale_up_link"),
        ({"scale_up_link": "nvlink9"}, "scale_up_link"),
        ({"scale_up_link": "pcie9-x16"}, "scale_up_link"),
        ({"scale_up_link": "ib-ndr"}, "scale_up_link"),
        ({"scale_up_bytes_per_s": float("inf")}, "scale_up_bytes_per_s"),
        ({"scale_up_bytes_per_s": -1.0}, "scale_up_bytes_per_s"),
        ({"domains": 2, "scale_out_bytes_per_s_per_gpu": 0.0}, "scale_out_bytes_per_s_per_gpu"),
        ({"domains": 2, "scale_out_link": "carrier-pigeon"}, "scale_out_link"),
        ({"collective": "all_shout"}, "collective"),
        ({"implementation": "mpi"}, "implementation"),
        ({"launch": "lazy"}, "launch"),
        ({"algorithm": "magic"}, "algorithm"),
        ({"algorithm": "nvls", "domain_gpus": 4}, "algorithm"),
        ({"domain_gpus": [8]}, "domain_gpus"),
        ({"dtype": ""}, "dtype"),
        ({"scale_up_bytes_per_s": 1e-300}, "scale_up_bytes_per_s"),
        ({"scale_up_bytes_per_s": 10**400}, "scale_up_bytes_per_s"),
    ],
)
def test_a_bad_setting_is_refused_by_name(change, names):
    """The error names the argument, in one line."""
    with pytest.raises(InputError, match=names) as refused:
        predict(replace(H100, **change), 1024)
    assert "\n" not in str(refused.value)


@table("size", [-1, float("nan"), float("inf"), "many", [1, -2], None, 1e19, 10**400, [1 + 2j]])
def test_a_bad_size_is_refused(size):
    """Sizes are numbers of bytes, zero or more."""
    with pytest.raises(InputError, match="size_bytes"):
        predict(H100, size)


def test_an_unknown_machine_is_answered_from_its_parts():
    """A GPU nobody measured is answered when its link rate is given, and says so with a wide band."""
    known = predict(H100, 2**30)
    unknown = predict(Setting("abacus", "string", 8, scale_up_bytes_per_s=450e9), 2**30)
    assert unknown.basis.startswith("parts:")
    assert unknown.high_s / unknown.low_s > known.high_s / known.low_s


@table(
    ("setting", "basis"),
    [
        (Setting("h900", "nvlink4", 8), "extrapolated:nvlink-hopper"),
        (Setting("h900", "nvlink5", 8), "extrapolated:nvlink-blackwell"),
        (Setting("h900", "nvlink6", 72), "extrapolated:nvlink-blackwell"),
        (Setting("h900", "pcie5-x16", 4), "extrapolated:pcie-peer"),
        (Setting("mi900", "if-mi355x", 8), "extrapolated:mesh"),
        (Setting("h900", "nvlink4", 8, 4, "ib-ndr", 50e9), "extrapolated:ib/hopper"),
        (Setting("h100-sxm", "nvlink4", 8, 4, "pigeon", 50e9), "extrapolated:rdma"),
        (Setting("h100-sxm", "nvlink4", 8, 4, "ib-ndr5", 50e9), "extrapolated:ib/hopper"),
        (Setting("h900", "pcie4-x16", 8, 4, "efa-9000", 50e9), "extrapolated:efa"),
    ],
)
def test_what_the_catalog_lacks_is_answered_from_the_rest(setting, basis):
    """An unknown GPU or network is extrapolated from what its link and its rates tell."""
    sizes = 2.0 ** np.arange(10, 34)
    known = replace(
        setting,
        gpu={"h900": "h100-sxm", "mi900": "mi355x"}.get(setting.gpu, setting.gpu),
        scale_out_link=setting.scale_out_link and "ib-ndr",
    )
    answer, usual = predict(setting, sizes), predict(known, sizes)
    assert answer.basis == basis
    assert (answer.high_s / answer.low_s > usual.high_s / usual.low_s * 0.999).all()
    assert any("not every part of" in warning for warning in answer.warnings)


def test_a_gpu_never_outruns_its_own_links():
    """Parts cut for export, and cards with a bridge, state a rate of their own below their link's."""
    size = 2.0**33
    slow, full = (predict(Setting(gpu, "nvlink4", 8), size) for gpu in ("h800-sxm", "h100-sxm"))
    assert float(slow.time_s) > 1.7 * float(full.time_s)
    assert size / float(slow.time_s) * 1.75 < 2 * 200e9
    ring, bridge = (
        predict(Setting(gpu, "nvlink4", 2, algorithm="ring"), size) for gpu in ("h100-sxm", "h100-pcie")
    )
    assert float(bridge.time_s) > 1.3 * float(ring.time_s)


def test_only_switches_that_add_run_the_in_switch_all_reduce():
    """H100 on a bridge has no NVSwitch: no NVLS is offered, and none is spoken of."""
    bridged = predict(Setting("h100-pcie", "nvlink4", 8), 2.0**30)
    assert str(bridged.labels()).startswith("ring")
    assert not any("in-switch" in warning for warning in bridged.warnings)


def test_a_forced_algorithm_is_the_one_answered():
    """Asking for the ring where the switch would win gives the ring, slower."""
    free = predict(H100, 2**30)
    forced = predict(replace(H100, algorithm="ring"), 2**30)
    assert label(int(free.algorithm), int(free.protocol)) == "nvls"
    assert str(forced.labels()) == "ring/Simple"
    assert forced.time_s > free.time_s


def test_the_runner_up_is_another_choice_and_not_faster():
    """The second choice is a different line that costs at least as much."""
    answer = predict(H100_NODES, np.exp2(np.arange(3, 34)))
    assert (answer.runner_up_time_s >= answer.time_s * (1 - 1e-12)).all()
    assert (answer.labels() != answer.runner_up_labels()).all()


def test_answers_keep_the_shape_of_the_sizes():
    """Scalars, rows and tables of sizes come back in their own shape."""
    for shape in ((), (3,), (2, 5), (0,)):
        answer = predict(H100, np.full(shape, 4096.0))
        assert answer.time_s.shape == shape
        assert answer.algorithm.shape == shape


def test_a_long_array_equals_its_pieces():
    """Chunks are an optimisation and nothing else."""
    sizes = np.exp2(np.linspace(0, 40, 40_000))
    whole = predict(H100_NODES, sizes)
    pieces = np.concatenate([predict(H100_NODES, part).time_s for part in np.array_split(sizes, 7)])
    np.testing.assert_array_equal(whole.time_s, pieces)


@pytest.mark.parametrize("gpus", [2, 4, 8])
def test_a_pair_of_a_mesh_has_one_link(gpus):
    """MI300X: 64 GB/s one way between two GPUs, however many others take part."""
    mesh = Setting("mi300x", "if-mi300x", gpus, collective="send_recv", implementation="rccl")
    size = 2.0**34
    assert 0.6 * 64e9 < size / float(predict(mesh, size).time_s) <= 64e9


@table(
    ("gpu", "link", "basis"),
    [
        ("h100-sxm", "nvlink4", "calibrated:nvls-multimem/nvlink-hopper"),
        ("h800-sxm", "nvlink4", "extrapolated:nvls-multimem/nvlink-hopper"),
        ("b200-sxm", "nvlink5", "extrapolated:nvls-multimem/nvlink-blackwell"),
    ],
)
def test_a_kernel_is_calibrated_where_it_and_its_link_were_measured(gpu, link, basis):
    """Multimem was measured on H100: neither H800's link nor a kernel nobody timed on B200 is called so."""
    assert predict(Setting(gpu, link, 8, implementation="nvls-multimem"), 2.0**20).basis == basis


@pytest.mark.parametrize("gpus", [4, 8])
@pytest.mark.parametrize("half", ["all_gather", "reduce_scatter"])
def test_half_of_a_multimem_all_reduce_moves_its_message_once_through_the_switch(half, gpus):
    """Between half of the all-reduce and all of it, within the link, in a wider band, and said to be unmeasured."""
    setting = Setting("h100-sxm", "nvlink4", gpus, collective=half, implementation="nvls-multimem")
    sizes = np.geomspace(2.0**12, 2.0**30, 10)
    part, whole = (predict(replace(setting, collective=name), sizes) for name in (half, "all_reduce"))

    assert part.basis == "extrapolated:nvls-multimem/nvlink-hopper"
    assert any("no published times" in warning for warning in part.warnings)
    assert np.all(part.time_s >= sizes / 450e9)
    assert np.all(part.time_s > 0.5 * whole.time_s)
    assert np.all(part.time_s <= whole.time_s)
    open_half, open_whole = (np.log(answer.high_s / answer.time_s) for answer in (part, whole))
    assert np.all(open_half > 1.99 * open_whole)
    assert part.time_s[-1] == pytest.approx(0.85 * sizes[-1] / (475e9 * 1.125 / 1.75), rel=0.02)


@pytest.mark.parametrize(
    ("engine", "collective", "domains"),
    [
        ("nvls-multimem", "all_to_all", 1),
        ("vllm-custom", "all_gather", 1),
        ("nvls-multimem", "all_reduce", 4),
    ],
)
def test_what_an_engines_kernels_do_not_run_is_answered_by_the_library(engine, collective, domains):
    """No engine has an exchange, or a kernel across domains: NCCL answers and says whose place it takes."""
    asked = Setting("h100-sxm", "nvlink4", 8, domains, "ib-ndr", 50e9, collective, engine)
    answer, library = (predict(item, 2.0**20) for item in (asked, replace(asked, implementation="nccl")))

    assert (answer.time_s, answer.high_s, answer.basis) == (library.time_s, library.high_s, library.basis)
    assert any(f"{engine} has no {collective}" in line for line in answer.warnings)


@pytest.mark.parametrize(("network", "basis"), [("ib-ndr", "calibrated:ib"), ("ib-xdr", "extrapolated:ib")])
def test_a_port_twice_as_fast_as_any_measured_is_extrapolated(network, basis):
    """XDR behind Hopper is physics with a wider band; NDR was measured."""
    answer = predict(Setting("h100-sxm", "nvlink4", 8, 4, network), 2.0**26)
    assert answer.basis.startswith(basis)
    assert any("GB/s were measured" in warning for warning in answer.warnings) == (network == "ib-xdr")
    assert answer.high_s / answer.time_s > (1.5 if network == "ib-xdr" else 1.2)


def test_nccl_in_a_graph_is_not_called_calibrated():
    """Nobody in the data measured it, so its band is wider."""
    stream, graph = (
        predict(Setting("h100-sxm", "nvlink4", 8, launch=one), 4096.0) for one in ("stream", "graph")
    )
    assert stream.basis == "calibrated:nvlink-hopper"
    assert graph.basis == "extrapolated:nvlink-hopper"
    assert graph.high_s > stream.high_s


@pytest.mark.parametrize("domains", [1, 2, 16])
def test_the_edges_of_the_band_never_fall_with_bytes(domains):
    """More bytes cost no less at the fast end and at the slow end either."""
    network = "ib-ndr" if domains > 1 else None
    sizes = np.exp(np.arange(0.0, np.log(2.0**36), np.log(1.01)))
    answer = predict(Setting("h100-sxm", "nvlink4", 8, domains, network), sizes)
    assert (np.diff(answer.low_s) >= -1e-15).all()
    assert (np.diff(answer.high_s) >= -1e-15).all()


def test_more_than_two_gpus_on_a_slow_pcie_link_do_not_fill_the_bridges():
    """Host bridges carry GB/s, not shares: PCIe 4 keeps its pair's rate, PCIe 5 does not."""

    def rate(link, gpus):
        size = 2.0**30
        answer = predict(Setting("rtx-6000-ada", link, gpus, collective="all_gather"), size)
        return (gpus - 1) / gpus * size / float(answer.time_s)

    assert rate("pcie4-x16", 4) > 0.9 * rate("pcie4-x16", 2)
    assert rate("pcie5-x16", 4) < 0.8 * rate("pcie5-x16", 2)


@pytest.mark.parametrize(
    ("setting", "kin"),
    [
        (Setting("gb300", "nvlink5-rack", 36), Setting("gb300", "nvlink5", 36)),
        (Setting("mi325x", "if-mi325x", 8), Setting("mi325x", "if-mi300x", 8)),
    ],
)
def test_a_variant_of_a_link_is_answered_as_its_kin(setting, kin):
    """A link that the catalog lacks but whose kin it has, or that nothing crosses: answered, and said to be wide."""
    answer, usual = predict(setting, 2.0**30), predict(kin, 2.0**30)

    assert answer.time_s == pytest.approx(float(usual.time_s), rel=0.02)
    assert answer.high_s / answer.low_s >= 0.9 * usual.high_s / usual.low_s
    assert any("not every part" in warning for warning in answer.warnings)


def test_a_gpu_alone_in_its_node_needs_no_known_link():
    """GB10 behind ConnectX-7: nothing crosses its scale-up link, so that one may be unknown."""
    answer = predict(Setting("gb10", "c2c", 1, 2, "roce-200", 25e9), 2.0**30)

    assert 2.0**30 / 25e9 <= answer.time_s < 2 * 2.0**30 / 25e9
    assert answer.high_s / answer.low_s > 1.5
