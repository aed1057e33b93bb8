"""Documents: the five that make the claims, and what verdicts rest on beside the catalog's sources."""

from core.catalog.sources import SOURCES
from core.provenance import Source

DOCUMENTS = {number: SOURCES[f"briefing-{number}"] for number in ("000", "001", "002", "003", "004")}
"""The documents of the ledger by number."""

_MORE = (
    Source("cuda-runtime", "CUDA Runtime API: events, streams, peer access", "docs.nvidia.com/cuda"),
    Source("nvidia-smi-topo", "nvidia-smi topo -m: the legend it prints itself", "nvidia-smi"),
    Source("nvidia-smi-nvlink", "nvidia-smi nvlink reference", "juejin.cn"),
    Source("nccl-paths", "NCCL: path kinds, PXN", "github.com/NVIDIA/nccl/blob/5067397/src/graph/topo.h"),
    Source(
        "megatron-2019",
        "Megatron-LM: model parallelism in a layer",
        "https://arxiv.org/abs/1909.08053",
        "2019-09",
    ),
    Source(
        "llama3-failures", "Table of interruptions of Llama 3 training", "datacenterdynamics.com", "2024-07"
    ),
    Source("introl", "Article that names 10.7 %", "introl.com"),
    Source("alayanew-nccl", "nccl-tests on eight H100 PCIe", "alayanew"),
    Source("besthub-tp4", "All-reduce of four GPUs over PCIe 4 and NVLink 3", "besthub"),
    Source("vultr-b200", "HGX B200 cookbook: topology matrix", "vultr.com"),
    Source("pytorch-distributed", "torch.distributed documentation", "docs.pytorch.org"),
)

EVIDENCE = {document.key: document for document in _MORE}
"""Further documents by key."""
