"""On a phone a number stands on one line with its unit."""

import pytest

from tests.browser.opened import PHONE

PARTED = r"""() => {
    const texts = document.createTreeWalker(document.querySelector('.stMain'), NodeFilter.SHOW_TEXT);
    const parted = [];
    while (texts.nextNode())
        for (const found of texts.currentNode.nodeValue.matchAll(/[\d.]+\s(?:%|GB\/s|ms|[GM]iB)(?!\w)/g)) {
            const range = document.createRange();
            range.setStart(texts.currentNode, found.index);
            range.setEnd(texts.currentNode, found.index + found[0].length);
            if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) parted.push(found[0]);
        }
    return parted;
}"""
"""Numbers whose unit stands on the next line."""


@pytest.mark.parametrize("page", ["tensor_parallel", "collectives?collective=all_to_all"])
def test_a_number_keeps_its_unit_on_its_line(visit, page):
    """Where lines are short, and where they grow shorter."""
    visitor = visit(page, viewport=PHONE)
    assert visitor.page.get_by_text("%").count() > 0
    assert visitor.page.evaluate(PARTED) == []

    visitor.page.set_viewport_size({"width": 360, "height": 800})
    visitor.settle()
    assert visitor.page.evaluate(PARTED) == []
