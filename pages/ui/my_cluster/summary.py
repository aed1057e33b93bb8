"""The page Fit your cluster in words: inputs, how well the fit follows, what it cannot tell."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.collectives.fitted import Fit, MachineConstants, fit_text
from core.hardware import System
from core.units import format_time
from core.verdict.points import fit_runs
from pages.ui.shared import answer, bound, fits, machine, pick, states
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.messages import plain

HINT = "Logs of nccl-tests or run files, one sweep or several"
UNNAMED = "my cluster"
MOST_DESCRIBED = 3


@dataclass(frozen=True, slots=True)
class Label:
    """What the fit is called, and a note about it."""

    name: str
    note: str


@dataclass(frozen=True, slots=True)
class Fitted:
    """The fit and the system that its runs were measured on."""

    system: System
    fit: Fit


def label() -> Label:
    """The widgets of name and note."""
    left, right = st.columns([1, 2])
    with left:
        name = bound.text(
            "Name of the fit", "fit_name", UNNAMED, help="Letters, digits, space, dot, - and _."
        )
    with right:
        note = st.text_input("Note", key="_fit_note", placeholder="after the firmware update")
    return Label(name.strip() or UNNAMED, note or "")


def empty() -> None:
    """What the page needs."""
    states.empty("No run yet.", "Upload the log of a sweep, paste it, or choose stored runs.")
    st.markdown(
        "A sweep of one collective from 8 B to 1 GiB or more tells most. More collectives and GPU counts "
        "tell more. What the runs cannot tell is listed, and keeps its calibrated value."
    )


def make(picked: Sequence[pick.Picked], system_choice: machine.SystemChoice, label: Label) -> Fitted:
    """The fit of the runs; InputError where they cannot be fitted."""
    system = pick.system_for(system_choice, picked[0].run)
    runs = tuple(item.run for item in picked)
    fit = fit_runs(label.name, runs, system, run_ids=[item.sha256 for item in picked], note=label.note)
    return Fitted(system, fit)


def headline(fitted: Fitted) -> None:
    """How well the fit follows, and how the system differs from calibrated ones."""
    fit = fitted.fit
    sizes = sum(len(curve.size_bytes) for curve in fit.curves)
    differences = [_difference(constants) for constants in fit.machines[:MOST_DESCRIBED]]
    sweeps = f"{len(fit.curves)} sweep{'s' if len(fit.curves) > 1 else ''}"
    answer.headline(
        Headline(
            f"{fit.name} follows {sizes} message sizes; held out, each is predicted within "
            f"{100 * held_out(fit):.1f} % (median).",
            " ".join(filter(None, [*differences, _unidentified_count(fit)])),
        ),
        note=plain(f"Fitted to {sweeps} on {fitted.system.name}, model version {fit.model_version}"),
        origin="yours",
    )


def held_out(fit: Fit) -> float:
    """Median relative error of the inner sizes, each predicted without itself."""
    ratios = [ratio for curve in fit.residuals for ratio in curve.held_out[1:-1] or curve.held_out]
    return float(np.median(np.abs(np.array(ratios) - 1)))


def _difference(constants: MachineConstants) -> str:
    """Latency and transfer time of the reader's system as multiples of a calibrated one's."""
    setting, machine = constants.setting, constants.adaptation
    place = f"{setting.domains} × {setting.domain_gpus} GPUs"
    transfer = f"transfer time {_times(machine.ln_transfer, constants.sd_transfer)}"
    if machine.floor_s > 0:
        return f"**{place}**: {transfer} that of calibrated systems; launch overhead at least {format_time(machine.floor_s)}."
    latency = f"latency {_times(machine.ln_latency, constants.sd_latency)}"
    return f"**{place}**: {transfer} and {latency} that of calibrated systems."


def _times(ln_factor: float, sd: float) -> str:
    """A fitted factor with its standard deviation."""
    factor = math.exp(ln_factor)
    return f"{factor:.2f} ± {factor * sd:.2f} times"


def _unidentified_count(fit: Fit) -> str:
    count = len(fit.unidentified)
    things = "one thing" if count == 1 else f"{count} things"
    return f"The runs cannot tell {things}: see below." if count else ""


def figures(fit: Fit) -> list[Figure]:
    """Sweeps, and the median error of the model as shipped, adapted, and held out."""
    left_out = sum(len(curve.left_out) for curve in fit.residuals)

    def median_error(step: str) -> str:
        ratios = np.concatenate([getattr(curve, step) for curve in fit.residuals])
        return f"{100 * np.median(np.abs(ratios - 1)):.1f} %"

    return [
        Figure("Sweeps", str(len(fit.curves))),
        Figure(
            "Error, calibrated",
            median_error("calibrated"),
            "Median error of the model as shipped on these message sizes.",
        ),
        Figure(
            "Error, constants",
            median_error("constants"),
            "Median error with latency and transfer time adapted.",
        ),
        Figure(
            "Error, held out",
            f"{100 * held_out(fit):.1f} %",
            "Median error of inner sizes, each predicted without itself.",
        ),
        Figure(
            "Left out",
            str(left_out),
            "Samples that are not usable: first calls, disturbed, or faster than the link.",
        ),
    ]


def unidentified(fit: Fit) -> None:
    """What the runs cannot tell."""
    if fit.unidentified:
        st.subheader("What these runs cannot tell")
        st.markdown("\n".join(f"* {plain(line[:1].upper() + line[1:])}." for line in fit.unidentified))


def keep(fit: Fit) -> None:
    """Download the fit, or store it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download fit",
            fit_text(fit),
            f"{fit.name}.json",
            "application/json",
            icon=":material/download:",
        )
        replace = st.checkbox("Replace a fit of that name", key="_fit_replace")
        st.button(
            "Store fit",
            key="_fit_save",
            icon=":material/save:",
            on_click=fits.save,
            args=(fit, replace),
        )
    st.caption(
        "A stored fit is offered on every page under Rates, *yours*. The file works in the shell too: "
        f'`--rates "fitted:{fit.name}.json"`.'
    )
