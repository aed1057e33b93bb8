"""Libraries that exchange tokens of MoE layers: published times, and laws that hold for every one of them."""

import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.catalog import GPUS, system
from core.catalog.calibrations.moe_kernels import BULK
from core.checks import InputError
from core.collectives.cost_model import Setting
from core.collectives.cost_model.communicator import resolve
from core.collectives.cost_model.table import answer_table
from core.collectives.moe.answer import exchange_answer
from core.collectives.moe.libraries import bulk_parts, parts
from core.collectives.moe.question import LIBRARIES, MoeExchange
from core.collectives.moe.routing import reached
from core.collectives.moe.rows import ExchangeRows, library_named, row_prices
from core.collectives.pricing import Scenario
from core.systems import configure
from tests.each import table
from tests.shell.commands import ask

NODE = {"gpu": "h200-sxm", "scale_up_link": "nvlink4", "domain_gpus": "8", "domains": "1", "tokens": "4096"}
RACK = {"gpu": "gb200", "scale_up_link": "nvlink5", "domain_gpus": "32", "domains": "1", "tokens": "4096"}
NODES = NODE | {"domains": "4", "scale_out_link": "ib-ndr"}

LAST_STATED = 2026
"""Rates of later GPUs are not stated in every format."""


def microseconds(cells, **more):
    """The time of one row."""
    return float(row_prices(cells | more).time_s[0]) * 1e6


@pytest.mark.parametrize(
    ("cells", "measured_us"),
    [
        (NODE | {"collective": "moe_dispatch", "library": "UCCL-EP"}, 500),
        (NODE | {"collective": "moe_combine", "library": "UCCL-EP"}, 973),
        (NODES | {"collective": "combine", "library": "DeepEP", "mode": "low latency", "tokens": "128"}, 350),
        (NODES | {"collective": "dispatch", "library": "HybridEP", "dtype": "bf16", "sms": "16"}, 3670),
        (RACK | {"collective": "dispatch", "library": "HybridEP", "dtype": "bf16", "sms": "32"}, 664),
        (
            RACK
            | {
                "collective": "moe_dispatch",
                "library": "trtllm-one-sided",
                "routing": "balanced",
                "dtype": "nvfp4",
            },
            225.2,
        ),
    ],
)
def test_published_times_are_met(cells, measured_us):
    """Times that UCCL-EP, DeepEP, HybridEP and TensorRT-LLM publish, or that follow from their bandwidths: 12 %."""
    assert microseconds(cells) == pytest.approx(measured_us, rel=0.12)


@given(
    st.sampled_from(LIBRARIES),
    st.sampled_from(("moe_dispatch", "moe_combine")),
    st.sampled_from((NODE, RACK, NODES)),
    st.sampled_from(("random", "balanced")),
)
@settings(max_examples=60, deadline=None)
def test_more_tokens_never_take_less_time(library, collective, cells, routing):
    """On every machine that a library runs on; nothing costs nothing, and the interval holds the time."""
    assume(not (library.startswith("trtllm") and cells is NODES))
    row = cells | {"collective": collective, "library": library, "routing": routing}
    times = []
    for tokens in ("0", "1", "64", "512", "4096", "65536"):
        prices = row_prices(row | {"tokens": tokens})
        assert prices.low_s[0] <= prices.time_s[0] <= prices.high_s[0]
        parts = prices.launch_s + prices.latency_s + prices.transfer_s + prices.reduction_s
        assert parts == pytest.approx(prices.time_s)
        times.append(float(prices.time_s[0]))
    assert times[0] == 0
    assert np.all(np.diff(times) >= 0)


@given(st.integers(1, 64), st.integers(1, 8))
def test_a_token_reaches_no_more_groups_than_experts(groups, topk):
    """Random experts meet in fewer groups than round robin spreads them over, and each token in one at least."""
    spread = reached(groups, 256, topk)
    assert spread + 1e-9 >= 1
    assert spread <= reached(groups, 256, topk, "balanced") + 1e-9
    assert reached(groups, 256, topk, "balanced") == min(groups, topk)


