"""The page Fit your cluster in words: inputs, how well the fit follows, what it cannot tell."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from core.collectives.cost_model import predict
from core.collectives.fitted import CALIBRATED, CONSTANTS, SWEEP, Curve, Fit, checked_name, fit_text
from core.collectives.formulas import busbw_factor
from core.hardware import System
from core.measurement import Run
from core.units import counted, format_rate, format_share, format_size, format_time
from core.verdict.points import fit_runs
from db.people import Role
from pages.ui.shared import answer, bound, empty_state, fits, machine, names, person, pick, projects, tables
from pages.ui.shared.answer import Figure, Headline
from pages.ui.shared.messages import plain

HINT = "Logs of nccl-tests or run files, one sweep or several"
UNNAMED = "my cluster"
MOST_DESCRIBED = 3
REMEMBERED = 32
ANSWERS = {
    SWEEP: "its sweep",
    CONSTANTS: "the constants",
    CALIBRATED: "the calibration: the fit is no better",
}


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
    with st.grid(2, min_column_width=150, gap="small"):
        name = bound.text(
            "Name of the fit", "fit_name", UNNAMED, help="Letters, digits, space, dot, - and _."
        )
        note = st.text_input("Note", key="_fit_note", placeholder="after the firmware update")
    return Label(name.strip() or UNNAMED, note or "")


def empty() -> None:
    """What the page needs."""
    empty_state.logs(
        "No run yet: upload the log of a sweep, paste it, or choose stored runs. A log is made so:"
    )
    st.markdown(
        "A sweep of one collective from 8 B to 1 GiB or more tells most. More collectives and GPU counts "
        "tell more. What the runs cannot tell is listed, and keeps its calibrated value."
    )


def make(picked: Sequence[pick.Picked], system_choice: machine.SystemChoice, label: Label) -> Fitted:
    """The fit of the runs; InputError where they cannot be fitted."""
    runs = tuple(item.run for item in picked)
    system = pick.system_for(system_choice, runs)
    fit = _fit(tuple(item.sha256 for item in picked), system, runs)
    return Fitted(system, replace(fit, name=checked_name(label.name), note=label.note))


@st.cache_resource(max_entries=REMEMBERED, show_spinner="Fitting the sweeps ...")
def _fit(run_ids: tuple[str, ...], system: System, _runs: tuple[Run, ...]) -> Fit:
    """A frozen record, so shared without a copy; the runs are known by their hashes."""
    return fit_runs(UNNAMED, _runs, system, run_ids=run_ids)


def headline(fitted: Fitted) -> None:
    """How well the fit predicts, what the sweeps show, and what stays calibrated."""
    fit = fitted.fit
    sizes = sum(len(curve.size_bytes) for curve in fit.curves)
    differences = [_difference(curve) for curve in fit.curves[:MOST_DESCRIBED]]
    sweeps = counted(len(fit.curves), "sweep")
    error, calibrated = (format_share(fit.error(step)) for step in (None, CALIBRATED))
    answer.headline(
        Headline(
            f"{fit.name}: sizes left out are predicted within {error}, by the calibrated model within "
            f"{calibrated} (median of {sizes} sizes)",
            " ".join([*differences, *_kept_calibrated(fit), _unidentified_count(fit)]).strip(),
        ),
        note=f"Fitted to {sweeps} on {fitted.system.name}, model version {fit.model_version}",
        origin="yours",
    )


def _difference(curve: Curve) -> str:
    """The largest size's rate and the smallest's time, measured and calibrated: what the chart shows."""
    setting, large, small = curve.setting, curve.size_bytes[-1], curve.size_bytes[0]
    calibrated = predict(setting, [small, large]).time_s.tolist()
    factor = float(busbw_factor(setting.collective, setting.domain_gpus * setting.domains))
    measured_rate, calibrated_rate = (
        format_rate(factor * large / time_s) for time_s in (curve.time_s[-1], calibrated[1])
    )
    return (
        f"{names.operation(setting.collective).capitalize()}, {setting.domains} × {setting.domain_gpus} GPUs: {measured_rate} busbw at "
        f"{format_size(large)}, calibrated {calibrated_rate}; {format_time(curve.time_s[0])} at "
        f"{format_size(small)}, calibrated {format_time(calibrated[0])}."
    )


def _kept_calibrated(fit: Fit) -> list[str]:
    """What the fit meets no better than the calibration, and is therefore answered as calibrated."""
    kept = [
        names.operation(curve.setting.collective) for curve in fit.curves if curve.answered_by == CALIBRATED
    ]
    lines = [f"The calibration stays for {', '.join(kept)}: the fit is no better there."] if kept else []
    places = [
        f"{item.setting.domains} × {item.setting.domain_gpus}"
        for item in fit.machines
        if item.adaptation.neutral
    ]
    if places:
        others = f"Other collectives on {', '.join(places)} GPUs stay calibrated"
        lines.append(f"{others}: adapting latency and transfer predicts sizes left out no better.")
    return lines


def _unidentified_count(fit: Fit) -> str:
    count = len(fit.unidentified)
    things = "one thing" if count == 1 else f"{count} things"
    return f"The runs cannot tell {things}: see below." if count else ""


def figures(fit: Fit) -> list[Figure]:
    """The median error of the model as shipped, adapted, and along the sweep."""
    left_out = sum(len(curve.left_out) for curve in fit.residuals)
    return [
        Figure(
            "Error, calibrated",
            format_share(fit.error(CALIBRATED)),
            "Median error of the model as shipped on these message sizes.",
        ),
        Figure(
            "Error, constants",
            format_share(fit.error(CONSTANTS)),
            "Median error with latency and transfer adapted, each size left out of the fit.",
        ),
        Figure(
            "Error, held out",
            format_share(fit.error(SWEEP)),
            "Median error of inner sizes, each predicted from its neighbours without itself.",
        ),
        Figure(
            "Left out",
            str(left_out),
            "Samples that are not usable: first calls, disturbed, or faster than the link.",
        ),
    ]


def parts(fit: Fit) -> None:
    """By what each measured collective is answered, and the constants behind every other one."""
    sweeps = pd.DataFrame(
        {
            "collective": names.operation(curve.setting.collective),
            "on": fits.place(curve.setting),
            "error, calibrated (%)": tables.cell(100 * left.error(CALIBRATED)),
            "error, constants (%)": tables.cell(100 * left.error(CONSTANTS)),
            "error, held out (%)": tables.cell(100 * left.error(SWEEP)),
            "answered by": ANSWERS[curve.answered_by],
        }
        for curve, left in zip(fit.curves, fit.residuals, strict=True)
    )
    constants = pd.DataFrame(
        {
            "on": fits.place(item.setting),
            "latency": _times(item.adaptation.ln_latency, item.sd_latency),
            "transfer time": _times(item.adaptation.ln_transfer, item.sd_transfer),
            "latency gained with size": f"{math.exp(item.adaptation.ln_growth):.2f} times",
            "launch overhead": format_time(item.adaptation.floor_s) if item.adaptation.floor_s else None,
            "answers": "stays calibrated" if item.adaptation.neutral else "other collectives, other sizes",
        }
        for item in fit.machines
    )
    tables.show(sweeps, "Error of every sweep by calibration, constants and neighbours")
    tables.show(constants, "Constants of every placement, as multiples of calibrated systems")
    st.caption(
        "A constant is adapted only where sizes left out are predicted better with it; a sweep is followed "
        "only where it predicts them no worse than the calibration."
    )


def _times(ln_factor: float, sd: float) -> str:
    """A fitted factor with its standard deviation."""
    factor = math.exp(ln_factor)
    return f"{factor:.2f} ± {factor * sd:.2f} times" if ln_factor else "as calibrated"


def unidentified(fit: Fit) -> None:
    """What the runs cannot tell."""
    st.markdown("\n".join(f"* {plain(names.sentence(line))}." for line in fit.unidentified))


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
        project = projects.choose("_fit_project")
        st.button(
            "Store fit",
            key="_fit_save",
            icon=":material/save:",
            disabled=(why_not := person.why_not(Role.UPLOADER)) is not None,
            help=why_not,
            on_click=fits.save,
            args=(fit, replace, project),
        )
    st.caption(
        "A stored fit is offered on every page under Rates, *yours*. The file works in the shell too: "
        f'`--rates "fitted:{fit.name}.json"`.'
    )
