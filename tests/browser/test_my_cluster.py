"""A run file in a real browser: it becomes a fit, the fit is kept, and a calculator answers from it."""

import re

from tests.pages.test_my_cluster import run_file


def test_from_a_run_file_to_a_calculator(visit):
    """Uploaded, named, kept; then *yours* offers it and the collective is priced by it."""
    visitor = visit("my_cluster?fit_name=browser+fit")
    page = visitor.page
    upload = {"name": "a.json", "mimeType": "application/json", "buffer": run_file()}
    page.locator('input[type="file"]').first.set_input_files(upload)
    page.get_by_text("browser fit follows 21 message sizes").wait_for()
    visitor.settle()
    page.get_by_role("button", name="Store fit").click()
    page.get_by_text("browser fit is saved").wait_for()

    visitor.open("collectives?rates=yours&fit=browser+fit&ranks=8")
    assert page.get_by_text(re.compile("browser fit")).count()
    assert "your cluster" in visitor.headline.inner_text()
