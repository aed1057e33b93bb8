"""The page Collectives about dispatch and combine of MoE layers."""

import json

import pytest

from core.shell.main import main
from core.units import format_time
from pages.ui.shared import names
from tests.pages.test_calculators import metric


@pytest.mark.parametrize(
    ("inputs", "options"),
    [
        ({"collective": "moe_dispatch"}, ["--collective", "moe_dispatch"]),
        (
            {
                "domains": 4,
                "collective": "moe_dispatch",
                "library": "deepep-low-latency",
                "library_version": "1.1",
                "tokens": 128,
            },
            [
                *("--domains", "4", "--collective", "moe_dispatch", "--library", "deepep-low-latency"),
                *("--library-version", "1.1", "--tokens", "128"),
            ],
        ),
        (
            {
                "system": "gb200-nvl72",
                "ranks": 64,
                "collective": "moe_combine",
                "tokens": 64,
                "library": "trtllm-two-sided",
                "routing": "balanced",
                "token_format": "bf16",
            },
            [
                *(
                    "--system",
                    "gb200-nvl72",
                    "--ranks",
                    "64",
                    "--collective",
                    "moe_combine",
                    "--tokens",
                    "64",
                ),
                *("--library", "trtllm-two-sided", "--routing", "balanced", "--token-format", "bf16"),
            ],
        ),
    ],
)
def test_an_exchange_takes_the_same_time_on_the_page_and_in_the_shell(visit, capsys, inputs, options):
    """One question, one answer; every library that runs there is named beside it."""
    app = visit("collectives", **inputs)
    assert main(["collective", *options, "--json"]) == 0
    reply = json.loads(capsys.readouterr().out)

    assert not app.exception
    assert metric(app, "Time") == format_time(reply["time_s"])
    assert metric(app, "Library") == names.library(reply["library"])
    assert reply["library_version"] == inputs.get("library_version")
    assert len(reply["libraries"]) >= 7


@pytest.mark.parametrize(
    "inputs",
    [{"experts": 4, "topk": 2}, {"topk": 300}, {"library": "trtllm-one-sided", "domains": 2}],
)
def test_an_exchange_that_cannot_be_is_explained(visit, inputs):
    """Fewer experts than GPUs or than a token takes, or a library of one domain on two: a sentence, no traceback."""
    app = visit("collectives", collective="moe_dispatch", **inputs)

    assert not app.exception
    assert app.warning


def test_nvls_off_is_slower(visit):
    """Without the switches' help eight H100 take longer for the same all-reduce."""
    usual, off = (metric(visit("collectives", nvls=word), "Algorithm") for word in ("auto", "off"))
    assert (usual, off) == ("NVLS", "ring")
