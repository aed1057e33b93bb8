"""Operations and data types behind the many names that tools write for them."""

import re
from functools import lru_cache

_PREFIX = re.compile(
    r"^(?:nccl|rccl|gloo|mpi|ucc|xccl|hccl|c10d|_c10d_functional|c10d_functional)(?:::|:)\s*", re.IGNORECASE
)
_PATTERNS = tuple(
    (re.compile(pattern), operation)
    for pattern, operation in (
        (r"all_?reduce_?barrier$", "barrier"),
        (r"all_?reduce", "all_reduce"),
        (r"reduce_?scatter", "reduce_scatter"),
        (r"all_?gather", "all_gather"),
        (r"all_?to_?all|all2all", "all_to_all"),
        (r"broadcast|bcast", "broadcast"),
        (r"send_?recv", "send_recv"),
        (r"^i?send", "send"),
        (r"^i?recv", "recv"),
        (r"barrier", "barrier"),
        (r"^reduce", "reduce"),
        (r"^gather", "gather"),
        (r"^scatter", "scatter"),
    )
)
_RANK = re.compile(r"rank[-_.]?(\d{1,6})", re.IGNORECASE)
_TRAILING = re.compile(r"(\d{1,6})(?:\.[A-Za-z]\w{0,8})*$")
_PEER = re.compile(r"(?:->|<-)\s*(\d+)")

_NCCL_KERNEL = re.compile(r"(?:nccl|rccl)\w*Kernel")
_EXPERTS = re.compile(
    r"\b(?:internode|intranode|internode_ll)::(\w+)|"
    r"\b(?:hybrid_ep|pplx\w*)::(?:\w+::)*(\w*(?:dispatch|combine)\w*)|"
    r"\bmori::\w+::(Ep(?:Dispatch|Combine)\w*)",
    re.IGNORECASE,
)
_ENGINES_OWN = re.compile(
    r"multimem_\w*(?:reduce|gather)|cross_device_reduce|reduce_scatter_cross_device|"
    r"(?:one|two)_?shot_?all_?reduce|all_?reduce\w*_(?:one|two)_?shot|"
    r"msccl\w*Kernel|mscclpp?::|^oneccl_|allreduce_fusion_kernel|\bquick_?reduce|"
    r"\bnvshmemi?(?:x|_)\w*(?:all_?to_?all|all_?gather|f?collect|reduce|broadcast|barrier)|"
    r"\bnvshmem\w*::all_?to_?all|userbuffers_(?:fp16_sum|push|pull)",
    re.IGNORECASE,
)
_USERBUFFERS = re.compile(r"userbuffers_(?:fp16_sum\w*?_(ag|rs)(?=_|\b)|(push|pull))")
"""Of a library that overlaps GEMMs with communication: halves of an all-reduce by ``ag`` and ``rs``."""
_ANONYMOUS = "(anonymous namespace)::"
_NCCL_OPERATION = re.compile(r"(?:nccl|rccl)(\w*?)Kernel_?([A-Za-z0-9]*)")
"""The operation stands behind the word since NCCL 2.6, before it in older ones."""

_CANONICAL = {
    "float": "float32",
    "float32": "float32",
    "f32": "float32",
    "double": "float64",
    "float64": "float64",
    "half": "float16",
    "float16": "float16",
    "bfloat16": "bfloat16",
    "long": "int64",
    "long int": "int64",
    "int64": "int64",
    "unsigned long": "uint64",
    "uint64": "uint64",
    "int": "int32",
    "int32": "int32",
    "uint32": "uint32",
    "short": "int16",
    "int16": "int16",
    "uint16": "uint16",
    "char": "int8",
    "signed char": "int8",
    "int8": "int8",
    "byte": "uint8",
    "unsigned char": "uint8",
    "uint8": "uint8",
    "bool": "bool",
    "complexfloat": "complex64",
    "complexdouble": "complex128",
    "complexhalf": "complex32",
}
_BITS = re.compile(r"(?:float|int|uint|complex|bfloat)(\d+)")

NCCL_DTYPES = (
    "int8",
    "uint8",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float16",
    "float32",
    "float64",
    "bfloat16",
    "float8_e4m3fn",
    "float8_e5m2",
)
"""NCCL's data types by their number in ``nccl.h``."""


@lru_cache(maxsize=4096)
def operation(name: str) -> str:
    """The operation that a range, argument or record names; ``unknown`` where it names none."""
    bare = _PREFIX.sub("", name.strip()).strip("_").lower()
    for pattern, known in _PATTERNS:
        if pattern.search(bare):
            return known
    return "unknown"


@lru_cache(maxsize=4096)
def is_collective_kernel(name: str) -> bool:
    """Whether a kernel moves data between ranks: NCCL's, RCCL's, DeepEP's, MSCCL's or an engine's own."""
    if name.startswith("triton_"):
        return False
    return any(pattern.search(name) for pattern in (_NCCL_KERNEL, _EXPERTS, _ENGINES_OWN))


@lru_cache(maxsize=4096)
def kernel_operation(name: str) -> str:
    """The operation that a kernel's name tells; ``unknown`` where it tells none, as RCCL's ``Generic``."""
    experts = _EXPERTS.search(name)
    if experts is not None:
        return _of_experts(next(part for part in experts.groups() if part).lower())
    nccl = _NCCL_OPERATION.search(name)
    if nccl is not None:
        known = operation(nccl.group(2))
        return known if known != "unknown" else operation(nccl.group(1))
    if re.search(r"cross_device_reduce|quick_?reduce|allreduce_fusion", name, re.IGNORECASE):
        return "all_reduce"
    if "userbuffers_" in name:
        return _of_userbuffers(name)
    return operation(name.replace(_ANONYMOUS, "").split("(", 1)[0].split("<", 1)[0].rsplit("::", 1)[-1])


def _of_experts(part: str) -> str:
    if "combine" in part:
        return "moe_combine"
    return "moe_dispatch" if "dispatch" in part else "barrier" if "barrier" in part else "unknown"


def _of_userbuffers(name: str) -> str:
    part = _USERBUFFERS.search(name)
    if part is None:
        return "all_reduce"
    return {"ag": "all_gather", "rs": "reduce_scatter"}.get(part.group(1) or "", "send_recv")


def peer(name: str) -> int:
    """The other rank in a name such as ``nccl:send 0->3``; -1 where none is named."""
    match = _PEER.search(name)
    return int(match.group(1)[:9]) if match else -1


@lru_cache(maxsize=1024)
def dtype(name: str) -> str:
    """A data type's plain name, as ``bfloat16``; what is not known stays as written, in lower case."""
    bare = name.strip().lower().removeprefix("c10::").removeprefix("torch.").removeprefix("nccl")
    return _CANONICAL.get(bare, bare)


@lru_cache(maxsize=1024)
def itemsize(plain: str) -> int:
    """Bytes of one element of a plain data type; 0 where it is not known."""
    if plain == "bool" or plain.startswith(("float8", "float4")):
        return 1
    match = _BITS.fullmatch(plain)
    return int(match.group(1)) // 8 if match else 0


def named_rank(file: str) -> int:
    """The rank that a file's name calls one (``rank3.json.gz``); -1 where it does not."""
    named = _RANK.search(file)
    return int(named.group(1)) if named else -1


def trailing_rank(file: str) -> int:
    """As ``named_rank``, else the number in which the name ends (``_dump_12``)."""
    trailing = _TRAILING.search(file)
    named = named_rank(file)
    return named if named >= 0 or trailing is None else int(trailing.group(1))
