"""The bandwidth hierarchy of a system: like for like, per direction, and nothing shown without a source."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calculators.bandwidth_hierarchy import DIRECTIONS, TIERS, Scenario, answer, ladder, offload
from core.catalog import LINKS, SYSTEMS, system
from core.collectives.rates import Rates
from core.provenance import Origin
from core.systems import configure
from core.units import GB, GIB, GIGABIT_BYTES, TB, US
from tests.core.golden import CASES

GOLDEN = {case.id: case for case in CASES}
H100 = system("dgx-h100")
CONTRACT_KEYS = {
    "level", "link", "bytes_per_s", "direction", "latency_s", "time_s", "ratio_to_previous", "half_size_bytes", "source",
}  # fmt: skip

questions = st.builds(
    Scenario,
    system=st.sampled_from(tuple(SYSTEMS.values())),
    size_bytes=st.one_of(st.just(0), st.floats(1, 1e13)),
    direction=st.sampled_from(DIRECTIONS),
    tier=st.sampled_from(TIERS),
    rates=st.sampled_from((Rates(Origin.SPEC), Rates(), Rates(Origin.PUBLISHED))),
    unverified=st.booleans(),
)


def rungs(scenario):
    """The levels by name."""
    return {row.level: row for row in answer(scenario).levels}


def test_the_h100_ladder_is_told_in_one_convention():
    """7.44, 7.03, 1.28 per direction; never 14 or 18, which mix conventions."""
    expected = GOLDEN["A01"].expected
    rows = rungs(Scenario(H100))
    assert rows["scale-up"].ratio_to_previous == pytest.approx(expected["hbm_over_nvlink"])
    assert rows["host"].ratio_to_previous == pytest.approx(expected["nvlink_over_pcie"])
    assert rows["network"].ratio_to_previous == pytest.approx(expected["pcie_over_ib"])
    between = rows["scale-up"].bytes_per_s / rows["network"].bytes_per_s
    assert between == pytest.approx(expected["nvlink_over_ib"])


def test_both_ways_doubles_the_wires_and_leaves_the_ratios_between_them():
    """The switch changes what is shown of a wire: memory stays, and so do the ratios and a copy's time."""
    single, both = (rungs(Scenario(H100, 80 * GB, direction)) for direction in DIRECTIONS)
    assert both["memory"].bytes_per_s == single["memory"].bytes_per_s
    assert both["memory"].direction == single["memory"].direction == "shared"
    for name in ("scale-up", "host", "network"):
        assert both[name].bytes_per_s == 2 * single[name].bytes_per_s
        assert both[name].time_s == single[name].time_s
    for name in ("host", "network"):
        assert both[name].ratio_to_previous == single[name].ratio_to_previous
    assert both["memory"].bytes_per_s / both["scale-up"].bytes_per_s == both["scale-up"].ratio_to_previous


def test_a_copy_of_80_gb():
    """1.25 s nominal and 1.27 s effective over PCIe 5, 0.267 s over NVLink 3, 0.178 s over NVLink 4, 1.6 s over NDR."""
    expected = GOLDEN["A05"].expected
    amount, still = GOLDEN["A05"].inputs["bytes"], Rates(Origin.SPEC, latency_s=0.0)
    nominal = rungs(Scenario(H100, amount, rates=still))
    effective = rungs(Scenario(H100, amount, tier="effective", rates=still))
    assert nominal["host"].time_s == pytest.approx(expected["pcie5_nominal"], rel=1e-6)
    assert effective["host"].time_s == pytest.approx(expected["pcie5_eff"], rel=1e-6)
    assert nominal["scale-up"].time_s == pytest.approx(expected["nvl4"], rel=1e-6)
    assert nominal["network"].time_s == pytest.approx(expected["ndr"], rel=1e-6)
    older = rungs(Scenario(system("dgx-a100"), amount, rates=still))
    assert older["scale-up"].time_s == pytest.approx(expected["nvl3"], rel=1e-6)


def test_one_byte_and_none():
    """One byte takes the latency of a link, and zero bytes take no time."""
    floor = Rates(Origin.SPEC, latency_s=1 * US)
    single = rungs(Scenario(H100, 1, rates=floor))["scale-up"]
    assert single.time_s == pytest.approx(GOLDEN["A03"].expected["t_us"] * US, rel=1e-9)
    assert rungs(Scenario(H100, 0, rates=floor))["scale-up"].time_s == 0


