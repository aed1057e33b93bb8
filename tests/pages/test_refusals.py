"""Refusals of the pages call an input what its field is called."""

import pytest

from core.catalog import system
from core.checks import InputError
from core.parallel.grow import grow_to
from pages.ui.shared.messages import refusal


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        ("tp: at most the 8 GPUs", "TP: at most the 8 GPUs"),
        ("gpus: no layout fits", "GPUs: no layout fits"),
        ("global_batch: a whole number", "Global batch: a whole number"),
        ("name: there is a project 'alpha' already", "Name: there is a project 'alpha' already"),
        ("No run is stored", "No run is stored"),
    ],
)
def test_a_refusal_names_the_field(problem, told):
    """Names of arguments in core are for the shell and for programs; a page says what its fields say."""
    assert refusal(InputError(problem)) == told


def test_too_many_gpus_are_refused_as_gpus():
    """A billion GPUs of eight to a domain: the number typed is named, not the domains it would fill."""
    with pytest.raises(InputError, match="gpus: at most 8,000,000 of DGX H100, not 1,000,000,000"):
        grow_to(system("dgx-h100"), 10**9)


@pytest.mark.parametrize("page", ["layouts", "tensor_parallel"])
def test_a_page_refuses_in_its_own_words(visit, page):
    """TP16 on eight GPUs, or a billion GPUs: the refusal begins with a field of the page."""
    query = {"layouts": {"gpus": 10**9}, "tensor_parallel": {"tp": 16, "domains": 1}}[page]
    app = visit(page, system="dgx-h100", **query)
    texts = [box.value for box in (*app.warning, *app.error)]

    assert not app.exception
    assert any(text.startswith(("GPUs: ", "TP: ")) for text in texts), texts


def test_a_decode_step_of_no_requests_is_refused(visit):
    """None is not answered as one; a prompt needs none."""
    decode, prefill = (visit("tensor_parallel", requests=0, phase=phase) for phase in ("decode", "prefill"))

    assert any("Concurrent requests: a decode step has at least one" in box.value for box in decode.warning)
    assert not prefill.warning
