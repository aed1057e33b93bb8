"""Edits of a field in a browser: milliseconds to the new headline and to the last chart."""

from itertools import cycle, dropwhile
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).resolve().parents[2]
WATCH = (TESTS / "browser/answered.js").read_text() + (TESTS / "bench/ui/watch.js").read_text()
ANSWERED = "runs.asked >= watched.start && runs.ended > runs.asked"
STILL = '[data-testid="stApp"][data-test-script-state="notRunning"]'
QUIET_MS, LIMIT_MS = 250, 60_000
WARM_UP = 3


class Wait(NamedTuple):
    """Milliseconds from Enter to the headline and to the last change of a chart."""

    headline: float
    chart: float


def settle(page):
    """Until the script rests and nothing has moved for a moment."""
    page.wait_for_selector(STILL, timeout=LIMIT_MS)
    page.wait_for_timeout(QUIET_MS)
    page.wait_for_selector(STILL, timeout=LIMIT_MS)


def opened(context, server, field):
    """A window at the field, watched from its first line on."""
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(f"{server.address}/{field.path}")
    page.wait_for_selector(".st-key-headline", timeout=LIMIT_MS)
    settle(page)
    if field.button:
        page.get_by_role("button", name=field.button).first.click()
    return page


def shown(page, field):
    """What stands in the field: typed again, it asks nothing."""
    return page.locator(f".st-key-{field.key} input").first.input_value()


def edit(page, field, value):
    """Type another value, press Enter, wait until the page rests."""
    box = page.locator(f".st-key-{field.key} input").first
    box.fill(value)
    box.press("Enter")
    page.wait_for_function(ANSWERED, timeout=LIMIT_MS)
    settle(page)
    times = page.evaluate("({...watched, ended: runs.ended})")
    start = times["start"]
    # A sentence that says the same as before is not drawn again.
    headline = times["headline"] or times["chart"] or times["ended"]
    return Wait(headline - start, max(times["chart"], headline) - start)


def edits(page, field, count):
    """So many edits after a few that warm up."""
    page.bring_to_front()
    now = shown(page, field)
    values = dropwhile(lambda value: value == now, cycle(field.values))
    waits = [edit(page, field, next(values)) for _ in range(count + WARM_UP)]
    return waits[WARM_UP:]
