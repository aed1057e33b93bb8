"""Fitted rates and bands end at the bare wire, on every machine of the catalog."""

from dataclasses import replace

import numpy as np
import pytest

from core.calculators.tensor_parallel import Scenario as ServingScenario
from core.calculators.tensor_parallel.communication import exchange
from core.catalog import MODELS, SYSTEMS
from core.collectives.cost_model import Setting, predict
from core.collectives.cost_model.calibration import shipped
from core.collectives.cost_model.communicator import resolve
from core.collectives.cost_model.compiler import compile_curve
from core.collectives.cost_model.curve import evaluate
from core.collectives.formulas import MEASURED_COLLECTIVES
from core.collectives.pricing import Scenario, answer, sweep
from core.collectives.pricing.calibrated import setting_of
from core.systems import configure
from tests.each import table

PLACES = [(name, n) for name, one in SYSTEMS.items() for n in (1, 2, 3, 64) if n == 1 or one.network]
SIZES = np.exp2(np.arange(0, 36.5, 0.5))


def least_bytes(collective, gpus, domains):
    """Bytes that must cross a GPU's links (one domain) or its share of the NICs, per byte of size."""
    if collective in ("broadcast", "reduce"):
        return 1.0 if domains == 1 else 0.5 / gpus
    if collective == "send_recv":
        return 1.0
    if domains == 1:
        return 1.0 if collective == "all_reduce" else (gpus - 1) / gpus
    if collective == "all_to_all":
        return (domains - 1) / domains
    return (2 if collective == "all_reduce" else 1) * (domains - 1) / domains / gpus


@table(("name", "domains"), PLACES)
def test_no_answer_and_no_band_outruns_the_bare_wire(name, domains):
    """Where the fit's correction would pass the wire beyond its data, the wire answers."""
    base = SYSTEMS[name]
    machine = configure(base, domains=domains)
    for collective in MEASURED_COLLECTIVES[:7]:
        for gpus in sorted({1, 2, min(5, base.domain_gpus), base.domain_gpus}):
            if gpus * domains == 1:
                continue
            setting = setting_of(Scenario(machine, collective, gpus * domains, per_domain=gpus))
            comm = resolve(setting)
            wire = comm.nic_bytes_per_s if domains > 1 else comm.link_bytes_per_s
            prediction = predict(setting, SIZES)
            floor = least_bytes(collective, gpus, domains) * SIZES / wire
            assert (prediction.time_s >= floor * (1 - 1e-9)).all(), (collective, gpus)
            assert (prediction.low_s >= floor * (1 - 1e-9)).all(), (collective, gpus)


@pytest.mark.parametrize("name", ["mi300x-x8", "dgx-a100", "rtx-pro-6000-x8", "dgx-1-v100"])
def test_a_kernel_of_the_switch_needs_a_switch_that_adds(name):
    """NVLS multimem on a machine without such a switch is answered by the library, and says so."""
    machine = SYSTEMS[name]
    own = predict(setting_of(Scenario(machine, "all_reduce", 8, implementation="nvls-multimem")), SIZES)
    library = predict(setting_of(Scenario(machine, "all_reduce", 8)), SIZES)
    np.testing.assert_array_equal(own.time_s, library.time_s)
    assert any("needs in-network reduction" in warning for warning in own.warnings)


@pytest.mark.parametrize(
    ("name", "ranks"),
    [("mi300x-x8", 8), ("l40s-x8", 4), ("h100-pcie-x8", 8), ("dgx-h100", 7), ("gb200-nvl72", 16)],
)
def test_an_engine_without_a_kernel_says_who_answers(name, ranks):
    """The step where an engine's kernel ends is named, and the answer is the library's with its interval."""
    machine = SYSTEMS[name]
    question = Scenario(machine, "all_reduce", ranks, implementation="vllm-custom")
    own, library = (
        predict(setting_of(question), SIZES),
        predict(setting_of(Scenario(machine, "all_reduce", ranks)), SIZES),
    )
    for column in ("time_s", "low_s", "high_s"):
        np.testing.assert_array_equal(getattr(own, column), getattr(library, column))
    assert own.basis == library.basis
    assert any("vllm-custom has no kernel for" in warning for warning in own.warnings)


@pytest.mark.parametrize(
    ("name", "ranks", "domains", "said"),
    [
        ("dgx-1-v100", 5, 1, "5 GPUs reach each other at 50 GB/s of 150 GB/s"),
        ("rtx-pro-6000-x8", 3, 1, "third GPU lowers the rate"),
        ("dgx-h100", 32, 4, "beyond the scale-up domain: with more than 8 GPUs"),
        ("dgx-h100", 16, 2, "exactly two domains"),
    ],
)
def test_a_step_over_ranks_is_named_in_the_answer(name, ranks, domains, said):
    """Where one more GPU costs a step, the answer says which edge it crossed."""
    machine = configure(SYSTEMS[name], domains=domains)
    question = Scenario(machine, "all_reduce", ranks, 2**26)
    assert any(said in warning for warning in answer(question).warnings)


