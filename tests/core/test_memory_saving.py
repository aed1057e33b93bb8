"""What trades time for memory: recomputation by operation and by layers, offload, lean states, expert imbalance."""

from dataclasses import replace

import pytest

from core import catalog
from core.calculators.layouts import rank_training
from core.calculators.layouts.training_ranking import why
from core.calculators.training import Layout, Scenario, Verdict, answer, fit, memory, step
from core.calculators.training.memory_saving import MODULES, parse_modules, parse_offload
from core.calculators.training.neighbours import neighbours
from core.calculators.training.offload import host_rate
from core.checks import InputError
from core.systems import configure
from core.units import GB
from tests.each import table

H100 = configure(catalog.system("dgx-h100"), domains=8)
JOB = Scenario(
    H100, catalog.model("llama-3.1-70b"), Layout(tp=4, pp=4, vpp=5, cp=2, dp=2), global_batch=128, seq=8192
)
MLA = replace(JOB, model=catalog.model("deepseek-v3-r1"), layout=Layout(pp=8, dp=8, ep=8), seq=4096)


def selective(job, *modules):
    """The job with these operations recomputed."""
    return replace(job, recompute="selective", recompute_modules=modules)


@table(
    ("job", "module"),
    [
        *((JOB, name) for name in ("layernorm", "mlp")),
        *((MLA, name) for name in ("layernorm", "mla_up_proj", "mlp", "moe", "moe_act", "shared_experts")),
    ],
)
def test_each_operation_that_is_recomputed_saves_memory_and_costs_time(job, module):
    """Less than all of a layer, and less time than repeating all of it."""
    none, full, chosen = job, replace(job, recompute="full"), selective(job, module)

    assert memory(full).activation_bytes < memory(chosen).activation_bytes < memory(none).activation_bytes
    assert step(none).total_s < step(chosen).total_s < step(full).total_s


def test_flash_attention_keeps_no_scores_to_save():
    """Recomputing core attention with flash costs time and saves nothing; with scores in memory it saves them."""
    flash, scores = selective(JOB, "core_attn"), selective(replace(JOB, flash=False), "core_attn")

    assert memory(flash).activation_bytes == memory(JOB).activation_bytes
    assert step(flash).total_s > step(JOB).total_s
    assert memory(scores).activation_bytes < 0.7 * memory(replace(JOB, flash=False)).activation_bytes


def test_operations_inside_a_recomputed_moe_layer_count_once():
    """The activation function and the shared experts belong to it."""
    both, alone = selective(MLA, "moe", "moe_act", "shared_experts"), selective(MLA, "moe")

    assert memory(both) == memory(alone)
    assert step(both).total_s == pytest.approx(step(alone).total_s)
    assert step(alone).comm.ep == pytest.approx(1.5 * step(MLA).comm.ep)


def test_layers_are_recomputed_from_none_to_all():
    """So many layers of a stage lie on the line between no and full recomputation, in bytes and in seconds."""
    some = [
        step(replace(JOB, recompute="full", recompute_layers=layers)).total_s for layers in (5, 10, 20, 99)
    ]
    whole = replace(JOB, recompute="full")

    assert step(JOB).total_s < some[0] < some[1] < some[2] == some[3] == step(whole).total_s
    half = memory(replace(whole, recompute_layers=10)).activation_bytes
    assert memory(whole).activation_bytes < half < memory(JOB).activation_bytes


def test_the_optimizer_on_the_host_frees_its_state_and_costs_its_update():
    """Twelve bytes of each parameter of the shard move to the host, whose memory then sets the pace."""
    job, kept = replace(JOB, offload_optimizer=1.0), memory(JOB)
    result = answer(job)

    assert (result.memory.optimizer_bytes, result.memory.host_bytes) == (0, kept.optimizer_bytes)
    assert result.offload_s > 30 * kept.optimizer_bytes / 12 / (60 * GB)
    assert result.step_s == pytest.approx(sum(result.by_cause.values()))
    grace = replace(job, system=configure(catalog.system("gb200-nvl72"), domains=1))
    assert answer(grace).offload_s < result.offload_s


