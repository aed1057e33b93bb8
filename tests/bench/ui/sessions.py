"""Many sessions that edit at once, as websockets of one browser's windows."""

from itertools import cycle

from tests.bench.ui.edits import opened

EDIT = """([key, value]) => {
  const box = document.querySelector(`.st-key-${key} input`);
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, value);
  box.dispatchEvent(new Event('input', {bubbles: true}));
  box.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
}"""


def together(context, server, field, sessions, rounds):
    """Milliseconds to the headline of every session in every round of edits."""
    pages = [opened(context, server, field) for _ in range(sessions)]
    waits = []
    values = cycle(field.values)
    for _ in range(rounds + 1):
        value = next(values)
        for page in pages:
            page.evaluate("watched.headline = 0")
        for page in pages:
            page.evaluate(EDIT, [field.key, value])
        for page in pages:
            page.wait_for_function("watched.headline > 0", timeout=120_000)
        times = [page.evaluate("watched") for page in pages]
        waits.append([item["headline"] - item["start"] for item in times])
    for page in pages:
        page.close()
    return [wait for row in waits[1:] for wait in row]
