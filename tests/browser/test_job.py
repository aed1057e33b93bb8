"""A trace in the browser, from upload to what-if."""

from tests.browser.opened import PHONE
from tests.docs.reader import ROOT

HEIGHT = "document.querySelector('.stMain').scrollHeight"
TALLEST = 2600
"""Pixels of a page on a phone with its answer and one open section."""
TRACES = sorted((ROOT / "docs" / "examples" / "job").glob("rank*.json.gz"))


def test_a_trace_is_uploaded_explained_and_replayed(visit):
    """Two ranks' files become a timeline with its finding in words; other buckets make another step."""
    visitor = visit("job")
    visitor.page.set_input_files("input[type=file]", TRACES)
    visitor.reads("exposed communication takes")
    chart = visitor.page.locator('[aria-label^="Rank 0, ProfilerStep"]')
    chart.first.wait_for()
    visitor.page.get_by_role("radio", name="What if").click()
    visitor.reads("× as fast")
    visitor.enter("job_bucket", "8MiB")

    visitor.reads("× as fast")
    assert "job_bucket=8MiB" in visitor.page.url
    assert visitor.page.locator('[aria-label*="Bucket size"]').first.is_visible()

    visitor.page.set_viewport_size(PHONE)
    visitor.settle()
    assert visitor.page.evaluate(HEIGHT) <= TALLEST
