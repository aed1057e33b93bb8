"""What a visitor does: edits an input, uploads a log, copies a link, walks from page to page."""

import re

from tests.gpu_probe.formats import nccl_tests, text


def test_an_uploaded_log_lies_over_the_model(visit):
    """Upload, and the overlay appears; save, and the run is in the list and in the address."""
    visitor = visit("measurements")
    log = {"name": "mine.log", "mimeType": "text/plain", "buffer": text(nccl_tests(ranks=16))}
    visitor.page.locator("input[type=file]").set_input_files(log)
    visitor.reads("16 ranks")
    chart = visitor.page.locator('[aria-label="All-reduce bus bandwidth vs message size"]')

    assert chart.first.is_visible()
    visitor.page.get_by_role("button", name="Save").click()
    visitor.page.get_by_text(re.compile("stored as")).wait_for()
    visitor.page.wait_for_url(re.compile(r"[?&]runs=\d"))
    visitor.settle()
    number = re.search(r"[?&]runs=(\d+)", visitor.page.url)[1]
    stored = visit(f"check?check_run={number}")
    assert stored.page.get_by_role("combobox", name="Log").input_value().startswith("mine.log · 16 × H100 · ")
    assert stored.headline.inner_text().startswith("mine.log · 16 × H100 · ")
    assert f"check_run={number}" in stored.page.url


def test_a_part_of_the_question_stays_open_while_it_changes(visit):
    """
    Requests typed change label and address below an open popover; Tab leaves it, the next page keeps them.

    Back on the first page by the menu, its own question is still there, and *Copy full link* opens it in another window.
    """
    visitor = visit("tensor_parallel?requests=64&tp=4&system=dgx-a100&weights=int8")
    page, inside = visitor.page, '[data-testid="stPopoverBody"]'
    button = visitor.part("load")
    visitor.field("requests").fill("96")
    visitor.field("requests").press("Enter")
    page.wait_for_url("**requests=96*")
    visitor.settle()

    assert "96 requests" in button.inner_text()
    assert page.locator(inside).is_visible()
    left = "inside => !document.activeElement.closest(inside)"
    steps = next(step for step in range(12) if page.keyboard.press("Tab") or page.evaluate(left, inside))
    assert steps > 0

    page.keyboard.press("Escape")
    headline = visitor.headline.inner_text()
    visitor.walk("kv_transfer")
    assert "96 requests" in page.locator(".st-key-_question_load").inner_text()
    visitor.walk("tensor_parallel")
    assert visitor.headline.inner_text() == headline
    assert "DGX A100" in page.locator(".st-key-_question_system").inner_text()
    assert "tp=4" in page.url

    page.get_by_role("button", name="Copy full link").click()
    visitor.settle()
    path = page.locator('[data-testid="stCode"]').last.inner_text().strip().split("/", 3)[3]
    assert "tp=4" in path
    assert "weights=int8" in path
    assert visit(path).headline.inner_text() == headline


def test_two_generations_lie_on_one_overlay(visit):
    """A B200 and an A100 log uploaded together: one chart, a curve for each, each with its own machine."""
    visitor = visit("measurements")
    plain = text(nccl_tests(ranks=8)).replace(b"80GB HBM3", b"80GB")
    logs = [
        {"name": f"{gpu}.log", "mimeType": "text/plain", "buffer": plain.replace(b"H100 80GB", gpu.encode())}
        for gpu in ("B200", "A100-SXM4-80GB")
    ]
    visitor.page.locator("input[type=file]").set_input_files(logs)
    visitor.reads("NVIDIA B200")
    visitor.reads("NVIDIA A100-SXM4-80GB")
    chart = visitor.page.locator('[aria-label="All-reduce bus bandwidth vs message size"]')

    assert chart.count() == 1
    drawn = chart.first.inner_text()
    assert "B200.log" in drawn
    assert "A100-SXM4-80GB.log" in drawn
    assert "B200 SXM, calibrated" in drawn
    assert "A100 80GB SXM4, calibrated" in drawn
