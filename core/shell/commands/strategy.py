"""``strategy``: parallelism layouts ranked for a goal, why the best wins, and where another does."""

from argparse import Namespace
from typing import Any

from core import units
from core.calculators.layouts import (
    BreakEven,
    Crossover,
    LinkValue,
    Ranking,
    ServingRanking,
    Tornado,
    break_even_questions,
    crossovers,
    nvlink_cases,
    rank_serving,
    rank_training,
    serving_crossovers,
    serving_link_value,
    serving_tornado,
    tornado,
    training_break_even,
    training_link_value,
)
from core.calculators.question import FRAMEWORKS
from core.calculators.tensor_parallel import Scenario as Serve
from core.calculators.tensor_parallel.intervals import with_intervals
from core.calculators.training import Scenario as Train
from core.calculators.training.scenario import PRECISIONS
from core.calculators.training.text import efficiency_of
from core.catalog.software import SERVING_DEFAULT, TRAINING_DEFAULT
from core.checks import InputError
from core.command_line import Parser
from core.job.beside import as_traced
from core.job.explain import Explanation
from core.shell import options, your_job
from core.shell.commands.train import as_data as training_data
from core.shell.output import Reply, page, percent, plain, remarks, table
from core.shell.question import question

NAME = "strategy"
HELP = "parallelism layouts ranked for training or serving, with crossovers and sensitivity"
GOALS = ("train", "latency", "throughput")
SHOWN = 10


