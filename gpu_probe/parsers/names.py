"""Names of collectives: as the tests print them, as a command line gives them."""

import re

_NAMES = {
    "all_reduce": "all_reduce",
    "all_gather": "all_gather",
    "reduce_scatter": "reduce_scatter",
    "alltoall": "all_to_all",
    "all_to_all": "all_to_all",
    "broadcast": "broadcast",
    "reduce": "reduce",
    "sendrecv": "send_recv",
    "send_recv": "send_recv",
    "gather": "gather",
    "scatter": "scatter",
    "hypercube": "hypercube",
}
_PROGRAM = re.compile(r"(?<![A-Za-z0-9_])([a-z][a-z_]{2,20})(_perf(?:_mpi)?|_test)(?![\w.])")
_SPOKEN = re.compile(
    r"(?i)(?<![a-z0-9/_.-])(all[\s_-]?reduce|all[\s_-]?gather|reduce[\s_-]?scatter|all[\s_-]?to[\s_-]?all"
    r"|send[\s_/-]?recv|broadcast"
    r"|(?:reduce|gather|scatter)"
    r"(?=_perf| (?:collective|op\b|operation|(?:bus|alg)[ _]?(?:bw|bandwidth)|on \d)))"
    r"(?:[\s_-]perf)?(?![a-z0-9_/-])"
)
_SENTENCE_MOST = 160
_BARE = {name.replace("_", ""): collective for name, collective in _NAMES.items()}
_LAUNCHER = re.compile(r"\b(?:mpirun|mpiexec|orterun|srun|prun|torchrun|jsrun|aprun)\b")


def collective_of(program: str) -> str | None:
    """Our name of a collective from a program or experiment name such as ``sendrecv_perf_mpi``."""
    program_name = program.strip().replace("\\", "/").rsplit("/", 1)[-1].lower()
    for ending in (".exe", "_mpi", "_perf"):
        program_name = program_name.removesuffix(ending)
    name = program_name.replace("-", "_")
    return _NAMES.get(name) or _NAMES.get(name.replace("_", "")) or _NAMES.get(_spaced(program))


def _spaced(program: str) -> str:
    """``AllReduce`` as ``all_reduce``: the spelling inside nccl-tests' source and JSON."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", program.strip()[:40]).lower()


def command_of(text: str) -> str | None:
    """
    The collective that a command line starts, None where a line starts none.

    A compiler's or linker's line that names the program is no command: what counts is an option
    after the name, a launcher before it, or nothing else on the line.
    """
    if "_perf" not in text and "_test" not in text:
        return None
    match = _PROGRAM.search(text)
    while match is not None:
        name = _NAMES.get(match.group(1))
        if name is not None and _starts(text, match):
            return name
        match = _PROGRAM.search(text, match.end())
    return None


def _starts(text: str, match: re.Match[str]) -> bool:
    after = text[match.end() :].lstrip(" \"'`,]:")
    if match.group(2) == "_test":  # NCCL 1: the size follows the name
        return after[:1].isdigit()
    if after.startswith("-"):
        return True
    before = text[: match.start()].strip().lstrip("$#> ")
    path = before.split(" ")[-1] if before else ""
    bare_path = not after.strip() and before == path and (not path or path.endswith("/"))
    return bare_path or (not after.strip() and _LAUNCHER.search(before) is not None)


def collective_in_words(text: str) -> str | None:
    """
    The collective that a short line of prose names, such as ``alltoall result:``.

    Two different ones tell nothing, nor does a line of a log or table.
    """
    if len(text) > _SENTENCE_MOST or "NCCL" in text or text.lstrip()[:1] in ("#", "$"):
        return None
    spoken = collectives_named(text)
    return spoken.pop() if len(spoken) == 1 else None


def collectives_named(text: str) -> set[str]:
    """The collectives that prose names."""
    return {_BARE[re.sub(r"[\s_/-]", "", match.group(1).lower())] for match in _SPOKEN.finditer(text)}
