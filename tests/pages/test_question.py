"""The shared question: one bar on every page, the same everywhere, and every address of former versions."""

import pytest

from pages.ui.shared.question.defaults import DEFAULTS
from pages.ui.shared.question.old_keys import FORMER
from pages.ui.shared.question.uses import USES

CHOSEN = {
    "system": "dgx-h200",
    "domains": 4,
    "rates": "spec",
    "software": "sglang",
    "model": "llama-3.1-8b",
    "gpus": 128,
    "batch": 256,
    "seq": 4096,
    "requests": 96,
    "context": 2048,
    "weights": "fp8",
}
VALUES = {
    "model": "llama-3.1-8b",
    "system": "dgx-h200",
    "precision": "fp8",
    "weights": "fp8",
    "kv": "fp8",
    "implementation": "nccl",
    "launch": "graph",
    "efficiency": "0.5",
    "params_b": "30",
    "active_b": "10",
}
"""A value of each input that former addresses named otherwise; the others are whole numbers."""


def labels(app):
    """What the popovers of the bar say."""
    texts = [popover.proto.popover.label for popover in app.get("popover")]
    return [text.split("] ", 1)[1] for text in texts if text.startswith(":gray[")]


@pytest.mark.parametrize("name", USES)
def test_the_bar_says_the_whole_question(visit, name):
    """System, rates, software, model, job and load stand in labels on every page; what is not used says so."""
    app = visit(name, **CHOSEN)
    unused = [item for item in app.caption if "Not used on this page" in item.value]

    assert len(unused) == 6 - len(USES[name])
    assert labels(app) == [
        "4 × DGX H200 · NDR",
        "spec",
        "SGLang",
        "Llama 3 / 3.1 8B",
        "128 GPUs · batch 256 · 4K",
        "96 requests · 2K",
    ]


def test_the_question_follows_the_reader(visit, headline):
    """What is chosen on one page is asked on the next, and on the first again."""
    app = visit("tensor_parallel")
    app.number_input(key="requests").set_value(64).run()
    app.selectbox(key="model").select("llama-3.1-8b").run()
    before = headline(app)
    for name in ("kv_transfer", "measurements", "training", "tensor_parallel"):
        app.switch_page(f"{name}.py")
        app.run()

        assert not app.exception
        assert labels(app)[3:] == ["Llama 3 / 3.1 8B", "64 GPUs · batch 512 · 8K", "64 requests · 4K"]
    assert headline(app) == before


@pytest.mark.parametrize("name", ["home", "catalog", "ledger"])
def test_pages_without_a_question_have_no_bar(visit, name):
    """Reference pages ask nothing of a system."""
    assert not [popover for popover in visit(name).get("popover") if "System" in popover.proto.popover.label]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("tensor_parallel", "vLLM (auto)"),
        ("training", "Megatron-LM (auto)"),
        ("gradient_sync", "PyTorch FSDP (auto)"),
        ("collectives", "plain NCCL (auto)"),
        ("layouts", "Megatron-LM (auto)"),
    ],
)
def test_auto_software_is_shown_resolved(visit, name, label):
    """The word auto is never left for the reader to guess."""
    assert labels(visit(name))[2] == label


def test_auto_software_follows_the_goal(visit):
    """Layouts that serve are those of a serving engine."""
    assert labels(visit("layouts", goal="latency", gpus=8))[2] == "vLLM (auto)"


def test_a_field_replaces_that_of_the_preset(visit):
    """A library of one's own goes before the preset's, and the label says that something was changed."""
    preset, changed = visit("tensor_parallel"), visit("tensor_parallel", implementation="nccl")

    assert labels(changed)[2] == "vLLM (auto), changed"
    assert preset.metric[0].value != changed.metric[0].value


