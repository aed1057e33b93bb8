"""Terms of a step as the page names and colours them."""

LABELS = {
    "HBM": "HBM bandwidth",
    "FLOPs": "FLOPs",
    "launch": "collective launch",
    "latency": "communication latency",
    "wire": "scale-up link",
    "link": "scale-up link",
    "NIC": "NIC",
    "reduction": "reduction",
}
COLOURS = {
    "HBM bandwidth": "#8ec3ea",
    "FLOPs": "#8fd6b4",
    "kernel launch overhead": "#c9d2dc",
    "collective launch": "#ffd873",
    "communication latency": "#f7b26a",
    "scale-up link": "#f19393",
    "NIC": "#d99ad6",
    "reduction": "#c3b3f5",
}


def label(term: str) -> str:
    """What the page calls a term of core; an unknown one keeps its name."""
    return LABELS.get(term, term)
