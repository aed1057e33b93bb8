"""A visitor: a browser window that notes every console error and every host it is made to contact."""

from pathlib import Path
from urllib.parse import urlparse

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from pages.ui.shared.navigation import SECTIONS

QUIET_MS = 120
"""Without a change of the document so long, the page stands still."""
STILL = """([call, quiet]) => {
    const now = performance.now();
    if (!window.visitor) {
        const everything = {subtree: true, childList: true, attributes: true, characterData: true};
        window.visitor = {};
        new MutationObserver(() => { window.visitor.changed = performance.now(); })
            .observe(document.documentElement, everything);
    }
    if (window.visitor.call !== call) Object.assign(window.visitor, {call, changed: now});
    const idle = document.querySelector('[data-testid="stApp"][data-test-script-state="notRunning"]');
    const loading = document.querySelector('[data-testid="stSkeleton"], [data-testid="stAppSkeleton"]');
    const waiting = window.runs.ended <= window.runs.asked;
    if (!idle || loading || waiting) window.visitor.changed = now;
    return now - window.visitor.changed >= quiet;
}"""
"""Whether no script runs or was asked for, nothing is left to load, and nothing has changed for a moment since this call."""
ANSWERED = Path(__file__).with_name("answered.js")
OPENINGS, OPEN_MS = 5, 4000
"""How often a dropdown is opened at most, and how long its options may take to come."""
WIDE = {"width": 1280, "height": 900}


class Visitor:
    """One window at one server; windows share what the browser keeps of static files."""

    def __init__(self, context, server, viewport=WIDE):
        """Open the window in a browser context."""
        self.server = server
        self.page = context.new_page()
        self.page.add_init_script(path=ANSWERED)
        self.page.set_viewport_size(viewport)
        self.errors, self.hosts, self.settled, self.walked = [], set(), 0, False
        self.origins = {}
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._request)
        self.page.on("websocket", lambda channel: self.hosts.add(urlparse(channel.url).netloc))

    def _console(self, message):
        if message.type == "error":
            self.errors.append(f"{message.text} {message.location.get('url', '')}".strip())

    def _request(self, request):
        self.hosts.add(urlparse(request.url).netloc)
        self.origins[request.url] = urlparse(self.page.url).path

    def of_this_page(self, error):
        """Whether the page that is open made it: files of the download buttons of one that was left may be gone."""
        url = error.rpartition(" ")[2]
        return "/media/" not in url or self.origins.get(url) == urlparse(self.page.url).path

    def open(self, path=""):
        """Go to a page and wait until it stands still."""
        self.page.goto(f"{self.server}/{path}")
        self.settle()
        return self.page

    def settle(self):
        """Wait until the script has answered all that it was asked, nothing is left to load and nothing moves."""
        self.settled += 1
        self.page.wait_for_function(STILL, arg=[self.settled, QUIET_MS], polling=30)

    def reads(self, words):
        """Wait until these words stand on the page, and nothing moves."""
        self.page.wait_for_function("words => document.body.innerText.includes(words)", arg=words)
        self.settle()

    def field(self, key):
        """The input of a widget by the name it has in the address."""
        return self.page.locator(f".st-key-{key} input").first

    def enter(self, key, value):
        """Type a value into an input and press Enter; the address then holds it."""
        field, before = self.field(key), self.page.url
        field.fill(value)
        field.press("Enter")
        self.page.wait_for_function("before => location.href !== before", arg=before)
        self.settle()

    def choose(self, key, option):
        """Choose an option of a dropdown by typing it, as a reader does."""
        self.field(key).click()
        self.enter(key, option)

    def save(self, name):
        """Save the question of the page under a name."""
        page = self.page
        page.get_by_role("button", name="Save", exact=True).first.click()
        field = page.get_by_label("Name", exact=True)
        field.fill(name)
        field.press("Enter")
        page.locator(".st-key-_save_scenario button").click()
        page.get_by_text(f"saved as {name}").wait_for()
        page.keyboard.press("Escape")
        self.settle()

    def pick(self, key, position):
        """Choose an option of a dropdown by its place in the list; one that closed itself is opened again."""
        before = self.page.url
        option = self.page.get_by_role("option").nth(position)
        for _ in range(OPENINGS):
            self.field(key).click()
            try:
                option.wait_for(timeout=OPEN_MS)
                break
            except PlaywrightTimeout:
                self.page.keyboard.press("Escape")
                self.settle()
        option.click()
        self.page.wait_for_function("before => location.href !== before", arg=before)
        self.page.keyboard.press("Escape")
        self.settle()

    def tab_to(self, element, key="Tab", most=80):
        """Press Tab until the focus stands on an element, and give how often."""
        handle, at = element.element_handle(), "element => document.activeElement === element"
        for presses in range(1, most):
            self.page.keyboard.press(key)
            if self.page.evaluate(at, handle):
                return presses
        pytest.fail(f"{most} times {key} do not lead to {element}")

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
        self.walked = True
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
        self.judge()

    def judge(self):
        """Nothing may have gone wrong, and nobody else been asked."""
        # Whoever leaves a page at once does not wait for the files of its download buttons.
        errors = [error for error in self.errors if not (self.walked and "/media/" in error)]
        assert errors == [], errors
        assert self.hosts <= {urlparse(self.server).netloc, ""}, self.hosts
