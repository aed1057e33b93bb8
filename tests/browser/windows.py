"""Windows that tests hand on: for a new one the browser starts a process, which compiles the pages' code again."""

from pathlib import Path

ANSWERED = Path(__file__).with_name("answered.js")


class Windows:
    """The windows of one profile."""

    def __init__(self, context):
        self._context, self._free = context, []

    def new(self):
        """A window without a history."""
        page = self._context.new_page()
        page.add_init_script(path=ANSWERED)
        return page

    def take(self):
        """An empty window, where there is one: one that another test has left."""
        return self._free.pop() if self._free else self.new()

    def give_back(self, page):
        """Empty a window for the next test: no page, no storage of its own, the pointer at the edge."""
        page.evaluate("sessionStorage.clear()")
        page.mouse.move(0, 0)
        page.emulate_media(media="null", color_scheme="light")
        page.goto("about:blank")
        self._free.append(page)
