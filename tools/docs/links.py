"""The built site, checked: every link inside leads somewhere, and no page asks another host for anything."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADS = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "video": "src"}
_CSS_HOST = re.compile(r"(?:url\(\s*['\"]?|@import\s+['\"])(?:https?:)?//[^)'\"\s]+")


class _Page(HTMLParser):
    """Collects the targets, the anchors and the resources of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one element's link, resource and anchors."""
        values = {name: value for name, value in attrs if value}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag in _LOADS and _LOADS[tag] in values:
            self.loads.append(values[_LOADS[tag]])


def faults(site: Path) -> list[str]:
    """One line for each dead link and each resource of another host."""
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    lines = []
    for path, page in pages.items():
        name = path.relative_to(site)
        lines += [f"{name} loads {load}" for load in page.loads if _foreign(load)]
        inside = [
            link for link in [*page.links, *page.loads] if not urlsplit(link).scheme and "//" not in link[:2]
        ]
        lines += [
            f"{name} links to {link}, which is not there" for link in inside if not _leads(link, path, pages)
        ]
    for sheet in sorted(site.rglob("*.css")):
        hosts = _CSS_HOST.findall(sheet.read_text(encoding="utf-8"))
        lines += [f"{sheet.relative_to(site)} loads {host}" for host in hosts]
    return lines


def _foreign(address: str) -> bool:
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme in {"http", "https"}


def _leads(link: str, path: Path, pages: dict[Path, _Page]) -> bool:
    parts = urlsplit(link)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return False
    fragment = unquote(parts.fragment)
    return not fragment or target not in pages or fragment in pages[target].anchors
