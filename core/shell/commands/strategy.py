"""``strategy``: which parallelism on which wire, ranked for a goal, why, and what flips it."""

from argparse import Namespace
from typing import Any

from core import units
from core.calculators.layouts import (
    Flip,
    Ranking,
    Serving,
    Tornado,
    flips,
    needs,
    rank_serving,
    rank_training,
    serving_flips,
    serving_tornado,
    solved_backwards,
    tornado,
)
from core.calculators.tensor_parallel import Scenario as Serve
from core.calculators.training import Scenario as Train
from core.calculators.training.scenario import PRECISIONS
from core.catalog import precision
from core.command_line import Parser
from core.shell import chosen, options
from core.shell.commands.train import as_data as training_data
from core.shell.model import model
from core.shell.output import Reply, page, percent, plain, remarks, table

NAME = "strategy"
HELP = "layouts ranked for training or serving, why the winner wins, what flips it"
GOALS = ("train", "latency", "throughput")
SHOWN = 10


def add(parser: Parser) -> None:
    """Options of the command."""
    options.add_model(parser, default="llama-3.1-70b")
    parser.add_argument(
        "--goal", choices=GOALS, default="train", help="MFU, or a served token's latency or cost"
    )
    parser.add_argument(
        "--gpus", type=options.whole, metavar="N", help="GPUs of the job (default: the system)"
    )
    parser.add_argument(
        "--global-batch", type=options.whole, default=512, metavar="N", help="train: sequences"
    )
    parser.add_argument(
        "--seq", type=options.whole, default=8192, metavar="N", help="train: tokens of a sequence"
    )
    parser.add_argument("--precision", choices=PRECISIONS, default="bf16", help="train: of matrix products")
    parser.add_argument(
        "--efficiency", type=options.positive, metavar="X", help="train: calibration constant"
    )
    parser.add_argument(
        "--sequences", type=options.whole, default=256, metavar="N", help="serve: running in all"
    )
    parser.add_argument("--context", type=options.count, metavar="N", help="serve: tokens of a sequence")
    parser.add_argument("--weights", default="fp8", metavar="FORMAT", help="serve")
    parser.add_argument("--kv", default="bf16", metavar="FORMAT", help="serve")
    options.add_system(parser)
    options.add_rates(parser)
    options.add_json(parser)


def run(args: Namespace) -> Reply:
    """The ranking."""
    return _train(args) if args.goal == "train" else _serve(args)


def _train(args: Namespace) -> Reply:
    system = chosen.system(args)
    asked = Train(
        model=model(args, "llama-3.1-70b"),
        system=system,
        global_batch=args.global_batch,
        seq=args.seq,
        precision=args.precision,
        efficiency=args.efficiency,
        rates=chosen.rates(args),
    )
    found = rank_training(asked, args.gpus or system.gpus)
    changes = flips(found.ranked)
    moved = tornado(found.ranked[0].scenario)
    data: dict[str, Any] = {
        "goal": "train",
        "gpus": found.best.gpus,
        "tried": found.tried,
        "why": found.why,
        "best": training_data(found.best),
        "layouts": [training_data(item) for item in found.answers],
        "pareto": [training_data(item) for item in found.pareto],
        "flips": plain(changes),
        "sensitivity": plain(moved),
        **_questions(Serve(asked.system, asked.model, tp=1, rates=asked.rates)),
    }
    rows = [
        (
            item.layout + (" FSDP" if item.strategy == "fsdp" else ""),
            item.micro_batch,
            item.recompute,
            units.format_time(item.step_s),
            percent(item.mfu),
            f"{item.tokens_per_s_per_gpu:,.0f}",
            f"{item.memory_bytes_per_gpu / units.GB:,.0f} GB",
            item.binding,
        )
        for item in found.answers[:SHOWN]
    ]
    header = ("layout", "micro-batch", "recompute", "step", "MFU", "tokens/s a GPU", "memory", "binding")
    return Reply(
        data, page(_tried(found), table(header, rows), _flipped(changes), _moved(moved), _asked(data))
    )


def _serve(args: Namespace) -> Reply:
    system = chosen.system(args)
    asked = Serve(
        model=model(args, "llama-3.1-70b"),
        system=system,
        context=args.context,
        tp=1,
        weights=precision(args.weights),
        kv=precision(args.kv),
        rates=chosen.rates(args),
    )
    found = rank_serving(asked, args.gpus or system.gpus, args.sequences, args.goal)
    rows = [
        (
            item.name(),
            item.sequences,
            units.format_time(item.token_s),
            f"{item.tokens_per_s_per_gpu:,.0f}",
            percent(item.share),
            f"{item.free_bytes_per_gpu / units.GB:,.0f} GB",
            item.binding,
        )
        for item in found.layouts[:SHOWN]
    ]
    header = ("layout", "sequences", "a token every", "tokens/s a GPU", "communication", "free", "binding")
    gpus = args.gpus or system.gpus
    changes = serving_flips(asked, gpus, args.sequences, found)
    moved = serving_tornado(asked, gpus, args.sequences, found)
    data = {"goal": args.goal, "gpus": gpus, **plain(found), "flips": plain(changes)}
    data |= {"sensitivity": plain(moved), **_questions(asked)}
    what = "a token" if args.goal == "latency" else "GPU time of a token"
    words = _flipped(changes), _moved(moved, what), _asked(data)
    return Reply(data, page(_tried(found), table(header, rows), *words))


def _questions(asked: Serve) -> dict[str, Any]:
    """What the machine is asked backwards, and whether five situations need NVLink."""
    return {
        "solved": plain(solved_backwards(asked)),
        "nvlink": [plain(one) | {"gain": one.gain} for one in needs()],
    }


def _asked(data: dict[str, Any]) -> str:
    lines = [item["text"] for item in (*data["solved"], *data["nvlink"])]
    return remarks("Solved backwards", lines)


def _flipped(changes: tuple[Flip, ...]) -> str:
    return remarks("What flips it", map(_flip, changes)) or "Nothing within a factor of 16 flips it."


def _moved(found: Tornado, what: str = "the step") -> str:
    """What moves the answer, and what does not."""

    def shown(seconds: float | None) -> str:
        return "does not fit" if seconds is None else units.format_time(seconds)

    lines = [
        f"{bar.input} halved {shown(bar.divided_s)}, doubled {shown(bar.multiplied_s)}" for bar in found.bars
    ]
    dead = f"dead, below a thousandth: {', '.join(found.dead)}" if found.dead else "no input is dead"
    return remarks(f"What moves {what}", [*lines, dead])


def _tried(found: Ranking | Serving) -> str:
    return f"{found.why}\n{found.tried} layouts fit."


def _flip(flip: Flip) -> str:
    return f"{flip.where}: {flip.to}"
