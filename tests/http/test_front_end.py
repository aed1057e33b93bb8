"""Streamlit's script as a browser gets it: with our changes where we know it, else as it is."""

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


def test_a_browser_gets_the_changed_script_and_asks_for_it_again(plain_server):
    """
    It has the policies of its neighbours, which are Streamlit's own, but is not held for a year as they are.

    Their names change with their text; its name is Streamlit's whatever we change, so a browser asks each time.
    """
    other = next(path for path in sorted((STATIC / "static/js").glob("*.js")) if path.name not in address())
    answer = plain_server.get(f"/{address()}")
    own = plain_server.get(f"/static/js/{other.name}")

    assert answer.text == changed(TEXT)
    assert own.content == other.read_bytes()
    for name in ("Content-Security-Policy", "X-Content-Type-Options"):
        assert answer.headers[name] == own.headers[name]
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "javascript" in answer.headers["Content-Type"]


def test_a_browser_that_has_the_script_of_today_is_told_so(plain_server):
    """The head says what the whole answer says; a tag of another text brings the script again."""
    script = f"/{address()}"
    plain = {"Accept-Encoding": "identity"}
    whole, head = (plain_server.request(method, script, headers=plain) for method in ("GET", "HEAD"))
    same, other, weak = (
        plain_server.request(method, script, headers={"If-None-Match": tag})
        for method, tag in (
            ("GET", whole.headers["ETag"]),
            ("GET", '"another"'),
            ("HEAD", f"W/{whole.headers['ETag']}"),
        )
    )

    for headers in (whole.headers, head.headers):
        del headers["date"], headers["x-request-id"]
    assert head.headers == whole.headers
    assert (head.status_code, head.content) == (200, b"")
    assert (same.status_code, same.content, weak.status_code) == (304, b"", 304)
    assert same.headers["ETag"] == whole.headers["ETag"]
    assert (other.status_code, other.text) == (200, whole.text)
