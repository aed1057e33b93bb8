"""What a visitor meets: every page opens clean, a cold deep link opens its page, a phone shows the answer."""

import pytest

PAGES = {
    "": "What will this interconnect cost my model?",
    "bandwidth_hierarchy": "Bandwidth hierarchy",
    "collectives": "Collectives",
    "tensor_parallel": "Tensor parallelism",
    "gradient_sync": "Gradient sync",
    "training": "Training step",
    "layouts": "Parallelism layouts",
    "cost": "Cost of communication",
    "nvl72": "NVL72 capacity",
    "catalog": "Catalog",
    "measurements": "Measurements",
    "check": "Is my number OK?",
    "my_cluster": "My cluster",
    "compare": "Compare two runs",
    "topology": "Topology",
}


@pytest.mark.parametrize("path", PAGES)
def test_page_opens_without_an_error_or_a_stranger(visit, path):
    """Every page shows its title, logs no console error and asks no host but ours."""
    page = visit(path).page

    assert page.locator("h1").first.inner_text() == PAGES[path]
    assert page.locator('[data-testid="stException"]').count() == 0


@pytest.mark.parametrize("path", ["tensor_parallel", "nvl72"])
def test_a_cold_deep_link_opens_its_page(visit, fresh_server, path):
    """The first session of a fresh server may ask for any page, and gets that page at once."""
    page = visit(path, at=fresh_server).page

    assert page.locator("h1").first.inner_text() == PAGES[path]
    assert page.get_by_text("Page not found").count() == 0


@pytest.mark.parametrize("path", [path for path in PAGES if path])
def test_a_phone_is_never_scrolled_sideways(visit, path):
    """On a narrow screen nothing is wider than the screen."""
    page = visit(path, viewport={"width": 390, "height": 844}).page

    assert page.evaluate("document.documentElement.scrollWidth") <= 390
