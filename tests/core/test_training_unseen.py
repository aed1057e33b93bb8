"""Training throughput of publishers that no constant was fitted to."""

from statistics import mean, median

from core.calculators.cost.exposed import exposed_interval
from tests.bench import (
    held_out,
    held_out_blind,
    held_out_evening,
    held_out_fresh,
    held_out_last,
    held_out_later,
    held_out_newest,
    held_out_night,
)
from tests.bench.ablations import ablations
from tests.bench.unseen_training import DENSE, MOE, outcomes

EXPERTS_IN_FSDP = "Nous, Qwen3 30B in FSDP, 8 to 128 B200"


def test_dense_training_is_right_where_nothing_was_fitted():
    """torchtitan, MaxText, AutoModel and NeMo 25.07: 7 % off in the mean, 20 % at worst, nine of ten in an interval of 1.51."""
    results = outcomes(DENSE)

    assert mean(abs(item.error) for item in results) < 0.07
    assert max(abs(item.error) for item in results) < 0.20
    assert mean(item.inside for item in results) >= 0.9
    assert mean(item.width for item in results) < 1.55


def test_experts_of_another_framework_come_out_within_a_fifth_in_the_mean():
    """AutoModel's six MoE models on H100, 13 % off in the mean, Kimi K2 a third too fast, in an interval of two at most."""
    results = outcomes(MOE)

    assert mean(abs(item.error) for item in results) < 0.16
    assert mean(item.inside for item in results) >= 0.75
    assert max(abs(item.error) for item in results) < 0.36
    assert mean(item.width for item in results) < 2.0


def test_tables_that_were_held_out_come_out_within_a_tenth():
    """89 dense runs of DGX Cloud, fms-fsdp, InternEvo and GB300: 9 % off, three of four to nine of ten inside, at a width as the software is known."""
    results = outcomes(held_out.DENSE)

    assert len(results) == 89
    assert mean(abs(item.error) for item in results) < 0.10
    assert 0.75 <= mean(item.inside for item in results) <= 0.93
    for source, width in ((held_out.DGXC, 1.5), (held_out.INTERNEVO, 2.3)):
        assert mean(item.width for item in results if item.run.source == source) < width
    assert {item.run.source for item in results if abs(item.error) > 0.25} == {held_out.INTERNEVO}


def test_eight_wide_experts_in_16_bits_come_out_where_nothing_was_fitted():
    """Grok-1 on 512 to 2,048 H100: within 7 % in BF16 and 12 % in FP8."""
    results = [item for item in outcomes(held_out.MOE) if item.run.series.table == "Grok-1"]

    assert len(results) == 6
    for item in results:
        assert abs(item.error) < (0.12 if item.run.scenario.precision == "fp8" else 0.07)


def test_losses_of_scaling_are_not_invented():
    """Losses of scale come out within a third or a point in six series of ten, and four fifths of them in all; experts in FSDP lose half as much as computed."""
    series = [item for item in ablations() if "scaling" in item.kind]

    assert len(series) == 31
    assert sum(item.right for item in series) >= 20
    assert [item.name for item in series if item.computed > item.published + 0.04] == [EXPERTS_IN_FSDP]
    assert sum(item.computed for item in series) > 0.75 * sum(item.published for item in series)


def test_losses_of_each_parallelism_come_out():
    """Pipelines and TP two of three within a third or a point, EP one of three, and of all 116 published pairs more than half."""
    every = ablations()
    right = {kind: [item.right for item in every if item.kind == kind] for kind in ("PP", "TP", "EP")}

    assert [len(right[kind]) for kind in ("PP", "TP", "EP")] == [9, 30, 15]
    assert sum(right["PP"]) >= 6
    assert sum(right["TP"]) >= 19
    assert sum(right["EP"]) >= 5
    assert len(every) == 116
    assert sum(item.right for item in every) >= 0.55 * len(every)


def test_an_ablation_has_the_right_sign():
    """Of 116 published pairs, which of two runs is faster comes out in nine of ten: exchanges over nodes and differences of a few percent do not."""
    wrong = [item for item in ablations() if not item.signed]

    assert len(wrong) <= 10
    assert all(abs(item.published) < 0.09 or item.kind == "EP" for item in wrong)