def test_gpus_without_fp8_send_bf16():
    """Ampere's dispatch takes as many bytes as its combine, DeepEP included; an algorithm is none of its inputs."""
    row = NODE | {
        "gpu": "a100-sxm-80",
        "scale_up_link": "nvlink3",
        "collective": "dispatch",
        "library": "deepep",
    }
    assert microseconds(row) == microseconds(row | {"dtype": "bf16"})
    assert microseconds(row | {"algorithm": "deepep"}) == microseconds(row)
    for gpu in GPUS.values():
        if gpu.vendor in ("NVIDIA", "AMD") and gpu.year <= LAST_STATED:
            assert gpu.architecture.computes_fp8 == (gpu.fp8_flop_per_s is not None), gpu.id


@pytest.mark.parametrize("collective", ["moe_dispatch", "moe_combine"])
@pytest.mark.parametrize("domains", [1, 4])
def test_bytes_are_those_that_the_price_counts(collective, domains):
    """A kernel of decode sends a copy for each of eight experts, all over the NICs in nodes; a throughput kernel less."""
    nodes = configure(system("dgx-h100"), domains=domains)
    ranks = 8 * domains
    scenario = Scenario(system=nodes, collective="all_to_all", ranks=ranks)
    answers = {
        name: exchange_answer(scenario, MoeExchange(collective=collective, library=name), 128)
        for name in LIBRARIES
        if not (name.startswith("trtllm") and domains > 1)
    }
    for answer in answers.values():
        assert answer.scale_out_bytes <= answer.wire_bytes < answer.received_bytes
        assert answer.algbw_bytes_per_s == answer.received_bytes / answer.time_s
        assert (answer.scale_out_bytes == 0) == (domains == 1)
    quick = answers["deepep-low-latency"]
    assert quick.received_bytes == answers["all-to-all"].received_bytes == 8 * quick.size_bytes
    assert answers["deepep"].received_bytes < quick.received_bytes
    if domains > 1:
        assert quick.scale_out_bytes == pytest.approx(quick.received_bytes * (ranks - 1) / ranks)
        assert answers["all-to-all"].scale_out_bytes == quick.received_bytes * (1 - 1 / domains)


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["--tokens", "128"], "--tokens"),
        (["--collective", "moe_dispatch", "--size", "1MiB"], "--size"),
        (["--collective", "moe_dispatch", "--nccl-table"], "--nccl-table"),
        (["--collective", "moe_combine", "--algorithm", "ring"], "--algorithm"),
        (["--collective", "moe_combine", "--tokens", "1e10"], "--tokens"),
    ],
)
def test_an_option_that_says_nothing_of_the_collective_is_refused(capsys, words, option):
    """It is named in one line: nothing that was typed is ignored."""
    status, _, said = ask(capsys, "collective", *words)
    assert status == 2
    assert option in said
    assert len(said.strip().splitlines()) == 1


def test_fewer_multiprocessors_are_slower():
    """A kernel on 4 SMs takes at least as long as one on 24, and about six times where it copies all the time."""
    few, many = (
        microseconds(NODE, collective="moe_combine", library="deepep", sms=sms) for sms in ("4", "24")
    )
    assert 3 < few / many < 6


def test_bytes_say_how_many_tokens_there_are():
    """A row without tokens takes them from its size: 4,096 tokens of 7,168 values of two bytes are 56 MiB."""
    row = NODE | {"collective": "moe_combine", "library": "deepep"}
    sized = row | {"size_bytes": str(4096 * 7168 * 2)}
    assert microseconds(sized | {"tokens": ""}) == microseconds(row) == microseconds(sized)


