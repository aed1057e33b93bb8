"""``hierarchy``: the wires of a machine from memory to network, and what a copy costs on each."""

from argparse import Namespace

from core import units
from core.calculators.bandwidth_hierarchy import DIRECTIONS, TIERS, Answer, Scenario, answer
from core.command_line import Parser
from core.shell import chosen, options
from core.shell.output import Reply, page, remarks, table

NAME = "hierarchy"
HELP = "bandwidth of every level of a machine, and what a copy costs"


def add(parser: Parser) -> None:
    """Options of the command."""
    parser.add_argument("--size", type=options.size, default="1GB", metavar="SIZE", help="bytes of a copy")
    parser.add_argument("--direction", choices=DIRECTIONS, default="one-way", help="what the rates count")
    parser.add_argument("--tier", choices=TIERS, default="nominal", help="which rate of a wire")
    options.add_system(parser)
    options.add_rates(parser)
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The ladder."""
    asked = Scenario(
        chosen.system(args),
        size_bytes=args.size,
        direction=args.direction,
        tier=args.tier,
        rates=chosen.rates(args),
    )
    found = answer(asked)
    return Reply(found.json(), text(found))


def text(found: Answer) -> str:
    """The answer for people."""
    rows = [
        (
            row.level,
            row.link,
            units.format_rate(row.bytes_per_s),
            row.direction,
            units.format_time(row.latency_s),
            units.format_time(row.time_s),
            "-" if row.ratio_to_previous is None else f"{row.ratio_to_previous:.3g}x",
            units.format_size(round(row.half_size_bytes)),
        )
        for row in found.levels
    ]
    header = ("level", "link", "rate", "direction", "latency", "copy", "slower by", "half size")
    return page(found.headline, table(header, rows), remarks("Note", (*found.assumptions, *found.warnings)))
