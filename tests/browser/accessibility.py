"""axe-core in a page: what it finds wrong for people who do not see, or see little, or use no mouse."""

from importlib.resources import files

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
GRAVE = ("serious", "critical")
ORDERED = ("heading-order", "landmark-unique", "page-has-heading-one")
"""Rules of lower weight that hold all the same."""

BRIEF = {"reporter": "no-passes", "preload": False}
"""What passes is not told: it would take as long to write down as most rules take."""
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules whose answer another theme changes."""


def findings(page, rules=None):
    """Grave findings of a page as it stands, and those of the rules on order, each in a line; ``rules`` of axe, else all."""
    if not page.evaluate("!!window.axe"):  # its source alone takes a while to arrive
        page.evaluate(f"(() => {{ {AXE} }})()")
    report = page.evaluate("options => axe.run(document, options)", {**BRIEF, **(rules or {})})
    return [
        f"{found['id']} ({found['impact']}): {node['html'][:160]} {_failed(node)[:200]}"
        for found in report["violations"]
        if found["impact"] in GRAVE or found["id"] in ORDERED
        for node in found["nodes"]
    ]


def _failed(node):
    """What a node fails, in axe's words."""
    return "; ".join(check["message"] for kind in ("any", "all", "none") for check in node[kind])
