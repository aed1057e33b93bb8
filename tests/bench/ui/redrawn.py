"""`python -m tests.bench.ui.redrawn [--edits N]`: what an edit costs a browser, the blank page and Collectives in turn."""

import argparse
import os
import shutil
import statistics
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.bench.cpu.session import processor_ms
from tests.bench.ui import servers
from tests.bench.ui.edits import WARM_UP, edit, opened
from tests.bench.ui.fields import BLANK, COLLECTIVES
from tests.browser.conftest import ARGUMENTS, NAMES

COUNT = Path(__file__).with_name("redrawn.js").read_text()
LARGE = 50
"""Components of a commit that counts as the whole page drawn."""
TIMES = {"browser's main thread": "TaskDuration", "scripts": "ScriptDuration", "style": "RecalcStyleDuration"}
PARTS = (
    *("components until the headline", "until the last chart", "until the end", "times the page is drawn"),
    *(f"{name}, CPU ms" for name in TIMES),
    "server, CPU ms",
)


class Window:
    """A page whose commits and processor time are counted."""

    def __init__(self, browser, server, field):
        context = browser.new_context()
        context.add_init_script(COUNT)
        self.server, self.field = server, field
        self.page = opened(context, server, field)
        self.protocol = context.new_cdp_session(self.page)
        self.protocol.send("Performance.enable", {"timeDomain": "threadTicks"})

    def edit(self, number):
        """The parts of an edit, as ``PARTS`` names them."""
        self.page.bring_to_front()
        before = self._times()
        wait = edit(self.page, self.field, self.field.values[number % len(self.field.values)])
        spent = [after - start for start, after in zip(before, self._times(), strict=True)]
        start, commits = self.page.evaluate("[watched.start, commits]")
        counts = [
            sum(count for at, count in commits if at - start <= limit + 1)
            for limit in (wait.headline, wait.chart, float("inf"))
        ]
        return [*counts, sum(count > LARGE for _, count in commits), *spent]

    def _times(self):
        metrics = self.protocol.send("Performance.getMetrics")["metrics"]
        seconds = {metric["name"]: metric["value"] for metric in metrics}
        return [*(1e3 * seconds[name] for name in TIMES.values()), processor_ms(self.server.process)]


def main():
    """Print the medians."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.ui.redrawn")
    parser.add_argument("--edits", type=int, default=12)
    count = parser.parse_args().edits
    executable = os.environ.get("WIRESPEED_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright, ExitStack() as stack:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        running = [stack.enter_context(start()) for start in (servers.blank, servers.application)]
        windows = [Window(browser, *pair) for pair in zip(running, (BLANK, COLLECTIVES), strict=True)]
        rounds = [[window.edit(number) for window in windows] for number in range(count + WARM_UP)]
        browser.close()
    print("| median of an edit | blank page | Collectives |\n|---|---|---|")
    for place, part in enumerate(PARTS):
        blank, ours = (statistics.median(item[side][place] for item in rounds[WARM_UP:]) for side in (0, 1))
        print(f"| {part} | {blank:.0f} | {ours:.0f} |")


if __name__ == "__main__":
    main()
