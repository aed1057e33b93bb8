"""Home's question box: what a question names becomes the inputs of the page that its link opens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog import GPUS, LINKS, MODELS, PRECISIONS, SYSTEMS
from core.catalog.software import PRESETS
from core.units import parse_size
from pages.ui.home.search import search
from pages.ui.home.understood.link import link
from pages.ui.home.understood.pages import PAGES, ordered
from pages.ui.home.understood.question import read
from pages.ui.home.understood.rates_alone import answers
from pages.ui.shared.question_link import read as read_question

QUESTIONS = {
    "TP4 or TP8 for llama 70b on h200": (
        "scenarios",
        {
            "a": "tensor_parallel?system=dgx-h200&model=llama-3.1-70b&tp=4",
            "b": "tensor_parallel?system=dgx-h200&model=llama-3.1-70b&tp=8",
        },
    ),
    "what if pcie for 4x rtx 4090": (
        "tensor_parallel",
        {"system": "rtx-4090-x4", "model": "llama-3.1-8b", "tp": "4", "tab": "What if PCIe?"},
    ),
    "nvl72 or 9 hgx h200 deepseek v3": (
        "nvl72",
        {"system": "gb200-nvl72", "model": "deepseek-v3-r1", "against": ["dgx-h200"], "weights": "fp8"},
    ),
    "all-reduce 64k over 16 a100": (
        "collectives",
        {"system": "dgx-a100", "collective": "all_reduce", "size": "64 KiB", "ranks": "16", "domains": "2"},
    ),
    "all-reduce of 1 GiB on 4 dgx h100 with sharp": (
        "collectives",
        {"system": "dgx-h100", "collective": "all_reduce", "size": "1 GiB", "domains": "4", "sharp": "true"},
    ),
    "all-reduce 1 GiB over 16 gpus": (
        "collectives",
        {"collective": "all_reduce", "size": "1 GiB", "ranks": "16", "domains": "2"},
    ),
    "all-reduce 8 MiB on two A100 nodes": (
        "collectives",
        {"system": "dgx-a100", "collective": "all_reduce", "size": "8 MiB", "domains": "2"},
    ),
    "all-reduce 8 MiB on 8x A100 nodes": (
        "collectives",
        {"system": "dgx-a100", "collective": "all_reduce", "size": "8 MiB"},
    ),
    "Is 46 GB/s right for two DGX H100?": (
        "check",
        {
            "system": "dgx-h100",
            "domains": "2",
            "system_from": "of the question",
            "check_run_told": "all_reduce on 2 nodes of 8x H100 SXM5 80GB: 46 GB/s busbw",
        },
    ),
    "llama 70b tp8 pp4 512 h100 batch 1024": (
        "training",
        {
            "system": "dgx-h100",
            "gpus": "512",
            "model": "llama-3.1-70b",
            "batch": "1024",
            "train_tp": "8",
            "train_pp": "4",
        },
    ),
    "ib ndr or roce 400 for fsdp of 8b on 128 h100": (
        "gradient_sync",
        {
            "system": "dgx-h100",
            "gpus": "128",
            "model": "llama-3.1-8b",
            "strategy": "fsdp",
            "sync_networks": ["ib-ndr", "roce-400"],
            "tab": "InfiniBand vs RoCE",
        },
    ),
    "do i need nvlink for my 2 x 3090": (
        "layouts",
        {
            "system": "rtx-3090-x2",
            "model": "llama-3.1-8b",
            "goal": "latency",
            "gpus": "2",
            "tab": "Do I need NVLink?",
        },
    ),
    "largest batch for llama 70b at 40 ms tpot on h200": (
        "tensor_parallel",
        {"system": "dgx-h200", "model": "llama-3.1-70b", "tpot_ms": "40"},
    ),
    "does the rtx 4090 have nvlink?": ("catalog", {"card": "rtx-4090"}),
    "deepep dispatch over 64 h100": (
        "collectives",
        {"system": "dgx-h100", "domains": "8", "collective": "moe_dispatch", "ranks": "64"},
    ),
    "My 8x H100 has NVLink: how long does an all-reduce of 1 GiB take?": (
        "collectives",
        {"system": "dgx-h100", "collective": "all_reduce", "size": "1 GiB"},
    ),
    "MoE dispatch of 128 tokens on 64 H100": (
        "collectives",
        {
            "system": "dgx-h100",
            "domains": "8",
            "collective": "moe_dispatch",
            "tokens": "128",
            "ranks": "64",
        },
    ),
    "TTFT p99 of llama 70b on H200 at 4 requests/s": (
        "tensor_parallel",
        {
            "system": "dgx-h200",
            "model": "llama-3.1-70b",
            "request_rate": "4",
            "tab": "Throughput at saturation",
        },
    ),
    "vllm deepseek 64 requests 8k context fp8 prefill on 8x mi300x tp8": (
        "tensor_parallel",
        {
            "system": "mi300x-x8",
            "model": "deepseek-v3-r1",
            "software": "vllm",
            "requests": "64",
            "context": "8192",
            "weights": "fp8",
            "tp": "8",
            "phase": "prefill",
        },
    ),
}
NUMBERS = ("999999999", "0", "1e9", "k", "³", "٣", "×")
PIECES = st.sampled_from(
    [
        *(*SYSTEMS, *MODELS, *GPUS, *LINKS, *PRECISIONS, *PRESETS, *NUMBERS),
        *(
            "tp",
            "x",
            "gpus",
            "nodes",
            "batch",
            "GiB",
            "GB/s",
            "all-reduce",
            "what if",
            "pcie",
            "or",
            "context",
        ),
    ]
)
TEXTS = st.text(max_size=80) | st.lists(PIECES, max_size=8).map(" ".join)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_becomes_a_page_and_its_inputs(question):
    """System, model, counts and sizes of a question stand in the link of the first page."""
    parts = read(question)
    page = ordered(parts, search(question).pages)[0].name
    carried = link(page, parts)

    assert (page, carried.inputs) == QUESTIONS[question]
    assert carried.said


@pytest.mark.parametrize("question", list(QUESTIONS)[:4])
def test_the_link_opens_what_was_understood(visit, headline, question):
    """The page takes every input of the link, and answers."""
    page, inputs = QUESTIONS[question]
    app = visit(page, **inputs)

    assert not app.exception
    assert not any("asks for" in box.value for box in app.warning)
    assert headline(app)


def test_two_systems_become_the_sides_of_a_comparison():
    """A against B of the same serving step."""
    carried = link("scenarios", read("h100 vs b200 for llama 405b in fp8"))
    sides = [read_question(carried.inputs[letter]) for letter in "ab"]

    assert [side.page for side in sides] == ["tensor_parallel"] * 2
    assert [side.parameters["system"] for side in sides] == [["dgx-h100"], ["dgx-b200"]]
    assert all(side.parameters["model"] == ["llama-3.1-405b"] for side in sides)


def test_two_degrees_become_the_sides_of_a_comparison():
    """TP4 against TP8 of the same step: the first page is the comparison of the two, side by side."""
    parts = read("TP4 or TP8 for llama 70b on h200")
    assert [page.name for page in ordered(parts, ())] == ["scenarios", "tensor_parallel"]
    carried = link("scenarios", parts)
    sides = [read_question(carried.inputs[letter]).parameters for letter in "ab"]

    assert [side["tp"] for side in sides] == [["4"], ["8"]]
    assert all(side["system"] == ["dgx-h200"] and side["model"] == ["llama-3.1-70b"] for side in sides)


def test_a_comparison_without_sides_is_not_offered():
    """A question of one system does not lead to an empty comparison, nor cards to a model that they cannot hold."""
    for question in ("how many gpus for training llama 405b", "is 120 GB/s right for 8 h100", "4x rtx 4090"):
        parts = read(question)
        assert "scenarios" not in [page.name for page in ordered(parts, search(question).pages)]
    assert link("layouts", read("4x rtx 4090")).inputs["model"] == "llama-3.1-8b"
    assert "model" not in link("layouts", read("8x h100")).inputs
    sides = link("scenarios", read("4x rtx 4090 vs 8x h100")).inputs.values()
    assert [read_question(side).parameters["model"] for side in sides] == [["llama-3.1-8b"]] * 2


def test_cards_are_answered(visit, headline):
    """Four cards without a model named have a layout: no dead end behind the question box."""
    app = visit("layouts", **link("layouts", read("4x rtx 4090")).inputs)

    assert headline(app)
    assert not app.error


def test_weights_are_those_that_the_model_was_published_in():
    """DeepSeek-V3 is served in FP8 unless something else is said, or the GPU has no FP8."""
    assert link("nvl72", read("deepseek v3 on nvl72")).inputs["weights"] == "fp8"
    assert link("nvl72", read("deepseek v3 in bf16 on nvl72")).inputs["weights"] == "bf16"
    assert "weights" not in link("nvl72", read("deepseek v3 on 8 a100")).inputs


@pytest.mark.parametrize(
    ("question", "unread"),
    [
        ("is 120 GB/s right for 8 h100", ("120 GB/s",)),
        ("1e400 requests of llama 70b on 8 h200", ("1e400",)),
        ("1e400 GB/s on 8 h100", ("1e400",)),
        ("12,345,678,901 requests of llama 70b", ("12,345,678,901",)),
        ("llama 13b at tp8 dp4", ("13b", "dp4")),
        *((question, ()) for question in QUESTIONS if "GB/s" not in question),
    ],
)
def test_a_number_that_no_link_holds_is_repeated(question, unread):
    """What of a question's numbers is in no link is said, so that nothing of it is lost without a word."""
    assert read(question).unread == unread


