"""Every page: it opens clean and for everyone, on a desk, a phone and paper; an address opens its question."""

from pages.ui.shared.navigation import SECTIONS
from tests.browser.entries import FIELDS, look, seen, shown
from tests.browser.opened import FILES, PHONE, TITLES, Opened
from tests.browser.visitor import Visitor

PAGES = [page.name for pages in SECTIONS.values() for page in pages]
EDITS = {
    "bandwidth_hierarchy": ("copy_size", "1 TB"),
    "collectives": ("size", "64 KiB"),
    "tensor_parallel": ("tokens", "512"),
    "gradient_sync": ("accumulation", "8"),
}
"""By page, the field that is edited and its value."""


def edit(visitor, name):
    """Another value in a field of the page, the first where none is named; where it has none, nothing."""
    key, value = EDITS.get(name, ("", ""))
    field = visitor.field(key) if key else visitor.page.locator(FIELDS).first
    if not field.count():
        return
    before, answer = visitor.page.url, look(visitor)[1]
    value = value or another(field.input_value())
    field.fill(value)
    field.press("Enter")
    visitor.page.wait_for_function("before => location.href !== before", arg=before)
    if key:
        other = "answer => document.querySelector('.st-key-headline').innerText !== answer"
        visitor.page.wait_for_function(other, arg=answer)


def another(value):
    """A value that differs: a number doubled, a small message, or a number."""
    return str(2 * int(value)) if value.isdigit() else "64 KiB" if "B" in value else "4"


def steps(entries):
    """The entries that Back is followed to, the last first: where ``EDITS`` names a page both of it, else what it came to."""
    edited = {f"/{name}" for name in EDITS}
    last = len(entries) - 1
    return [
        place
        for place in reversed(range(last))
        if place == 0
        or any(page in entries[place][0] for page in edited)
        or entries[place + 1][0].split("?")[0] != entries[place][0].split("?")[0]
    ]


def walked(visitor):
    """
    A walk by the menu over every page with an edit on each: the entries of the history that it made.

    What is wrong with a page is raised at the end, of all pages together.
    """
    entries, problems = [seen(visitor)], Opened(visitor, "home").judge()
    for name in PAGES:
        visitor.go(name)
        problems += Opened(visitor, name).judge()
        entries.append(look(visitor))
        edit(visitor, name)
        if visitor.page.url != entries[-1][0]:
            entries.append(seen(visitor))
    if problems:
        told = f"{len(problems)} checks of {1 + len(PAGES)} pages"
        raise ExceptionGroup(told, problems)
    return entries


def test_every_page_opens_clean_and_back_opens_its_question(visit, context, server):
    """
    A walk by the menu with an edit on each page, then Back from page to page, with a reload in the middle.

    Every page shows its title and, named and in sight, all parts of the question, on a desk, on a phone, in light and
    dark and on paper (`tests/browser/opened.py`). Every entry shows the address, the answer and the inputs that it
    showed before, and there is no other; an edit of ``EDITS`` gives another answer. A page left and found again by the
    menu asks its own question. Another tab, on a phone, is opened by the address alone.
    """
    visitor = visit()
    page = visitor.page
    page.emulate_media(color_scheme="light")
    entries = walked(visitor)

    assert len({entry[0] for entry in entries}) == len(entries)
    edited = next(entry for entry in entries if "/collectives?" in entry[0])
    visitor.walk("collectives")
    found = seen(visitor)
    assert found[1:] == edited[1:]
    assert "size=64+KiB" in found[0]
    page.go_back()
    assert shown(visitor, entries[-1]) == entries[-1]

    place = len(entries) - 1
    for target in steps(entries):
        if place > len(entries) // 2 >= target:
            page.reload()
            assert shown(visitor, entries[place]) == entries[place]
        page.evaluate("steps => history.go(steps)", target - place)
        place = target
        assert shown(visitor, entries[place]) == entries[place]
    page.go_forward()
    assert shown(visitor, entries[1]) == entries[1]

    tab = Visitor(context, server, viewport=PHONE)
    for entry in (entries[2], entries[6]):
        tab.open(entry[0].removeprefix(f"{server}/"))
        assert seen(tab) == entry
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    tab.leave()


def test_every_page_of_the_menu_is_opened():
    """No page is left out because its heading is written otherwise, or because no menu names it."""
    assert len(TITLES) == len(FILES) - 1  # shell.py draws the frame
    assert set(TITLES) == {"home", *PAGES}
