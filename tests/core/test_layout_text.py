"""How a layout is written, and NCCL's LL rate by nodes."""

from core.catalog.nccl_tuning import ll_most_bytes_per_s
from core.parallel.layout import Layout


def test_a_layout_names_the_degrees_above_one():
    """TP8 with two data-parallel copies; no degree of one is told."""
    text = Layout(tp=8, dp=2).text()

    assert "8" in text
    assert "PP" not in text.upper()
    assert "EP" not in text.upper()


def test_few_nodes_have_a_rate_of_their_own():
    """NCCL's table has a row entry for one node, for two or three, and for more."""
    rates = [ll_most_bytes_per_s("hopper", nodes) for nodes in (1, 2, 3, 4, 8)]

    assert rates[0] > rates[1] == rates[2] > rates[3] == rates[4]
