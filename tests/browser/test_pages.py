"""What a visitor meets: every page opens clean and for everyone, a deep link opens its page, a phone shows the answer."""

import io
import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from pages.ui.shared.question.uses import USES
from tests.browser import accessibility
from tests.browser.visitor import Visitor

TITLE = re.compile(r'^st\.title\("(.+)"\)', re.MULTILINE)
FILES = sorted((Path(__file__).parents[2] / "pages").glob("[a-z]*.py"))
PAGES = {
    "" if file.stem == "home" else file.stem: title[1]
    for file in FILES
    if (title := TITLE.search(file.read_text()))
}
"""Heading of each page by its path, as its file gives it."""
THEMES = {"light": "rgb(255, 255, 255)", "dark": "rgb(16, 21, 28)"}
"""Colour of the page in each theme."""
COLOURED = """colour =>
    getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor === colour"""
BAR = ["System", "Rates", "Software", "Model", "Training", "Serving"]
ANSWERING = ("scenarios", "kv_transfer")


PHONE_MENU = '[data-testid="stSidebarNavItems"]'
"""The menu of a narrow window; a busy browser takes a moment to draw that of a wide one."""
FIGURES = '[data-testid="stGrid"]:has([data-testid="stMetric"]):visible'
COLUMNS = "grids => grids.map(grid => getComputedStyle(grid).gridTemplateColumns.split(' ').length)"


PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
EMPTY = "about:blank"


@pytest.fixture(scope="module")
def window(context, server):
    """A window that goes from address to address: it has read the pages' code."""
    visitor = Visitor(context, server, viewport=PHONE)
    yield visitor
    visitor.page.close()


@pytest.fixture
def phone(window):
    """The window on a phone by day; at the end, the page left, nothing has gone wrong in it."""
    window.page.set_viewport_size(PHONE)
    window.page.emulate_media(media="screen", color_scheme="light")
    yield window
    window.page.goto(EMPTY)
    try:
        window.judge()
    finally:  # told once; what comes after this is the next test's to tell
        window.errors.clear()
        window.hosts.clear()


def wide(page):
    """Pixels that a page takes from side to side."""
    return page.evaluate("document.documentElement.scrollWidth")


@pytest.mark.parametrize("path", PAGES)
def test_page_opens_clean_on_a_phone_and_on_a_desk(phone, path):
    """
    Every page shows its title and, named and in sight, all parts of the question.

    It contacts no host but ours, asks for nothing that is not there, never scrolls sideways, has its figures
    in pairs on a phone, and axe finds nothing grave in light or dark. It prints across the sheet, where wide tables fit.
    """
    visitor = phone
    page = visitor.open(path)

    assert page.locator("h1").first.inner_text() == PAGES[path]
    assert page.locator('[data-testid="stException"]').count() == 0
    if path in ANSWERING:
        assert len(visitor.headline.inner_text()) > 40
        assert page.get_by_role("button", name="Download as PNG").count() == 0  # Export's has a title
    assert wide(page) <= 390
    assert set(page.locator(FIGURES).evaluate_all(COLUMNS)) <= {2}
    parts = page.locator(".st-key-question [data-testid=stPopoverButton]").all()
    assert [part.inner_text().split()[0] for part in parts] == (BAR if path in USES else [])
    assert all(part.bounding_box()["x"] + part.bounding_box()["width"] <= 390 for part in parts)
    page.set_viewport_size(DESK)
    page.locator(PHONE_MENU).wait_for(state="detached")
    visitor.settle()
    assert page.locator("h1").first.is_visible()
    assert wide(page) <= 1280
    for theme, rules in (("light", None), ("dark", accessibility.COLOURS)):
        page.emulate_media(color_scheme=theme)
        page.wait_for_function(COLOURED, arg=THEMES[theme])
        visitor.settle()
        assert accessibility.findings(page, rules) == []
    if path in ANSWERING:
        page.emulate_media(media="print")
        assert page.locator('[data-testid="stHeader"]').is_hidden()
        assert page.locator('[data-testid="stSelectbox"]').first.is_hidden()
        assert visitor.headline.is_visible()
        sheet = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages[0].mediabox
        assert sheet.width > sheet.height


def test_a_cold_deep_link_opens_its_page(visit_fresh):
    """The first session of a fresh server may ask for any page, and gets that page at once."""
    page = visit_fresh("nvl72").page

    assert page.locator("h1").first.inner_text() == PAGES["nvl72"]
    assert page.get_by_text("Page not found").count() == 0


def test_every_page_of_the_menu_is_opened():
    """No page is left out because its heading is written otherwise."""
    assert len(PAGES) == len(FILES) - 1  # shell.py draws the frame
