"""The nouns of the work: precision, attention kind, a transformer's shape, layers that keep a state."""

from core.workload.model import Attention, Model, Precision
from core.workload.recurrent import Indexer, Recurrence, StateLayers

__all__ = ["Attention", "Indexer", "Model", "Precision", "Recurrence", "StateLayers"]
