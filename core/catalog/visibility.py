"""Visibility: what is shown without asking, and the label that doubtful entries carry."""

from collections.abc import Mapping
from typing import Protocol, TypeVar

from core.provenance import Confidence

IN_CALIBRATIONS = frozenset(
    {
        *(
            "v100-sxm",
            "a100-sxm-40gb",
            "a100-sxm-80gb",
            "h100-sxm",
            "h200-sxm",
            "gh200",
            "b200-sxm",
            "b300-sxm",
        ),
        *("gb200", "gb300", "l40s", "rtx-4090", "rtx-pro-6000-server", "mi300x", "mi350x"),
        *("nvlink2", "nvlink3", "nvlink4", "nvlink5", "pcie4-x16", "pcie5-x16", "if-mi300x", "if-mi355x"),
        *("ib-hdr", "ib-ndr", "roce-400", "slingshot-200"),
        *("efa-100", "efa-400", "efa-3200", "tcpx-100", "tcpxo-200"),
    }
)
"""Ids of GPUs and links that calibrated measurements use: shown whatever their confidence."""


class _Entry(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def confidence(self) -> Confidence: ...
    @property
    def note(self) -> str: ...


_E = TypeVar("_E", bound=_Entry)


def visible(items: Mapping[str, _E], unverified: bool = False) -> dict[str, _E]:  # noqa: FBT001, FBT002 (fixed interface)
    """
    The entries to show: high and medium confidence, and what a measurement uses.

    Args:
        items: A catalog mapping by id.
        unverified: True also shows low confidence and rumour (label them with ``label``).
    """
    return {
        key: entry
        for key, entry in items.items()
        if unverified or entry.confidence.verified or entry.id in IN_CALIBRATIONS
    }


def label(entry: _Entry) -> str:
    """A few words for a doubtful entry, empty for a trusted one: always shown beside its name."""
    if getattr(entry, "yours", False):
        return "yours"
    words = []
    if entry.confidence is Confidence.RUMOUR:
        words.append("rumour")
    if entry.confidence is Confidence.LOW:
        words.append("low confidence")
    words += [word for word in ("announced", "architectural") if word in entry.note]
    doubtful = getattr(entry, "unverified", "")
    if doubtful:
        words.append(f"unverified: {doubtful}")
    return "; ".join(words)
