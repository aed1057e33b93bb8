"""GPUs: every accelerator by id."""

from core.catalog.gpus.cards import CARDS
from core.catalog.gpus.nvidia import NVIDIA_GPUS
from core.catalog.gpus.others import OTHER_ACCELERATORS

GPUS = {entry.id: entry for entry in (*NVIDIA_GPUS, *CARDS, *OTHER_ACCELERATORS)}
