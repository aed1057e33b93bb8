"""Pages link to their chapter where the documentation site has been built, and to nothing where it has not."""

import asyncio

import httpx
import pytest
from starlette.applications import Starlette

from pages.http.documentation import documentation
from pages.ui.shared import chapters


@pytest.fixture
def site(tmp_path):
    """A site of two files."""
    (tmp_path / "howto").mkdir()
    (tmp_path / "index.html").write_text("<h1>Wirespeed</h1>")
    (tmp_path / "howto" / "judge.html").write_text("<h1>Judge my log</h1>")
    return tmp_path


def test_a_page_links_to_its_chapter(visit, monkeypatch, site):
    """With a built site the line below the page leads to the chapter, relative to the address of the server."""
    monkeypatch.setattr(chapters, "SITE", site)

    assert any("[Judge my log](docs/howto/judge.html)" in item.value for item in visit("check").caption)


def test_a_page_that_has_no_answer_still_links(visit, monkeypatch, site):
    """Where the question has no answer, the documentation is one click away."""
    monkeypatch.setattr(chapters, "SITE", site)

    captions = visit("tensor_parallel", tp=7).caption

    assert any("](docs/MODEL-SERVING.html)" in item.value for item in captions)


def test_without_a_site_no_link_is_shown(visit, monkeypatch):
    """A server without the site shows no dead link."""
    monkeypatch.setattr(chapters, "SITE", None)

    assert not any("Documentation:" in item.value for item in visit("check").caption)


def test_the_site_is_served_under_docs(site):
    """/docs leads to /docs/, whose files are served; what is not there is 404, and nothing above it is read."""
    paths = ("/docs", "/docs/howto/judge.html", "/docs/nothing.html", "/docs/..%2f..%2fetc/passwd")
    answers = asyncio.run(ask(Starlette(routes=documentation(site)), paths))

    assert [answer.status_code for answer in answers] == [200, 200, 404, 404]
    assert [answer.text for answer in answers[:2]] == ["<h1>Wirespeed</h1>", "<h1>Judge my log</h1>"]
    assert documentation(None) == []


async def ask(app, paths):
    """Answers to GET, redirects followed."""
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1:8501", follow_redirects=True
    ) as client:
        return [await client.get(path) for path in paths]
