"""Parts of a step priced by tokens alone (GEMMs, head, routed MLPs): remembered, and priced side by side."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.calculators.tensor_parallel.formats import (
    dense_weights,
    expert_formats,
    gemm_formats,
    projection_weights,
)
from core.calculators.tensor_parallel.scenario import Scenario
from core.catalog import LINKS
from core.catalog.calibrations.serving import overheads
from core.checks import Floats
from core.hardware import Family, Gpu
from core.kernels.in_step import LIBRARY, gemms, routed_mlp
from core.kernels.routing import BALANCED, UNIFORM, Layer
from core.kernels.shapes import quickest
from core.workload import Model, Precision
from core.workload.transformer import parameters
from core.workload.transformer.matrices import MLP, PROJECTIONS, Matrix, matrices

WIDE_BYTES = 2.0
"""Of a weight in BF16."""


@dataclass(frozen=True, slots=True)
class Layers:
    """What the price of matrices on one GPU depends on besides tokens."""

    gpu: Gpu
    model: Model
    weights: Precision
    activation_bytes: float
    tp: int


@dataclass(frozen=True, slots=True)
class Experts:
    """The same of routed MLPs; ``dispatched`` where tokens come from an exchange."""

    layers: Layers
    ep: int
    balanced: bool
    imbalance: float
    dispatched: bool
    library: str

    @property
    def group(self) -> float:
        """Tokens at the experts of the busiest GPU over those of one attention group."""
        return max(self.ep / self.layers.tp, 1.0) * self.imbalance

    @property
    def width(self) -> float:
        """Intermediate size of an expert on one GPU."""
        return max(1.0, float(self.layers.model.expert_ffn or 0) / max(self.layers.tp // self.ep, 1))


Question = Layers | Experts
Asked = tuple[Question, Floats]
Price = Callable[[Sequence[Asked]], list[Floats]]


@dataclass(slots=True, eq=False)
class _Known:
    """Time, arithmetic and memory traffic of each part by tokens, once they are priced."""

    priced: Floats | None = None


@lru_cache(maxsize=2048)
def _known(price: Price, question: Question, tokens: bytes) -> _Known:  # noqa: ARG001 (they are the key)
    return _Known()


def prices(price: Price, asked: Sequence[Asked]) -> list[Floats]:
    """Each question's price at its numbers of tokens: those that are not remembered priced side by side."""
    distinct = [_distinct(np.asarray(tokens, np.float64).tobytes()) for _, tokens in asked]
    known = [_known(price, question, each) for (question, _), (each, _) in zip(asked, distinct, strict=True)]
    new = [place for place, entry in enumerate(known) if entry.priced is None]
    if new:
        found = price([(asked[place][0], np.frombuffer(distinct[place][0])) for place in new])
        for place, values in zip(new, found, strict=True):
            known[place].priced = values
    return [
        np.asarray(entry.priced)[..., where].reshape(-1, 3, *np.shape(tokens))
        for entry, (_, where), (_, tokens) in zip(known, distinct, asked, strict=True)
    ]


@lru_cache(maxsize=1024)
def _distinct(tokens: bytes) -> tuple[bytes, NDArray[np.intp]]:
    """Each number of tokens once, at least one, and where it stands."""
    distinct, where = np.unique(np.maximum(np.frombuffer(tokens, np.float64), 1.0), return_inverse=True)
    return distinct.tobytes(), where


def over_pcie(scenario: Scenario) -> bool:
    """Whether GPUs of one domain reach each other over PCIe, where engines gather all tokens on every GPU."""
    link = LINKS.get(scenario.system.scale_up.link)
    return link is not None and link.family is Family.PCIE


def routed_library(scenario: Scenario) -> str:
    """Whose routed MLPs run: those of the engine, else those that serving overheads were fitted with."""
    return scenario.engine or LIBRARY


def layers_of(scenario: Scenario, gpu: Gpu, tp: int) -> Layers:
    """The matrices of a scenario at a degree."""
    return Layers(gpu, scenario.model, scenario.weights, scenario.activations.bytes_per_value, tp)


def experts_of(scenario: Scenario, gpu: Gpu, tp: int) -> Experts:
    """The routed MLPs of a scenario at a degree."""
    routing = scenario.balanced, scenario.imbalance, scenario.ep > tp and not over_pcie(scenario)
    return Experts(layers_of(scenario, gpu, tp), scenario.ep, *routing, routed_library(scenario))


