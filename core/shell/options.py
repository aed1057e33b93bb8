"""Options that several commands share, and the values they become."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from core import units
from core.catalog.software import PRESETS
from core.checks import InputError, number
from core.collectives.cost_model import IMPLEMENTATIONS, LAUNCHES
from core.collectives.pricing.scenario import DTYPES, NVLS
from core.collectives.question import AUTO
from core.command_line import Parser
from core.kernels.gemm import ENGINES
from core.parallel.traffic import STRATEGIES

Value = TypeVar("Value")

LARGEST = 1e18
"""Beyond any parameter count, rate or price."""
SMALLEST = 1e-18
"""What has to be above zero is at least this, so that no unit takes it to where division overflows."""
MOST_WHOLE = 10**15
LONGEST_US = 1e9
FASTEST_GBPS = 1e9
MOST_OVERSUBSCRIBED = 1e6

RATES_HELP = (
    "published | spec | calibrated | fitted:NAME-or-FILE (default calibrated where it exists, else spec)"
)


def size(text: str) -> int:
    """Whole bytes from a size text."""
    return _argument(units.parse_size, text)


@dataclass(frozen=True, slots=True)
class Real:
    """A number: above ``above`` (then at least SMALLEST), at least ``least``, at most ``most``."""

    above: float | None = None
    least: float | None = None
    most: float = LARGEST

    def __call__(self, text: str) -> float:
        """The number; argparse's error where it is none or out of bounds."""
        return _argument(self._checked, text)

    def _checked(self, text: str) -> float:
        value = _real(text)
        if self.above is not None and value > self.above:
            number("value", value, least=SMALLEST)
        return number("value", value, above=self.above, least=self.least, most=self.most)


@dataclass(frozen=True, slots=True)
class OneOrTwo:
    """A number for every link, or ``X,Y``: one inside domains, one between them."""

    each: Real

    def __call__(self, text: str) -> tuple[float, ...]:
        """One number or two; argparse's error for more."""
        parts = text.split(",")
        if len(parts) > 2:  # noqa: PLR2004 (inside and between)
            message = f"one number, or two as X,Y (inside domains, between them), not {text!r}"
            raise argparse.ArgumentTypeError(message)
        return tuple(self.each(part) for part in parts)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number of at least ``least``, at most ``most``."""

    least: int = 1
    most: int = MOST_WHOLE

    def __call__(self, text: str) -> int:
        """The number; argparse's error where it is none or out of bounds."""
        try:
            value = int(text)
        except ValueError:
            value = self.least - 1
        if value > self.most:
            message = f"a whole number from {self.least} to {self.most}, not {text!r}"
            raise argparse.ArgumentTypeError(message)
        if value < self.least:
            message = f"a whole number of at least {self.least}, not {text!r}"
            raise argparse.ArgumentTypeError(message)
        return value


positive = Real(above=0)
"""Above zero, and arithmetic survives it."""
not_negative = Real(least=0)
efficiency = Real(above=0, most=1.1)
"""A share of a peak; a tenth more than all of it, for peaks that are stated too low."""
part = Real(above=0, most=1)
share = Real(least=0, most=1)
whole = Whole()
count = Whole(least=0)


def add_json(parser: Parser) -> None:
    """``--json`` on every command."""
    parser.add_argument("--json", action="store_true", help="print JSON in SI units instead of a table")


def add_system(parser: Parser, default: str | None = "dgx-h100") -> None:
    """The system: a catalog id or a file of one's own, and how many domains of it."""
    which = parser.add_mutually_exclusive_group()
    usual = f" (default {default})" if default else ""
    which.add_argument("--system", metavar="ID", default=default, help=f"catalog id{usual}")
    which.add_argument("--system-file", metavar="FILE.json", help="your own system, as JSON")
    add_cluster(parser)


def add_cluster(parser: argparse.ArgumentParser, domains: str = "1") -> None:
    """Scale-up domains (``domains``: the default in words) and the network between them."""
    parser.add_argument("--domains", type=whole, metavar="N", help=f"scale-up domains (default {domains})")
    parser.add_argument("--network", metavar="LINK_ID", help="scale-out link (default: the catalog's)")
    parser.add_argument("--nics-per-domain", type=whole, metavar="N", help="scale-out NICs of a domain")
    parser.add_argument(
        "--oversubscription",
        type=Real(least=1, most=MOST_OVERSUBSCRIBED),
        metavar="R",
        help="oversubscription of the leaf, down over up (default the system's own, 1)",
    )
    parser.add_argument(
        "--in-network", action="store_true", help="in-network reduction (SHARP; InfiniBand from HDR on)"
    )


