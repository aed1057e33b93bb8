"""The commands, in the order in which the help lists them: each module has NAME, HELP, add and run."""

from types import ModuleType

from core.shell.commands import (
    capacity,
    collective,
    compare_systems,
    expect,
    gradient_sync,
    hierarchy,
    job,
    kernel,
    plan,
    predict,
    strategy,
    systems,
    tp,
    train,
)

COMMANDS: tuple[ModuleType, ...] = (
    systems,
    hierarchy,
    collective,
    predict,
    tp,
    gradient_sync,
    train,
    capacity,
    compare_systems,
    strategy,
    expect,
    plan,
    kernel,
    job,
)
