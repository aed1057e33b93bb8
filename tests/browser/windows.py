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

    def give_back(self, page, server):
        """
        Empty a window for the next test: no script, no storage of its own, the pointer at the edge.

        It stays at the server's site: for a blank page the browser would change the process.
        """
        page.evaluate("sessionStorage.clear()")
        page.mouse.move(0, 0)
        page.emulate_media(media="null", color_scheme="light")
        page.goto(f"{server}/healthz")
        self._free.append(page)
