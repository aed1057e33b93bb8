"""The question that nobody has touched, the same on every page."""

DEFAULTS = {
    "system": "dgx-h100",
    "model": "llama-3.1-70b",
    "gpus": "64",
    "batch": "512",
    "seq": "8192",
    "precision": "bf16",
    "requests": "32",
    "weights": "bf16",
    "activations": "bf16",
    "kv": "bf16",
}
"""Value of an input by its name in the address."""
KEYS = (
    *("system", "domains", "network", "nics", "oversubscription", "sharp", "rates", "fit", "software"),
    *("implementation", "launch", "model", "params_b", "active_b", "gpus", "batch", "seq", "precision"),
    *("efficiency", "requests", "context", "weights", "activations", "kv"),
)
"""Names of the question's inputs in the address."""
WHOLE = ("domains", "nics", "gpus", "batch", "seq", "requests", "context")
REAL = ("efficiency", "oversubscription", "params_b", "active_b")
MAY_BE_ZERO = ("requests", "context", "params_b", "active_b")
LARGEST = 1e15


def typed(name: str, text: str) -> str | float | None:
    """A text of the address as its widget holds it; None where it is empty or the widget cannot."""
    if name not in (*WHOLE, *REAL):
        return text
    try:
        value = int(float(text)) if name in WHOLE else float(text)
    except (ValueError, OverflowError):
        return None
    least = 0 if name in MAY_BE_ZERO else 1e-9
    return value if least <= value <= LARGEST else None
