"""A visitor: a browser window that notes every console error and every host it is made to contact."""

from urllib.parse import urlparse

from pages.ui.shared.navigation import SECTIONS

STILL = '[data-testid="stApp"][data-test-script-state="notRunning"]'
NO_SKELETON = "() => !document.querySelector('[data-testid=stSkeleton], [data-testid=stAppSkeleton]')"
WIDE = {"width": 1280, "height": 900}


class Visitor:
    """One window at one server; windows share what the browser keeps of static files."""

    def __init__(self, context, server, viewport=WIDE):
        """Open the window in a browser context."""
        self.server = server
        self.page = context.new_page()
        self.page.set_viewport_size(viewport)
        self.errors, self.hosts = [], set()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.hosts.add(urlparse(request.url).netloc))
        self.page.on("websocket", lambda channel: self.hosts.add(urlparse(channel.url).netloc))

    def _console(self, message):
        if message.type == "error":
            self.errors.append(f"{message.text} {message.location.get('url', '')}".strip())

    def open(self, path=""):
        """Go to a page and wait until it stands still."""
        self.page.goto(f"{self.server}/{path}")
        self.settle()
        return self.page

    def settle(self):
        """Wait until the script has finished and nothing is left to load."""
        for _ in range(2):
            self.page.wait_for_selector(STILL)
            self.page.wait_for_function(NO_SKELETON)
            self.page.wait_for_timeout(200)
        self.page.wait_for_selector(STILL)

    def field(self, key):
        """The input of a widget by the name it has in the address."""
        return self.page.locator(f".st-key-{key} input").first

    def part(self, name):
        """Open or close a part of the shared question in the bar."""
        button = self.page.locator(f".st-key-_question_{name} button").first
        button.click()
        return button

    def go(self, name):
        """Go to a page by the menu, whether or not it answers at once."""
        section, title = next(
            (section, page.title)
            for section, pages in SECTIONS.items()
            for page in pages
            if page.name == name
        )
        self.page.get_by_text(section, exact=True).first.click()
        self.page.locator("[data-floating-ui-portal]").get_by_text(title, exact=True).first.click()
        self.page.wait_for_url(f"**/{name}*")
        self.settle()

    def walk(self, name):
        """Go to a page by the menu, as a reader does, and wait for its answer."""
        self.go(name)
        self.headline.wait_for()
        self.settle()

    @property
    def headline(self):
        """Where the answer's sentence stands."""
        return self.page.locator(".st-key-headline")

    def leave(self):
        """Close the window; nothing may have gone wrong, and nobody else been asked."""
        self.page.close()
        assert self.errors == [], self.errors
        assert self.hosts <= {urlparse(self.server).netloc, ""}, self.hosts
