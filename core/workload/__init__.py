"""The nouns of the work: precision, attention kind, a transformer's shape."""

from core.workload.model import Attention, Model, Precision

__all__ = ["Attention", "Model", "Precision"]
