"""Five worked scenarios: a question, its answer computed now, and the link that opens it on its page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from core import catalog
from core.calculators import capacity, gradient_sync, tensor_parallel
from core.calculators.question import Question, ServingLoad, TrainingJob
from core.catalog.software import PRESETS, SERVING_DEFAULT, SHARDING_DEFAULT
from core.collectives import pricing
from core.collectives.question import Software
from core.measurement import Run, Sample
from core.measurement.bus_factor import bus_factor
from core.systems import configure
from core.units import GB, GIB, format_rate, format_time
from core.verdict import judge_run
from pages.ui.home.understood.link import link
from pages.ui.home.understood.question import read
from pages.ui.shared.navigation import SECTIONS, Page

BUSBW = "Is 46 GB/s right for two DGX H100?"
PAGES = {page.name: page for pages in SECTIONS.values() for page in pages}


@dataclass(frozen=True, slots=True)
class Worked:
    """
    A scenario of Home.

    Attributes:
        question: In the reader's words.
        page: The page that answers it.
        inputs: The scenario's inputs as that page's address holds them.
        ask: Computes the answer in a sentence or two.
    """

    question: str
    page: Page
    inputs: Mapping[str, str]
    ask: Callable[[], str]


def _software(preset: str) -> Software:
    """Library and launch as the preset of a page has them where nobody chose one."""
    return Software(implementation=PRESETS[preset].implementation, launch=PRESETS[preset].launch)


def _decode() -> str:
    question = Question(
        system=catalog.system("dgx-h100"),
        software=_software(SERVING_DEFAULT),
        model=catalog.model("llama-3.1-70b"),
        load=ServingLoad(context=4096),
    )
    by_degree = {
        degree: tensor_parallel.answer(
            tensor_parallel.Scenario.of(question, tp=degree, tokens=32)
        ).per_step.time_s
        for degree in (4, 8)
    }
    four, eight = by_degree[4], by_degree[8]
    return (
        f"On a DGX H100, 32 requests: TP8 decodes {four / eight:.2f} times as fast ({format_time(eight)} against {format_time(four)} a token); "
        f"TP4 gives more per GPU ({32 / four / 4:,.0f} against {32 / eight / 8:,.0f} tokens/s)."
    )


def _rack() -> str:
    question = Question(
        system=catalog.system("gb200-nvl72"),
        model=catalog.model("deepseek-v3-r1"),
        load=ServingLoad(context=32768, weights=catalog.precision("fp8"), sequences=1024),
    )
    return capacity.capacity(capacity.Scenario.of(question)).headline


def _busbw() -> str:
    two = configure(catalog.system("dgx-h100"), domains=2)
    moved = 8 * GIB * (bus_factor("all_reduce", 16) or 0.0)
    sample = Sample("all_reduce", int(8 * GIB), time_s=moved / (46 * GB))
    [size] = judge_run(Run("", "nccl-tests-text", "all_reduce", 16, samples=(sample,)), two).sizes
    low, high = (moved / GB / (bound or sample.time_s) for bound in (size.high_s, size.low_s))
    nic = catalog.link("ib-ndr").one_way_bytes_per_s or 0.0
    return (
        f"No: an all-reduce of 8 GiB over 16 H100 on NDR shows {low:,.0f}-{high:,.0f} GB/s. "
        f"46 GB/s is below the {format_rate(nic)} of a single NIC of the node's {two.nics_per_domain}."
    )


def _fabric() -> str:
    def exposed(network: str) -> tuple[float, float]:
        system = configure(catalog.system("dgx-h100"), domains=16, network=network)
        question = Question(
            system=system,
            software=_software(SHARDING_DEFAULT),
            model=catalog.model("llama-3.1-8b"),
            job=TrainingJob(strategy="fsdp", grad_bytes=2.0, param_bytes=2.0),
        )
        answer = gradient_sync.answer(gradient_sync.Scenario.of(question, tokens_per_rank=8192))
        return answer.comm_s, answer.exposed_s

    (ib, ib_exposed), (roce, roce_exposed) = exposed("ib-ndr"), exposed("roce-400")
    return (
        f"An 8B model over 128 H100: InfiniBand NDR takes {format_time(ib)} a step, RoCE 400 {format_time(roce)}; most of it overlaps with compute: "
        f"{format_time(ib_exposed)} against {format_time(roce_exposed)} are exposed."
    )


def _nodes() -> str:
    four = configure(catalog.system("dgx-h100"), domains=4)
    times = {
        system.gpus: pricing.answer(
            pricing.Scenario(system=system, collective="all_reduce", ranks=system.gpus, size_bytes=GIB)
        ).time_s
        for system in (catalog.system("dgx-h100"), four)
    }
    inside, across = times.values()
    return (
        f"An all-reduce of 1 GiB takes {format_time(across)} over 32 GPUs against {format_time(inside)} inside one node: "
        f"{across / inside:.2f} times as long."
    )


WORKED = (
    Worked(
        "TP4 or TP8 for Llama 3.1 70B?",
        PAGES["tensor_parallel"],
        {"system": "dgx-h100", "model": "llama-3.1-70b", "requests": "32", "context": "4096", "tp": "8"},
        _decode,
    ),
    Worked(
        "Does DeepSeek-V3 fit an NVL72?",
        PAGES["nvl72"],
        {
            "system": "gb200-nvl72",
            "model": "deepseek-v3-r1",
            "weights": "fp8",
            "context": "32768",
            "requests": "1024",
        },
        _rack,
    ),
    Worked(
        BUSBW,
        PAGES["check"],
        {key: str(value) for key, value in link("check", read(BUSBW)).inputs.items()},
        _busbw,
    ),
    Worked(
        "InfiniBand or RoCE for FSDP?",
        PAGES["gradient_sync"],
        {"system": "dgx-h100", "gpus": "128", "model": "llama-3.1-8b", "seq": "8192", "strategy": "fsdp"},
        _fabric,
    ),
    Worked(
        "What does leaving the node cost?",
        PAGES["collectives"],
        {"system": "dgx-h100", "domains": "4", "collective": "all_reduce", "size": "1 GiB"},
        _nodes,
    ),
)


@st.cache_data(show_spinner=False)
def answers() -> tuple[str, ...]:
    """The answer of each scenario, computed once a process."""
    return tuple(worked.ask() for worked in WORKED)
