"""Options turned into domain objects: the system, the rates, the formats."""

from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from core import catalog, units
from core.hardware import System
from core.rates import Rates, parse_rates
from core.shell.read import measured_points, text_of
from core.systems import configure, read_system

FITTED = "fitted:"


def system(args: Namespace) -> System:
    """The machine asked for: catalog id or file, with its domains, network and NICs."""
    if args.system_file is not None:
        found = read_system(text_of(args.system_file, "--system-file"))
    else:
        found = catalog.system(args.system)
    asked = (args.domains, args.network, args.nics_per_domain)
    if all(value is None for value in asked) and args.oversubscription == 1:
        return found
    return configure(
        found,
        domains=args.domains or found.domains,
        network=args.network,
        nics_per_domain=args.nics_per_domain,
        oversubscription=args.oversubscription,
    )


def rates(args: Namespace) -> Rates:
    """The rates asked for, with the overrides in SI."""
    text = args.rates or "calibrated"
    found = parse_rates(text)
    name = text.removeprefix(FITTED)
    if text.startswith(FITTED) and Path(name).is_file():
        found = replace(found, name=Path(name).stem, points=measured_points(name))
    latency_us, rate_gbps = args.latency_us, args.rate_gbps_one_way
    return replace(
        found,
        latency_s=None if latency_us is None else latency_us * units.US,
        latency_per=args.latency_per,
        bytes_per_s=None if rate_gbps is None else rate_gbps * units.GB,
    )
