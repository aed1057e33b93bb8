"""Entries of the history: the address, the answer and the inputs that a window shows."""

BOUND = '.stMain [class*="st-key-"]:not([class*="st-key-_"])'
FIELDS = ", ".join(f'{BOUND} > [data-testid="st{kind}Input"] input:visible' for kind in ("Number", "Text"))
"""The fields in sight whose values stand in the address."""
PATIENCE = 1200
"""Twentieths of a second until an entry is shown on a busy machine."""


def look(visitor):
    """The address, the answer and the values of the inputs in sight; how a phone breaks lines is no part of it."""
    page = visitor.page
    headline = page.evaluate("document.querySelector('.st-key-headline')?.innerText ?? ''")
    fields = page.locator(FIELDS).evaluate_all("fields => fields.map(field => field.value)")
    return page.url, headline.replace("\u00a0", " "), fields


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
