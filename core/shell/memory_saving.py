"""Options that trade time for memory: recomputation by operation, offload, lean states, expert imbalance."""

from argparse import Namespace
from typing import Any

from core.calculators.training.memory_saving import MODULES, parse_modules, parse_offload, recomputation
from core.command_line import Parser
from core.shell import options


def add(parser: Parser) -> None:
    """Options of a training layout."""
    parser.add_argument(
        "--recompute-modules",
        metavar="LIST",
        help=f"operations of selective recomputation: {', '.join(MODULES)}",
    )
    parser.add_argument(
        "--recompute-num-layers",
        type=options.whole,
        metavar="N",
        help="layers of each stage under full recomputation (default all)",
    )
    parser.add_argument(
        "--offload",
        metavar="LIST",
        help="offload to host memory: optimizer, activations, or a share as activations=0.5",
    )
    for name, metavar, text in (
        ("optimizer-bytes", "X", "optimizer state of a parameter (default 12; 8 with BF16 moments)"),
        (
            "weight-copy-bytes",
            "X",
            "bytes of the weight copy of a parameter that FP8 frameworks keep (default 0)",
        ),
        ("expert-imbalance", "X", "tokens of the most loaded EP rank over the mean, at most EP (default 1)"),
    ):
        parser.add_argument(f"--{name}", type=options.not_negative, metavar=metavar, help=text)
    parser.add_argument(
        "--no-param-overlap", action="store_true", help="parameter all-gather ends before the forward pass"
    )
    parser.add_argument(
        "--whole-gradients", action="store_true", help="FSDP: unsharded until the last micro-batch (no_sync)"
    )
    parser.add_argument(
        "--fused-loss", action="store_true", help="FSDP, Transformers: fused or chunked cross-entropy"
    )
    parser.add_argument(
        "--fused-linear-loss",
        action="store_true",
        help="head and cross-entropy in chunks: no logits are kept",
    )


def inputs(args: Namespace, recompute: str) -> dict[str, Any]:
    """
    The inputs that the options state, by name; a list of operations stands for selective recomputation.

    Args:
        args: Options of the command.
        recompute: What the software says of recomputation where the options do not.

    Raises:
        InputError: A list that cannot be read, or options that contradict one another.
    """
    modules = () if args.recompute_modules is None else parse_modules(args.recompute_modules)
    layers = args.recompute_num_layers
    stated: dict[str, Any] = {
        "recompute": recomputation(args.recompute, recompute, modules, layers),
        "recompute_modules": modules,
        "recompute_layers": layers,
        "param_overlap": not args.no_param_overlap,
        "whole_gradients": args.whole_gradients,
        "fused_loss": args.fused_loss,
        "fused_linear_loss": args.fused_linear_loss,
    }
    if args.offload is not None:
        stated |= parse_offload(args.offload)
    numbers = ("optimizer_bytes", "weight_copy_bytes", "expert_imbalance")
    return stated | {name: getattr(args, name) for name in numbers if getattr(args, name) is not None}
