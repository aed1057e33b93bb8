"""What an address may say: nonsense is reported and the default used, on every page and for every number."""

import re
from urllib.parse import parse_qs, urlparse

import pytest

from pages.ui.shared.navigation import SECTIONS
from pages.ui.shared.sections import TAB

PAGES = [page.name for pages in SECTIONS.values() for page in pages]
NO_NUMBERS = ("inf", "1e400", "-inf", "nan", "9e99", "many")


@pytest.mark.parametrize("name", PAGES)
def test_nonsense_is_reported_for_every_input(visit, name):
    """
    Numbers that are infinite or words, and choices without a value: a line each, never a box.

    A number that can be is used by whoever has nothing but the address, and stays there.
    """
    usual = visit(name, example="off")
    numbers = [field.key for field in usual.number_input if not field.key.startswith("_")]
    inputs = [widget.key for widget in (*usual.selectbox, *usual.button_group) if widget.key[0] != "_"]
    choices = [key for key in inputs if key != TAB]
    nonsense = {key: NO_NUMBERS[index % len(NO_NUMBERS)] for index, key in enumerate(numbers)}
    app = visit(name, **nonsense, **dict.fromkeys(choices, ""))
    reported = [box.value for box in app.warning if "The address asks for" in box.value]

    assert not app.exception
    assert len(reported) == len(numbers) + len(choices)
    assert {field.key: field.value for field in app.number_input} == {
        field.key: field.value for field in usual.number_input
    }
    assert not set(app.query_params) & {*numbers, *choices}
    if numbers:
        field = usual.number_input(key=numbers[0])
        value = another(field)
        opened = visit(name, **{field.key: value})
        assert opened.number_input(key=field.key).value == value != field.value
        assert float(opened.query_params[field.key][0]) == value


def another(field):
    """A value that a field may have and has not."""
    value = 2 * (field.value or 2)
    return value if field.max is None or value <= field.max else field.min


def test_a_whole_number_stays_whole(visit):
    """Sixty-four and a half ranks are not sixty-four."""
    app = visit("collectives", domains="8", ranks="64.5")

    assert any(re.search(r"asks for 64\.5 as Ranks", box.value) for box in app.warning)
    assert app.number_input(key="ranks").value is None
    assert visit("collectives", domains="8", ranks="64.0").number_input(key="ranks").value == 64


def test_a_field_that_stays_empty_says_what_is_used(visit):
    """What an empty field stands for is what its help says; "nothing" answers no question."""
    app = visit("collectives", ranks="abc")
    told = [box.value for box in app.warning if "asks for abc as" in box.value]

    assert [words.endswith("used instead, every GPU of the system.") for words in told] == [True], told


def test_an_unknown_id_in_a_link_is_told_with_the_closest_ones(visit):
    """A link typed by hand with a slip names three ids to take, not all of them."""
    app = visit("collectives", network="ib-nrd")
    text = next(box.value for box in app.warning if "ib-nrd" in box.value)

    assert "Closest of" in text
    assert "ib-ndr" in text.split("Closest of")[1]
    assert text.count(",") <= 4


def test_a_rejected_input_is_out_of_the_link(visit):
    """The full link holds what was used in its place."""
    app = visit("tensor_parallel", tp="inf")
    link = next(item.value for item in app.code if "v=" in item.value)

    assert parse_qs(urlparse(link).query)["tp"] == ["8"]


@pytest.mark.parametrize("said", ["", "Strategy", ["Time breakdown", "Time by algorithm"]])
def test_a_section_that_is_not_there_is_the_first(visit, said):
    """An address that names no section of the page, another page's or two opens the first and does not keep the name."""
    app = visit("collectives", **{TAB: said})

    assert not app.exception
    assert app.session_state[TAB] == "Time by algorithm"
    assert TAB not in app.query_params
