"""What a run of ``tools.replay_check`` is told, and tells each of its ranks."""

import argparse
from dataclasses import dataclass

MIB = 1 << 20
MARK = "ProfilerStep#"
"""A step's mark in the trace, followed by the number of its setting."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Ranks of a data-parallel group, and MiB of a gradient bucket."""

    ranks: int
    bucket_mib: int

    def __str__(self) -> str:
        return f"DP{self.ranks}, {self.bucket_mib} MiB"


def add(parser: argparse.ArgumentParser) -> None:
    """The options that every rank must know."""
    parser.add_argument("--rounds", type=int, default=12, help="steps of each setting")
    parser.add_argument("--layers", type=int, default=16, help="of 1 MiB of gradients each")
    parser.add_argument("--wait-ms", type=float, default=1.5, help="of a layer's forward; backward takes two")
    parser.add_argument("--ranks", type=int, nargs=2, default=[2, 4], help="sizes of the group")
    parser.add_argument("--buckets", type=int, nargs=2, default=[3, 6], metavar="MIB")
    parser.add_argument(
        "--realtime", action="store_true", help="before all other work of the machine; needs the right to"
    )


def words(args: argparse.Namespace) -> list[str]:
    """The same options as typed."""
    typed = ["--rounds", str(args.rounds), "--layers", str(args.layers), "--wait-ms", str(args.wait_ms)]
    typed += ["--ranks", *map(str, args.ranks), "--buckets", *map(str, args.buckets)]
    return [*typed, "--realtime"] if args.realtime else typed