def test_tables_read_later_come_out_where_nothing_was_fitted():
    """44 dense rows, 9 % off in the mean and nine of ten inside; eight MoE rows 12 % off in the mean."""
    dense, moe = outcomes(held_out_later.DENSE), outcomes(held_out_later.MOE)

    assert (len(dense), len(moe)) == (44, 8)
    assert median(abs(item.error) for item in dense) < 0.07
    assert mean(abs(item.error) for item in dense) < 0.1
    assert 0.75 <= mean(item.inside for item in dense) <= 0.95
    assert mean(abs(item.error) for item in moe) < 0.13
    assert max(abs(item.error) for item in moe) < 0.43
    assert mean(item.inside for item in moe) >= 0.75


def test_tables_of_2023_to_2026_come_out_by_framework_and_date():
    """61 dense rows of nine publishers, 4 % off in the median, Hugging Face's modules a third at worst; an optimizer on the host in the interval alone."""
    results = outcomes(held_out_fresh.DENSE)
    offloaded = [item for item in results if item.run.scenario.offload_optimizer]
    others = [item for item in results if not item.run.scenario.offload_optimizer]

    assert (len(results), len(offloaded)) == (61, 2)
    assert median(abs(item.error) for item in others) < 0.05
    assert max(abs(item.error) for item in others) < 0.33
    assert mean(item.inside for item in others) >= 0.9
    assert all(item.inside and item.error > 1 for item in offloaded)


def test_figures_read_last_come_out_where_most_were_asked_first():
    """18 dense rows, 6 % off in the mean; 24 of experts 11 %, of which releases of one model differ by half."""
    dense, moe = outcomes(held_out_newest.DENSE), outcomes(held_out_newest.MOE)

    assert (len(dense), len(moe)) == (18, 24)
    assert mean(abs(item.error) for item in dense) < 0.07
    assert mean(item.inside for item in dense) >= 0.9
    assert mean(abs(item.error) for item in moe) < 0.12
    assert mean(item.inside for item in moe) >= 0.8


def test_figures_of_the_28th_come_out_but_for_tp_and_experts():
    """23 dense rows, 6 % off in the median and 12 % in the mean; of eleven of experts nine lie inside, learned routing in the first steps far off."""
    dense, experts = outcomes(held_out_last.DENSE), outcomes(held_out_last.MOE)

    assert (len(dense), len(experts)) == (23, 11)
    assert median(abs(item.error) for item in dense) < 0.065
    assert mean(abs(item.error) for item in dense) < 0.13
    assert mean(item.inside for item in dense) >= 0.7
    assert median(abs(item.error) for item in experts) < 0.12
    assert mean(item.inside for item in experts) >= 0.8


def test_losses_of_weak_scaling_lie_in_the_interval_of_exposed_communication():
    """Of 26 series beside the open tables four of five, or nearly so."""
    series = [item for item in ablations() if item.kind == "weak scaling"]
    ends = [exposed_interval(max(0.0, item.computed), communicates=True) for item in series]
    held = [low <= max(0.0, item.published) <= high for (low, high), item in zip(ends, series, strict=True)]

    assert len(series) == 26
    assert mean(held) >= 0.8


def test_attention_of_long_sequences_is_that_of_its_kernels():
    """NeMo's million tokens on H100 in early 2024 and on B200 in 2025: within 5 % at every length from 8,192 on, with CP of 2 to 32."""
    results = [item for item in outcomes(held_out_fresh.DENSE) if item.run.source == held_out_fresh.NEMO_LONG]

    assert len(results) == 17
    assert all(abs(item.error) < 0.05 for item in results)


def test_gpus_of_amd_have_tables_of_their_own():
    """Llama 3 in FSDP on MI300X within a fifth in BF16 and FP8; experts on MI355X are up to half off."""
    dense = [item for item in outcomes(held_out_fresh.DENSE) if item.run.series.system.startswith("mi3")]
    experts = [item for item in outcomes(held_out_fresh.MOE) if item.run.series.system.startswith("mi3")]

    assert (len(dense), len(experts)) == (7, 5)
    assert all(item.inside and abs(item.error) < 0.2 for item in dense)
    assert all(abs(item.error) < 0.5 for item in experts)


def test_a_hybrid_loses_what_its_table_says_it_loses():
    """Nemotron-H 56B from 32 to 2,048 H100: a quarter too fast at every scale, inside the interval, its loss within a third."""
    results = outcomes(held_out_fresh.HYBRID)

    assert [item.run.gpus for item in results] == [32 << place for place in range(7)]
    assert all(item.inside and 0.2 < item.error < 0.3 for item in results)


