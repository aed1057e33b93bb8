"""The page KV cache transfer: the cache moved, offloaded or recomputed."""

import pytest

from core.calculators.capacity import transfer
from core.catalog import model, precision, system
from core.units import format_time


def rows(app):
    """The table of paths, by path."""
    table = next(table.value for table in app.dataframe if "path" in table.value)
    return table.set_index("path")


def test_moving_beats_computing_again_on_a_whole_node(visit, headline):
    """A 70B cache leaves a node faster than its prefill takes, on every path."""
    app = visit("kv_transfer")

    assert not app.exception
    assert "faster than recomputing it on every path" in headline(app)
    assert {
        "NVLink 4",
        "PCIe Gen5 x16",
        "InfiniBand NDR 4x, GPUDirect RDMA",
        "InfiniBand NDR 4x, bounce",
    } <= set(rows(app).index)


def test_the_page_shows_what_core_answers(visit):
    """Times of the table are those of the library."""
    result = transfer(model("llama-3.1-70b"), system("dgx-h100"), 32768, precision("bf16"))
    table = rows(visit("kv_transfer", context=32768))

    assert list(table["time"]) == [format_time(carried.time_s) for carried in result.carried]


def test_a_rack_offloads_over_c2c(visit):
    """Grace is reached over C2C, and over PCIe as well."""
    table = rows(visit("kv_transfer", system="gb200-nvl72"))

    assert table.loc["Grace C2C (Hopper, Blackwell)", "use"] == "offload to host memory"
    assert "NVLink 5" in table.index


@pytest.mark.parametrize("context", [1, 1_000_000])
def test_any_context_has_an_answer(visit, context):
    """One token and a million are answered."""
    assert not visit("kv_transfer", context=context).exception


def test_a_longer_context_is_a_larger_cache(visit):
    """Twice the tokens are twice the bytes."""
    app = visit("kv_transfer", context=32768)
    assert next(metric.value for metric in app.metric if metric.label == "KV cache") == "10.7 GB"
    app.number_input(key="context").set_value(65536).run()

    assert next(metric.value for metric in app.metric if metric.label == "KV cache") == "21.5 GB"


def test_a_group_that_does_not_divide_the_heads_is_explained(visit):
    """Seven GPUs cannot share 64 heads."""
    app = visit("kv_transfer", kv_gpus=7)

    assert not app.exception
    assert any("does not divide" in box.value for box in app.warning)


def test_a_machine_without_network_has_no_way_out_by_nic(visit):
    """Cards in one box offload to the host and nothing else."""
    table = rows(visit("kv_transfer", system="rtx-4090-x8", model="llama-3.1-8b"))

    assert not any("GPUDirect" in name for name in table.index)


def test_no_context_is_no_cache(visit):
    """Without a token there is nothing to move: the page says so and answers nothing else."""
    app = visit("kv_transfer", context=0)

    assert not app.exception
    assert any("Context: a whole number at least 1, not 0" in box.value for box in app.warning)


def test_one_token_is_one_token(visit, headline):
    """A context of one token has no plural."""
    assert "KV cache of 1 token of" in headline(visit("kv_transfer", context=1))