def test_a_step_that_mostly_waits_for_the_host_is_bound_by_offload():
    """All activations over PCIe take more than any communication, and offload is named."""
    result = answer(replace(JOB, offload_activations=1.0))

    assert result.offload_s == max(time_s for cause, time_s in result.by_cause.items() if cause != "compute")
    assert result.binding == "offload"


def test_the_reason_of_a_ranking_names_offload():
    """Parts of each layout add up to its step, so what offload costs is part of why the first wins."""
    ranked = rank_training(replace(JOB, offload_optimizer=1.0), 64).ranked

    for layout in ranked:
        assert sum(layout.parts.by_cause.values()) == pytest.approx(layout.step_s)
    second = replace(ranked[1], parts=replace(ranked[0].parts, offload_s=10 + ranked[0].parts.offload_s))
    assert "it saves 10 s of offload" in why([ranked[0], second])


def test_activations_wait_for_the_host_link_only_beyond_compute():
    """A tenth of them goes behind compute at the price of overlap; all of them over PCIe do not."""
    little, all_of_it = (replace(JOB, offload_activations=share) for share in (0.1, 1.0))
    base = step(JOB)

    assert step(little).offload_s < 0.02 * base.total_s
    assert step(all_of_it).offload_s > 0.1 * base.total_s
    assert memory(all_of_it).activation_bytes < 0.2 * memory(JOB).activation_bytes
    assert host_rate(H100) == pytest.approx(55.06 * GB)


def test_a_system_without_a_known_host_link_cannot_offload():
    """One line, no guess."""
    lonely = replace(JOB, system=replace(H100, host_link=None), offload_optimizer=1.0)

    with pytest.raises(InputError, match="offload: the link between GPU and host"):
        answer(lonely)


def test_lean_states_and_copies_count_by_parameter():
    """BF16 moments save four bytes of twelve; FP8 copies add what they say."""
    usual, lean, copied = (
        memory(replace(JOB, **more)) for more in ({}, {"optimizer_bytes": 8.0}, {"weight_copy_bytes": 2.0})
    )

    assert lean.optimizer_bytes == pytest.approx(usual.optimizer_bytes * 8 / 12)
    assert copied.parameter_bytes == pytest.approx(2 * usual.parameter_bytes)


def test_imbalanced_experts_take_longer_and_hold_more():
    """The most loaded rank computes, receives and stores so many times the mean."""
    even, skewed = step(MLA), step(replace(MLA, expert_imbalance=1.5))

    assert skewed.comm.ep > 1.2 * even.comm.ep
    assert skewed.compute_s > 1.1 * even.compute_s
    assert memory(replace(MLA, expert_imbalance=1.5)).activation_bytes > memory(MLA).activation_bytes


def test_experts_are_no_more_imbalanced_than_one_rank_with_all_tokens():
    """EP ranks share the tokens of a group, so one has at most EP times the mean; without EP all have the same."""
    for job, ep in ((MLA, 8), (replace(MLA, layout=Layout(tp=8, pp=8)), 1), (JOB, 1)):
        with pytest.raises(InputError, match=rf"^expert_imbalance: at most EP = {ep}, not {ep + 0.5}$"):
            answer(replace(job, expert_imbalance=ep + 0.5))
    assert answer(replace(MLA, expert_imbalance=8)).step_s > answer(MLA).step_s


