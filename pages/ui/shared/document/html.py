"""The decision document as one HTML page: no script, nothing from another host, prints well."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from pages.ui.shared.document.content import memo
from pages.ui.shared.document.lettering import fixed
from pages.ui.shared.record import Record

TEMPLATE = Path(__file__).with_name("memo.html")


def document(records: Sequence[Record], on: date) -> bytes:
    """One page for these questions, in UTF-8."""
    return _template().render(memo=memo(records, on)).encode()


@lru_cache(maxsize=1)
def _template() -> Template:
    """Everything is escaped but the charts, which Vega has drawn."""
    loader = FileSystemLoader(TEMPLATE.parent)
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["fixed"] = fixed
    return environment.get_template(TEMPLATE.name)
