"""Which algorithms may run a collective at a place: all that apply, or what the library has."""

from core.checks import InputError
from core.collectives.cost_model import ENGINES
from core.collectives.formulas.registry import ALGORITHMS, Algorithm
from core.collectives.pricing.placement import Placement
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
"""What needs in-network reduction across domains; the last needs it inside the domain too."""

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


def applicable_at(collective: str, placement: Placement) -> tuple[Algorithm, ...]:
    """Every algorithm of the registry that this place can run."""
    levels = 1 if placement.domains == 1 else 2
    return tuple(
        item
        for item in ALGORITHMS.values()
        if item.collective == collective and item.levels == levels and _supported(item, placement)
    )


def candidates(
    collective: str, algorithm: str, placement: Placement, origin: Origin
) -> tuple[Algorithm, ...]:
    """
    The algorithms to choose from: the named one, or what the library has.

    Raises:
        InputError: The named algorithm does not apply here; the message lists those that do.
    """
    algorithms = applicable_at(collective, placement)
    if algorithm == "auto":
        if origin is Origin.PUBLISHED:
            return plainest(algorithms)
        names = _library_names(collective, placement)
        return tuple(item for item in algorithms if item.name in names)
    named = tuple(item for item in algorithms if algorithm in (item.name, item.word))
    if not named and placement.domains == 1 and algorithm.startswith("two-level"):
        named = plainest(algorithms)
    if not named:
        words = ", ".join(["auto", *dict.fromkeys(item.word for item in algorithms)])
        message = (
            f"algorithm: {algorithm} does not apply to {collective} on {placement.domains} x "
            f"{placement.local_ranks} GPUs here; one of {words}"
        )
        raise InputError(message)
    exact = tuple(item for item in named if item.name == algorithm)
    return exact or named[:1]


def plainest(algorithms: tuple[Algorithm, ...]) -> tuple[Algorithm, ...]:
    """The ring, or where none exists the exchange itself."""
    for name in PLAINEST:
        matching = tuple(item for item in algorithms if item.name == name)
        if matching:
            return matching
    return algorithms[:1]


def _library_names(collective: str, placement: Placement) -> tuple[str, ...]:
    if placement.domains > 1:
        return LIBRARY_TWO_LEVEL[collective]
    if placement.implementation in ENGINES:
        own = ENGINE_KERNELS.get(placement.implementation, ("one-shot", "two-shot"))
        return (*own, *LIBRARY_ONE_LEVEL[collective])
    return LIBRARY_ONE_LEVEL[collective]


def _supported(item: Algorithm, placement: Placement) -> bool:
    if not item.in_network:
        return True
    if item.name not in SHARP:
        return placement.in_switch
    return placement.in_network and (placement.in_switch or item.name != "nvls-sharp")