@pytest.mark.parametrize(
    ("question", "told", "said"),
    [
        ("is 320 Gb/s ok on 8x H100", "40 GB/s busbw", "busbw 320 Gb/s = 40 GB/s"),
        ("is 320Gbps fine on 16 h100", "40 GB/s busbw", "busbw 320Gbps = 40 GB/s"),
        ("is 320gbps fine on 16 h100", "40 GB/s busbw", "busbw 320gbps = 40 GB/s"),
        ("is 2,560 Gb/s ok on 8x H100", "320 GB/s busbw", "busbw 2,560 Gb/s = 320 GB/s"),
        ("46 GB/s on 16 h100", "46 GB/s busbw", "busbw 46 GB/s"),
        ("46 gb/s on 16 h100", "46 GB/s busbw", "busbw 46 gb/s"),
        ("46  GB / s on 16 h100", "46 GB/s busbw", "busbw 46  GB / s"),
    ],
)
def test_a_measured_rate_in_bits_is_judged_in_bytes(question, told, said):
    """A small b behind a capital G is a bit, as in gbps, so 320 Gb/s are 40 GB/s; thousands may stand apart."""
    carried = link("check", read(question))

    assert told in carried.inputs["check_run_told"]
    assert said in " ".join(carried.said)


def test_the_rate_of_a_port_was_not_measured():
    """400 Gb/s is what a port has: the question is about the operation, and nothing is judged."""
    asked = read("all-reduce on 2 nodes of 8x H100 with 400 Gb/s InfiniBand")

    assert ordered(asked, search("all-reduce").pages)[0].name == "collectives"
    assert "check_run_told" not in link("check", asked).inputs
    assert "check_run_told" not in link("check", read("8x h100 with 400gbps roce, all-reduce")).inputs


