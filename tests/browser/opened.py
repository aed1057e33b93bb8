"""What holds of every page that is open in a window: on a desk and on a phone, by day and by night, and on paper."""

import io
import re
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Error

from pages.ui.shared.question.uses import USES
from tests.browser import accessibility, wording

TITLE = re.compile(r'^st\.title\("(.+)"\)', re.MULTILINE)
FILES = sorted((Path(__file__).parents[2] / "pages").glob("[a-z]*.py"))
TITLES = {file.stem: title[1] for file in FILES if (title := TITLE.search(file.read_text()))}
"""Heading of each page by its name, as its file gives it."""
THEMES = {"light": "rgb(255, 255, 255)", "dark": "rgb(16, 21, 28)"}
"""Colour of the page in each theme."""
COLOURED = """colour =>
    getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor === colour"""
BAR = ["System", "Rates", "Software", "Model", "Training", "Serving"]
PRINTED = ("scenarios", "kv_transfer")
"""Pages with an answer that are put on paper."""
UNTITLED = re.compile("Download as (PNG|CSV)")
"""Files of the toolbar: Export's have a title, and no text that a spreadsheet runs."""
PHONE = {"width": 390, "height": 844}
TALL = "() => document.querySelector('.stMain').scrollHeight"
TALLEST = 2700
"""Pixels of a page on a phone: an answer, two or three charts, and sections."""
FIGURES = '[data-testid="stGrid"]:has([data-testid="stMetric"]):visible'
COLUMNS = "grids => grids.map(grid => getComputedStyle(grid).gridTemplateColumns.split(' ').length)"
SIDEWAYS = """() => Math.max(...[document.documentElement, document.querySelector('.stMain')]
    .map(part => part.scrollWidth - part.clientWidth))"""
"""Pixels by which the window, or the part of it where a page stands and scrolls, has to scroll sideways."""


@contextmanager
def noted(problems, where):
    """What does not hold, or never comes, is noted with its place; what follows is checked all the same."""
    try:
        yield
    except (AssertionError, Error) as problem:
        problem.add_note(f"of {where}")
        problems.append(problem)


@contextmanager
def on_a_phone_by_night(visitor):
    """The window as small as a phone, in dark colours: for many pages at once, since both draw every chart anew."""
    page, wide = visitor.page, visitor.page.viewport_size
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(PHONE)
    page.wait_for_function(COLOURED, arg=THEMES["dark"])
    visitor.settle()
    yield
    page.set_viewport_size(wide)
    page.emulate_media(color_scheme="light")


def sideways(page):
    """Pixels that do not fit between the sides of the window."""
    return page.evaluate(SIDEWAYS)


class Opened:
    """The page that a window shows, and all that is wrong with it."""

    def __init__(self, visitor, name):
        self.visitor, self.page, self.name = visitor, visitor.page, name
        self.problems = []

    def judge(self):
        """Make every check of a window on a desk by day."""
        return self._all("on a desk", self.titled, self.worded, self.on_a_desk, self.on_paper, self.quiet)

    def judge_on_a_phone_by_night(self):
        """Make every check of a window that `on_a_phone_by_night` has made small and dark."""
        self.visitor.settle()
        return self._all("on a phone by night", self.on_a_phone, self.by_night, self.quiet)

    def _all(self, where, *checks):
        for check in checks:
            with noted(self.problems, f"the page {self.name} {where}"):
                check()
        return self.problems

    def titled(self):
        """It shows its title and no exception; where it is printed, its answer is said and no picture is offered."""
        assert self.page.locator("h1").first.inner_text() == TITLES[self.name]
        assert self.page.locator("h1").first.is_visible()
        assert self.page.locator('[data-testid="stException"]').count() == 0
        if self.name in PRINTED:
            assert len(self.visitor.headline.inner_text()) > 40
            assert self.page.get_by_role("button", name=UNTITLED).count() == 0

    def worded(self):
        """Its words are the field's, a size has one unit, and no label is cut short (`tests/browser/wording.py`)."""
        faults = wording.faults(self.page)
        assert not faults, faults

    def on_a_desk(self):
        """It never scrolls sideways, and axe finds nothing grave by day."""
        assert sideways(self.page) == 0
        assert self._has_colour("light")
        assert accessibility.findings(self.page) == []

    def by_night(self):
        """In dark colours axe finds nothing grave either."""
        assert self._has_colour("dark")
        assert accessibility.findings(self.page, accessibility.COLOURS) == []

    def on_a_phone(self):
        """It never scrolls sideways, is no scroll of its own, has its figures in pairs and, named and in sight, all parts of the question."""
        assert sideways(self.page) == 0
        tall = self.page.evaluate(TALL)
        assert tall <= TALLEST, f"{tall} px"
        assert set(self.page.locator(FIGURES).evaluate_all(COLUMNS)) <= {2}
        parts = self.page.locator(".st-key-question [data-testid=stPopoverButton]").all()
        assert [part.inner_text().split()[0] for part in parts] == (BAR if self.name in USES else [])
        boxes = [part.bounding_box() for part in parts]
        assert all(box["x"] + box["width"] <= PHONE["width"] for box in boxes)

    def on_paper(self):
        """It prints across the sheet, where wide tables fit, the answer and no inputs."""
        if self.name not in PRINTED:
            return
        from pypdf import PdfReader  # half a second, of collecting else

        self.page.emulate_media(media="print")
        try:
            assert self.page.locator('[data-testid="stHeader"]').is_hidden()
            assert self.page.locator('[data-testid="stSelectbox"]').first.is_hidden()
            assert self.visitor.headline.is_visible()
            sheet = PdfReader(io.BytesIO(self.page.pdf(prefer_css_page_size=True))).pages[0].mediabox
            assert sheet.width > sheet.height
        finally:
            self.page.emulate_media(media="screen")
            self.visitor.settle()

    def quiet(self):
        """It writes no error, asks for nothing that is not there, and contacts no host but ours."""
        errors = [error for error in self.visitor.errors if self.visitor.of_this_page(error)]
        self.visitor.errors.clear()  # told once; what comes after this is the next page's to tell
        assert errors == [], errors
        self.visitor.judge()

    def _has_colour(self, theme):
        return self.page.evaluate(COLOURED, THEMES[theme])
