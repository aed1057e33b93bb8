"""``hierarchy``: the links of a system from memory to network, and what a copy costs on each."""

from argparse import Namespace

from core import units
from core.calculators.bandwidth_hierarchy import DIRECTIONS, TIERS, Answer, Scenario, answer
from core.command_line import Parser
from core.shell import options
from core.shell.output import Reply, page, remarks, table
from core.shell.question import question

NAME = "hierarchy"
HELP = "bandwidth of every level of a system, and the time of a copy on each"


def add(parser: Parser) -> None:
    """Options of the command."""
    parser.add_argument("--size", type=options.size, default="1GB", metavar="SIZE", help="bytes of a copy")
    parser.add_argument(
        "--direction", choices=DIRECTIONS, default="one-way", help="rates per direction or bidirectional"
    )
    parser.add_argument(
        "--tier", choices=TIERS, default="nominal", help="line rate, datasheet, payload or measured rate"
    )
    options.add_system(parser)
    options.add_rates(parser)
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The bandwidth hierarchy."""
    scenario = Scenario.of(question(args), size_bytes=args.size, direction=args.direction, tier=args.tier)
    result = answer(scenario)
    return Reply(result.json(), text(result))


def text(result: Answer) -> str:
    """The answer for people."""
    rows = [
        (
            level.level,
            level.link,
            units.format_rate(level.bytes_per_s),
            level.direction,
            units.format_time(level.latency_s),
            units.format_time(level.time_s),
            "-" if level.ratio_to_previous is None else f"{level.ratio_to_previous:.3g}x",
            units.format_message(level.half_size_bytes),
        )
        for level in result.levels
    ]
    header = (
        "level",
        "link",
        "bandwidth",
        "direction",
        "latency",
        "copy",
        "slower by",
        "half-bandwidth size",
    )
    return page(
        result.headline, table(header, rows), remarks("Note", (*result.assumptions, *result.warnings))
    )