def test_a_degree_that_the_cards_do_not_hold_is_said():
    """Four cards have no TP8: the page of TP4 comes first, and says why not the other."""
    asked = read("TP4 or TP8 on 4x RTX 4090")
    first = ordered(asked, search("tp").pages)[0].name
    carried = link(first, asked)

    assert (first, carried.inputs["tp"]) == ("tensor_parallel", "4")
    assert "TP8 needs 8 GPUs, not 4" in carried.said
    assert link("tensor_parallel", read("TP8 on 6x RTX 4090")).inputs["tp"] == "4"


def test_the_tokens_of_an_exchange_are_said():
    """Tokens of a dispatch stand among what was understood; an all-reduce has none."""
    assert "128 tokens per GPU" in link("collectives", read("MoE dispatch of 128 tokens on 64 H100")).said
    assert "tokens" not in link("collectives", read("all-reduce of 128 tokens on 8 H100")).inputs


def test_home_says_what_it_did_not_understand(visit):
    """Below the pages stand the numbers that none of their links holds."""
    app = visit("home", q="train llama 13b at tp8 dp4, step 900 ms")

    assert any(
        item.value.endswith("Not understood, and in no link: 900 ms, 13b, dp4") for item in app.caption
    )


def test_cards_in_a_number_of_their_own_are_a_system_of_their_own():
    """Six cards are in no catalog: the link describes them."""
    assert link("layouts", read("6x rtx 4090")).inputs == {
        "system": "yours",
        "own_gpu": "rtx-4090",
        "own_gpus": "6",
        "model": "llama-3.1-8b",
        "goal": "latency",
        "gpus": "6",
    }


