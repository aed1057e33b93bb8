"""What holds for every page: it opens, answers, draws, explains what cannot be, and keeps its link."""

import re
import sys
from urllib.parse import parse_qs, urlparse

import pytest

from tests.pages.charts import drawn

CALCULATORS = ("bandwidth_hierarchy", "collectives", "tensor_parallel", "gradient_sync", "nvl72")
ALL = ("home", *CALCULATORS, "catalog", "measurements", "check", "my_cluster", "compare", "topology")
BARE_DOLLAR = re.compile(r"(?<!\\)\$")
IMPOSSIBLE = {
    "bandwidth_hierarchy": ({"copy_size": "many"}, "size"),
    "collectives": ({"ranks": 9999}, "GPUs: "),
    "tensor_parallel": ({"tp": 7}, "divide"),
    "gradient_sync": ({"dp_ranks": 9999}, "ranks"),
    "nvl72": ({"rack_gpus": 9999}, "GPUs: "),
}


@pytest.mark.parametrize("name", ALL)
def test_a_page_opens_answers_and_names_what_it_draws(visit, headline, name):
    """
    Every page runs from its first to its last line without an exception.

    Every calculator answers in a sentence above everything else. A chart says in words what it shows, with its
    figures, and each quantitative axis what it measures.
    """
    app = visit(name)

    assert not app.exception
    assert app.title
    if name not in (*CALCULATORS, "catalog"):
        return
    assert len(headline(app)) > 40
    charts = drawn(app)
    assert charts
    for chart in charts:
        assert any(letter.isdigit() for letter in chart.words), chart.words
        for channel, encoding in encodings(chart.spec):
            if channel in ("x", "y") and encoding.get("type") == "quantitative" and "title" in encoding:
                assert encoding["title"]


def encodings(spec):
    """Every (channel, definition) of a chart and its layers."""
    yield from spec.get("encoding", {}).items()
    for layer in spec.get("layer", []):
        yield from encodings(layer)


@pytest.mark.parametrize("name", ["cost", "tensor_parallel"])
def test_the_dollars_of_a_help_make_no_formula(visit, name):
    """Where a figure's help tells two amounts or more, each dollar sign is escaped: bare ones would enclose a formula."""
    helps = [figure.help for figure in visit(name, serving_usd=3).metric]

    assert any(text.count("$") > 1 for text in helps)
    assert not [text for text in helps if len(BARE_DOLLAR.findall(text)) > 1]


@pytest.mark.parametrize("name", CALCULATORS)
@pytest.mark.parametrize("rates", ["published", "yours"])
def test_rates_come_from_one_list(visit, headline, name, rates):
    """Each calculator answers with published rates and the reader's, as with calibrated and datasheet's (`test_badges`)."""
    app = visit(name, rates=rates)

    assert not app.exception
    assert headline(app)


@pytest.mark.parametrize("name", CALCULATORS)
def test_what_cannot_be_is_explained(visit, name):
    """A bad combination is one warning that names what is wrong, never a traceback."""
    query, word = IMPOSSIBLE[name]
    app = visit(name, **query)

    assert not app.exception
    assert any(word in box.value for box in app.warning)


@pytest.mark.parametrize("name", CALCULATORS)
@pytest.mark.parametrize("system", ["yours", "file"])
def test_a_machine_of_ones_own(visit, name, system):
    """A typed machine is answered and labelled custom; a file that is not there yet is asked for."""
    app = visit(name, system=system)

    assert not app.exception
    if system == "file":
        assert any("system file" in box.value for box in app.error)
    else:
        assert "custom" in [
            item.value.split("[")[-1].rstrip("]") for item in app.markdown if "badge" in item.value
        ]


@pytest.mark.parametrize("name", CALCULATORS)
def test_the_full_link_spells_every_input(visit, headline, name):
    """The link to copy holds the model version and every input, defaults too; it opens the same answer."""
    app = visit(name)
    link = next(item.value for item in app.code if "v=" in item.value)
    query = parse_qs(urlparse(link).query)

    assert query["v"]
    assert query["rates"] == ["calibrated"]
    assert query["domains"] == ["1"]
    again = visit(name, **{key: value if len(value) > 1 else value[0] for key, value in query.items()})
    assert not again.exception
    assert headline(again) == headline(app)


def test_pages_live_under_one_name(visit):
    """No second copy of the shared modules is imported beside `pages.ui`."""
    visit("collectives")

    assert "pages.ui.shared.charts" in sys.modules
    assert "ui" not in sys.modules
