"""``plan``: how much must be measured: the runs that narrow the prediction interval most."""

from argparse import Namespace

from core import units
from core.catalog.software import COMMUNICATION_DEFAULT
from core.collectives.cost_model import IMPLEMENTATIONS, LAUNCHES
from core.collectives.plan import COLLECTIVES, MOST_RUNS, Plan, measurement_plan
from core.command_line import Parser
from core.shell import options
from core.shell.output import Reply, page, remarks, table
from core.shell.question import software, system
from core.shell.read import measured_points
from core.units import counted

NAME = "plan"
HELP = "how much must be measured: the runs that narrow the prediction interval most"
RUNS = 5
HEADER = ("run", "collective", "GPUs", "domains", "size", "expected", "interval after")


def add(parser: Parser) -> None:
    """Options of the command."""
    parser.add_argument(
        "--runs",
        type=options.Whole(),
        metavar="N",
        default=RUNS,
        help=f"at most (default {RUNS}, up to {MOST_RUNS})",
    )
    parser.add_argument(
        "--collectives",
        metavar="NAME,...",
        default=",".join(COLLECTIVES),
        help=f"that will be asked for: {' | '.join(COLLECTIVES)} (default all)",
    )
    parser.add_argument("--measured", metavar="POINTS.csv", help="measured points of your machine: + time_us")
    options.add_system(parser)
    parser.add_argument("--implementation", metavar="NAME", help=" | ".join(IMPLEMENTATIONS))
    parser.add_argument("--launch", choices=LAUNCHES, help="kernel launch: stream (eager) or CUDA graph")
    options.add_software(parser, COMMUNICATION_DEFAULT)
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The plan and its commands."""
    plan = measurement_plan(
        system(args),
        runs=args.runs,
        points=() if args.measured is None else measured_points(args.measured, "--measured"),
        collectives=[name.strip() for name in args.collectives.split(",") if name.strip()],
        software=software(args),
    )
    return Reply(plan.json(), text(plan))


def text(plan: Plan) -> str:
    """The plan for people."""
    count = counted(plan.points, "measured point")
    known = count if plan.points else "no measured point"
    rows = [
        (
            number,
            item.collective,
            item.ranks,
            item.domains,
            units.format_size(item.size_bytes),
            units.format_time(item.expected_s),
            f"x {item.width_after:.2f}",
        )
        for number, item in enumerate(plan.runs, start=1)
    ]
    return page(
        f"{plan.system} with {known}: the interval's high end is {plan.width_before:.2f} times its low end",
        table(HEADER, rows),
        remarks("Measure with", [item.command for item in plan.runs if item.command]),
        remarks("Note", plan.warnings),
    )
