"""Panels and tabs by hand: the focus goes where the reader looks, the address says what is open."""

import re
from urllib.parse import urlencode, urlparse

from tests.browser.opened import PHONE, TALL, TALLEST, sideways

TAB = re.compile(r"tab=What\+if\+PCIe")
SWEEP = re.compile("tab=Sweep")


def panel_has_focus(visitor):
    """Wait until the focus stands in the open panel."""
    inside = "() => !!document.activeElement.closest('[data-testid=\"stPopoverBody\"]')"
    visitor.page.wait_for_function(inside)


def test_the_open_tab_is_in_the_address_and_a_panel_takes_the_focus(visit):
    """
    A tab is an entry of the history and part of the full link, after a reload and on the way back too.

    A part of the question opened by keyboard holds the focus; Tab behind its last field closes it and goes on to
    the next part, Shift+Tab before its first leads back to its button.
    """
    visitor = visit("tensor_parallel?tp=4")
    page = visitor.page
    first, second = (page.get_by_role("radio", name=name) for name in ("Every degree", "What if PCIe?"))
    page.get_by_role("radio", name="Sweep").click()
    page.wait_for_url(SWEEP)
    second.click()  # at once: each section that was opened is an entry
    page.wait_for_url(TAB)
    page.reload()
    visitor.settle()
    assert second.get_attribute("aria-checked") == "true"
    page.get_by_role("button", name="Copy full link").press("Enter")
    assert TAB.search(page.locator('[data-testid="stCode"]').last.inner_text())
    panel_has_focus(visitor)
    page.keyboard.press("Escape")

    page.go_back()
    page.wait_for_url(SWEEP)
    page.go_back()
    page.wait_for_url("**/tensor_parallel?tp=4")
    visitor.settle()
    assert first.get_attribute("aria-checked") == "true"
    page.go_forward()
    page.go_forward()
    page.wait_for_url(TAB)
    visitor.settle()
    assert second.get_attribute("aria-checked") == "true"

    panel = page.locator('[data-testid="stPopoverBody"]')
    system, rates = (page.locator(f".st-key-_question_{part} button").first for part in ("system", "rates"))
    system.press("Enter")
    panel_has_focus(visitor)
    page.keyboard.press("Shift+Tab")
    panel.wait_for(state="detached")
    assert system.evaluate("button => button === document.activeElement")
    system.press("Enter")
    panel_has_focus(visitor)
    visitor.tab_to(rates)
    panel.wait_for(state="detached")


def test_on_a_phone_the_open_section_is_named_in_sight(visit):
    """
    A link to a section far in the row shows its title, with a focus ring that is whole; its wide map scrolls within itself.

    The section takes the room of the page's own charts, which come back with the first one.
    """
    visitor = visit("tensor_parallel?tab=Sweep", viewport=PHONE)
    title = visitor.page.get_by_role("radio", name="Sweep")
    assert title.get_attribute("aria-checked") == "true"
    box = title.bounding_box()
    assert 0 <= box["x"] <= PHONE["width"] - box["width"]
    assert sideways(visitor.page) == 0
    assert visitor.page.evaluate(TALL) <= TALLEST
    own_chart = visitor.page.locator("h3", has_text="Step time vs TP degree")
    assert own_chart.count() == 1
    assert own_chart.is_hidden()
    assert visitor.page.get_by_text("The page's own charts: under Every degree.").is_visible()
    title.press("Shift")  # the ring is for the keyboard
    assert "inset" in title.evaluate("title => getComputedStyle(title).boxShadow")


def test_numbers_and_sources_come_once_they_are_opened(visit):
    """By keyboard; an edit leaves them open and changes them, without a reload. Messages came several in a frame."""
    visitor = visit("collectives?ranks=4")
    assert visitor.page.evaluate("runs.joined > 0")
    folded = visitor.page.locator(".st-key-numbers")
    formula = folded.locator(".katex-display")
    assert not formula.count()

    folded.locator("summary").press("Enter")
    formula.first.wait_for()
    folded.get_by_text("Sources", exact=True).wait_for()
    visitor.settle()
    before = folded.inner_text()
    visitor.enter("ranks", "8")
    visitor.settle()
    assert formula.count()
    assert folded.inner_text() != before
    assert folded.locator("details").get_attribute("open") is not None


def test_what_is_open_is_in_the_address(visit):
    """An opened panel of inputs and the numbers are entries: a reload keeps them, Back closes them, another page begins closed."""
    visitor = visit("tensor_parallel")
    page, opened = visitor.page, visitor.page.locator("details[open]")
    for title, key in (
        ("Latency target and price", "target_price"),
        ("Numbers, formula and sources", "numbers"),
    ):
        page.get_by_text(title).first.click()
        page.wait_for_url(f"**{key}=true*")
        visitor.settle()
    page.reload()
    page.locator(".st-key-numbers .katex-display").first.wait_for()
    visitor.settle()
    assert opened.count() == 2
    visitor.walk("training")
    assert opened.count() == 0

    for left in (2, 1, 0):
        page.go_back()
        page.wait_for_function("left => document.querySelectorAll('details[open]').length === left", arg=left)
        visitor.settle()
    assert urlparse(page.url).query == ""


CUT = """() => [
    ...[...document.querySelectorAll(':is([data-testid="stMetricDelta"], [data-testid="stMetricValue"], [data-testid="stPageLink"]) *')]
        .filter(part => part.clientWidth && part.scrollWidth > part.clientWidth),
    ...[...document.querySelectorAll('[data-testid="stVegaLiteChart"] svg text')]
        .filter(text => text.getBoundingClientRect().right > text.closest('svg').getBoundingClientRect().right),
].map(part => part.textContent)"""
"""Values and changes in a card, links to pages, and words of a chart, of which a part is out of sight."""


def test_on_a_phone_a_comparison_is_read_whole(visit):
    """Changes against A stand whole in cards of half the width, and amounts whole beside their bars."""
    sides = {letter: f"tensor_parallel?requests={requests}" for letter, requests in (("a", 48), ("b", 256))}
    visitor = visit(f"scenarios?{urlencode(sides)}", viewport=PHONE)
    assert "% against A" in visitor.page.locator('[data-testid="stMetricDelta"]').inner_text()
    assert visitor.page.evaluate(CUT) == []


def test_on_a_phone_figures_and_links_are_read_whole(visit):
    """The name of an algorithm in a card of half the width, and the longest name of a page on Home, take two lines."""
    visitor = visit("collectives?domains=4&sharp=true", viewport=PHONE)
    assert "NVLS with SHARP" in visitor.page.locator('[data-testid="stMetricValue"]').all_inner_texts()[1]
    assert visitor.page.evaluate(CUT) == []
    visitor.open()
    assert visitor.page.evaluate(CUT) == []
