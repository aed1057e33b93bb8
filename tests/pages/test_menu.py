"""The navigation lists every page in every run."""

from pages.ui.shared import menu
from pages.ui.shared.navigation import HOME, SECTIONS


def test_each_run_has_pages_of_its_own(visit):
    """The menu has the listed pages in their order; what one run marks on them is not marked in another."""
    visit("home")
    first, second = menu.sections(), menu.sections()

    listed = [item.title for items in ({"": (HOME,)} | SECTIONS).values() for item in items]
    assert [page.title for pages in first.values() for page in pages] == listed
    first["Plan"][0]._can_be_called = True
    assert not second["Plan"][0]._can_be_called