def test_half_size_is_told_for_every_level():
    """Latency times rate, for each pair of latency and rate of the case."""
    case = GOLDEN["A09"]
    for (alpha_us, rate), half in zip(case.inputs["cases"], case.expected["bytes"], strict=True):
        given_rates = Rates(Origin.SPEC, latency_s=alpha_us * US, bytes_per_s=rate * GB)
        assert rungs(Scenario(H100, rates=given_rates))["scale-up"].half_size_bytes == pytest.approx(
            half, rel=1e-9
        )


def test_units_of_links_are_decimal():
    """400 Gb/s are 50 GB/s, 450 GB/s are 419 GiB/s, and the catalog says the same."""
    expected = GOLDEN["A12"].expected
    assert expected["ndr_400Gbps_in_GBps"] == 400 * GIGABIT_BYTES / GB
    assert expected["efa_340Gbps_in_GBps"] == 340 * GIGABIT_BYTES / GB
    assert pytest.approx(expected["x_GBps_to_GiBps_450"], rel=1e-12) == 450 * GB / GIB
    assert LINKS["ib-ndr"].rate.bytes_per_s / GB == expected["ndr_400Gbps_in_GBps"]
    assert LINKS["ib-xdr"].rate.bytes_per_s / GB == expected["xdr_GBps"]
    assert LINKS["pcie5-x16"].raw_bytes_per_s / GIGABIT_BYTES == expected["pcie5_x16_GTps_to_Gbps_raw"]


def test_a_gpus_share_of_the_nics():
    """Half an EDR NIC on a DGX-1, a whole one later, a quarter of 50 GB/s on eight GPUs with 4 x 100 Gb/s."""
    expected = GOLDEN["A10"].expected["GBps_per_dir"]
    machines = [system(name) for name in ("dgx-1-v100", "dgx-a100", "dgx-h100", "dgx-b200", "dgx-b300")]
    machines.append(configure(system("dgx-a100"), network="efa-400"))
    shares = [rungs(Scenario(machine))["network"].bytes_per_s / GB for machine in machines]
    assert shares == pytest.approx(expected)
    assert any("4 NICs are shared by 8 GPUs" in text for text in answer(Scenario(machines[0])).warnings)


def test_what_was_measured_on_a_whole_link_is_not_shown_on_a_part_of_it():
    """A copy between two H200 moves 396 GB/s; the bridge of two H100 NVL carries 300."""
    levels = {name: rungs(Scenario(machine, tier="measured")) for name, machine in SYSTEMS.items()}
    nominal = {name: rungs(Scenario(machine, tier="nominal")) for name, machine in SYSTEMS.items()}

    assert levels["dgx-h200"]["scale-up"].tier == "measured"
    assert levels["h100-nvl-x2"]["scale-up"].tier != "measured"
    for name, measured in levels.items():
        for level, row in measured.items():
            assert row.bytes_per_s <= 1.1 * nominal[name][level].bytes_per_s, (name, level)


@given(question=questions)
def test_every_ladder_goes_down_and_can_be_printed(question):
    """On any machine the wires get slower outwards, no rate exceeds nominal by a tenth, JSON is plain."""
    result = answer(question)
    rates = {row.level: row.bytes_per_s for row in result.levels}
    assert rates["memory"] >= rates.get("scale-up", 0.0) / 2
    assert rates["memory"] >= rates["host"] / 2
    nominal = rungs(replace(question, tier="nominal"))
    for row in result.levels:
        assert row.bytes_per_s <= 1.1 * nominal[row.level].bytes_per_s
        assert row.source.where
        assert (row.time_s > 0) == (question.size_bytes > 0)
        assert row.half_size_bytes >= 0
    paths = result.json()
    assert all(row.keys() >= CONTRACT_KEYS for row in paths["levels"])
    assert paths["levels"][0]["ratio_to_previous"] is None
    json.dumps(paths, allow_nan=False)


@given(question=questions, more=st.floats(1, 1e6), extra_s=st.floats(0, 1))
def test_larger_copies_and_longer_latencies_never_take_less_time(question, more, extra_s):
    """The ladder is monotone in bytes and in latency."""
    later = tuple((row.level, row.latency_s + extra_s) for row in answer(question).levels)
    larger = rungs(replace(question, size_bytes=question.size_bytes * more))
    longer = rungs(replace(question, latencies=later))
    for name, row in rungs(question).items():
        assert larger[name].time_s >= row.time_s
        assert longer[name].time_s >= row.time_s


