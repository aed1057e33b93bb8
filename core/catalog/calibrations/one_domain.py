"""Rings inside one domain, per generation."""

from core.catalog.calibrations.shapes import Protocol, Provenance, RingSet

_PROTOTYPE = Provenance(("aiconfigurator",), 0, 0.056, ("ai-dynamo/aiconfigurator",), "first set")


def _set(name: str, base_us: float, lines: tuple[float, ...]) -> RingSet:
    h_ll, r_ll, h_128, r_128, h_simple, r_simple = lines
    return RingSet(
        name,
        base_us * 1e-6,
        (
            ("LL", Protocol(h_ll * 1e-6, r_ll)),
            ("LL128", Protocol(h_128 * 1e-6, r_128)),
            ("Simple", Protocol(h_simple * 1e-6, r_simple)),
        ),
        1.0,
        _PROTOTYPE,
    )


RINGS = {
    "ampere": _set("ampere", 8.3, (0.75, 12 / 300, 1.36, 128 / 300, 10.7, 257 / 300)),
    "hopper": _set("hopper", 4.2, (0.79, 16 / 450, 1.08, 203 / 450, 4.9, 398 / 450)),
    "blackwell": _set("blackwell", 6.7, (1.24, 21 / 900, 1.44, 306 / 900, 6.5, 778 / 900)),
    "pcie": _set("pcie", 4.0, (1.2, 0.08, 2.0, 0.3, 8.0, 0.55)),
    "mesh": _set("mesh", 12.0, (2.0, 0.08, 3.0, 0.3, 8.0, 0.70)),
}
