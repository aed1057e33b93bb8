"""``compare-systems``: the same load on several systems: requests that fit, decode step, cost per token."""

from argparse import Namespace
from dataclasses import replace
from typing import Any

from core import catalog, units
from core.calculators.system_comparison import Candidate, Comparison, SystemResult, compare_systems
from core.calculators.tensor_parallel import Scenario
from core.calculators.tensor_parallel.intervals import with_intervals
from core.catalog.software import SERVING_DEFAULT
from core.checks import InputError, count, number
from core.command_line import Parser
from core.shell import options
from core.shell.output import Reply, page, percent, plain, remarks, table
from core.shell.question import question
from core.shell.service import usd
from core.systems import configure

NAME = "compare-systems"
HELP = "several systems serving the same load: concurrent requests, decode step, cost per token"


def add(parser: Parser) -> None:
    """Options of the command."""
    options.add_model(parser, default="deepseek-v3-r1")
    parser.add_argument(
        "--systems",
        default="gb200-nvl72,dgx-h200",
        metavar="ID[:DOMAINS],...",
        help="two to four systems; with :DOMAINS as many domains, else grown to --gpus",
    )
    parser.add_argument("--gpus", type=options.whole, metavar="N", help="of each (default: of the largest)")
    parser.add_argument(
        "--sequences", type=options.whole, default=1024, metavar="N", help="concurrent requests"
    )
    parser.add_argument("--context", type=options.whole, default=4096, metavar="N", help="context length")
    parser.add_argument("--format", dest="weights", default="fp8", metavar="FORMAT", help="weight precision")
    parser.add_argument("--kv", default="bf16", metavar="FORMAT", help="KV cache precision")
    parser.add_argument(
        "--goal", choices=("throughput", "latency"), default="throughput", help="how layouts are chosen"
    )
    parser.add_argument(
        "--tpot-ms",
        "--target-ms",
        type=options.positive,
        metavar="X",
        help="latency target: systems are compared at the largest load within it",
    )
    parser.add_argument(
        "--usd-per-gpu-hour",
        metavar="X[,Y...]",
        help="price of a GPU-hour, one for each system (- for none) or one for all",
    )
    parser.set_defaults(system_file=None, domains=None, network=None, nics_per_domain=None)
    parser.set_defaults(oversubscription=None, in_network=False)
    options.add_rates(parser)
    options.add_software(parser, SERVING_DEFAULT)
    options.add_serving_engine(parser)
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The comparison."""
    entries = [entry.strip() for entry in args.systems.split(",") if entry.strip()]
    prices = _prices(args.usd_per_gpu_hour, len(entries))
    names = [entry.partition(":")[0] for entry in entries]
    questions = [question(_of(args, name), "deepseek-v3-r1") for name in names]
    if not questions:
        message = "--systems: two to four, as gb200-nvl72,dgx-h200"
        raise InputError(message)
    candidates = []
    for entry, shared, price in zip(entries, questions, prices, strict=True):
        domains = entry.partition(":")[2]
        system, gpus = shared.system, None
        if domains:
            system = configure(system, domains=count("--systems", _whole(domains)))
            gpus = system.gpus
        candidates.append(Candidate(system, gpus, price))
    scenario = Scenario.of(questions[0], tp=1)
    result = compare_systems(
        scenario,
        candidates,
        args.sequences,
        gpus=args.gpus,
        goal=args.goal,
        target_s=units.converted(args.tpot_ms, units.MS),
    )
    data: dict[str, Any] = plain(result)
    data["results"] = [_with_intervals(scenario, item) for item in data["results"]]
    return Reply(data, text(result))


def _with_intervals(scenario: Scenario, item: dict[str, Any]) -> dict[str, Any]:
    """One system with the interval of its step, rate and cost, also within the target."""
    there = replace(scenario, system=catalog.system(item["system"]))
    within = item["within_target"]
    return with_intervals(there, item) | {"within_target": within and with_intervals(there, within)}


def _of(args: Namespace, name: str) -> Namespace:
    """The options with one system; GPUs and prices are those of the comparison."""
    return Namespace(**(vars(args) | {"system": name, "gpus": None, "usd_per_gpu_hour": None}))


def _whole(text: str) -> object:
    return int(text) if text.isdecimal() else text


def _prices(text: str | None, systems: int) -> list[float | None]:
    """A price for each system, or one for all."""
    if text is None:
        return [None] * systems
    parts = [part.strip() for part in text.split(",")]
    if len(parts) not in (1, systems):
        message = f"--usd-per-gpu-hour: one price or {systems}, not {len(parts)}"
        raise InputError(message)
    prices = [None if part in ("", "-") else _price(part) for part in parts]
    return prices * systems if len(prices) == 1 else prices


def _price(text: str) -> float:
    try:
        return number("--usd-per-gpu-hour", float(text), least=0)
    except ValueError:
        message = f"--usd-per-gpu-hour: a number, not {text!r}"
        raise InputError(message) from None


def text(result: Comparison) -> str:
    """The answer for people."""
    header = ("system", "GPUs", "layout", "fits", "TPOT", "tokens/s/GPU", "comm.", "$ per M tokens", "worth")
    rows = [_row(item) for item in result.results]
    target = ""
    if result.target_s is not None:
        columns = ("system", "requests", "layout", "TPOT", "tokens/s/GPU", "$ per M tokens")
        within = [_within(item) for item in result.results]
        title = f"Largest load within a TPOT of {units.format_time(result.target_s)}"
        target = f"{title}\n\n{table(columns, within)}"
    reasons = [f"{item.name}: {item.reason}" for item in result.results if item.reason]
    return page(result.headline, table(header, rows), target, remarks("Not answered", reasons))


def _row(item: SystemResult) -> tuple[object, ...]:
    return (
        item.name,
        f"{item.domains} x {item.domain_gpus}" if item.domains > 1 else item.gpus,
        item.layout,
        None if item.most_requests is None else f"{item.most_requests:,}",
        None if item.tpot_s is None else units.format_time(item.tpot_s),
        None if item.tokens_per_s_per_gpu is None else units.format_number(item.tokens_per_s_per_gpu),
        percent(item.share),
        usd(item.usd_per_million_tokens),
        None if item.worth is None else f"{item.worth:.2f}",
    )


def _within(item: SystemResult) -> tuple[object, ...]:
    at = item.within_target
    if at is None:
        return (item.name, "none", None, None, None, None)
    return (
        item.name,
        f"{at.requests:,}",
        at.layout,
        units.format_time(at.tpot_s),
        units.format_number(at.tokens_per_s_per_gpu),
        usd(at.usd_per_million_tokens),
    )
