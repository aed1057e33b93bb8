"""Data only: sources, links, GPUs, systems, models, precisions, each looked up by id."""

from collections.abc import Mapping
from typing import TypeVar

from core.catalog.curves import CURVES
from core.catalog.disputes import DISPUTES, disputes_about
from core.catalog.disputes.dispute import Dispute, Reading
from core.catalog.gpus import GPUS
from core.catalog.links import LINKS
from core.catalog.measured import MEASURED, MEASURED_PAIRS
from core.catalog.models import MODELS
from core.catalog.precisions import PRECISIONS
from core.catalog.sources import SOURCES
from core.catalog.switches import SWITCHES, Anatomy, mesh
from core.catalog.systems import SYSTEMS
from core.catalog.visibility import label, visible
from core.checks import choice
from core.hardware import Gpu, Link, System
from core.workload import Model, Precision

__all__ = [
    "CURVES",
    "DISPUTES",
    "GPUS",
    "LINKS",
    "MEASURED",
    "MEASURED_PAIRS",
    "MODELS",
    "PRECISIONS",
    "SOURCES",
    "SWITCHES",
    "SYSTEMS",
    "Anatomy",
    "Dispute",
    "Reading",
    "disputes_about",
    "gpu",
    "label",
    "link",
    "link_name",
    "mesh",
    "model",
    "precision",
    "system",
    "visible",
]

_T = TypeVar("_T")


def _entry(name: str, entries: Mapping[str, _T], entry_id: str) -> _T:
    return entries[choice(name, entry_id, entries, listed="the Catalog page")]


def link(link_id: str) -> Link:
    """The link of this id; InputError lists the ids."""
    return _entry("link", LINKS, link_id)


def link_name(link_id: str | None) -> str:
    """A link's name for people, such as *InfiniBand NDR 4x*; an unknown id as it is, empty for none."""
    return LINKS[link_id].name if link_id in LINKS else link_id or ""


def gpu(gpu_id: str) -> Gpu:
    """The GPU of this id; InputError lists the ids."""
    return _entry("gpu", GPUS, gpu_id)


def system(system_id: str) -> System:
    """The system of this id; InputError lists the ids."""
    return _entry("system", SYSTEMS, system_id)


def model(model_id: str) -> Model:
    """The model of this id; InputError lists the ids."""
    return _entry("model", MODELS, model_id)


def precision(precision_id: str) -> Precision:
    """The number format of this id; InputError lists the ids."""
    return _entry("precision", PRECISIONS, precision_id)
