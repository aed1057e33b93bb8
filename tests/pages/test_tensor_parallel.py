"""The page Tensor parallelism: degrees with their range of overlap, crossovers, the sweep and saturation."""

import re
from dataclasses import replace

import pytest

from core.calculators.serving import Engine, chunked, offline, prefix, speculative
from core.calculators.tensor_parallel import Scenario, answer
from core.calculators.tensor_parallel.degrees import fits_at
from core.catalog import model, system
from core.units import format_time
from pages.ui.tensor_parallel.summary import crossover_text, detail, figures
from tests.pages.charts import drawn


def table(app, column):
    """The table that has this column."""
    return next(table.value for table in app.dataframe if column in table.value)


def chart(app, begins):
    """The chart whose words begin like this: its specification and its words."""
    return next(chart for chart in drawn(app) if begins in chart.words)


def test_every_degree_is_a_row_with_its_band(visit):
    """The table holds what the calculator answers for each degree."""
    result = answer(Scenario(system("dgx-h100"), model("llama-3.1-70b")))
    shown = table(visit("tensor_parallel"), "overlap range")

    assert list(shown["TP"]) == [degree.tp for degree in result.degrees]
    assert all("–" in times for times in shown["overlap range"])


def test_an_interval_without_published_runs_is_called_a_guess():
    """Tokens/s per GPU lie where published runs of Hopper do; of MI300X there are none, and the help says so."""
    helps = [
        next(
            figure.help
            for figure in figures(answer(Scenario(system(key), model("llama-3.1-70b"))))
            if figure.label == "Tokens/s/GPU"
        )
        for key in ("dgx-h100", "mi300x-x8")
    ]

    assert ["by published runs" in text for text in helps] == [True, False]
    assert "a wide guess: no published run of this generation" in helps[1]


def test_overlap_is_a_band_on_the_bars(visit):
    """The bars of the degrees carry a line from all overlapped to nothing overlapped."""
    spec, _ = chart(visit("tensor_parallel"), "Step time by TP degree")

    assert any(layer.get("encoding", {}).get("y2", {}).get("field") == "high_s" for layer in spec["layer"])


def test_the_grid_names_the_binding_term(visit):
    """The small multiples say how often each term is the bottleneck, on four generations of links."""
    app = visit("tensor_parallel", tab="Sweep")
    _, words = chart(app, "a panel for every system")

    assert "HBM" in words
    assert any("Colour: bottleneck" in caption.value for caption in app.caption)


@pytest.mark.parametrize("shown", ["share", "step", "tokens/s per GPU"])
@pytest.mark.parametrize("phase", ["decode", "prefill"])
def test_each_measure_fills_the_grid(visit, shown, phase):
    """Share, step and throughput are drawn for both phases."""
    app = visit("tensor_parallel", tab="Sweep", sweep_shown=shown, phase=phase, tokens=2048)

    assert not app.exception
    assert chart(app, "a panel for every system")


def test_more_contexts_are_more_questions(visit):
    """One context is a third of the cells of three."""
    _, single = chart(
        visit("tensor_parallel", tab="Sweep", sweep_contexts=["4096"]), "a panel for every system"
    )
    _, three = chart(visit("tensor_parallel", tab="Sweep"), "a panel for every system")
    count = [int(words.split()[1].replace(",", "")) for words in (single, three)]

    assert count[1] == 3 * count[0]


def test_no_system_and_no_context_still_draw(visit):
    """With everything deselected the machine and the context of the question remain."""
    app = visit("tensor_parallel", tab="Sweep")
    app.multiselect(key="sweep_systems").set_value([])
    app.multiselect(key="sweep_contexts").set_value([])
    app.run()

    assert not app.exception
    assert chart(app, "a panel for every system")


def test_inputs_that_change_nothing_are_named_with_the_reason(visit):
    """Inside one domain the network is dead, and the page says why."""
    app = visit("tensor_parallel", tab="Crossovers")

    assert any("network and NICs" in text.value and "domain of 8" in text.value for text in app.markdown)


def test_crossovers_are_listed_by_batch(visit):
    """Batches at which an answer changes stand in order."""
    crossovers = table(visit("tensor_parallel", tab="Crossovers"), "from batched tokens")
    values = [int(tokens.replace(",", "")) for tokens in crossovers["from batched tokens"]]

    assert values == sorted(values)
    assert "memory" in set(crossovers["quantity"])


def test_across_domains_the_nic_can_decide(visit):
    """With two nodes, sixteen GPUs wait for NICs somewhere in the grid."""
    _, words = chart(
        visit("tensor_parallel", tab="Sweep", domains=2, tp=16, phase="prefill", tokens=8192),
        "a panel for every system",
    )

    assert "NIC" in words


def test_experts_without_a_shape_that_fits_are_explained(visit):
    """A dense model has no experts to spread."""
    app = visit("tensor_parallel", ep=8)

    assert not app.exception
    assert any("no experts" in box.value for box in app.warning)


def test_a_full_machine_is_what_core_answers(visit):
    """Output tokens/s with a queue that never empties are the library's, and TP1 is too small for 70B in BF16."""
    address = {"tab": "Throughput at saturation", "software": "nccl"}
    shown = table(visit("tensor_parallel", **address), "prefill time").set_index("degree")
    result = offline(Scenario(system("dgx-h100"), model("llama-3.1-70b")), 1024, 1024)

    assert shown.loc["TP8", "output tokens/s"] == f"{result.output_tokens_per_s:,.0f}"
    assert shown.loc["TP1", "concurrent requests"] == "none fits"


