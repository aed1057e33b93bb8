"""Plain values out of a pickle: lists, mappings, texts and numbers, by a reader that can do nothing else."""

import pickletools  # nosec B403
from typing import Any

from core.errors import InputError

VALUES_MOST = 10_000_000
_MARK = object()
_VALUES = frozenset(
    f"{kind}{width}"
    for kind, widths in {
        "INT": ("",),
        "LONG": ("", "1", "4"),
        "BININT": ("", "1", "2"),
        "FLOAT": ("",),
        "BINFLOAT": ("",),
        "STRING": ("",),
        "BINSTRING": ("",),
        "SHORT_BINSTRING": ("",),
        "UNICODE": ("",),
        "BINUNICODE": ("", "8"),
        "SHORT_BINUNICODE": ("",),
        "BINBYTES": ("", "8"),
        "SHORT_BINBYTES": ("",),
    }.items()
    for width in widths
)
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_BROKEN = (ValueError, TypeError, IndexError, KeyError, AttributeError, OverflowError, RecursionError)


class _Machine:
    """The stack and memory that a pickle's instructions work on."""

    def __init__(self) -> None:
        self._stack: list[Any] = []
        self._memory: dict[int, Any] = {}
        self._steps: dict[str, Any] = {
            "MARK": lambda: self._stack.append(_MARK),
            "EMPTY_LIST": lambda: self._stack.append([]),
            "EMPTY_DICT": lambda: self._stack.append({}),
            "EMPTY_TUPLE": lambda: self._stack.append(()),
            "LIST": lambda: self._stack.append(self._marked()),
            "TUPLE": lambda: self._stack.append(tuple(self._marked())),
            "DICT": lambda: self._stack.append(_mapping(self._marked())),
            "APPEND": lambda: self._extend([self._stack.pop()]),
            "APPENDS": lambda: self._extend(self._marked()),
            "SETITEM": lambda: self._update([self._stack.pop(-2), self._stack.pop()]),
            "SETITEMS": lambda: self._update(self._marked()),
            "MEMOIZE": lambda: self._memory.update({len(self._memory): self._stack[-1]}),
            "POP": lambda: self._stack.__delitem__(-1),
            "POP_MARK": lambda: self._marked().clear(),
        }

    def step(self, name: str, argument: Any) -> bool:
        """One instruction; whether this reader knows it."""
        if name in _VALUES:
            self._stack.append(argument)
        elif name in _CONSTANTS:
            self._stack.append(_CONSTANTS[name])
        elif name in ("TUPLE1", "TUPLE2", "TUPLE3"):
            count = int(name[-1])
            self._stack[-count:] = [tuple(self._stack[-count:])]
        elif name in ("PUT", "BINPUT", "LONG_BINPUT"):
            self._memory[argument] = self._stack[-1]
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            self._stack.append(self._memory[argument])
        elif name in self._steps:
            self._steps[name]()
        else:
            return name in ("PROTO", "FRAME", "STOP")
        return True

    def result(self) -> Any:
        """The value on top at the end."""
        return self._stack[-1]

    def _marked(self) -> list[Any]:
        """All above the last mark, taken off with it."""
        place = len(self._stack) - 1
        while self._stack[place] is not _MARK:
            place -= 1
        if place < 0:
            message = "no mark"
            raise ValueError(message)
        values = self._stack[place + 1 :]
        del self._stack[place:]
        return values

    def _extend(self, values: list[Any]) -> None:
        target = self._stack[-1]
        if not isinstance(target, list):
            message = "no list"
            raise TypeError(message)
        target.extend(values)

    def _update(self, values: list[Any]) -> None:
        target = self._stack[-1]
        if not isinstance(target, dict):
            message = "no mapping"
            raise TypeError(message)
        target.update(_mapping(values))


def _mapping(values: list[Any]) -> dict[Any, Any]:
    return dict(zip(values[::2], values[1::2], strict=True))


def unpickled(data: bytes, name: str) -> Any:
    """
    The value of a pickle of plain values.

    No module is imported and nothing is called: instructions that would are not known here.

    Raises:
        InputError: It holds anything but plain values, is broken, or is no pickle.
    """
    machine = _Machine()
    try:
        unknown = _run(machine, data)
        value = None if unknown else machine.result()
    except _BROKEN as problem:
        message = f"{name}: a broken pickle"
        raise InputError(message) from problem
    if unknown:
        message = f"{name}: a pickle that names code ({unknown}); only plain values are read"
        raise InputError(message)
    return value


def _run(machine: _Machine, data: bytes) -> str:
    """All instructions; the first one that this reader does not know, else empty."""
    for count, (code, argument, _) in enumerate(pickletools.genops(data)):
        if count > VALUES_MOST:
            message = "too many"
            raise ValueError(message)
        if not machine.step(code.name, argument):
            return code.name
    return ""
