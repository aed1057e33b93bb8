"""Fields and lists as a reader types into them: what is typed is understood, or refused in words."""


def typed(visitor, key, text):
    """Replace what a field holds, key by key, and press Enter; the field's value and the note below it."""
    field = visitor.field(key)
    field.click()
    field.press("Control+a")
    visitor.page.keyboard.type(text)
    visitor.page.keyboard.press("Enter")
    visitor.settle()
    return field.input_value(), " ".join(visitor.page.locator(".number-note").all_inner_texts())


def test_what_is_typed_is_understood_or_the_page_says_why_not(visit):
    """
    Exponents and thousands are read; limits, fractions of a whole and letters are corrected in words.

    What is too large for any field is refused, and the number before it stays. A list finds an entry by its name and
    by its id: the closed field shows the name, the address holds the id, however it was typed.
    """
    visitor = visit("tensor_parallel")

    assert typed(visitor, "tp", "4e0") == ("4", "")
    assert "tp=4" in visitor.page.url
    assert typed(visitor, "tp", "0") == ("1", "At least 1, not 0; 1 is used.")
    assert "tp=1" in visitor.page.url
    assert typed(visitor, "tp", "2.5") == ("2", "A whole number, not 2.5; 2 is used.")
    assert typed(visitor, "tp", "64k") == (
        "2",
        "“64k” may be 64,000 or 65,536: type the number; 2 is used.",
    )
    assert typed(visitor, "tp", "1e400") == ("2", "“1e400” is too large a number; 2 is used.")
    assert "tp=2" in visitor.page.url
    assert typed(visitor, "tokens", "1,024") == ("1024", "")
    assert typed(visitor, "tokens", "8 MiB") == ("1024", "“8 MiB” is not a number; 1,024 is used.")
    assert "tokens=1024" in visitor.page.url

    visitor.part("system")
    for text, name, key in (
        ("dgx-h200", "DGX H200", "dgx-h200"),
        ("4x rtx", "4 x RTX 4090", "rtx-4090-x4"),
        ("hgx h200", "DGX H200", "dgx-h200"),
        ("b200 x8", "DGX B200", "dgx-b200"),
    ):
        assert typed(visitor, "system", text)[0] == name
        assert f"system={key}" in visitor.page.url


def test_tab_goes_through_an_opened_menu(visit):
    """From the first page of a menu to the last, back again, and out behind it: the reader is never lost."""
    visitor = visit("ledger")
    page = visitor.page
    page.locator('[data-testid="stTopNavSection"]', has_text="Decide").press("Enter")
    items = page.locator('[data-testid="stTopNavDropdownLink"]')
    items.first.wait_for()
    focused = "() => document.activeElement.innerText"

    page.wait_for_function("() => document.activeElement.innerText.includes('Parallelism layouts')")
    page.keyboard.press("Tab")
    assert "Cost of communication" in page.evaluate(focused)
    page.keyboard.press("Shift+Tab")
    assert "Parallelism layouts" in page.evaluate(focused)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.wait_for_function("() => document.activeElement.innerText.includes('Measure')")
