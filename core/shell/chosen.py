"""Options turned into domain objects: the system, the rates, the formats."""

from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from core import catalog, units
from core.checks import InputError
from core.collectives.rates import Rates, parse_rates
from core.hardware import System
from core.shell.read import fit_of, measured_points, text_of
from core.systems import configure, read_system

FITTED = "fitted:"


def system(args: Namespace) -> System:
    """The machine asked for: catalog id or file, with its domains, network and NICs."""
    if args.system_file is not None:
        found = read_system(text_of(args.system_file, "--system-file"))
    else:
        found = catalog.system(args.system)
    asked = (args.domains, args.network, args.nics_per_domain, args.oversubscription)
    if all(value is None for value in asked) and not args.in_network:
        return found
    return configure(
        found,
        domains=args.domains or found.domains,
        network=args.network,
        nics_per_domain=args.nics_per_domain,
        oversubscription=args.oversubscription,
        in_network_reduction=True if args.in_network else None,
    )


def rates(args: Namespace) -> Rates:
    """The rates asked for, with the overrides in SI."""
    found = rates_named(args.rates or "calibrated")
    latency_s, far_latency_s = _scaled(args.latency_us, units.US)
    bytes_per_s, far_bytes_per_s = _scaled(args.rate_gbps_one_way, units.GB)
    return replace(
        found,
        latency_s=latency_s,
        across_latency_s=far_latency_s,
        latency_per=args.latency_per,
        bytes_per_s=bytes_per_s,
        across_bytes_per_s=far_bytes_per_s,
    )


def _scaled(given: tuple[float, ...] | None, unit: float) -> tuple[float | None, float | None]:
    """One figure for every wire, or one inside domains and one across them, in SI."""
    values = [value * unit for value in given or ()]
    return (values[0] if values else None), (values[1] if len(values) > 1 else None)


def rates_named(text: str) -> Rates:
    """The rates of that name; ``fitted:`` reads the file of a fit or of measured points."""
    found = parse_rates(text)
    return _fitted(found, text.removeprefix(FITTED)) if text.startswith(FITTED) else found


def _fitted(found: Rates, name: str) -> Rates:
    """The rates with the fit of that name: NAME.json here, or a file of a fit or of measured points."""
    path = next((one for one in (name, f"{name}.json") if Path(one).is_file()), None)
    if path is None:
        message = f"--rates: no fit {name!r} here; a file of a fit (JSON) or of measured points (CSV)"
        raise InputError(message)
    if text_of(path, "--rates").lstrip().startswith("{"):
        fit = fit_of(path)
        return replace(found, name=fit.name, fit=fit)
    return replace(found, name=Path(path).stem, points=measured_points(path))
