"""Options turned into the shared question: system, rates, software, model, training job, serving load."""

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from core import catalog, units
from core.calculators.question import Question, ServingLoad, TrainingJob
from core.calculators.software import COMMUNICATES, HOLDS, SERVES, preset_of, stated, trains
from core.checks import InputError
from core.collectives.question import AUTO, Software
from core.collectives.rates import Rates, parse_rates
from core.hardware import System
from core.shell.model import model, names_model
from core.shell.read import fit_of, is_file, measured_points, text_of
from core.systems import configure, read_system

FITTED = "fitted:"
FORMATS = ("weights", "activations", "kv", "dispatch")
Part = TypeVar("Part", Software, TrainingJob, ServingLoad)


def question(args: Namespace, default_model: str | None = None) -> Question:
    """
    The question that the options put, whichever of them a command has.

    Args:
        args: Options of one command.
        default_model: Catalog id of the model where no option names one; None leaves it open.

    Raises:
        InputError: A value that cannot be used; one line names it.
    """
    has_model = default_model is not None or names_model(args)
    return Question(
        system=system(args),
        rates=rates(args),
        software=software(args),
        algorithm=getattr(args, "algorithm", AUTO),
        model=model(args, default_model) if has_model else None,
        gpus=getattr(args, "gpus", None),
        job=_part(TrainingJob, args, dict(getattr(args, "usual_job", {})) | _trains(args)),
        load=_part(ServingLoad, args, _preset(args, SERVES)),
        **memory(args),
    )


def system(args: Namespace) -> System:
    """The system: catalog id or file, with its domains, network and NICs."""
    if args.system_file is not None:
        base = read_system(text_of(args.system_file, "--system-file"))
    else:
        base = catalog.system(args.system)
    return configured(base, args)


def configured(base: System, args: Namespace) -> System:
    """A system with the domains, network and NICs that the options name."""
    cluster = (args.domains, args.network, args.nics_per_domain, args.oversubscription)
    if all(value is None for value in cluster) and not args.in_network:
        return base
    return configure(
        base,
        domains=args.domains or base.domains,
        network=args.network,
        nics_per_domain=args.nics_per_domain,
        oversubscription=args.oversubscription,
        in_network_reduction=True if args.in_network else None,
    )


def software(args: Namespace) -> Software:
    """Library and launch: those named, else the preset's."""
    return _part(Software, args, _preset(args, COMMUNICATES))


def memory(args: Namespace) -> dict[str, Any]:
    """What of a GPU's memory is used, by the names of ``Question``: as named, else the preset's."""
    reserve_gb = getattr(args, "reserve_gb", None)
    reserve_bytes = units.converted(reserve_gb, units.GB)
    named = {
        "memory_of": getattr(args, "memory_of", None),
        "reserve_bytes": reserve_bytes,
        "state_ratio": getattr(args, "mamba_memory_ratio", None),
        "state_slots": getattr(args, "states_per_request", None),
    }
    return _preset(args, HOLDS) | {name: value for name, value in named.items() if value is not None}


def rates(args: Namespace) -> Rates:
    """The rates named, with the overrides in SI."""
    latency_s, across_latency_s = _inside_and_across(args.latency_us, units.US)
    bytes_per_s, across_bytes_per_s = _inside_and_across(args.rate_gbps_one_way, units.GB)
    return replace(
        rates_named(args.rates or "calibrated"),
        latency_s=latency_s,
        across_latency_s=across_latency_s,
        latency_per=args.latency_per,
        bytes_per_s=bytes_per_s,
        across_bytes_per_s=across_bytes_per_s,
    )


def rates_named(text: str) -> Rates:
    """The rates of that name; ``fitted:`` reads the file of a fit or of measured points."""
    named = parse_rates(text)
    return _fitted(named, text.removeprefix(FITTED)) if text.startswith(FITTED) else named


def _inside_and_across(values: tuple[float, ...] | None, unit: float) -> tuple[float | None, float | None]:
    """One figure for every link, or one inside domains and one between them, in SI."""
    inside, across = (*(value * unit for value in values or ()), None, None)[:2]
    return inside, across


def _trains(args: Namespace) -> dict[str, Any]:
    """What the software preset says of a training job; its framework only where it was named."""
    name = getattr(args, "software", None)
    return {} if name is None else trains(preset_of(name, args.auto_software), chosen=name != AUTO)


def _preset(args: Namespace, names: tuple[str, ...]) -> dict[str, Any]:
    """What the software preset says of these fields."""
    if getattr(args, "software", None) is None:
        return {}
    return stated(preset_of(args.software, args.auto_software), names)


def _part(kind: type[Part], args: Namespace, usual: Mapping[str, Any] = MappingProxyType({})) -> Part:
    """A part of the question from the options named as its fields are, ``usual`` where they are silent."""
    values: dict[str, Any] = {item.name: getattr(args, item.name, None) for item in fields(kind)}
    formats = {name: catalog.precision(values[name]) for name in FORMATS if values.get(name) is not None}
    said = {name: value for name, value in (values | formats).items() if value is not None}
    return kind(**{**usual, **said})


def _fitted(named: Rates, name: str) -> Rates:
    """The rates with the fit of that name: NAME.json here, or a file of a fit or of measured points."""
    path = next((file for file in (name, f"{name}.json") if is_file(file)), None)
    if path is None:
        message = f"--rates: no fit {name[:80]!r} here; a file of a fit (JSON) or of measured points (CSV)"
        raise InputError(message)
    if text_of(path, "--rates").lstrip().startswith("{"):
        fit = fit_of(path)
        return replace(named, name=fit.name, fit=fit)
    return replace(named, name=Path(path).stem, points=measured_points(path))
