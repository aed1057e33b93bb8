"""Every page: it opens clean and for everyone, on a desk, a phone and paper; an address opens its question."""

from urllib.parse import urlparse

from pages.ui.shared.navigation import SECTIONS
from tests.browser.entries import FIELDS, look, seen, shown
from tests.browser.opened import FILES, PHONE, TITLES, Opened, noted
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


def walked(visitor):
    """A walk by the menu over every page with an edit on each: the entries of the history that it made, and what is wrong."""
    entries, problems = [seen(visitor)], Opened(visitor, "home").judge()
    for name in PAGES:
        with noted(problems, f"the walk to {name}"):
            visitor.go(name)
            problems += Opened(visitor, name).judge()
            entries.append(look(visitor))
            edit(visitor, name)
            if visitor.page.url != entries[-1][0]:
                entries.append(seen(visitor))
    return entries, problems


def back(visitor, entries):
    """Back from the last entry to the first with a reload in the middle, then Forward: each is shown as it was."""
    page, last = visitor.page, len(entries) - 1
    assert len({entry[0] for entry in entries}) == len(entries)
    for place in reversed(range(last)):
        page.go_back()
        assert shown(visitor, entries[place]) == entries[place]
        if place == last // 2:
            page.reload()
            assert shown(visitor, entries[place]) == entries[place]
    page.go_forward()
    assert shown(visitor, entries[1]) == entries[1]


def opened_by_address(tab, entries, problems):
    """A window of its own, on a phone: the last entry of every page is shown by its address alone, and has its place."""
    for entry in {entry[0].partition("?")[0]: entry for entry in entries}.values():
        name = urlparse(entry[0]).path.strip("/") or "home"
        with noted(problems, f"the page {name} by its address"):
            tab.open(entry[0].removeprefix(f"{tab.server}/"))
            assert shown(tab, entry) == entry
        with noted(problems, f"the page {name} on a phone"):
            Opened(tab, name).on_a_phone()


def test_every_page_opens_clean_and_back_opens_its_question(visit, context, server):
    """
    A walk by the menu with an edit on each page, then Back from entry to entry, with a reload in the middle.

    Every page shows its title, on a desk, in light and dark and on paper (`tests/browser/opened.py`). Every entry shows
    the address, the answer and the inputs that it showed before, and there is no other; an edit of ``EDITS`` gives
    another answer. In another window, on a phone, the address alone opens the question of every page, with all its parts
    named and in sight. What fails of one of these hides nothing of the others.
    """
    visitor = visit()
    visitor.page.emulate_media(color_scheme="light")
    entries, problems = walked(visitor)
    with noted(problems, "Back"):
        back(visitor, entries)
    tab = Visitor(context, server, viewport=PHONE)
    opened_by_address(tab, entries, problems)
    with noted(problems, "opening by address"):
        tab.leave()
    if problems:
        told = f"{len(problems)} checks of {1 + len(PAGES)} pages"
        raise ExceptionGroup(told, problems)


def test_every_page_of_the_menu_is_opened():
    """No page is left out because its heading is written otherwise, or because no menu names it."""
    assert len(TITLES) == len(FILES) - 1  # shell.py draws the frame
    assert set(TITLES) == {"home", *PAGES}