def test_home_says_what_it_understood(visit):
    """Below the page stands what its link carries."""
    app = visit("home", q="TP4 or TP8 for llama 70b on h200")

    assert any(item.value == "Understood: DGX H200 · Llama 3 / 3.1 70B · TP4 or TP8" for item in app.caption)


@given(TEXTS)
def test_no_text_makes_it_fail(question):
    """Whatever is typed, every input of every page's link is one that the page has."""
    parts = read(question)
    assert len(ordered(parts, search(question).pages)) <= len(PAGES)
    for page in PAGES:
        inputs = link(page, parts).inputs
        assert inputs.get("system", "yours") in {*SYSTEMS, "yours"}
        assert inputs.get("model", "grok-1") in MODELS
        assert inputs.get("network", "ib-ndr") in LINKS
        assert inputs.get("software", "vllm") in PRESETS
        assert set(inputs.get("against", ())) <= set(SYSTEMS)
        assert parse_size(inputs.get("size", "1")) >= 0
        assert all(int(inputs.get(key, "1")) > 0 for key in ("tp", "gpus", "domains", "ranks", "requests"))


@pytest.mark.parametrize(
    ("question", "link_name", "share"),
    [
        ("46 GB/s", "InfiniBand NDR 4x", "92 % of 50 GB/s"),
        ("320 Gb/s", "InfiniBand NDR 4x", "80 % of 50 GB/s"),
        ("is 12 GB/s ok?", "InfiniBand EDR 4x", "96 % of 12.5 GB/s"),
    ],
)
def test_a_rate_without_a_machine_is_answered_by_links_and_asked_back(visit, question, link_name, share):
    """Home names the links near it and a question that is judged, which it reads; nothing is called not understood."""
    app = visit("home", q=question)
    (line,) = [item.value for item in app.markdown if "To judge it" in item.value]
    asked_back = line.partition("GPUs: ")[2]

    assert link_name in line
    assert share in line
    told = link("check", read(asked_back)).inputs["check_run_told"]
    assert told.startswith("all_reduce on 2 nodes of 8x H100")
    assert not any("Not understood" in item.value for item in app.caption)


def test_a_rate_on_a_machine_is_judged_and_not_answered_alone():
    """With a machine the page *Check a result* judges it; a unit that nobody converts is said."""
    assert answers(read("46 GB/s on h100")) == ()
    assert answers(read("3 TB/s")) == ("3 TB/s: bandwidths are read in GB/s or Gb/s.",)