def test_tiers_fall_back_and_say_so():
    """Where nobody measured, the effective or nominal rate stands, and the row names it."""
    rows = rungs(Scenario(H100, tier="measured"))
    assert (rows["host"].tier, rows["host"].bytes_per_s) == ("measured", 55.06 * GB)
    assert rows["network"].tier == "effective"
    assert "no measured rate is known" in rows["network"].note
    raw = rungs(Scenario(H100, tier="raw"))["scale-up"]
    assert raw.bytes_per_s == 478.125 * GB


def test_measured_both_ways_is_what_was_measured():
    """Two directions at once are not twice one: 784 GB/s over NVLink 4, and less than unidirectional over C2C."""
    both = rungs(Scenario(system("dgx-h200"), direction="both-ways", tier="measured"))
    assert both["scale-up"].bytes_per_s == 783.73 * GB
    coherent = [
        rungs(Scenario(system("gb200-nvl72"), direction=way, tier="measured"))["host"].bytes_per_s
        for way in DIRECTIONS
    ]
    assert coherent == [359 * GB, 347 * GB]


def test_machines_without_some_level():
    """No NVLink on a 4090, C2C instead of PCIe on a GB200, a pair of its own on AMD, a bridge for two on a 3090."""
    cards = answer(Scenario(system("rtx-4090-x8")))
    assert [row.level for row in cards.levels] == ["memory", "host"]
    assert (cards.levels[0].link, cards.paths) == ("GDDR", ())
    assert any("communicate over PCIe" in text for text in cards.warnings)
    assert rungs(Scenario(system("gb200-nvl72")))["host"].link == "c2c-grace"
    mesh = rungs(Scenario(system("mi300x-x8")))
    assert mesh["scale-up"].bytes_per_s == 448 * GB
    assert mesh["scale-up pair"].bytes_per_s == 64 * GB
    bridge = answer(Scenario(system("rtx-3090-x2")))
    assert any("pairs only" in text for text in bridge.warnings)
    shared = configure(system("l40s-x8"), gpus_per_uplink=4)
    assert rungs(Scenario(shared))["host"].bytes_per_s == 8 * GB


def test_oversubscription_adds_a_level():
    """Above the leaf a 2:1 network gives half of a GPU's share."""
    rows = rungs(Scenario(configure(H100, domains=64, oversubscription=2)))
    assert rows["network spine"].bytes_per_s == rows["network"].bytes_per_s / 2
    assert "network spine" not in rungs(Scenario(H100))


def test_the_l2_figure_is_hidden_unless_asked_for():
    """An estimate that no document confirms is shown on request only, and labelled."""
    assert "L2" not in rungs(Scenario(H100))
    shown = rungs(Scenario(H100, unverified=True))["L2"]
    assert shown.bytes_per_s == 12 * TB
    assert "estimate" in shown.note


def test_gpudirect_against_the_bounce():
    """64 and 50 GB/s give 50 straight, 19.5 bounced copy by copy, and half of host memory when that is less."""
    paths = {path.name: path for path in answer(Scenario(H100, GIB)).paths}
    assert paths["direct"].bytes_per_s == 50 * GB
    assert paths["bounce"].bytes_per_s / GB == pytest.approx(19.512195, rel=1e-6)
    assert paths["bounce, pipelined"].bytes_per_s == 50 * GB
    assert paths["direct"].time_s < paths["bounce, pipelined"].time_s < paths["bounce"].time_s
    slow = answer(Scenario(H100, GIB, host_memory_bytes_per_s=60 * GB)).paths
    assert {path.name: path.bytes_per_s for path in slow}["bounce, pipelined"] == 30 * GB
    shown_both = answer(Scenario(H100, GIB, direction="both-ways")).paths
    assert shown_both == answer(Scenario(H100, GIB)).paths


def test_offloading_a_gigabyte_moves_one_way():
    """1 GB to the host takes 15.6 ms nominal, 15.9 effective, 18.2 measured; 7.8 ms is the bidirectional figure."""
    ceilings = {copy.tier: copy for copy in offload(Scenario(H100, 1 * GB))}
    assert ceilings["published"].time_s == pytest.approx(7.8125e-3, rel=1e-9)
    assert ceilings["nominal"].time_s == pytest.approx(15.625e-3, rel=1e-3)
    assert ceilings["effective"].time_s == pytest.approx(15.869e-3, rel=1e-3)
    assert ceilings["measured"].time_s == pytest.approx(18.162e-3, rel=1e-3)
    assert all(copy.time_s == 0 for copy in offload(Scenario(H100, 0)))
    published = rungs(Scenario(H100, 1 * GB, rates=Rates(Origin.PUBLISHED)))["host"]
    assert published.time_s == ceilings["published"].time_s


