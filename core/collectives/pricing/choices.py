"""Which algorithms may run a collective at a place: all that apply, or what the library has."""

from core.checks import InputError
from core.collectives.formulas.registry import ALGORITHMS, Algorithm
from core.collectives.pricing.place import ENGINES, Place
from core.provenance import Origin

LIBRARY_ONE_LEVEL = {
    "all_reduce": ("ring", "tree", "nvls"),
    "all_gather": ("ring", "nvls"),
    "reduce_scatter": ("ring", "nvls"),
    "all_to_all": ("direct",),
    "broadcast": ("ring",),
    "reduce": ("ring",),
    "send_recv": ("direct",),
}
"""What NCCL and RCCL choose from inside one domain."""

SHARP = ("sharp", "sharp-pipelined", "nvls-sharp")
"""What needs switches of the network that add; the last needs such a switch inside the domain too."""

LIBRARY_TWO_LEVEL = {
    "all_reduce": ("railed-ring", "railed-tree", "nvlstree", *SHARP),
    "all_gather": ("railed-ring",),
    "reduce_scatter": ("railed-ring",),
    "all_to_all": ("two-level",),
    "broadcast": ("railed-ring",),
    "reduce": ("railed-ring",),
    "send_recv": ("two-level",),
}
"""What they choose from across domains."""

ENGINE_KERNELS = {"nvls-multimem": ("nvls",)}
PLAINEST = ("ring", "railed-ring", "direct", "two-level")
"""What published tables count: ring bytes; where no ring exists, the bytes themselves."""


def applicable_at(collective: str, place: Place) -> tuple[Algorithm, ...]:
    """Every algorithm of the registry that this place can run."""
    levels = 1 if place.domains == 1 else 2
    return tuple(
        item
        for item in ALGORITHMS.values()
        if item.collective == collective and item.levels == levels and _supported(item, place)
    )


def candidates(collective: str, algorithm: str, place: Place, origin: Origin) -> tuple[Algorithm, ...]:
    """
    What the answer is chosen from: the one that was asked for, or what the library has.

    Raises:
        InputError: The algorithm asked for does not apply here; the message lists those that do.
    """
    able = applicable_at(collective, place)
    if algorithm == "auto":
        if origin is Origin.PUBLISHED:
            return plainest(able)
        names = _library_names(collective, place)
        return tuple(item for item in able if item.name in names)
    chosen = tuple(item for item in able if algorithm in (item.name, item.word))
    if not chosen and place.domains == 1 and algorithm.startswith("two-level"):
        chosen = plainest(able)
    if not chosen:
        words = ", ".join(["auto", *dict.fromkeys(item.word for item in able)])
        message = (
            f"algorithm: {algorithm} does not apply to {collective} on {place.domains} x "
            f"{place.local_ranks} GPUs here; one of {words}"
        )
        raise InputError(message)
    exact = tuple(item for item in chosen if item.name == algorithm)
    return exact or chosen[:1]


def plainest(able: tuple[Algorithm, ...]) -> tuple[Algorithm, ...]:
    """The ring, or where none exists the exchange itself."""
    for name in PLAINEST:
        found = tuple(item for item in able if item.name == name)
        if found:
            return found
    return able[:1]


def _library_names(collective: str, place: Place) -> tuple[str, ...]:
    if place.domains > 1:
        return LIBRARY_TWO_LEVEL[collective]
    if place.implementation in ENGINES:
        own = ENGINE_KERNELS.get(place.implementation, ("one-shot", "two-shot"))
        return (*own, *LIBRARY_ONE_LEVEL[collective])
    return LIBRARY_ONE_LEVEL[collective]


def _supported(item: Algorithm, place: Place) -> bool:
    if not item.in_network:
        return True
    if item.name not in SHARP:
        return place.in_switch
    return place.in_network and (place.in_switch or item.name != "nvls-sharp")