def add(parser: Parser) -> None:
    """Options of the command."""
    options.add_model(parser, default="llama-3.1-70b")
    parser.add_argument("--goal", choices=GOALS, default="train", help="MFU, or TPOT, or tokens/s/GPU")
    parser.add_argument("--gpus", type=options.whole, metavar="N", help="world size (default: the system)")
    parser.add_argument(
        "--global-batch",
        type=options.whole,
        default=512,
        metavar="N",
        help="train: global batch size (sequences)",
    )
    parser.add_argument("--seq", type=options.whole, default=8192, metavar="N", help="train: sequence length")
    parser.add_argument(
        "--precision", choices=PRECISIONS, default="bf16", help="train: precision of the GEMMs"
    )
    parser.add_argument("--efficiency", type=options.positive, metavar="X", help="train: GEMM efficiency")
    parser.add_argument(
        "--framework", choices=FRAMEWORKS, metavar="NAME", help=f"train: {' | '.join(FRAMEWORKS)}"
    )
    parser.add_argument(
        "--sequences", type=options.whole, default=256, metavar="N", help="serve: concurrent requests"
    )
    parser.add_argument("--context", type=options.count, metavar="N", help="serve: context length")
    parser.add_argument("--weights", default="fp8", metavar="FORMAT", help="serve: weight precision")
    parser.add_argument("--kv", default="bf16", metavar="FORMAT", help="serve: KV cache precision")
    options.add_software(parser, SERVING_DEFAULT, name=f"{TRAINING_DEFAULT} or {SERVING_DEFAULT} by goal")
    options.add_serving_engine(parser)
    options.add_system(parser)
    options.add_rates(parser)
    your_job.add(parser)
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The ranking; ``auto`` software trains or serves as the goal does."""
    if args.goal == "train":
        args.auto_software = TRAINING_DEFAULT
        return _train(args)
    if args.job is not None:
        message = "--job: a training step stands beside layouts for training (--goal train)"
        raise InputError(message)
    return _serve(args)


def _train(args: Namespace) -> Reply:
    traced = your_job.traced(args)
    shared = question(args, "llama-3.1-70b")
    scenario = Train.of(shared)
    ranking = rank_training(scenario, args.gpus or shared.system.gpus)
    points = crossovers(ranking)
    best = ranking.ranked[0].scenario
    sensitivity = tornado(best)
    data: dict[str, Any] = {
        "goal": "train",
        "gpus": ranking.best.gpus,
        "tried": ranking.tried,
        "why": ranking.why,
        "best": training_data(ranking.best),
        "layouts": [training_data(item) for item in ranking.answers],
        "pareto": [training_data(item) for item in ranking.pareto],
        "flips": plain(points),
        "sensitivity": plain(sensitivity),
        **_inverse_questions(training_break_even(best), training_link_value(best)),
    }
    parts = _crossover_text(points), _sensitivity_text(sensitivity), _inverse_text(data)
    memory = (
        f"The fastest takes {ranking.best.memory.text} per GPU; MFU {ranking.best.mfu_text}, at the GEMM "
        f"efficiency of {efficiency_of(best)}."
    )
    lines = page(f"{_tried(ranking)}\n{memory}", _trained_text(ranking), *parts)
    if traced is not None:
        data["job"] = your_job.job_json(traced, _steps(ranking, traced))
        lines = page(lines, your_job.job_text(data["job"]))
    return Reply(data, lines)


def _trained_text(ranking: Ranking) -> str:
    """The fastest layouts, a row each."""
    rows = [
        (
            item.layout + (" FSDP" if item.strategy == "fsdp" else ""),
            item.micro_batch,
            item.recompute,
            units.format_time(item.step_s),
            item.mfu_text,
            units.format_number(item.tokens_per_s_per_gpu),
            item.memory.text,
            item.binding,
        )
        for item in ranking.answers[:SHOWN]
    ]
    header = ("layout", "micro-batch", "recompute", "step", "MFU", "tokens/s/GPU", "memory", "bound by")
    return table(header, rows)


def _steps(ranking: Ranking, traced: Explanation) -> dict[str, Train]:
    """The fastest layout, and the fastest of those with the degrees of the trace."""
    alike = as_traced(ranking.layouts, traced)
    steps = {"fastest layout": ranking.ranked[0].scenario}
    return steps if alike is None else steps | {f"{alike.name()}, as traced": alike.scenario}


def _serve(args: Namespace) -> Reply:
    shared = question(args, "llama-3.1-70b")
    scenario = Serve.of(shared, tp=1)
    gpus = args.gpus or shared.system.gpus
    ranking = rank_serving(scenario, gpus, args.sequences, args.goal)
    rows = [
        (
            item.name(),
            item.sequences,
            units.format_time(item.token_s),
            units.format_number(item.tokens_per_s_per_gpu),
            percent(item.share),
            f"{item.free_bytes_per_gpu / units.GB:,.0f} GB",
            item.binding,
        )
        for item in ranking.layouts[:SHOWN]
    ]
    header = ("layout", "requests", "TPOT", "tokens/s/GPU", "communication", "free memory", "bound by")
    points = serving_crossovers(scenario, gpus, args.sequences, ranking)
    sensitivity = serving_tornado(scenario, gpus, args.sequences, ranking)
    ranked: dict[str, Any] = plain(ranking)
    ranked |= {
        "best": with_intervals(scenario, ranked["best"]),
        "layouts": [with_intervals(scenario, item) for item in ranked["layouts"]],
    }
    data = {"goal": args.goal, "gpus": gpus, **ranked, "flips": plain(points)}
    data |= {
        "sensitivity": plain(sensitivity),
        **_inverse_questions(break_even_questions(scenario), serving_link_value(ranking.best.step(scenario))),
    }
    goal = "TPOT" if args.goal == "latency" else "GPU time of a token"
    parts = _crossover_text(points), _sensitivity_text(sensitivity, goal), _inverse_text(data)
    return Reply(data, page(_tried(ranking), table(header, rows), *parts))


def _inverse_questions(points: tuple[BreakEven, ...], links: LinkValue) -> dict[str, Any]:
    """Break-even points of the goal, what its links are worth, and whether five situations need NVLink."""
    return {
        "link_value": plain(links),
        "solved": plain(points),
        "nvlink": [plain(case) | {"gain": case.gain} for case in nvlink_cases()],
    }


def _inverse_text(data: dict[str, Any]) -> str:
    lines = [data["link_value"]["text"], *(item["text"] for item in (*data["solved"], *data["nvlink"]))]
    return remarks("Break-even points", lines)


def _crossover_text(points: tuple[Crossover, ...]) -> str:
    lines = [f"{point.condition}: {point.to}" for point in points]
    return remarks("Crossovers", lines) or "No crossover within a factor of 16 of any input."


def _sensitivity_text(sensitivity: Tornado, goal: str = "step time") -> str:
    """Which inputs the answer depends on, and which have no effect."""

    def shown(seconds: float | None) -> str:
        return "does not fit" if seconds is None else units.format_time(seconds)

    lines = [
        f"{bar.input} halved {shown(bar.divided_s)}, doubled {shown(bar.multiplied_s)}"
        for bar in sensitivity.bars
    ]
    dead = ", ".join(sensitivity.dead)
    rest = f"no effect (below 0.1 %): {dead}" if dead else "every input has an effect"
    return remarks(f"Sensitivity of {goal}", [*lines, rest])


def _tried(ranking: Ranking | ServingRanking) -> str:
    return f"{ranking.why}\n{ranking.tried} layouts fit."