def test_an_exposed_share_is_a_third_or_a_point_unsure():
    """Of 10 % exposed, 6.4 to 14.5 %; of none, none to 1 %, or none where nothing is sent; never more than the step."""
    low, high = exposed_interval(0.1, communicates=True)

    assert (round(low, 3), round(high, 3)) == (0.064, 0.145)
    assert exposed_interval(0.0, communicates=True) == (0.0, 0.01)
    assert exposed_interval(0.0, communicates=False) == (0.0, 0.0)
    assert exposed_interval(0.9, communicates=True)[1] == 1


def test_a_plain_megatron_bridge_on_two_nodes_comes_out_but_for_offload():
    """Qwen3 of 1.7B to 32B on 16 H100 with nothing tuned, 18 layouts, asked without overlap of TP as their recipe has none: 5 % off, nearly all inside."""
    results = [item for item in outcomes(held_out_blind.DENSE) if item.run.source == held_out_blind.BRIDGE_16]
    offloaded = [item for item in results if item.run.scenario.offload_activations]
    others = [item for item in results if not item.run.scenario.offload_activations]

    assert (len(results), len(offloaded)) == (18, 1)
    assert mean(abs(item.error) for item in others) < 0.06
    assert max(abs(item.error) for item in others) < 0.12
    assert sum(item.inside for item in others) >= 15
    assert offloaded[0].error > 1


def test_fsdp_of_two_more_publishers_lies_in_its_interval():
    """OLMo-core and AWS's torchtitan on H100, 7B to 13B in BF16 and FP8, asked before they were read: 10 % off, seven of eight inside."""
    sources = held_out_blind.OLMO, held_out_blind.AWS
    results = [item for item in outcomes(held_out_blind.DENSE) if item.run.source in sources]

    assert len(results) == 8
    assert mean(abs(item.error) for item in results) < 0.11
    assert sum(item.inside for item in results) >= 7


def test_figures_of_the_evening_come_out_where_graphs_are_stated():
    """37 runs read on 28 November, half of them untuned: 52 and 31 % inside as first asked, nine of ten today."""
    dense, experts = outcomes(held_out_evening.DENSE), outcomes(held_out_evening.MOE)

    assert (len(dense), len(experts)) == (21, 16)
    assert median(abs(item.error) for item in dense) < 0.1
    assert median(abs(item.error) for item in experts) < 0.18
    assert 0.75 <= mean(item.inside for item in (*dense, *experts)) <= 0.95


def test_a_million_tokens_in_hugging_face_s_modules_run_pytorch_s_attention():
    """Qwen3 8B, 30B and 32B with CP over 8 to 32 H100, asked before they were read: within a tenth by PyTorch's own kernels."""
    runs = [
        run for run in (*held_out_evening.DENSE, *held_out_evening.MOE) if run.source == held_out_evening.TRL
    ]

    assert len(runs) == 5
    assert all(abs(item.error) < 0.1 for item in outcomes(runs))


def test_one_graph_of_the_iteration_takes_half_of_the_experts_overhead():
    """Eight runs of two publishers and three models on GB200 and GB300: within a fifth, seven inside; DeepSeek-V3 is the slowest."""
    runs = (*held_out_newest.MOE, *held_out_last.MOE, *held_out_evening.MOE)
    results = outcomes([run for run in runs if run.scenario.cuda_graphs == "full-iteration"])

    assert len(results) == 8
    assert median(abs(item.error) for item in results) < 0.08
    assert all(abs(item.error) < 0.25 for item in results)
    assert sum(item.inside for item in results) >= 7


def test_flash_attention_2_is_no_faster_on_blackwell_than_on_hopper():
    """prime-rl's Qwen3 4B at 16,384 tokens on H100 and B200 with its default kernels: a quarter too fast on both, twice before."""
    runs = [run for run in held_out_later.DENSE if run.source == held_out_later.PRIME]

    assert len(runs) == 2
    assert all(abs(item.error) < 0.28 for item in outcomes(runs))


def test_figures_of_the_night_come_out_but_for_small_eager_models():
    """49 runs asked blind, 44 % of dense and 55 % of experts inside as first asked: XTuner's twelve ablations of 235B on 256 H800 within a quarter today."""
    dense, experts = outcomes(held_out_night.DENSE), outcomes(held_out_night.MOE)
    ablated = [item for item in experts if item.run.source == held_out_night.XTUNER]

    assert (len(dense), len(experts), len(ablated)) == (16, 33, 12)
    assert median(abs(item.error) for item in experts) < 0.12
    assert mean(item.inside for item in experts) >= 0.7
    assert mean(item.inside for item in dense) >= 0.55
    assert median(abs(item.error) for item in ablated) < 0.06
    assert all(abs(item.error) < 0.27 for item in ablated)
