"""What a run leaves as it was is not drawn anew, and the page says what it says where Streamlit draws all of it."""

from contextlib import contextmanager
from pathlib import Path

from tests.browser.visitor import Visitor

COUNT = Path(__file__).parents[1] / "bench/ui/redrawn.js"
COMPONENTS = "commits.reduce((sum, [, count]) => sum + count, 0)"
SEEN = """() => [document.querySelector('.stMain').innerText, ...[...document.querySelectorAll('.stMain input')].map(
    field => field.value), ...[...document.querySelectorAll('[data-stale="true"]')].map(item => item.innerText)]"""
"""Words, values of fields, and what still looks out of date."""
ALL = """for (const [name, plain] of [['wirespeedUnchanged', component => component], ['wirespeedTold', () => true]])
    Object.defineProperty(window, name, {get: () => plain, set() {}});"""
"""Streamlit's way: every component stands for itself, and each container is told of the run."""
MOST = 0.75


@contextmanager
def window(context, server, *scripts):
    """Collectives in a window that counts what it draws, these scripts before all others."""
    visitor = Visitor(context, server)
    visitor.page.add_init_script(path=COUNT)
    for script in scripts:
        visitor.page.add_init_script(script)
    visitor.open("collectives?ranks=8")
    yield visitor
    visitor.leave()


def told(visitor):
    """What the page shows after each of a reader's steps, and how much an edit drew."""
    visitor.enter("ranks", "4")
    visitor.enter("ranks", "6")
    drawn = visitor.page.evaluate(COMPONENTS)
    steps = [visitor.page.evaluate(SEEN)]
    visitor.choose("collective", "All-gather")
    steps.append(visitor.page.evaluate(SEEN))
    visitor.page.get_by_text("Numbers, formula and sources").click()
    visitor.reads("Message size")
    visitor.page.get_by_text("Time breakdown", exact=True).click()
    visitor.settle()
    steps.append(visitor.page.evaluate(SEEN))
    visitor.page.get_by_role("button", name="Undo").click()
    visitor.settle()
    steps.append(visitor.page.evaluate(SEEN))
    visitor.walk("kv_transfer")
    steps.append(visitor.page.evaluate(SEEN))
    return drawn, steps


def test_an_edit_draws_what_it_changes_and_the_page_says_the_same(context, server):
    """After edits, a list, a section, opened numbers, Undo and another page; an edit draws far fewer components."""
    with window(context, server) as visitor:
        drawn, steps = told(visitor)
    with window(context, server, ALL) as visitor:
        all_drawn, expected = told(visitor)

    assert steps == expected
    assert drawn < MOST * all_drawn
