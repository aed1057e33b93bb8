"""Names of catalog entries beside their ids; what the catalog does not know keeps its id."""

from core.catalog import GPUS, LINKS


def link(key: str | None) -> str:
    """Name of a link or network, such as *InfiniBand NDR 4x*; empty for none."""
    return LINKS[key].name if key in LINKS else key or ""


def gpu(key: str) -> str:
    """Name of a GPU, such as *H100 SXM5 80GB*."""
    return GPUS[key].name if key in GPUS else key


def with_id(name: str, key: str) -> str:
    """A name with the id that the shell takes, once where they are the same."""
    return name if name == key else f"{name} ({key})"
