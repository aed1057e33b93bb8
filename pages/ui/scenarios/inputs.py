"""Inputs of the page Compare scenarios: two serving setups, each with all its widgets."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.calculators.question import Question, ServingLoad
from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.compare import llama_405b
from core.calculators.tensor_parallel.scenario import PHASES
from core.catalog import LINKS, PRECISIONS, SYSTEMS, visible
from core.checks import InputError
from core.collectives.cost_model import IMPLEMENTATIONS, LAUNCHES
from core.collectives.question import Software
from core.hardware import System
from core.systems import NETWORKS, configure, read_system
from pages.ui.shared import bound, shape
from pages.ui.shared.rates import RateChoice

DEFAULTS = dict(zip(("a", "b"), llama_405b(), strict=True))
FILE, CATALOG = "file", "catalog"
FILE_MOST_BYTES = 100_000
FIELDS = (
    *("model", "system", "tp", "phase", "tokens", "context", "weights", "kv", "domains", "network", "nics"),
    *("activations", "ep", "overlap", "sequence_parallel", "implementation", "launch"),
)
CONTEXT_HELP = "Per request. Empty: 4,096 in decode, one prompt of all tokens in prefill."
TOKENS_HELP = "Decode: one token for each concurrent request (batch size). Prefill: prompt tokens."


@dataclass(frozen=True, slots=True)
class Network:
    """Domains of the system and the network between them; None keeps the catalog's."""

    domains: int
    network: str | None
    nics_per_domain: int | None


@dataclass(frozen=True, slots=True)
class Details:
    """What stands in the expander of one side."""

    network: Network
    activations: str
    ep: int
    overlap: float
    sequence_parallel: bool
    implementation: str
    launch: str


def side(letter: str) -> Callable[[RateChoice], Scenario]:
    """All inputs of one side; a function that builds its scenario from the page's rates once all widgets stand."""
    default = DEFAULTS[letter]
    with st.container(border=True):
        st.subheader(letter.upper())
        model = shape.pick(f"{letter}_model", default.model.id, shaped=True).model
        system = _system(letter, default.system.id)
        left, right = st.columns(2)
        with left:
            tp = bound.number("TP degree", f"{letter}_tp", default.tp, low=1, step=1)
            tokens = bound.number(
                "Batched tokens per step",
                f"{letter}_tokens",
                default.tokens,
                low=1,
                step=1,
                help=TOKENS_HELP,
            )
            weights = bound.choice("Weight precision", f"{letter}_weights", PRECISIONS, default.weights.id)
        with right:
            phase = bound.choice("Phase", f"{letter}_phase", PHASES, default.phase)
            context = bound.number(
                "Context length (tokens)",
                f"{letter}_context",
                default.context,
                low=0,
                step=1024,
                help=CONTEXT_HELP,
            )
            kv = bound.choice("KV cache precision", f"{letter}_kv", PRECISIONS, default.kv.id)
        details = _details(letter)

    def scenario(rates: RateChoice) -> Scenario:
        network = details.network
        configured = configure(
            system(),
            domains=network.domains,
            network=network.network,
            nics_per_domain=network.nics_per_domain,
        )
        question = Question(
            system=configured,
            rates=rates.on(configured, tp),
            software=Software(implementation=details.implementation, launch=details.launch),
            model=model(),
            load=ServingLoad(
                context=context,
                weights=PRECISIONS[weights],
                activations=PRECISIONS[details.activations],
                kv=PRECISIONS[kv],
            ),
        )
        return Scenario.of(
            question,
            phase=phase,
            tokens=tokens,
            tp=tp,
            ep=details.ep,
            overlap=details.overlap,
            sequence_parallel=details.sequence_parallel,
        )

    return scenario


def _system(letter: str, default: str) -> Callable[[], System]:
    """A system of the catalog, or a system file."""
    systems = visible(SYSTEMS, bool(st.session_state.get("unverified")))
    option = bound.choice("System", f"{letter}_system", [*systems, FILE], default)
    if option != FILE:
        return lambda: SYSTEMS[option]
    file = st.file_uploader("System file (JSON)", type="json", key=f"_{letter}_system_file")
    return lambda: _read(file, letter)


def _read(file: UploadedFile | None, letter: str) -> System:
    if file is None:
        message = f"system file of {letter.upper()}: none yet; save one on a page with a custom system"
        raise InputError(message)
    if file.size > FILE_MOST_BYTES:
        message = f"system file: at most {FILE_MOST_BYTES:,} bytes"
        raise InputError(message)
    return read_system(file.getvalue().decode("utf-8", "replace"))


def _details(letter: str) -> Details:
    """Network, precision and library of one side."""
    with st.expander("Network, precision, library", icon=":material/tune:"):
        left, right = st.columns(2)
        with left:
            network = _network(letter)
            sequence_parallel = bound.toggle("Sequence parallelism", f"{letter}_sequence_parallel")
        with right:
            activations = bound.choice("Activation precision", f"{letter}_activations", PRECISIONS, "bf16")
            ep = bound.number("EP degree", f"{letter}_ep", 1, low=1, step=1)
            overlap = bound.number(
                "Communication overlapped (share)",
                f"{letter}_overlap",
                0.0,
                low=0.0,
                high=1.0,
                step=0.1,
                help="Share of the communication that runs behind compute.",
            )
        implementation = bound.choice("Communication library", f"{letter}_implementation", IMPLEMENTATIONS)
        launch = bound.choice("Kernel launch", f"{letter}_launch", LAUNCHES)
    return Details(network, activations, ep, overlap, sequence_parallel, implementation, launch)


def _network(letter: str) -> Network:
    domains = bound.number("Domains (nodes or racks)", f"{letter}_domains", 1, low=1, step=1)
    networks = [key for key in NETWORKS if key in visible(LINKS, unverified=False)]
    network = bound.choice(
        "Scale-out network", f"{letter}_network", [CATALOG, *networks], help="catalog: the system's own."
    )
    nics = bound.number(
        "NICs per domain", f"{letter}_nics", None, low=1, step=1, help="Empty: the catalog's."
    )
    return Network(domains, None if network == CATALOG else network, nics)


def tools() -> None:
    """Buttons that copy one side to the other, or swap them."""
    with st.container(horizontal=True):
        st.button("Copy A to B", icon=":material/content_copy:", on_click=_copy, key="_copy_sides")
        st.button("Swap", icon=":material/swap_horiz:", on_click=_swap, key="_swap_sides")


def _copy() -> None:
    for name in FIELDS:
        st.session_state[f"b_{name}"] = st.session_state[f"a_{name}"]


def _swap() -> None:
    for name in FIELDS:
        a, b = f"a_{name}", f"b_{name}"
        st.session_state[a], st.session_state[b] = st.session_state[b], st.session_state[a]
