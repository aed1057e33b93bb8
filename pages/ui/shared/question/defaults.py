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