@pytest.mark.parametrize("page", FORMER)
def test_an_address_of_a_former_version_opens_the_same_question(visit, page):
    """Each former name on each page reaches the input of today, which takes its value."""
    names = FORMER[page].names
    query = {old: VALUES.get(new, "16") for old, new in names.items()}
    query |= {old: "yours" for old, new in names.items() if new == "model" and "params_b" in names.values()}
    app = visit(page, **query)

    assert not app.exception
    assert not any("asks for" in box.value for box in app.warning)
    for old, new in names.items():
        value = app.session_state[new]
        assert value == (query[old] if isinstance(value, str) else float(query[old])), (old, new)


def test_a_former_address_keeps_what_it_left_out(visit, headline):
    """The rack's own model, formats and requests stood for what an address of NVL72 did not say."""
    app = visit("nvl72", rack="gb200-nvl72", rack_tp=8)

    assert "DeepSeek-V3" in headline(app)
    assert app.session_state["requests"] == 1024


def test_nonsense_under_a_former_name_is_no_box(visit):
    """A word where a number stood leaves the default, without a traceback."""
    app = visit("training", train_gpus="many")

    assert not app.exception
    assert app.session_state["gpus"] == int(DEFAULTS["gpus"])


def test_a_rack_is_the_worked_example_until_something_is_chosen(visit, headline):
    """The first look at the rack asks about DeepSeek on NVL72, says so in the bar, and leads back."""
    app = visit("nvl72")
    assert "DeepSeek-V3" in headline(app)
    assert labels(app)[0] == "GB200 NVL72"
    assert any("Worked example" in item.value for item in app.caption)

    next(button for button in app.button if button.label == "Use the defaults").click().run()

    assert "Llama 3 / 3.1 70B" in headline(app)
    assert labels(app)[0] == "DGX H100"
    assert not any("Worked example" in item.value for item in app.caption)


def test_an_example_that_went_on_to_another_page_is_said_there(visit, headline):
    """Collectives after the rack answers for the rack: it says why, and leads back to the reader's own question."""
    app = visit("collectives", size="64 KiB")
    before = headline(app)
    for page in ("nvl72.py", "collectives.py"):
        app.switch_page(page)
        app.run()
    assert labels(app)[0] == "GB200 NVL72"
    assert any("Worked example" in item.value for item in app.caption)

    next(button for button in app.button if button.label == "Use the defaults").click().run()

    assert headline(app) == before
    assert "example" not in app.query_params
    assert not any("Worked example" in item.value for item in app.caption)


@pytest.mark.parametrize("query", [{"system": "dgx-h200"}, {"model": "llama-3.1-8b"}, {"example": "off"}])
def test_what_was_chosen_is_not_replaced_by_an_example(visit, headline, query):
    """A system or model in the address is the question of the rack too."""
    assert "GB200" not in headline(visit("nvl72", **query)).partition("TPOT")[0]


def test_the_question_of_another_page_is_that_of_the_rack(visit, headline):
    """NVL72 capacity answers for the machine that was chosen elsewhere."""
    app = visit("collectives")
    app.selectbox(key="system").select("dgx-h200").run()
    app.switch_page("nvl72.py")
    app.run()

    assert "DGX H200" in headline(app)


@pytest.mark.parametrize("name", ["training", "layouts", "gradient_sync", "cost"])
def test_a_job_takes_the_domains_it_needs(visit, headline, name):
    """However many domains serve or run a collective, 32 GPUs of eight a domain train on four."""
    one, many = visit(name, gpus=32, batch=128), visit(name, gpus=32, batch=128, domains=64)

    assert headline(one) == headline(many)
    assert any("32 GPUs are 4 domains of 8" in item.value for item in many.caption)


def test_a_bad_system_file_is_told_once(visit):
    """What is wrong with the question is said where it is asked, and not again by the page that misses it."""
    app = visit("collectives", system="file")

    assert [box.value for box in (*app.error, *app.warning)] == ["system file: none yet; upload or paste one"]


def test_an_unknown_id_in_a_link_is_not_the_label_of_the_bar(visit):
    """What is used in its place stands there, as the note says."""
    app = visit("tensor_parallel", model="llama-9", system="dgx-h10")

    assert labels(app)[0] == "DGX H100"
    assert labels(app)[3] == "Llama 3 / 3.1 70B"