def add_rates(parser: Parser) -> None:
    """Where the rates come from, and the overrides."""
    parser.add_argument("--rates", metavar="RATES", help=RATES_HELP)
    parser.add_argument(
        "--latency-us",
        type=OneOrTwo(Real(least=0, most=LONGEST_US)),
        metavar="X[,Y]",
        help="latency, instead of the link's; Y: between domains",
    )
    parser.add_argument(
        "--latency-per",
        choices=("step", "operation"),
        default="step",
        help="the latency counts per step or per operation",
    )
    parser.add_argument(
        "--rate-gbps-one-way",
        type=OneOrTwo(Real(above=0, most=FASTEST_GBPS)),
        metavar="X[,Y]",
        help="GB/s per GPU and direction, instead of the link's; Y: between domains",
    )


def add_objective(parser: Parser) -> None:
    """Latency target and price of a service; the prompt's length is an option of each command."""
    parser.add_argument(
        "--tpot-ms",
        "--target-ms",
        type=positive,
        metavar="X",
        help="latency target of a decode step: the largest batch within it",
    )
    parser.add_argument(
        "--usd-per-gpu-hour", type=not_negative, metavar="X", help="price of a GPU-hour: $ per million tokens"
    )


def add_data_parallel(parser: Parser, *, strategy: str, param_bytes: float) -> None:
    """Strategy and bytes of data parallelism, by default the software's, else these."""
    usual = {"strategy": strategy, "param_bytes": param_bytes}
    parser.set_defaults(usual_job=usual)
    parser.add_argument("--strategy", choices=STRATEGIES, help=f"data parallelism (default {strategy})")
    gradients = "4 with zero1, which adds micro-batches in FP32, else 2"
    for name, text, value in (("grad", "gradient", gradients), ("param", "parameter", f"{param_bytes:g}")):
        parser.add_argument(
            f"--{name}-bytes",
            type=positive,
            metavar="X",
            help=f"bytes of a {text} (default {value})",
        )


def add_software(parser: Parser, auto: str, *, name: str = "", default: str = AUTO) -> None:
    """A preset of software; ``auto`` is the one that the word auto stands for here and on the page."""
    parser.set_defaults(auto_software=auto)
    parser.add_argument(
        "--software",
        choices=(AUTO, *PRESETS),
        default=default,
        metavar="NAME",
        help=f"{' | '.join(PRESETS)} | auto, here {name or auto} (default {default})",
    )


def add_serving_engine(parser: Parser) -> None:
    """Whose kernels a served step runs."""
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        help="serving engine whose kernels of routed MLPs run (default the software's)",
    )


def add_algorithm(parser: Parser, *, dtype: bool = False) -> None:
    """Algorithm, implementation and launch of collectives; ``dtype`` where a type is reduced."""
    parser.add_argument(
        "--algorithm", metavar="NAME", default="auto", help="auto or one that applies, as ring, tree, nvls"
    )
    parser.add_argument("--implementation", metavar="NAME", help=" | ".join(IMPLEMENTATIONS))
    parser.add_argument(
        "--launch",
        choices=LAUNCHES,
        help="kernel launch: stream (eager) or CUDA graph (default the software's)",
    )
    if dtype:
        parser.add_argument(
            "--nvls",
            choices=NVLS,
            default="auto",
            help="NVLink SHARP: the NVSwitches reduce (NCCL_NVLS_ENABLE)",
        )
        parser.add_argument("--dtype", choices=DTYPES, default="half", help="data type")


def add_model(parser: Parser, default: str | None = None) -> None:
    """A model: catalog id, config.json, or its shape."""
    usual = f" (default {default})" if default else ""
    parser.add_argument(
        "--model", metavar="ID-or-config.json", help=f"catalog id or Hugging Face config{usual}"
    )
    for name, text in (
        ("layers", "decoder layers"),
        ("hidden", "hidden size"),
        ("heads", "attention heads"),
        ("kv-heads", "key and value heads (default: heads)"),
        ("ffn", "intermediate size of the MLP, or of one expert"),
        ("vocab", "vocabulary size"),
        ("experts", "experts of an MoE layer"),
        ("topk", "experts per token"),
    ):
        parser.add_argument(f"--{name}", type=whole, metavar="N", help=text)
    parser.add_argument(
        "--mlp",
        choices=("gated", "plain"),
        help="gated MLP (three matrices) or plain (default plain where --ffn is 4 x --hidden)",
    )


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        message = f"a number, not {text!r}"
        raise InputError(message) from None


def _argument(convert: Callable[[str], Value], text: str) -> Value:
    """The converted text, or argparse's own error with our sentence."""
    try:
        return convert(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("value: ")) from None
