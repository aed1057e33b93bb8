"""Back, Forward, reload: what a window asks while somebody goes back, undoes and edits."""

from pathlib import Path

from tests.browser.entries import seen, shown

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"

BACK_AT_ONCE = """
    new MutationObserver((_, observer) => {
        if (!document.querySelector('[data-testid="stApp"][data-test-script-state="running"]')) return;
        observer.disconnect();
        history.back();
    }).observe(document, {subtree: true, childList: true, attributes: true});
"""
"""Back as soon as the first run has begun, before its pages are known."""
WRITTEN = """() => ["a=0", "a=1", "a=2", "a=3", "a=3&b=1"].map((query) => {
    history.replaceState({}, "", `${location.origin}${location.pathname}?${query}`);
    return history.length;
})"""
"""How many entries there are after each of these addresses."""


def test_undo_and_reset_are_entries_too(visit):
    """
    Undo writes the former address; Back takes the undo back.

    After a reload, Back before the menu is drawn: the answer is that of the address.
    """
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
    undone = seen(visitor)
    assert undone[1:] == edited[1:]
    page.go_back()
    page.wait_for_url("**/tensor_parallel")
    visitor.settle()

    page.go_forward()
    page.wait_for_url("**tokens=64")
    assert shown(visitor, undone) == undone
    visitor.walk("collectives")
    page.add_init_script(BACK_AT_ONCE)
    page.reload()
    page.wait_for_url("**tokens=64")
    assert shown(visitor, undone) == undone


def test_a_new_headline_is_announced_once(visit):
    """
    Nothing at first; after an edit the first sentence of the answer stands in the live region.

    Steps of a number that follow each other quickly are one entry of the history; another field is another entry.
    """
    visitor = visit("collectives")
    region = visitor.page.locator("#announcement")
    assert region.get_attribute("aria-live") == "polite"
    assert region.inner_text() == ""

    visitor.field("size").fill("64 KiB")
    visitor.field("size").press("Enter")
    visitor.page.wait_for_function("document.getElementById('announcement').textContent.includes('64 KiB')")
    assert visitor.headline.inner_text().startswith(region.inner_text())

    visitor.settle()
    lengths = visitor.page.evaluate(WRITTEN)[1:]  # the first leaves the address of the page
    assert [length - lengths[0] for length in lengths] == [0, 0, 0, 1]


def test_choices_are_entries_however_soon_the_next(visit):
    """Two phases chosen one right after the other are two entries: Back leads from the second to the first."""
    visitor = visit("tensor_parallel")
    page = visitor.page
    before = page.evaluate("history.length")
    phases = page.locator(".st-key-phase button")
    phases.filter(has_text="prefill").click()
    page.wait_for_url("**phase=prefill*")
    visitor.settle()
    phases.filter(has_text="decode").click()
    page.wait_for_url(lambda url: "prefill" not in url)
    visitor.settle()
    assert page.evaluate("history.length") == before + 2

    page.go_back()
    page.wait_for_url("**phase=prefill*")


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


def test_a_file_dropped_after_back_is_in_the_address(visit):
    """Nothing is pressed where a file is dropped: the address names it all the same, and Back takes it back."""
    visitor = visit("check")
    page = visitor.page
    page.get_by_label("... or paste its text").fill((EXAMPLES / "two-nodes.log").read_text())
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**check_run_log=*")
    pasted = page.url
    visitor.walk("collectives")
    page.go_back()
    visitor.headline.get_by_text("16 × H100").first.wait_for()
    visitor.settle()

    zone = page.locator('[data-testid="stFileUploaderDropzone"]')
    zone.scroll_into_view_if_needed()
    box, files = zone.bounding_box(), [str(EXAMPLES / "one-node.log")]
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    hand = page.context.new_cdp_session(page)
    for event in ("dragEnter", "dragOver", "drop"):
        data = {"items": [], "files": files, "dragOperationsMask": 1}
        hand.send("Input.dispatchDragEvent", {"type": event, **place, "data": data})
    visitor.headline.get_by_text("8 × H100: 467 GB/s").first.wait_for()
    visitor.settle()
    assert page.url != pasted
    page.go_back()
    page.wait_for_url(pasted)