@pytest.mark.parametrize(
    ("text", "mode", "library"),
    [
        ("DeepEP V1 (EFA NVSHMEM)", "normal", "deepep"),
        ("DeepEP V2", "", "deepep-v2"),
        ("UCCL-EP", "low latency", "uccl-ep-low-latency"),
        ("nccl", "", "all-to-all"),
    ],
)
def test_libraries_go_by_the_names_of_papers(text, mode, library):
    """As publications write them, with their mode in a column of its own."""
    assert library_named(text, mode) == library


@table(
    ("more", "reason"),
    [
        ({"library": "carrier-pigeon"}, "library: one of"),
        ({"tokens": "many"}, "tokens: a number"),
        ({"tokens": "-1"}, "tokens: "),
        ({"experts": "4"}, "topk: "),
        ({"experts": "4", "topk": "2"}, "experts: at least one for each of 8 GPUs"),
        ({"routing": "fair"}, "routing: "),
        ({"dtype": "int3"}, "dtype: "),
        ({"sms": "0"}, "sms: "),
        ({"library": "trtllm-one-sided", "domains": "2", "scale_out_link": "ib-ndr"}, "one NVLink domain"),
        ({"tokens": ""}, "tokens: of one GPU"),
        ({"tokens": "", "size_bytes": "1e18"}, "tokens: "),
        ({"size_bytes": "1e6"}, "not both"),
        ({"asked_algorithm": "ring"}, "asked_algorithm: of other collectives"),
        ({"gpu": "v100-sxm2-16", "scale_up_link": "nvlink2", "library": "deepep"}, "on Volta, not deepep"),
        ({"gpu": "a100-sxm-80", "scale_up_link": "nvlink3", "dtype": "fp8"}, "bf16 on Ampere"),
    ],
)
def test_a_row_that_cannot_be_answered_says_why(more, reason):
    """One line in the names of the columns."""
    with pytest.raises(InputError, match=reason):
        row_prices(NODE | {"collective": "moe_dispatch"} | more)


def test_exchanges_stand_among_collectives_of_one_table():
    """Rows keep their places; a table of tokens needs no sizes, and a bad row spoils itself alone."""
    text = "gpu,scale_up_link,domain_gpus,domains,collective,tokens,library\n"
    text += "h100-sxm,nvlink4,8,1,moe_dispatch,4096,deepep\n"
    text += "h100-sxm,nvlink4,8,1,all_reduce,,\n"
    text += "h100-sxm,nvlink4,8,1,combine,64,pigeon\n"
    table = answer_table(io.StringIO(text), others=ExchangeRows())
    good, sizeless, bad = table.answers
    assert float(good[0]) == pytest.approx(499, rel=0.01)
    assert good[3:] == ["deepep", "calibrated:moe-deepep"]
    assert sizeless[-1].startswith("error: size_bytes")
    assert bad[-1].startswith("error: library")


def test_a_fit_finds_the_constants_that_made_the_times():
    """Calls timed by a kernel of known constants lead back to them."""
    from core.collectives.refit.moe_fit import Calls, fitted  # scipy

    comm = resolve(Setting("h100-sxm", "nvlink4", 8, collective="all_to_all"))
    kernel = BULK["deepep"]["dispatch", "hopper"]
    tokens = np.array([1.0, 64, 512, 4096, 32768])
    layers = [
        MoeExchange(collective="moe_dispatch", hidden=hidden, sms=sms)
        for hidden in (2048, 7168)
        for sms in (4, 24)
    ]
    calls = [Calls(comm, layer, tokens, bulk_parts(comm, layer, tokens, kernel).time_s) for layer in layers]
    guess = replace(kernel, start_s=10e-6, sm_bytes_per_s=60e9, scale_up_share=0.5)
    recovered = fitted(guess, ("start_s", "sm_bytes_per_s", "scale_up_share"), bulk_parts, calls)
    for name in ("start_s", "sm_bytes_per_s", "scale_up_share"):
        assert getattr(recovered, name) == pytest.approx(getattr(kernel, name), rel=0.02)


