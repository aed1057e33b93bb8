"""Streamlit's script as a browser gets it: with our changes where we know it, else as it is."""

from urllib.request import urlopen

import pytest

from pages.http.front_end import STATIC, address, changed

KEPT, ASKED = "window.wirespeedUnchanged?.(", "window.wirespeedTold?.("
TEXT = (STATIC / address()).read_text(encoding="utf-8")


def test_the_installed_streamlit_is_the_one_that_is_changed():
    """Elements, navigation and both kinds of children are kept, containers asked; each stands in for what was there."""
    text = changed(TEXT)

    assert (text.count(KEPT), text.count(ASKED)) == (4, 1)
    assert TEXT.count(KEPT) == TEXT.count(ASKED) == 0
    assert changed(text) == text


@pytest.mark.parametrize(
    "part", ["isStale:", ".memo)", "widgetsDisabled:", "this.reactElements", "fragmentIdsThisRun:"]
)
def test_another_script_stays_as_it_is(part):
    """Where one place is not found none is changed."""
    text = TEXT.replace(part, part[:-1] + "_" + part[-1])
    assert changed(text) == text


def test_a_browser_gets_the_changed_script_and_keeps_it_as_long(plain_server):
    """It has the headers of its neighbours, which are Streamlit's own; who only asks for its head gets Streamlit's answer."""
    other = next(path for path in sorted((STATIC / "static/js").glob("*.js")) if path.name not in address())
    with (
        urlopen(f"{plain_server.base}/{address()}") as answer,  # noqa: S310
        urlopen(f"{plain_server.base}/static/js/{other.name}") as own,  # noqa: S310
    ):
        assert answer.read().decode() == changed(TEXT)
        assert own.read() == other.read_bytes()
        for name in ("Cache-Control", "Content-Security-Policy", "X-Content-Type-Options"):
            assert answer.headers[name] == own.headers[name]
        assert "javascript" in answer.headers["Content-Type"]
