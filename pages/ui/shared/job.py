"""A training job as three pages ask for it: model, GPUs, batch, format, and the machine grown to it."""

from core.calculators.training import Scenario
from core.calculators.training.scenario import PRECISIONS
from core.checks import InputError
from core.parallel.grow import enough
from pages.ui.shared import bound, shape


def question(prefix, *, model="llama-3.1-70b", gpus=64, batch=128):
    """Widgets whose keys start with ``prefix``."""
    chosen, _ = shape.choose(f"{prefix}_model", model, shaped=True)
    asked = {
        "model": chosen,
        "gpus": bound.number("GPUs of the job", f"{prefix}_gpus", gpus, low=1, step=8),
        "global_batch": bound.number("Sequences of a step", f"{prefix}_batch", batch, low=1, step=32),
        "seq": bound.number("Tokens of a sequence", f"{prefix}_seq", 8192, low=1, step=1024),
        "precision": bound.choice("Matrix products in", f"{prefix}_precision", PRECISIONS, "bf16"),
    }
    asked["efficiency"] = bound.number(
        "Share of the peak they reach",
        f"{prefix}_efficiency",
        None,
        low=0.01,
        high=1.1,
        step=0.05,
        help="Your framework's one constant. Empty: the usual one for this GPU and format, and a band over frameworks.",
    )
    return asked


def scenario(asked, box, chosen, **more):
    """The question put to core, on as many domains of the machine as the GPUs need."""
    system = enough(box.system(), asked["gpus"])
    model = asked["model"]()
    if model is None or model.hidden is None:
        message = "model: one with published layers, or its config.json"
        raise InputError(message)
    kept = {name: asked[name] for name in ("global_batch", "seq", "precision", "efficiency")}
    rates = chosen.on(system, asked["gpus"])
    return Scenario(model=model, system=system, rates=rates, **kept, **more)


def place(found_system):
    """Where a job runs, in words."""
    domains = found_system.domains
    return "one domain" if domains == 1 else f"{domains:,} domains of {found_system.domain_gpus} GPUs"
