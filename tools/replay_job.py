"""
One rank of the job that ``tools.replay_check`` runs: rounds of a step in each setting, its trace at the end.

Compute is a wait of fixed length, as work on a GPU is for the processor: only communication is the machine's.
"""

import argparse
import os
import time
from typing import Any

import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel
from torch.profiler import ProfilerActivity, profile, record_function

from tools.replay_options import MARK, Setting, add

WIDTH = 512
"""A layer's weights are 1 MiB."""
WARM_ROUNDS = 3


class _Wait(torch.autograd.Function):
    """Takes so long, and twice as long backwards."""

    @staticmethod
    def forward(context: Any, value: torch.Tensor, seconds: float) -> torch.Tensor:
        """Wait."""
        context.seconds = seconds
        time.sleep(seconds)
        return value.clone()

    @staticmethod
    def backward(context: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None]:
        """Wait twice as long."""
        time.sleep(2 * context.seconds)
        return gradients[0].clone(), None


class _Layer(torch.nn.Module):
    """A matrix of 1 MiB and the wait that stands for its compute."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds
        self.linear = torch.nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, value: torch.Tensor) -> torch.Tensor:
        """The next value."""
        out: torch.Tensor = _Wait.apply(self.linear(value), self.seconds)
        return out


def train(args: argparse.Namespace) -> None:
    """One rank: rounds of a step in each setting, its trace written at the end."""
    rank, world = args.rank, max(args.ranks)
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[rank % len(os.sched_getaffinity(0))]})
    torch.set_num_threads(1)
    if args.realtime:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    distributed.init_process_group(
        "gloo", init_method=f"file://{args.folder}/meet", rank=rank, world_size=world
    )
    models = [
        _model(args, Setting(ranks, bucket), rank, world) for ranks in args.ranks for bucket in args.buckets
    ]
    batch = torch.ones(1, WIDTH)

    def one_round() -> None:
        for index, model in enumerate(models):
            distributed.barrier()
            with record_function(f"{MARK}{index}"):
                model(batch).sum().backward()

    for _ in range(WARM_ROUNDS):
        one_round()
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as profiler:
        for _ in range(args.rounds):
            one_round()
    profiler.export_chrome_trace(f"{args.folder}/rank{rank}.json")
    distributed.destroy_process_group()


def _model(args: argparse.Namespace, setting: Setting, rank: int, world: int) -> DistributedDataParallel:
    """Layers whose compute is a wait, under DDP in the rank's group."""
    groups = [
        distributed.new_group(list(range(first, first + setting.ranks)))
        for first in range(0, world, setting.ranks)
    ]
    layers = torch.nn.Sequential(*(_Layer(args.wait_ms * 1e-3) for _ in range(args.layers)))
    return DistributedDataParallel(
        layers, process_group=groups[rank // setting.ranks], bucket_cap_mb=setting.bucket_mib
    )


def main() -> None:
    """One rank."""
    parser = argparse.ArgumentParser(description=__doc__)
    add(parser)
    parser.add_argument("--rank", type=int, required=True)
    parser.add_argument("--folder", required=True)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