def test_the_ceilings_go_from_the_box_to_the_busbw():
    """900 printed, 450 unidirectional, 371 by NCCL's count, 450 for an ideal ring, 700 for an ideal switch that adds."""
    ceilings = {(rung.name, rung.origin): rung.bytes_per_s / GB for rung in ladder(H100)}
    assert ceilings["bidirectional", Origin.PUBLISHED] == 900
    assert ceilings["unidirectional", Origin.SPEC] == 450
    assert ceilings["NCCL's own", Origin.SPEC] == pytest.approx(370.8)
    assert ceilings["best ring", Origin.SPEC] == pytest.approx(450, rel=1e-3)
    assert ceilings["best in-switch", Origin.SPEC] == pytest.approx(700, rel=1e-3)
    assert ceilings["best ring", Origin.CALIBRATED] < ceilings["NCCL's own", Origin.SPEC] * 1.05
    assert ceilings["best ring", Origin.CALIBRATED] < ceilings["best in-switch", Origin.CALIBRATED] < 700
    assert not any(rung.name == "best in-switch" for rung in ladder(system("dgx-a100")))


def test_published_rates_make_the_sources_table():
    """Bidirectional and no latency: 1 GB over NVLink 4 in 1.1 ms, with the remark that this is optimistic."""
    result = answer(Scenario(H100, 1 * GB, rates=Rates(Origin.PUBLISHED)))
    rows = {row.level: row for row in result.levels}
    assert rows["scale-up"].time_s == pytest.approx(1 / 900)
    assert rows["network"].time_s == pytest.approx(1 / 100)
    assert any("2x" in text for text in result.warnings)
    assert not any("counts one direction" in text for text in result.assumptions)


def test_the_headline_answers_the_question():
    """One sentence with the machine, the two ends of its ladder and the copy asked for."""
    text = answer(Scenario(H100, 1 * GB)).headline
    assert "DGX H100" in text
    assert "67 times slower" in text
    assert "20 ms" in text


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"size_bytes": -1}, "size_bytes"),
        ({"size_bytes": math.nan}, "size_bytes"),
        ({"direction": "up"}, "direction"),
        ({"tier": "best"}, "tier"),
        ({"latencies": (("L3", 1e-6),)}, "latencies"),
        ({"latencies": (("host", -1.0),)}, "latency of host"),
        ({"host_memory_bytes_per_s": 0}, "host_memory_bytes_per_s"),
    ],
)
def test_a_bad_question_names_the_argument(change, name):
    """One line that starts with what is wrong."""
    with pytest.raises(ValueError, match=rf"^{name}: "):
        answer(replace(Scenario(H100, 1), **change))


def test_a_latency_of_ones_own_reaches_offload():
    """Every link's latency is replaced, that of the host link in the offload too."""
    size, none = 1 * GB, Rates(Origin.SPEC, latency_s=0.0)
    for copy in offload(Scenario(H100, size, rates=none)):
        assert copy.time_s == pytest.approx(size / copy.bytes_per_s)
    slow = {copy.tier: copy for copy in offload(Scenario(H100, size, latencies=(("host", 0.5),)))}
    assert slow["nominal"].time_s == pytest.approx(0.5 + size / slow["nominal"].bytes_per_s)


def test_a_rate_of_ones_own_is_a_copy_of_its_own():
    """A rate that replaces every link's is offered beside the catalog's, as given."""
    copies = offload(Scenario(H100, 1 * GB, rates=Rates(Origin.SPEC, bytes_per_s=20 * GB)))
    assert copies[0].tier == "given"
    assert copies[0].time_s == pytest.approx(0.05, rel=0.01)


def test_the_answer_says_what_answered():
    """Calibrated rates are of collectives: a copy is answered at the datasheet's, or at the measured tier."""
    assert answer(Scenario(H100, 1 * GB, rates=Rates())).rates == "spec"
    assert answer(Scenario(H100, 1 * GB, tier="measured")).rates == "measured"
    own = answer(Scenario(H100, 1 * GB, rates=Rates(latency_s=1e-6), latencies=(("host", 0.0),)))
    assert own.overrides == {"latency_s": 1e-6, "host": 0.0}
