"""What the catalog says of one GPU: whether it has NVLink, and what a domain of them takes."""

from collections.abc import Mapping

from core.catalog import LINKS, link_name
from core.checks import InputError, count
from core.hardware import Family, Gpu
from core.provenance import Basis
from core.units import GB, format_rate
from pages.ui.shared.answer import Headline

MOST_GPUS = 100_000


def alone(gpu: Gpu) -> bool:
    """Whether a GPU has no link to others, and not only none with a stated rate."""
    return gpu.scale_up is None and gpu.domain_sizes == "1"


def has_nvlink(gpu: Gpu) -> Headline:
    """Whether a GPU has NVLink, and its rate."""
    if gpu.scale_up is None and not alone(gpu):
        reason = f"It joins domains of {gpu.domain_sizes}, but no source gives the rate of a GPU."
        return Headline(f"Not stated: how fast the link of {gpu.name} is.", reason)
    if gpu.scale_up is None:
        slot = link_name(gpu.pcie_link) or "PCIe"
        reason = f"Its GPUs communicate over {slot}, through the host's PCIe tree."
        return Headline(f"No: {gpu.name} has no GPU-to-GPU link.", reason)
    rate = gpu.scale_up.bytes_per_s
    both = f" ({2 * rate / GB:,.4g} bidirectional)" if gpu.scale_up.basis is Basis.BOTH_WAYS else ""
    reason = f"{format_rate(rate)} unidirectional {gpu.scale_up.scope}{both}; domains of {gpu.domain_sizes}."
    link = LINKS.get(gpu.scale_up_link or "")
    links = f"{gpu.scale_up_links} links of " if gpu.scale_up_links else ""
    word = "Yes" if link is not None and link.family is Family.NVLINK else "Not NVLink, but a link of its own"
    return Headline(f"{word}: {gpu.name} has {links}{link_name(gpu.scale_up_link)}.", reason)


def switched(gpus: Mapping[str, Gpu]) -> list[str]:
    """Ids of the GPUs whose links can go to switches."""
    return [key for key, gpu in gpus.items() if gpu.scale_up and (gpu.scale_up_links or 0) > 1]


def domain(gpu: Gpu, gpus: int) -> Headline:
    """
    Switch ports of a domain, and whether a point-to-point mesh is possible.

    Raises:
        InputError: A GPU without links, or a count that is no domain.
    """
    n = count("gpus", gpus, least=2, most=MOST_GPUS)
    links = gpu.scale_up_links
    if not links or gpu.scale_up is None:
        message = f"gpu: {gpu.name} has no links to connect"
        raise InputError(message)
    rate = gpu.scale_up.bytes_per_s
    text = f"{n} × {gpu.name} need {n} × {links} = {n * links:,} switch ports."
    if n - 1 <= links:
        pair = rate * -(-links // (n - 1)) / links
        return Headline(
            text,
            f"A mesh is still possible: at most {format_rate(pair)} per pair; switches give any pair {format_rate(rate)}.",
            f"The mesh stops at {links + 1} GPUs: beyond it a GPU has fewer links than peers.",
        )
    return Headline(
        text,
        f"A point-to-point mesh is impossible: {n - 1} peers, {links} links. It would take {n * (n - 1) // 2:,} cables.",
        f"A mesh of {gpu.name} stops at {links + 1} GPUs; through switches any pair has {format_rate(rate)} unidirectional.",
    )
