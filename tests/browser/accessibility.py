"""axe-core in a page: what it finds wrong for people who do not see, or see little, or use no mouse."""

from importlib.resources import files

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
GRAVE = ("serious", "critical")
ORDERED = ("heading-order", "landmark-unique", "page-has-heading-one")
"""Rules of lower weight that hold all the same."""


COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules whose answer another theme changes."""


def findings(page, rules=None):
    """Grave findings of a page as it stands, and those of the rules on order, each in a line; ``rules`` of axe, else all."""
    if not page.evaluate("!!window.axe"):  # its source alone takes a while to arrive
        page.evaluate(f"(() => {{ {AXE} }})()")
    options = {"resultTypes": ["violations"], **(rules or {})}
    report = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{found['id']} ({found['impact']}): {node['html'][:160]} {node['failureSummary'][:200]}"
        for found in report["violations"]
        if found["impact"] in GRAVE or found["id"] in ORDERED
        for node in found["nodes"]
    ]
