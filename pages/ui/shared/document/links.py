"""A link that is short enough for a picture: the inputs that differ from their defaults alone."""

from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pages.ui.shared.document import wording
from pages.ui.shared.record import Record


def short_link(record: Record) -> str:
    """The recorded link without the inputs at their defaults; the model version stays."""
    parts = urlsplit(record.link)
    usual = {key for key, item in record.inputs.items() if not wording.differs(item)}
    pairs = [
        (key, value) for key, value in parse_qsl(parts.query, keep_blank_values=True) if key not in usual
    ]
    return urlunsplit(parts._replace(query=urlencode(pairs)))
