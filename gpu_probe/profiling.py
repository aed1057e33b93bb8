"""Traces of a program's steps, one file a rank: ``record_step``, and what ``profile`` runs it under."""

import atexit
import os
import runpy
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

STEPS = 3
SKIPPED = 2
_HAND_OVER_S = 0.2


class StepRecorder:
    """
    Profiles some steps of this process and writes ``rankN.json.gz``.

    Args:
        directory: Where to write; made when there is something to write.
        steps: How many steps to keep.
        skip: Steps to let pass first; the profiler warms up in the one after them.
    """

    def __init__(self, directory: str, steps: int = STEPS, skip: int = SKIPPED) -> None:
        self._directory = Path(directory)
        self._steps, self._skip = max(steps, 1), max(skip, 1)
        self._ended = 0
        self._profiler: Any = None
        atexit.register(self.close)

    def step(self) -> None:
        """Say that a step of the program has ended."""
        self._ended += 1
        if self._ended == self._skip:
            self._start()
        elif self._profiler is not None:
            self._profiler.step()
            if self._ended > self._skip + self._steps:
                self.close()

    def close(self) -> None:
        """Stop; what was recorded so far is written."""
        profiler, self._profiler = self._profiler, None
        if profiler is not None and self._ended > self._skip:
            profiler.stop()

    def _start(self) -> None:
        from torch import cuda, profiler  # noqa: PLC0415 (who marks steps has torch; readers need none)

        activities = [profiler.ProfilerActivity.CPU]
        if cuda.is_available():
            activities.append(profiler.ProfilerActivity.CUDA)
        self._profiler = profiler.profile(
            activities=activities,
            schedule=profiler.schedule(wait=0, warmup=1, active=self._steps, repeat=1),
            on_trace_ready=self._write,
            record_shapes=True,
        )
        self._profiler.start()

    def _write(self, profiler: Any) -> None:
        self._directory.mkdir(parents=True, exist_ok=True)
        profiler.export_chrome_trace(str(self._directory / f"rank{_rank()}.json.gz"))


class _Running:
    """The recorder of this process, and whether the program marks its steps itself."""

    recorder: StepRecorder | None = None
    marked = False


@contextmanager
def record_step(directory: str = "traces", steps: int = STEPS, skip: int = SKIPPED) -> Iterator[None]:
    """
    Around one step of a training loop: the fourth to the sixth of them end up in ``traces/rankN.json.gz``.

    The first call decides; under ``python -m gpu_probe profile`` the command line does.

    Args:
        directory: Where to write.
        steps: How many steps to keep.
        skip: Steps to let pass first; one more warms the profiler up.
    """
    _Running.marked = True
    if _Running.recorder is None:
        _Running.recorder = StepRecorder(directory, steps, skip)
    yield
    _Running.recorder.step()


def _rank() -> int:
    """Global rank: the process group's, else the launcher's, else 0."""
    from torch import distributed  # noqa: PLC0415 (as above)

    if distributed.is_available() and distributed.is_initialized():
        return int(distributed.get_rank())
    return int(next((os.environ[name] for name in ("RANK", "SLURM_PROCID") if name in os.environ), 0))


def _count_optimizer_steps(recorder: StepRecorder) -> None:
    """Take each step of the first optimizer for a step of the program, unless the program marks its own."""
    from torch.optim.optimizer import register_optimizer_step_post_hook  # noqa: PLC0415 (as above)

    first: list[Any] = []

    def stepped(optimizer: Any, *_: Any) -> None:
        if not first:
            first.append(optimizer)
        if optimizer is first[0] and not _Running.marked:
            recorder.step()

    register_optimizer_step_post_hook(stepped)


def main(arguments: list[str]) -> None:
    """
    Run a program with its steps recorded.

    Args:
        arguments: Directory, steps, steps to skip, then a script or ``-m`` and a module, and what they take.
    """
    directory, steps, skip, *program = arguments
    sys.modules["gpu_probe.profiling"] = sys.modules[__name__]
    _Running.recorder = StepRecorder(directory, int(steps), int(skip))
    _count_optimizer_steps(_Running.recorder)
    try:
        _run(program)
    finally:
        hand_over()


def hand_over() -> None:
    """
    Let other threads have the interpreter before it ends.

    Gloo's threads free the last collectives' tensors under the GIL, outlive the process group and abort
    the process when they ask for it while the interpreter ends.
    """
    time.sleep(_HAND_OVER_S)


def _run(program: list[str]) -> None:
    if program[0] == "-m":
        sys.path[0] = os.getcwd()  # noqa: PTH109 (an entry of sys.path is a text)
        sys.argv = program[1:]
        runpy.run_module(program[1], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = str(Path(program[0]).resolve().parent)
        sys.argv = program
        runpy.run_path(program[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
