"""Lists show names and the address holds ids: systems, networks, models, GPUs, presets, formats, operations."""

import pytest

from core.calculators.gradient_sync import STRATEGIES
from core.catalog import GPUS, LINKS, MODELS, PRECISIONS, SYSTEMS
from core.catalog.software import PRESETS
from core.collectives.cost_model import IMPLEMENTATIONS
from core.collectives.formulas import COLLECTIVES
from pages.ui.shared import basis, names

IDS = {*SYSTEMS, *MODELS, *GPUS, *LINKS, *PRECISIONS, *PRESETS, *STRATEGIES, *COLLECTIVES}
IDS -= {"broadcast", "reduce"}
"""What only the shell and the address call things; two operations are words as they are."""
NCCL_TESTS = {"dtype"}
"""Lists of words that nccl-tests has for its options."""


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("layouts", {"system": "yours", "unverified": "true"}),
        ("collectives", {}),
        ("gradient_sync", {}),
        ("cost", {}),
        ("nvl72", {}),
        ("topology", {}),
        ("catalog", {}),
    ],
)
def test_no_list_shows_an_id(visit, page, query):
    """Whoever opens a list reads names, each once."""
    app = visit(page, **query)
    lists = {widget.key: widget.options for widget in (*app.selectbox, *app.multiselect)}
    lists = {key: options for key, options in lists.items() if key not in NCCL_TESTS}

    assert not app.exception
    assert {key: IDS & set(options) for key, options in lists.items() if IDS & set(options)} == {}
    assert [key for key, options in lists.items() if len(set(options)) < len(options)] == []


def test_systems_stand_by_generation_and_count(visit):
    """Two, four, eight of a card follow each other; older machines stand before newer ones."""
    options = visit("collectives").selectbox(key="system").options
    cards = [name for name in options if "RTX 4090" in name]
    machines = [name for name in options if name.startswith("DGX ") and "GH200" not in name]

    assert cards == ["2 x RTX 4090", "4 x RTX 4090", "8 x RTX 4090"]
    assert machines == ["DGX A100", "DGX H100", "DGX H200", "DGX B200", "DGX B300"]


def test_the_address_holds_ids_and_the_default_is_left_out(visit):
    """A chosen model is in the address by its id; the default again takes it out."""
    app = visit("tensor_parallel")
    app.selectbox(key="model").select("mixtral-8x7b").run()
    assert app.query_params["model"] == "mixtral-8x7b"

    app.selectbox(key="model").select("llama-3.1-70b").run()
    assert "model" not in app.query_params


def test_an_own_model_stands_at_the_head_of_the_list(visit):
    """Whoever opens the list of models sees first how to bring one along."""
    assert visit("training").selectbox(key="model").options[:2] == [
        "Upload or paste a config.json",
        "Your own number of parameters",
    ]


def test_another_system_brings_no_other_input_into_the_address(visit):
    """The systems of the sweep stay as they were; the page's own is left out of them."""
    app = visit("tensor_parallel")
    app.selectbox(key="system").select("dgx-b200").run()

    assert set(app.query_params) == {"system"}


def test_an_emptied_list_stays_empty(visit):
    """Every network taken out of a list that begins with some: its link says so."""
    app = visit("gradient_sync")
    app.multiselect(key="sync_networks").set_value([]).run()
    again = visit("gradient_sync", **dict(app.query_params))

    assert app.query_params["sync_networks"] == ""
    assert again.multiselect(key="sync_networks").value == []
    assert not any("asks for" in box.value for box in again.warning)


def test_what_is_used_in_place_of_an_unknown_id_has_its_name(visit):
    """A misspelt system: the address said what it said, the page uses the default and names it."""
    (box,) = [item.value for item in visit("collectives", system="dgx-h1000").warning if "asks" in item.value]

    assert "asks for dgx-h1000 as System" in box
    assert "DGX H100 is used" in box


def test_what_changed_is_said_by_name(visit):
    """The line below the headline calls systems what the list calls them."""
    app = visit("tensor_parallel")
    app.selectbox(key="system").select("dgx-h200").run()

    assert any("System DGX H100 → DGX H200" in item.value for item in app.caption)


def test_the_path_of_a_cache_is_said_by_name():
    """Link and way, as the page KV cache transfer calls them."""
    assert names.path("ib-ndr direct") == "InfiniBand NDR 4x, GPUDirect RDMA"
    assert names.path("nvlink4") == LINKS["nvlink4"].name


def test_every_communication_library_has_a_name():
    """The list of libraries holds no id, and what an answer rests on names the library as the list does."""
    assert set(names.COMMUNICATION_LIBRARIES) == set(IMPLEMENTATIONS)
    assert basis.measured_set("vllm-custom/nvlink-hopper") == "vLLM custom all-reduce, NVLink Hopper"
    assert basis.measured_set("deepep/ib") == "DeepEP InfiniBand"


def test_a_warning_names_the_algorithm_as_the_answer_does(visit):
    """What nobody measured is warned of by the name of its algorithm, not by the program's id."""
    app = visit("collectives", domains=4, sharp="true")
    texts = [box.value for box in app.warning]
    assert any(text.startswith("NVLS with SHARP: no measurement") for text in texts), texts


def test_a_warning_names_the_library_and_the_collective_by_their_names(visit):
    """A library without such a collective is told as the list of libraries calls it, not by its id."""
    app = visit("collectives", collective="all_to_all", implementation="mscclpp")
    texts = [box.value for box in app.warning]

    assert any("MSCCL++" in text and "priced as NCCL" in text for text in texts), texts
    assert not any("mscclpp" in text or "all_to_all" in text for text in texts), texts
