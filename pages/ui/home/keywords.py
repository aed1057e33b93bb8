"""Words of a question as the search compares them, and the words by which each page is looked for."""

import re
from collections.abc import Mapping

_WORD = re.compile(r"[a-z]+\d*|\d+|\$")
_DEGREE = re.compile(r"(tp|pp|dp|ep|cp|nvl)(\d+)")
_FILLERS = (
    "a an and are as at be can do does for from get give good has have how i if in into is it its me my need of "
    "on one or our over per should so than that the there this to us use versus vs was we what when where which "
    "who why will with would you your"
)
_STOP_WORDS = frozenset(_FILLERS.split())
SYNONYMS: Mapping[str, str] = {
    "$": "cost",
    "alltoall": "all_to_all",
    "allreduce": "all_reduce",
    "allgather": "all_gather",
    "bandwidths": "bandwidth",
    "batchsize": "batch",
    "bridge": "nvlink",
    "budget": "cost",
    "bw": "bandwidth",
    "cheaper": "cost",
    "dollar": "cost",
    "dollars": "cost",
    "ethernet": "roce",
    "expensive": "cost",
    "finetune": "training",
    "finetuning": "training",
    "gb200": "nvl72",
    "gb300": "nvl72",
    "hbm": "memory",
    "ib": "infiniband",
    "inference": "serving",
    "itl": "tpot",
    "latencies": "latency",
    "logs": "log",
    "money": "cost",
    "nics": "nic",
    "normal": "ok",
    "oom": "memory",
    "pretrain": "training",
    "pretraining": "training",
    "price": "cost",
    "rdma": "infiniband",
    "right": "ok",
    "slow": "slow",
    "slower": "slow",
    "speedup": "faster",
    "strategy": "layout",
    "tensorparallel": "tp",
    "train": "training",
    "ttft": "prefill",
    "zero1": "zero",
    "zero2": "zero",
    "zero3": "zero",
}
"""What people type, and the word that pages and glossary use."""
KEYWORDS: Mapping[str, str] = {
    "bandwidth_hierarchy": "bandwidth hierarchy memory nvlink pcie network copy offload latency level host speed",
    "collectives": (
        "collective all_reduce all_gather reduce_scatter all_to_all broadcast busbw algbw algorithm ring tree nvls "
        "sharp nccl rccl message size latency protocol dispatch combine moe deepep experts"
    ),
    "tensor_parallel": (
        "tp tensor parallel parallelism whatif pcie degree decode prefill tpot step serving vllm sglang tokens latency throughput"
    ),
    "scenarios": "compare scenario whatif ab h100 b200 mi300x faster setup serving difference",
    "gradient_sync": (
        "gradient sync ddp fsdp zero hsdp data parallel training overlap bucket infiniband roce network nic exposed"
    ),
    "training": "training step mfu pipeline bubble memory layout pp dp cp micro batch recompute megatron",
    "nvl72": (
        "nvl72 nvl rack capacity fit memory kv cache concurrent requests deepseek weights context gpus size serving"
    ),
    "kv_transfer": "kv cache transfer move offload disaggregated prefill recompute host migrate",
    "layouts": (
        "layout parallelism best strategy whatif nvlink pcie tp pp dp ep degrees which pareto rank search 3090 4090 rtx cards"
    ),
    "cost": "cost communication dollars hour month payback faster fabric break-even upgrade worth invest",
    "measurements": "measurements upload log store nccl runs busbw curve result history paste",
    "check": "check ok result busbw expected log verdict slow low nic wrong diagnose judge acceptance",
    "job": "job trace profiler kineto chrome timeline step exposed straggler overlap hang flight recorder replay",
    "my_cluster": "fit cluster calibrate own sweep constants yours my",
    "compare": "compare runs faster slow drift noise before after regression change",
    "topology": "topology nvidia-smi topo pairs matrix numa pix phb sys links wiring",
    "catalog": "catalog gpu link switch system model datasheet figure source price spec bandwidth",
    "access": "access token tokens project projects member members role admin audit log who sign user permission",
    "ledger": "claims published claim marketing true dispute recomputed paper",
}
"""Further words of each page, beside those of its title and its question."""


def keywords(text: str) -> tuple[str, ...]:
    """The telling words of a text in order: lower case, plural and synonyms undone, ``tp8`` also as ``tp``."""
    plain = (
        text.lower()
        .replace("what if", "whatif")
        .replace("all-", "all_")
        .replace("all to all", "alltoall")
        .replace("reduce-", "reduce_")
    )
    plain = re.sub(r"\ball_?(\w+)", lambda match: "all" + match[1].replace("_", ""), plain)
    spoken: list[str] = []
    for word in _WORD.findall(plain):
        degree = _DEGREE.fullmatch(word)
        spoken += [_stem(word), degree[1]] if degree else [_stem(word)]
    return tuple(dict.fromkeys(word for word in spoken if word not in _STOP_WORDS and not _single(word)))


def _single(word: str) -> bool:
    return len(word) == 1 and word.isalpha()


def _stem(word: str) -> str:
    known = SYNONYMS.get(word, word)
    plural = known.endswith("s") and not known.endswith("ss") and len(known) > 4
    return known[:-1] if plural else known
