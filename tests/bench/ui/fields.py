"""The fields that the benches edit: one of each page, and that of the yardstick."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """
    A number field of a page.

    Attributes:
        path: The page and its address.
        key: Name of the field in the address.
        values: Typed in turn; each changes the answer.
        button: Label of the popover in which the field stands; empty where it is in sight.
    """

    path: str
    key: str
    values: tuple[str, ...]
    button: str = ""


BLANK = Field("", "number", ("9", "10", "11", "12"))
COLLECTIVES = Field("collectives", "ranks", ("4", "5", "6", "7"))
LAYOUTS = Field("layouts", "gpus", ("64", "128", "16384"), "Training")
PAGES = (
    Field("bandwidth_hierarchy", "copy_size", ("2 GB", "4 GB", "8 GB")),
    Field("tensor_parallel", "tokens", ("16", "64", "48")),
    Field("gradient_sync", "domains", ("2", "4", "8"), "System"),
    Field("training", "batch", ("256", "512", "1024"), "Training"),
    Field("nvl72", "requests", ("512", "768", "256"), "Serving"),
    Field("kv_transfer", "context", ("16384", "32768", "65536"), "Serving"),
    Field("cost", "gpus", ("128", "256", "512"), "Training"),
)
