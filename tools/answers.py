"""``python -m tools.answers``: JSON Schema of what each calculator answers, from questions of every kind."""

import json
import sys
from pathlib import Path
from typing import Any

from core.shell import call
from core.traces.detect import read_job
from core.traces.job_json import job_to_json

Json = dict[str, Any]
PLACE = Path(__file__).resolve().parents[1] / "pages" / "http" / "ask" / "answers.json"
DEEPEST = 4
"""Levels that are described; below them an object is any object."""
ROW = {
    "gpu": "H100",
    "scale_up_link": "nvlink4",
    "domain_gpus": 8,
    "domains": 1,
    "collective": "all_reduce",
    "size_bytes": 1048576,
}
MODEL = {"model": "llama-3.1-70b"}
SERVED = {"tpot_ms": 50, "usd_per_gpu_hour": 3}
EXAMPLE = Path(__file__).resolve().parents[1] / "docs" / "examples" / "job"
with (EXAMPLE / "rank0.json.gz").open("rb") as _trace:
    JOB = job_to_json(read_job([("rank0.json.gz", _trace)]))
QUESTIONS: dict[str, tuple[Json, ...]] = {
    "systems": ({},),
    "hierarchy": ({}, {"system": "l40s-x8", "rates": "spec"}),
    "collective": (
        {},
        {"domains": 4, "nccl_table": True},
        {"ranks": 1, "rates": "published"},
        {"collective": "moe_dispatch", "sms": 16, "library_version": "1.1"},
    ),
    "predict": ({"rows": [ROW, ROW | {"gpu": "none"}]},),
    "tp": (
        {},
        {**SERVED, "input_tokens": 512, "output_tokens": 64, "steps_per_s": 20},
        {"phase": "prefill", "tokens": 4096, "tp": 1},
    ),
    "gradient-sync": (
        {"params": 7e9},
        {
            **MODEL,
            "domains": 4,
            "backward_s": 1,
            "usd_per_gpu_hour": 3,
            "upgrade_usd": 1e6,
            "networks": ["ib-ndr", "roce-400"],
        },
        {"params": 7e9, "rates": "published"},
    ),
    "train": (
        {"gpus": 512, "tp": 8, "pp": 4, "usd_per_gpu_hour": 3},
        {"tp": 8, "pp": 4},
        {"tp": 8, "pp": 4, "job": JOB},
    ),
    "capacity": ({"params": 7e9}, {**MODEL, **SERVED, "sequences": 64, "micro_batches": 8}),
    "compare-systems": ({}, SERVED),
    "strategy": ({"gpus": 256}, {"gpus": 16, "job": JOB}, {"goal": "throughput", "system": "gb200-nvl72"}),
    "expect": ({"collective": "all_reduce"}, {"domains": 2, "algorithm": "ring"}),
    "plan": ({"runs": 1},),
    "kernel": (
        {"kind": "gemm", "format": "fp8-block", "engine": "vllm"},
        {"kind": "moe", "ep": 8},
        {"kind": "decode"},
    ),
}


def schemas() -> Json:
    """The schema of each answer by the calculator's name."""
    return {name: merged([call.answer(name, values) for values in QUESTIONS[name]]) for name in QUESTIONS}


def merged(values: list[Any], depth: int = 0) -> Json:
    """One schema that all values have; everything may be null, since what is absent is null."""
    present = [value for value in values if value is not None]
    kinds = {_kind(value) for value in present}
    schema: Json = {"type": sorted(kinds) + ([] if depth == 0 else ["null"])} if kinds else {}
    if depth == 0:
        schema = {"type": "object"}
    objects = [value for value in present if isinstance(value, dict)]
    items = [item for value in present if isinstance(value, list) for item in value]
    if objects and depth < DEEPEST:
        names = {name: None for value in objects for name in value}
        schema["properties"] = {
            name: merged([value.get(name) for value in objects], depth + 1) for name in names
        }
        if depth == 0:
            schema["required"] = [name for name in names if all(name in value for value in objects)]
    if items and depth < DEEPEST:
        schema["items"] = merged(items, depth + 1)
    return schema


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def text() -> str:
    """The file."""
    return json.dumps(schemas(), indent=1) + "\n"


if __name__ == "__main__":
    PLACE.write_text(text(), encoding="utf-8")
    sys.stdout.write(f"{PLACE}\n")