def test_a_whole_machine_has_no_step_to_name():
    """Eight of eight GPUs of a cube mesh, two on PCIe: no note of steps."""
    whole = answer(Scenario(SYSTEMS["dgx-1-v100"], "all_reduce", 8, 2**26)).warnings
    pair = answer(Scenario(SYSTEMS["rtx-pro-6000-x8"], "all_reduce", 2, 2**26)).warnings
    assert not any("reach each other" in line or "with more domains" in line for line in whole + pair)


@pytest.mark.parametrize(
    ("name", "collective", "binding"),
    [
        ("gb200-nvl72", "all_reduce", "nic"),
        ("gb200-nvl72", "all_gather", "wire"),
        ("dgx-h100", "all_to_all", "nic"),
        ("dgx-h100", "all_gather", "wire"),
    ],
)
def test_the_binding_wire_is_the_one_that_would_help(name, collective, binding):
    """NIC where faster NICs would save time: a tree drives nine of a rack's 72, a gather as many as its ring needs."""
    machine = configure(SYSTEMS[name], domains=4)
    question = Scenario(machine, collective, machine.gpus, 2**33)
    prediction = answer(question, with_crossovers=False)
    assert prediction.binding == binding
    faster = Scenario(configure(SYSTEMS[name], domains=4, network="ib-xdr"), collective, machine.gpus, 2**33)
    saved = 1 - answer(faster, with_crossovers=False).time_s / prediction.time_s
    assert (saved > 0.2) == (binding == "nic")


def test_a_generation_told_by_another_ones_constants_lies_in_its_band():
    """Each generation left out, answered from the others and its link rate: what was fitted on it judges."""
    large = 2.0 ** np.arange(26, 34)
    inside = []
    for name, gpu, link, rate in (
        ("nvlink-ampere", "a100-sxm-80gb", "nvlink3", 300e9),
        ("nvlink-hopper", "h100-sxm", "nvlink4", 450e9),
        ("nvlink-blackwell", "b200-sxm", "nvlink5", 900e9),
    ):
        others = {key: item for key, item in shipped().domains.items() if key != name}
        for collective in MEASURED_COLLECTIVES[:4]:
            for gpus in (2, 4, 8):
                known = predict(Setting(gpu, link, gpus, collective=collective), large).time_s
                parts = Setting("new", "wire", gpus, collective=collective, scale_up_bytes_per_s=rate)
                told = evaluate(compile_curve(parts, (), replace(shipped(), domains=others)), large)
                inside.append((told.low_s <= known) & (known <= told.high_s))
    assert 0.75 < np.mean(inside) < 0.98


@pytest.mark.parametrize(
    ("setting", "least"),
    [
        (Setting("p100-sxm", "nvlink1", 8), 1.2),
        (Setting("rubin", "nvlink6", 72), 1.2),
        (Setting("h100-sxm", "nvlink4", 8), 1.02),
    ],
)
def test_a_machine_nobody_measured_is_not_told_to_five_percent(setting, least):
    """Large messages on P100 or Rubin keep a fifth above; on H100 the spread between teams is known."""
    prediction = predict(setting, 2.0**33)
    assert prediction.high_s / prediction.time_s >= least
    assert (prediction.high_s / prediction.time_s < 1.2) == (least < 1.1)


def rate(name, ranks, size=2.0**30):
    """Algorithm bandwidth of a calibrated all-reduce, and what it rests on."""
    result = answer(Scenario(SYSTEMS[name], "all_reduce", ranks, size), with_crossovers=False)
    assert result.rates == "calibrated"
    return size / result.time_s, result.basis


def test_cards_with_a_bridge_are_slower_than_sxm_and_than_their_own_pair():
    """Eight H100 PCIe talk over their slots; only two of them share a bridge of NVLink."""
    (cards, basis), (pair, _), (sxm, _) = (
        rate("h100-pcie-x8", 8),
        rate("h100-pcie-x8", 2),
        rate("dgx-h100", 8),
    )
    assert cards < 0.25 * sxm
    assert cards < 0.5 * pair
    assert pair < rate("dgx-h100", 2)[0]
    assert "pcie" in basis


def test_a_mesh_without_switches_leaves_links_idle():
    """Four A100 joined link by link: two of them have a third of the links of a switched pair."""
    two, four = rate("hgx-a100-x4", 2)[0], rate("hgx-a100-x4", 4)[0]
    assert two < 0.45 * rate("dgx-a100", 2)[0]
    assert four == pytest.approx(rate("dgx-a100", 4)[0], rel=0.01)


@pytest.mark.parametrize("collective", ["all_reduce", "reduce_scatter"])
@pytest.mark.parametrize(("name", "ranks"), [("dgx-h100", 8), ("dgx-h100", 4), ("dgx-b200", 8)])
def test_a_collective_takes_as_long_alone_as_in_a_tensor_parallel_step(name, ranks, collective):
    """One question, one answer: NVLS multimem is priced as it runs inside a step by both, its halves too."""
    step = ServingScenario(
        system=SYSTEMS[name],
        model=MODELS["llama-3.1-70b"],
        tp=ranks,
        implementation="nvls-multimem",
        sequence_parallel=collective != "all_reduce",
    )
    message = exchange(step, np.array([512.0]), ranks)
    alone = sweep(
        Scenario(SYSTEMS[name], collective, ranks, implementation="nvls-multimem"), message.size_bytes
    )
    assert float(message.one_s[0]) == pytest.approx(float(alone.time_s[0]), rel=1e-12)