def test_requests_that_fit_nowhere_are_not_called_weights(visit):
    """Two million tokens of 70B fit no eight H100, though the weights do, and no TTFT is promised for them."""
    address = {"tab": "Throughput at saturation", "full_prompt": 1_000_000, "full_output": 1_000_000}
    app = visit("tensor_parallel", **address)

    assert any("a request of this length fit at no degree" in box.value for box in app.info)
    assert not any("TTFT under load" in box.value for box in app.markdown)


def test_hundreds_of_prefill_gpus_are_a_plain_number(visit):
    """Answers of one token leave decode idle: how many prefill GPUs it takes has no exponent."""
    app = visit("tensor_parallel", tab="Throughput at saturation", software="trtllm", full_output=1)
    (text,) = (part.value for part in app.markdown if "prefill GPUs keep" in part.value)

    assert re.search(r"\. \d[\d,]* prefill GPUs keep", text), text


@pytest.mark.parametrize(
    ("rate", "load"),
    [
        (0.001, r"Below 0.1 % of the [\d.]+ requests/s that it answers at saturation\."),
        (
            500,
            r"More than the [\d.]+ requests/s that it answers at saturation: the queue grows with the run\.",
        ),
    ],
)
def test_a_rate_stands_beside_what_can_be_answered(visit, rate, load):
    """What arrives is told as a share of saturation, or that it is more, in sentences."""
    app = visit("tensor_parallel", tab="Throughput at saturation", request_rate=rate, num_prompts=10)

    assert any(re.search(rf"TP8\.\*\* {load}", text.value) for text in app.markdown)


def test_a_rate_without_a_run_says_what_it_needs(visit):
    """Prefill alone has no requests that decode: no table, and the reason."""
    app = visit("tensor_parallel", tab="Throughput at saturation", request_rate=2, phase="prefill")

    assert any("the phase **decode**" in box.value for box in app.info)


def test_the_serving_engine_is_what_core_answers(visit):
    """Chunk, draft and hit rate of the page reach the figures; parts of the step stand beside them."""
    asked = {"prefill_chunk": 2048, "draft_tokens": 2, "prefix_hit": 0.5, "kv_block": 64, "usable": 0.8}
    app = visit("tensor_parallel", tab="Serving engine", software="nccl", **asked)
    shown = table(app, "term").set_index("term")["value"]
    scenario = Scenario(system("dgx-h100"), model("llama-3.1-70b"), usable=0.8)
    runs = Engine(prefill_chunk=2048, draft_tokens=2, prefix_hit=0.5, kv_block=64)

    assert shown["TPOT with speculative decoding"] == format_time(speculative(scenario, runs).tpot_s)
    assert shown["TTFT with prefix-cache hits"] == format_time(prefix(scenario, runs, 4096).ttft_s)
    mixed = chunked(scenario, runs, 4096)
    assert shown[f"step with {mixed.chunk_tokens:,.0f} prompt tokens"] == format_time(mixed.mixed_step_s)
    assert {"GEMM", "attention", "exposed communication"} <= set(table(app, "part")["part"])


def test_prefill_and_decode_apart_stand_below_the_table(visit):
    """The verdict on disaggregated serving, and its balance, follow the throughput of every degree."""
    app = visit("tensor_parallel", tab="Throughput at saturation", tpot_ms=30.0, weights="fp8", tp=4)
    text = " ".join(part.value for part in app.markdown)

    assert "Disaggregated at TP4." in text
    assert "prefill GPUs keep one decode GPU busy" in text
    assert set(table(app, "limit")["limit"].dropna()) <= {"latency target", "memory", "max sequences"}


def test_longer_answers_change_the_full_machine(visit):
    """More output tokens are another round."""
    short, long = (
        visit("tensor_parallel", tab="Throughput at saturation"),
        visit("tensor_parallel", tab="Throughput at saturation", full_output=8192),
    )

    assert not table(short, "prefill time").equals(table(long, "prefill time"))


def test_the_choice_of_a_degree_names_its_load(visit, headline):
    """Each group has the requests of the question, so more groups serve more of them."""
    assert "At 32 requests on each TP group: TP8 for latency" in headline(visit("tensor_parallel"))


def test_a_degree_that_no_longer_fits_is_said_so():
    """A best degree that leaves the memory is not called slower; one that is overtaken is not called too large."""
    scenario = Scenario(system("dgx-h100"), model("llama-3.1-70b"))
    changes = [item for item in detail(scenario).crossovers if item.what.endswith("tokens/s a GPU")]
    change = next(item for item in changes if item.before == "TP4" and item.value > scenario.tokens)

    assert not fits_at(scenario, 4, change.value, scenario.cached)
    assert fits_at(scenario, 4, change.value - 1, scenario.cached)
    only = replace(detail(scenario), crossovers=(change,))
    assert crossover_text(only) == (
        f"From {change.value:,.0f} batched tokens TP4 no longer fits; then most tokens/s per GPU: {change.to}."
    )
    exceeded = replace(change, what="memory", before="enough", to="full")
    assert crossover_text(replace(only, crossovers=(exceeded, change))) == crossover_text(only)
    overtaken = replace(change, value=33.0)
    assert "no longer fits" not in crossover_text(replace(only, crossovers=(overtaken,)))


def test_what_is_here_is_said_of_the_nearest_crossover_alone():
    """A share that rises and falls again lies twice between the same bounds: only the first change leaves what is here."""
    scenario = Scenario(system("rtx-4090-x4"), model("llama-3.1-70b"), tp=4)
    result = detail(scenario)
    shares = [item for item in result.crossovers if item.what == "share of communication"]
    above = sorted((item for item in shares if item.value > scenario.tokens), key=lambda item: item.value)
    assert above[0].before != above[1].before

    words = crossover_text(replace(result, crossovers=tuple(above)))

    assert words.startswith(f"From {above[0].value:,.0f} batched tokens: communication share")
    assert words.count("batched tokens") == 1