def matrix_prices(asked: Sequence[Asked]) -> list[Floats]:
    """GEMMs of projections, then of dense MLPs."""
    return [_matrices(question, tokens) for question, tokens in asked if isinstance(question, Layers)]


def _matrices(layers: Layers, tokens: Floats) -> Floats:
    model, every = layers.model, matrices(layers.model, layers.tp)
    formats = {
        PROJECTIONS: projection_weights(model, layers.weights),
        MLP: dense_weights(model, layers.weights),
    }
    parts = ([matrix for matrix in every if matrix.part == part] for part in formats)
    times = [_products(layers, *each, tokens) for each in zip(parts, formats.values(), strict=True)]
    return np.stack(times)


def _products(layers: Layers, every: list[Matrix], weights: Precision, tokens: Floats) -> Floats:
    """Time, arithmetic and memory traffic of matrices in one format."""
    if not every:
        return np.zeros((3, tokens.size))
    sizes = np.maximum([(matrix.outputs, matrix.inputs) for matrix in every], 1.0)
    read, formats = weights.bytes_per_value, gemm_formats(layers.gpu, weights, layers.model)
    terms = quickest(gemms(layers.gpu, name, read, tokens, sizes[:, :1], sizes[:, 1:]) for name in formats)
    counts = np.array([matrix.count for matrix in every])
    return np.asarray(
        np.einsum("m,xmt->xt", counts, np.stack([terms.time_s, terms.compute_s, terms.memory_s]))
    )


def head_prices(asked: Sequence[Asked]) -> list[Floats]:
    """The output projection, a row a sequence, in BF16."""
    return [_head(question, tokens) for question, tokens in asked if isinstance(question, Layers)]


def _head(layers: Layers, sequences: Floats) -> Floats:
    hidden = float(layers.model.hidden or 1)
    rows = max(1.0, parameters(layers.model).embedding / hidden / layers.tp)
    terms = gemms(layers.gpu, "bf16", layers.activation_bytes, sequences, rows, hidden)
    return np.stack([terms.time_s, terms.compute_s, terms.memory_s])


def expert_prices(asked: Sequence[Asked]) -> list[Floats]:
    """Routed MLPs of all layers on the busiest GPU: those alike but for TP and EP side by side."""
    alike: dict[Experts, list[int]] = {}
    for place, (question, _) in enumerate(asked):
        if isinstance(question, Experts):
            layers = replace(question.layers, tp=1)
            alike.setdefault(replace(question, layers=layers, ep=1), []).append(place)
    found: dict[int, Floats] = {}
    for places in alike.values():
        sizes = [asked[place][1].size for place in places]
        together = _experts([asked[place] for place in places])
        found.update(zip(places, np.split(together, np.cumsum(sizes)[:-1], axis=-1), strict=True))
    return [found[place] for place in range(len(asked))]


def _experts(asked: Sequence[Asked]) -> Floats:
    """One after the other along the last axis."""
    questions = [question for question, _ in asked if isinstance(question, Experts)]
    experts, own = questions[0], questions[0].layers
    tokens = np.concatenate(
        [tokens * question.group for question, (_, tokens) in zip(questions, asked, strict=True)]
    )
    counts = [tokens.size for _, tokens in asked]
    width, ep = (
        np.repeat(sizes, counts)
        for sizes in ([each.width for each in questions], [float(each.ep) for each in questions])
    )
    hidden, top_k, count = (
        np.full_like(tokens, size)
        for size in (own.model.routed_hidden or 0, own.model.active_experts, own.model.experts)
    )
    layer = Layer(tokens, hidden, width, top_k, count, ep)
    routing = BALANCED if experts.balanced else UNIFORM
    read, formats = own.weights.bytes_per_value, expert_formats(own.gpu, own.weights, own.model)
    terms = quickest(
        routed_mlp(own.gpu, name, read, layer, routing, gated=own.model.gated_mlp,
                   dispatched=experts.dispatched, library=experts.library)
        for name in formats
    )  # fmt: skip
    times = overheads(own.gpu).narrow_experts if read < WIDE_BYTES else 1.0
    return own.model.moe_layers * times * np.stack([terms.time_s, terms.compute_s, terms.memory_s])
