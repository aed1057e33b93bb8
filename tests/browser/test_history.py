"""Back, Forward, reload, a second tab: an address opens its question, on every page."""

from pages.ui.shared.navigation import SECTIONS
from tests.browser.visitor import Visitor

PAGES = [page.name for pages in SECTIONS.values() for page in pages]
BOUND = '.stMain [class*="st-key-"]:not([class*="st-key-_"])'
FIELDS = ", ".join(f'{BOUND} > [data-testid="st{kind}Input"] input:visible' for kind in ("Number", "Text"))
"""The fields in sight whose values stand in the address."""
EDITS = {
    "bandwidth_hierarchy": ("copy_size", "1 TB"),
    "collectives": ("size", "64 KiB"),
    "tensor_parallel": ("tokens", "512"),
    "gradient_sync": ("accumulation", "8"),
}
"""By page, the field that is edited and its value."""
PATIENCE = 1200
"""Twentieths of a second until an entry is shown on a busy machine."""
BACK_AT_ONCE = """
    new MutationObserver((_, observer) => {
        if (!document.querySelector('[data-testid="stApp"][data-test-script-state="running"]')) return;
        observer.disconnect();
        history.back();
    }).observe(document, {subtree: true, childList: true, attributes: true});
"""
"""Back as soon as the first run has begun, before its pages are known."""


def look(visitor):
    """The address, the answer and the values of the inputs in sight."""
    page = visitor.page
    headline = page.evaluate("document.querySelector('.st-key-headline')?.innerText ?? ''")
    fields = page.locator(FIELDS).evaluate_all("fields => fields.map(field => field.value)")
    return page.url, headline, fields


def seen(visitor):
    """What is in sight once the page stands still."""
    visitor.settle()
    return look(visitor)


def shown(visitor, entry):
    """What is in sight: this entry as soon as it is, at the latest what stands still."""
    for _ in range(PATIENCE):
        if look(visitor) == entry:
            return entry
        visitor.page.wait_for_timeout(50)
    return seen(visitor)


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


def test_back_opens_the_question_of_every_page(visit, context, server):
    """
    A walk by the menu with an edit on each page, then Back step by step, with a reload in the middle.

    Every entry shows the address, the answer and the inputs that it showed before, and there is no other;
    an edit of ``EDITS`` gives another answer.
    """
    visitor = visit()
    entries = [seen(visitor)]
    for name in PAGES:
        visitor.go(name)
        entries.append(look(visitor))
        edit(visitor, name)
        if visitor.page.url != entries[-1][0]:
            entries.append(seen(visitor))

    assert len({entry[0] for entry in entries}) == len(entries)
    for position in reversed(range(1, len(entries))):
        if position == len(entries) // 2:
            visitor.page.reload()
            assert shown(visitor, entries[position]) == entries[position]
        visitor.page.go_back()
        assert shown(visitor, entries[position - 1]) == entries[position - 1]
    visitor.page.go_forward()
    assert shown(visitor, entries[1]) == entries[1]

    tab = Visitor(context, server)
    for entry in (entries[2], entries[6]):
        tab.open(entry[0].removeprefix(f"{server}/"))
        assert seen(tab) == entry
    tab.leave()


def test_back_pressed_while_a_page_loads_opens_its_question(visit):
    """After a reload, Back before the menu is drawn: the answer is that of the address."""
    visitor = visit("tensor_parallel")
    visitor.enter("tokens", "64")
    entry = seen(visitor)
    visitor.walk("collectives")

    visitor.page.add_init_script(BACK_AT_ONCE)
    visitor.page.reload()
    visitor.page.wait_for_url("**tokens=64")
    assert shown(visitor, entry) == entry


def test_undo_and_reset_are_entries_too(visit):
    """Undo writes the former address; Back takes the undo back."""
    visitor = visit("tensor_parallel")
    page = visitor.page
    before = page.evaluate("history.length")
    visitor.field("tokens").fill("64")
    visitor.field("tokens").press("Enter")
    page.wait_for_url("**tokens=64")
    edited = seen(visitor)
    assert page.evaluate("history.length") == before + 1

    page.get_by_role("button", name="Reset", exact=True).click()
    page.wait_for_url("**/tensor_parallel")
    visitor.settle()
    page.get_by_role("button", name="Undo", exact=True).click()
    page.wait_for_url("**tokens=64")
    assert seen(visitor)[1:] == edited[1:]
    page.go_back()
    page.wait_for_url("**/tensor_parallel")


def test_one_field_edited_twice_within_a_moment_is_one_entry(visit):
    """Steps of a number follow each other quickly; another field is another entry."""
    lengths = visit("topology").page.evaluate(
        """() => ["a=1", "a=2", "a=3", "a=3&b=1"].map((query) => {
            history.replaceState({}, "", `${location.origin}${location.pathname}?${query}`);
            return history.length;
        })"""
    )

    assert [length - lengths[0] for length in lengths] == [0, 0, 0, 1]


def test_a_new_headline_is_announced_once(visit):
    """Nothing at first; after an edit the first sentence of the answer stands in the live region."""
    visitor = visit("collectives")
    region = visitor.page.locator("#announcement")
    assert region.get_attribute("aria-live") == "polite"
    assert region.inner_text() == ""

    visitor.field("size").fill("64 KiB")
    visitor.field("size").press("Enter")
    visitor.page.wait_for_function("document.getElementById('announcement').textContent.includes('64 KiB')")
    assert visitor.headline.inner_text().startswith(region.inner_text())


def test_what_was_taken_back_stays_taken_back(visit):
    """A system chosen in the bar and undone does not return with the next edit: its closed list has forgotten it."""
    visitor = visit("tensor_parallel")
    page = visitor.page
    for take_back in (page.get_by_role("button", name="Undo").first.click, page.go_back):
        page.locator(".st-key-_question_system button").first.click()
        visitor.field("system").fill("rtx-4090-x4")
        page.keyboard.press("Enter")
        visitor.settle()
        page.keyboard.press("Escape")
        assert "system=rtx-4090-x4" in page.url
        take_back()
        visitor.settle()
        field = visitor.field("tp")
        field.fill("4" if field.input_value() == "8" else "8")
        field.press("Enter")
        visitor.settle()

        assert "rtx" not in page.url
        assert "DGX H100" in page.locator(".st-key-question").inner_text()
