"""Numbers at the edge of what a float holds, in the fields of every calculator: a line of text, or an answer."""

import re

import pytest

FIELDS = (
    *(
        "own_gbps",
        "own_latency_us",
        "own_nic_gbps",
        "latency_us",
        "efficiency",
        "oversubscription",
        "overlap",
    ),
    *("mfu", "hbm_efficiency", "tpot_ms", "serving_usd", "usd", "grad_bytes", "param_bytes", "backward_ms"),
    *(
        "sync_overlap",
        "bucket_mb",
        "spread",
        "percentile",
        "roce_payload",
        "ib_cost_factor",
        "usable",
        "hbm_gb",
    ),
    *("reserve_gb", "memory_us", "scale_up_us", "host_us", "network_us", "host_memory_gbps"),
)
PAGES = ("bandwidth_hierarchy", "collectives", "tensor_parallel", "gradient_sync", "nvl72", "training")
BEYOND = re.compile(r"(?<![\w.-])(inf|nan)(?![\w-])")


@pytest.mark.parametrize("name", PAGES)
def test_the_smallest_number_in_every_field_makes_no_box_and_no_infinity(visit, headline, name):
    """The smallest float is above zero and divides to infinity: it is reported or answered, never drawn."""
    app = visit(name, system="yours", **dict.fromkeys(FIELDS, "1e-320"))

    assert not app.exception
    assert not BEYOND.search(headline(app))
    assert app.warning or headline(app)
