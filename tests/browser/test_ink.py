"""Charts in a window: words in the ink of the theme that the page has now."""

from pages.ui.shared import palette
from tests.browser.opened import COLOURED, THEMES

INK = """() => [...new Set([...document.querySelectorAll('[data-testid="stVegaLiteChart"] svg text')].map(
    text => getComputedStyle(text).fill))].sort()"""


def rgb(colour):
    """A colour as a browser computes it."""
    return f"rgb({', '.join(str(int(colour[place : place + 2], 16)) for place in (1, 3, 5))})"


def test_words_of_charts_follow_the_theme_of_a_page_that_stands(visit):
    """Light, dark, a run in the dark, and light again: each time the ink of that theme alone."""
    visitor = visit()
    page = visitor.page

    def ink(theme):
        page.emulate_media(color_scheme=theme)
        page.wait_for_function(COLOURED, arg=THEMES[theme])
        visitor.settle()
        return page.evaluate(INK)

    page.emulate_media(color_scheme="light")
    visitor.open("collectives?ranks=8")
    light, dark = (sorted(map(rgb, colours)) for colours in (palette.ON_DARK, palette.ON_DARK.values()))

    assert ink("light") == light
    assert ink("dark") == dark
    visitor.enter("ranks", "4")
    assert ink("dark") == dark
    assert ink("light") == light