@pytest.mark.parametrize(
    ("version", "domains", "rates", "decode_us"),
    [
        ("1.0", 4, (44, 47), (182, 350)),
        ("1.0.0", 8, (46, 45), (186, 353)),
        ("1.2.1", 2, (43, 43), (118, 195)),
        ("v1.1", 4, (58, 57), (155, 273)),
        ("1.2", 8, (51, 50), (173, 314)),
    ],
)
def test_deepep_between_nodes_is_of_its_version(version, domains, rates, decode_us):
    """H800 over 400 Gb/s, DeepEP's README before 1.1 and its legacy page after: 4,096 and 128 tokens, 12 %."""
    cells = {"gpu": "h800-sxm", "scale_up_link": "nvlink4", "domain_gpus": "8", "domains": str(domains)}
    cells |= {"scale_out_link": "ib-ndr", "library_version": version}
    reached = domains * (1 - (1 - 1 / domains) ** 8)
    for operation, token, rate, told_us in zip(
        ("dispatch", "combine"), (7392, 14336), rates, decode_us, strict=True
    ):
        asked = cells | {"collective": f"moe_{operation}"}
        bulk = row_prices(asked | {"library": "DeepEP", "tokens": "4096"})
        decode = row_prices(asked | {"library": "DeepEP", "mode": "low latency", "tokens": "128"})
        assert 4096 * token * reached / bulk.time_s[0] / 1e9 == pytest.approx(rate, rel=0.12)
        assert decode.time_s[0] * 1e6 == pytest.approx(told_us, rel=0.06)


def test_an_untold_version_reaches_over_both():
    """Both printed bandwidths at EP32, 44 and 58 GB/s, lie inside; inside a node the version changes nothing."""
    cells = {"gpu": "h800-sxm", "scale_up_link": "nvlink4", "domain_gpus": "8", "domains": "4"}
    cells |= {"scale_out_link": "ib-ndr", "collective": "moe_dispatch", "library": "deepep", "tokens": "4096"}
    untold = row_prices(cells)
    bytes_ = 4096 * 7392 * 4 * (1 - (3 / 4) ** 8)
    one = cells | {"domains": "1", "scale_out_link": ""}

    assert untold.low_s[0] < bytes_ / 58e9 < bytes_ / 44e9 < untold.high_s[0]
    assert row_prices(one).time_s == row_prices(one | {"library_version": "1.2"}).time_s


@pytest.mark.parametrize("library", ["deepep", "deepep-low-latency"])
def test_an_interval_is_of_its_own_tokens(library):
    """An amount asked alone and beside others, as the page's curve does, has one interval."""
    comm = resolve(Setting("h800-sxm", "nvlink4", 8, 4, "ib-ndr", 50e9, collective="all_to_all"))
    layer, tokens = MoeExchange(collective="moe_dispatch", library=library), np.array([0.0, 16, 128, 4096])
    lows = parts(comm, layer, tokens, library).low
    alone = [parts(comm, layer, tokens[[place]], library).low[0] for place in range(tokens.size)]

    assert lows == pytest.approx(alone)
    assert lows.min() < 0.8 < lows.max()


def test_a_version_that_is_no_number_is_refused_of_deepep_alone():
    """Other libraries' versions, as a log prints them, say nothing here."""
    cells = {"gpu": "h800-sxm", "scale_up_link": "nvlink4", "domain_gpus": "8", "domains": "4"}
    cells |= {"scale_out_link": "ib-ndr", "collective": "moe_dispatch", "tokens": "64"}

    assert row_prices(cells | {"library": "hybridep", "library_version": "HEAD"}).time_s[0] > 0
    with pytest.raises(InputError, match=r"library_version: numbers, as 1\.1, not 'HEAD'"):
        row_prices(cells | {"library": "deepep", "library_version": "HEAD"})