def test_assumptions_say_what_was_asked():
    """Neither even routing nor overlap is claimed of a job that states otherwise."""
    changes = (
        ({}, "parameter all-gathers with forward", "tokens are routed evenly"),
        ({"expert_imbalance": 4.0}, "with forward", "the most loaded EP rank has 4 times the mean tokens"),
        ({"param_overlap": False}, "backward, parameter all-gathers with nothing", "routed evenly"),
        ({"dp_overlap": False}, "data-parallel communication overlaps with nothing", "routed evenly"),
        ({"dp_overlap": False, "param_overlap": False}, "parallel communication overlaps with nothing", ""),
    )
    for inputs, *lines in changes:
        said = "; ".join(answer(replace(MLA, **inputs)).assumptions)
        assert all(line in said for line in lines)
        assert said.count("overlaps with backward") == inputs.get("dp_overlap", True)
        assert ("evenly" in said) == ("expert_imbalance" not in inputs)


def test_parameters_gathered_before_forward_are_exposed():
    """The distributed optimizer's all-gather is a term of its own."""
    late = step(replace(JOB, param_overlap=False))

    assert late.exposed.dp > step(JOB).exposed.dp
    assert late.exposed.dp < step(replace(JOB, dp_overlap=False)).exposed.dp


def test_a_verdict_names_offload_only_where_it_is_not_asked_already():
    """What already waits on the host is no condition."""
    job = replace(JOB, layout=Layout(tp=8, pp=1, dp=8), micro_batch=4, offload_optimizer=1.0)
    verdict = fit(job)

    assert verdict.verdict is not Verdict.FITS
    assert not any("optimizer state" in text for text in verdict.conditions)


def test_partial_recomputation_leaves_the_rest_to_be_recomputed():
    """A job that recomputes one layer, or one operation, fits with what fits the job that recomputes less."""
    long = replace(JOB, layout=Layout(tp=8, dp=2), global_batch=64, seq=32768, strategy="zero3")
    long = replace(long, grad_bytes=4.0, framework="megatron")
    one_layer = fit(replace(long, recompute="full", recompute_layers=1))
    experts = replace(JOB, model=catalog.model("mixtral-8x7b"), layout=Layout(tp=4, pp=4, dp=4))
    one_operation = fit(selective(replace(experts, micro_batch=4), "core_attn"))

    assert one_layer == fit(long)
    assert one_layer.conditions == ("full activation recomputation", "BF16 gradients")
    assert one_operation.conditions == ("selective activation recomputation",)


def test_operations_that_a_model_does_not_have_are_refused():
    """Each in one line that names it."""
    for module in ("mla_up_proj", "moe", "moe_act", "shared_experts"):
        with pytest.raises(InputError, match=module):
            answer(selective(JOB, module))
    with pytest.raises(InputError, match="recompute_modules"):
        selective(JOB, "everything")


@pytest.mark.parametrize("kind", ["none", "full"])
def test_operations_are_refused_beside_a_kind_that_does_not_repeat_them(kind):
    """No input is dropped in silence: operations need selective recomputation, layers need full."""
    with pytest.raises(InputError, match=f"recompute_modules: goes with recompute selective, not {kind}"):
        replace(JOB, recompute=kind, recompute_modules=("mlp",))
    other = {"none": "none", "full": "selective"}[kind]
    with pytest.raises(InputError, match=f"recompute_layers: goes with recompute full, not {other}"):
        replace(JOB, recompute=other, recompute_layers=2)


def test_a_job_of_chosen_operations_still_has_neighbours_of_other_kinds():
    """What is compared with it recomputes nothing or everything, without its operations."""
    changes = {neighbour.change: neighbour for neighbour in neighbours(selective(JOB, "mlp"))}

    assert changes["full recomputation"].memory_bytes < changes["no recomputation"].memory_bytes


def test_lists_are_read_as_megatron_writes_them():
    """Modules by comma, each once; offload with shares."""
    assert parse_modules("moe_act, layernorm,moe_act") == ("layernorm", "moe_act")
    assert set(parse_modules(",".join(MODULES))) == set(MODULES)
    assert parse_offload("optimizer, activations=0.5") == {
        "offload_optimizer": 1.0,
        "offload_activations": 0.5,
    }
    for text in ("activations=2", "activations=x", "weights", ""):
        with pytest.raises(InputError, match="offload"):
            parse_offload(text)
