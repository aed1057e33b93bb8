"""Signing in with a real browser at a real OpenID Connect provider, and out again."""

import re

import pytest
from playwright.sync_api import expect

from tests.server import Server
from tests.sign_in.forger import environment
from tests.sign_in.mock import provider


@pytest.fixture
def closed(tmp_path):
    """A server whose people sign in at a conforming provider; everyone of a domain is a viewer."""
    with provider() as issuer:
        chosen = environment(issuer, "{base}", WIRESPEED_UPLOADERS="", WIRESPEED_VIEWERS="@example.com")
        with Server(tmp_path, **chosen) as server:
            yield server


def test_somebody_signs_in_uses_a_page_and_signs_out(browser, closed):
    """From a link to a page, over the provider, to that page as oneself; without a role to a page that says so."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(60_000)
    try:
        page = context.new_page()
        page.goto(f"{closed.base}/cost?price=3")
        page.get_by_role("link", name="Sign in").click()
        page.get_by_role("button", name="ada").click()

        expect(page).to_have_url(re.compile(r"/cost\?price=3"), timeout=60_000)
        expect(page.get_by_text("ada@example.com")).to_be_visible(timeout=60_000)
        expect(page.get_by_role("heading", level=1)).to_have_text("Cost of communication", timeout=60_000)
        page.get_by_role("link", name="Sign out").click()
        expect(page.get_by_role("heading")).to_have_text("You are signed out", timeout=60_000)

        page.get_by_role("link", name="Sign in").click()
        page.get_by_role("button", name="stranger").click()
        expect(page.get_by_role("heading")).to_have_text("No role here", timeout=60_000)
        assert "stranger@other.example" in page.inner_text("main")
    finally:
        context.close()
