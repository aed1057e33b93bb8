"""Parallelism layouts where a GPU makes less than one token a second, and where one row is compared."""

from pages.ui.layouts import specs


def test_less_than_a_token_a_second_is_not_said_to_be_none(visit, headline):
    """32 requests on 4,096 GPUs: a fraction of a token/s per GPU is written with its digits, not as 0."""
    app = visit("layouts", goal="throughput", gpus=4096, model="llama-3.1-405b", requests=32)
    ranked = next(table.value for table in app.dataframe if "tokens/s/GPU" in table.value)
    card = next(item.value for item in app.metric if item.label == "Tokens/s/GPU")

    assert 0 < float(card) < 1
    assert f"{card} tokens/s per GPU" in headline(app)
    assert ranked["tokens/s/GPU"].iloc[0] == float(card)


def test_each_row_of_the_interconnect_map_has_its_height():
    """Labels and legend take their space beside the cells: a map of one row is as legible as one of four."""
    assert [specs.placement(kinds)["height"] for kinds in (1, 4)] == [specs.ROW, 4 * specs.ROW]
    assert specs.placement(1)["autosize"]["type"] == "fit-x"
