"""Every page: it opens clean and for everyone, on a desk, a phone and paper; an address opens its question."""

from urllib.parse import urlparse

import pytest

from pages.ui.shared.navigation import SECTIONS
from tests.browser.entries import FIELDS, look, seen, shown
from tests.browser.opened import FILES, TITLES, Opened, noted, on_a_phone_by_night

PAGES = [page.name for pages in SECTIONS.values() for page in pages]
EDITS = {
    "bandwidth_hierarchy": ("copy_size", "1 TB"),
    "collectives": ("size", "64 KiB"),
    "tensor_parallel": ("tokens", "512"),
    "gradient_sync": ("accumulation", "8"),
}
"""By page, the field that is edited and its value."""
EDITED = (*EDITS, "layouts", "scenarios")


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


def walked(visitor, edited):
    """A walk by the menu over every page with edits: the entries of the history that it made, and what is wrong."""
    entries, problems = [seen(visitor)], Opened(visitor, "home").judge()
    for name in PAGES:
        with noted(problems, f"the walk to {name}"):
            visitor.go(name)
            problems += Opened(visitor, name).judge()
            entries.append(look(visitor))
            if name in edited:
                edit(visitor, name)
            if visitor.page.url != entries[-1][0]:
                entries.append(seen(visitor))
    return entries, problems


def back(visitor, entries):
    """
    Back from the last entry to the first with a reload in the middle, then Forward: each is shown as it was.

    What is wrong with their pages on a phone by night.
    """
    page, last, problems = visitor.page, len(entries) - 1, []
    assert len({entry[0] for entry in entries}) == len(entries)
    visited = set()
    for place in reversed(range(last + 1)):
        if place < last:
            page.go_back()
        assert shown(visitor, entries[place]) == entries[place]
        if place == last // 2:
            page.reload()
            assert shown(visitor, entries[place]) == entries[place]
        name = urlparse(page.url).path.strip("/") or "home"
        if name not in visited:
            visited.add(name)
            problems += Opened(visitor, name).judge_on_a_phone_by_night()
    page.go_forward()
    assert shown(visitor, entries[1]) == entries[1]
    return problems


@pytest.mark.parametrize("edited", [EDITED, pytest.param(PAGES, marks=pytest.mark.slow)], ids=["some", "all"])
def test_every_page_opens_clean_and_back_opens_its_question(visit, edited):
    """
    A walk by the menu with edits of some pages (of all in `make soak`), then Back from entry to entry, with a reload in the middle.

    Every page shows its title, on a desk by day and on paper, and on the way back on a phone in the dark, with all
    parts of the question named and in sight (`tests/browser/opened.py`). Every entry shows the address, the answer and
    the inputs that it showed before, and there is no other; an edit of ``EDITS`` gives another answer. What fails of one
    of these hides nothing of the others. That the address alone opens the question of each page: `tests/pages/test_address.py`.
    """
    visitor = visit()
    visitor.page.emulate_media(color_scheme="light")
    entries, problems = walked(visitor, edited)
    with noted(problems, "Back"), on_a_phone_by_night(visitor):
        problems += back(visitor, entries)
    if problems:
        told = f"{len(problems)} checks of {1 + len(PAGES)} pages"
        raise ExceptionGroup(told, problems)


def test_every_page_of_the_menu_is_opened():
    """No page is left out because its heading is written otherwise, or because no menu names it."""
    assert len(TITLES) == len(FILES) - 1  # shell.py draws the frame
    assert set(TITLES) == {"home", *PAGES}
