"""The software of the question: a preset, and the fields that replace it."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.calculators.software import HOLDS, SERVES, stated, trains
from core.catalog.software import (
    COMMUNICATION_DEFAULT,
    PRESETS,
    SERVING_DEFAULT,
    SHARDING_DEFAULT,
    TRAINING_DEFAULT,
    Preset,
)
from core.collectives.cost_model import IMPLEMENTATIONS, LAUNCHES
from core.collectives.question import AUTO, Software
from pages.ui.shared import bound, names
from pages.ui.shared.messages import plain
from pages.ui.shared.question import peek

AS_PRESET = "preset"
HELP = (
    "What engine or framework communicates. **auto**: vLLM where a model is served, Megatron-LM where it is "
    "trained, FSDP for gradient sync, plain NCCL for one collective. The shell and HTTP take the same; only "
    "`gradient-sync` takes DDP over plain NCCL there, unless `--software auto` is said."
)
LAUNCH_HELP = "stream: eager launch on a CUDA or HIP stream. graph: replayed from a CUDA or HIP graph."
DEFAULTS = {
    "collectives": COMMUNICATION_DEFAULT,
    "job": COMMUNICATION_DEFAULT,
    "my_cluster": COMMUNICATION_DEFAULT,
    "gradient_sync": SHARDING_DEFAULT,
    "training": TRAINING_DEFAULT,
    "cost": TRAINING_DEFAULT,
}
"""What ``auto`` stands for by page; the others serve a model."""


@dataclass(frozen=True, slots=True)
class SoftwareChoice:
    """The preset in use, whether ``auto`` chose it, and the library and launch with what replaces them."""

    preset: Preset
    auto: bool
    software: Software

    @property
    def training(self) -> dict[str, Any]:
        """What the preset says of a training job, by the names of its fields."""
        return trains(self.preset, chosen=not self.auto)

    @property
    def serving(self) -> dict[str, Any]:
        """What the preset says of how a model is served, by the names of ``Serving``."""
        return stated(self.preset, SERVES)

    @property
    def memory(self) -> dict[str, Any]:
        """What the preset says of a GPU's memory, by the names of ``Question``."""
        return stated(self.preset, HOLDS)

    @property
    def label(self) -> str:
        """Short name, such as *vLLM (auto)*."""
        changed = self.software != Software(
            implementation=self.preset.implementation, launch=self.preset.launch
        )
        return f"{self.preset.name}{' (auto)' if self.auto else ''}{', changed' if changed else ''}"


def preset_id(option: str, page: str) -> str:
    """The preset that an option stands for on a page; the goal of the page Layouts says what it is about."""
    if option in PRESETS:
        return option
    if page == "layouts" and peek.text("goal", "train") == "train":
        return TRAINING_DEFAULT
    return DEFAULTS.get(page, SERVING_DEFAULT)


def expected(page: str) -> SoftwareChoice:
    """The choice that the widgets are about to hold."""
    implementation = peek.text("implementation", AS_PRESET)
    launch = peek.text("launch", AS_PRESET)
    return _choice(peek.text("software", AUTO), implementation, launch, page)


def choose(page: str) -> SoftwareChoice:
    """The widgets of preset, communication library and kernel launch."""
    option = bound.choice(
        "Software", "software", [AUTO, *PRESETS], AUTO, names={AUTO: AUTO} | names.presets(), help=HELP
    )
    preset = PRESETS[preset_id(option, page)]
    st.caption(plain(f"{preset.name}: {preset.note}"))
    implementation = bound.choice(
        "Communication library",
        "implementation",
        [AS_PRESET, *IMPLEMENTATIONS],
        AS_PRESET,
        names=names.COMMUNICATION_LIBRARIES,
    )
    launch = bound.switch("Kernel launch", "launch", [AS_PRESET, *LAUNCHES], AS_PRESET, help=LAUNCH_HELP)
    return _choice(option, implementation, launch, page)


def _choice(option: str, implementation: str, launch: str, page: str) -> SoftwareChoice:
    preset = PRESETS[preset_id(option, page)]
    software = Software(
        implementation=implementation if implementation in IMPLEMENTATIONS else preset.implementation,
        launch=launch if launch in LAUNCHES else preset.launch,
    )
    return SoftwareChoice(preset, option not in PRESETS, software)
