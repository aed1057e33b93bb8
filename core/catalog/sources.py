"""Sources: every document behind a catalog figure, each key once."""

from core.provenance import Source

_ML = "github.com/stas00/ml-engineering"
_BRIEFING = "interconnect briefing collected for this project"

_DOCUMENTS = (
    Source(
        "ml-network",
        "Machine Learning Engineering: network",
        f"{_ML}/blob/744d01e/network/README.md",
        "2026-08",
    ),
    Source(
        "ml-accelerator",
        "Machine Learning Engineering: accelerators",
        f"{_ML}/blob/744d01e/compute/accelerator/README.md",
        "2026-08",
    ),
    Source("p100-overview", "Tesla P100 technical overview (copy)", "scribd.com", "2016"),
    Source("microway-p100", "Tesla P100 accelerator page", "microway.com", "2016"),
    Source("alibaba-ack", "GPU topology of ACK nodes (V100 cube mesh)", "alibabacloud.com"),
    Source("iitr-dgx1", "DGX-1 NVLink network topology", "iitr.ac.in/dgx"),
    Source(
        "mellanox-dgx1",
        "DGX-1 and its four EDR adapters",
        "iptronics.com/solutions/machine-learning/nvidia.php",
    ),
    Source(
        "anandtech-nvswitch", "NVIDIA develops NVLink switch for DGX-2", "anandtech.com/show/12581", "2018-03"
    ),
    Source("acecloud-b200", "B200 against A100", "acecloud.ai"),
    Source("klockwood-h100", "H100", "glennklockwood.com/garden/processors/h100"),
    Source("klockwood-b200", "B200", "glennklockwood.com/garden/processors/B200"),
    Source("klockwood-b300", "B300", "glennklockwood.com/garden/processors/B300"),
    Source("pb-11133", "NVIDIA H100 PCIe product brief PB-11133 (copy)", "manuals.plus", "2022-11"),
    Source("aiminingco-h100nvl", "H100 NVL specifications", "aiminingco.com"),
    Source("zangshuxian-h20", "H20 note", "zangshuxian.com"),
    Source("philisun-h800", "H800 against H100", "philisun.com"),
    Source("tumgag-h800", "H800 note", "tumgag"),
    Source("nvidia-gh200-blog", "DGX GH200 announcement", "developer.nvidia.com/blog", "2023-05"),
    Source(
        "nvidia-nvswitch3-blog",
        "Third-generation NVSwitch and NVLink Switch",
        "developer.nvidia.com/blog",
        "2022",
    ),
    Source("nvidia-hgx-a100-blog", "HGX A100 and its NVSwitches", "developer.nvidia.com/blog", "2020-05"),
    Source("nvidia-hopper", "NVIDIA Hopper architecture", "nvidia.com/technologies/hopper-architecture"),
    Source("nvidia-nvlink", "NVLink and NVLink Switch", "nvidia.com/data-center/nvlink"),
    Source("dgx-b200-guide", "NVIDIA DGX B200 user guide", "docs.nvidia.com/dgx/dgxb200-user-guide"),
    Source("dgx-basepod", "NVIDIA DGX BasePOD components", "docs.nvidia.com"),
    Source(
        "bcm-nvlinkinfo",
        "Base Command Manager: NVLink technology",
        "docs.nvidia.com/base-command-manager/product-manuals/nvidia-mission-control/nvlinkinfo",
    ),
    Source("nvlink-health", "Health validation: NVLink check", "docs.nvidia.com/health-validation"),
    Source("verda-gb300", "GB300 NVL72 architecture", "verda.com/blog/gb300-nvl72-architecture"),
    Source("aiwiki-gb200", "GB200 NVL72", "aiwiki.ai"),
    Source(
        "mlcommons-gb200",
        "MLPerf inference system description: GB200 NVL72",
        "github.com/mlcommons/inference_results_v6.1: GB200-NVL72_GB200-186GB_aarch64x16_Dynamo.json",
        "2026",
    ),
    Source(
        "nvl72-era",
        "Enterprise reference architecture: GB300 NVL72 components",
        "docs.nvidia.com/enterprise-reference-architectures/nvl72-ai-factory/latest/components.html",
    ),
    Source(
        "azure-mi300x",
        "ND MI300X v5 series",
        "github.com/MicrosoftDocs/azure-docs: nd-mi300x-v5-series.md",
        "2024-05",
    ),
    Source(
        "rocm-mi355x",
        "Distributed inference on MI355X nodes",
        "rocm.docs.amd.com: sglang-mori-distributed.html",
        "2026-01",
    ),
    Source("nvlink-lol", "NVLink generations", "nvlink.lol", "2026-04"),
    Source("futuretechstocks-rubin", "GTC 2025 recap", "futuretechstocks", "2025-03"),
    Source("techandspace-rubin", "Rubin Ultra", "techandspace", "2026-03"),
    Source(
        "wheelersnetwork", "Rubin networking; NVLink and InfiniBand domains", "wheelersnetwork.com", "2025-11"
    ),
    Source("grokipedia-l4", "L4 and L40S", "grokipedia.com"),
    Source("mullet-l40s", "L40S datasheet table", "mullet.se"),
    Source("ga102-whitepaper", "GA102 whitepaper (quoted)", "Hugging Face mirror", "2020"),
    Source("hmc-tech-4090", "RTX 4090 table", "hmc-tech.com"),
    Source("spheron-5090", "RTX 5090", "spheron"),
    Source("pny-a6000", "RTX A6000", "pnypartners", "2020"),
    Source("puget-nvlink", "NVLink on workstation cards", "pugetsystems.com", "2021"),
    Source("hardware-corner-pro6000", "RTX 5090 against RTX PRO 6000", "hardware-corner.net", "2025"),
    Source("filibuster-pro6000", "RTX PRO 6000 Blackwell", "thefilibusterblog.com", "2025"),
    Source("alldbin-t4", "Tesla T4", "alldbin"),
    Source(
        "mi350-gangliao",
        "AMD GPU architecture: MI350 against MI300X",
        "gangliao.me/blog/2026/amd-gpu-architecture-deep-dive",
        "2026",
    ),
    Source("nvlink-encyclopedia", "NVLink (encyclopedia mirrors)", "owiki and friendlywiki: NVLink"),
    Source("nvlink-table", "NVLink table with PCIe rows", "wikiblah: NVLink"),
    Source("megaobzor-vera", "Vera Rubin C2C", "megaobzor.com", "2025"),
    Source("nvlink-switch-page", "NVIDIA NVLink and NVLink Switch (copy)", "catalogone.com"),
    Source(
        "faraday-nvswitch",
        "NVSwitch fabric topology",
        "fridayswithfaraday.com/posts/gpu-hw-nvswitch-fabric-topology",
    ),
    Source("infiniband-jp", "InfiniBand rate table", "infiniband.jp"),
    Source("aicplight-ib", "InfiniBand generations and years", "aicplight"),
    Source("pingdo-hops", "Switch hop latencies of InfiniBand and Ethernet", "pingdo.net"),
    Source(
        "nccl-tuning", "NCCL cost model constants", "github.com/NVIDIA/nccl/blob/5067397/src/graph/tuning.cc"
    ),
    Source("nccl-topo", "NCCL link rates", "github.com/NVIDIA/nccl/blob/5067397/src/graph/topo.h"),
    Source(
        "nccl-tests-performance",
        "nccl-tests: what busbw means",
        "github.com/NVIDIA/nccl-tests/blob/a0b82b2/doc/PERFORMANCE.md",
    ),
    Source(
        "briefing-000",
        "The complete NVIDIA interconnect stack",
        "fridayswithfaraday.com/posts/gpu-hw-nvlink-nvswitch-interconnect",
    ),
    Source("briefing-001", "Interconnects: how GPUs talk", f"{_BRIEFING}, 001"),
    Source("briefing-002", "NVLink as scale-up fabric", f"{_BRIEFING}, 002"),
    Source("briefing-003", "What is NVLink", f"{_BRIEFING}, 003"),
    Source("briefing-004", "Why GPU interconnection is crucial", f"{_BRIEFING}, 004"),
    Source(
        "llama-sku-list", "Llama model dimensions", "github.com/meta-llama/llama-models: models/sku_list.py"
    ),
    Source(
        "nemo-mixtral",
        "Mixtral configurations",
        "github.com/NVIDIA/NeMo: nemo/collections/llm/gpt/model/mixtral.py",
    ),
    Source(
        "nemo-qwen3",
        "Qwen3 configurations",
        "github.com/NVIDIA/NeMo: nemo/collections/llm/gpt/model/qwen3.py",
    ),
    Source("gpt-oss", "gpt-oss ModelConfig", "github.com/openai/gpt-oss: gpt_oss/torch/model.py"),
    Source(
        "deepseek-v3-config",
        "DeepSeek-V3 dimensions as kernels and engines repeat them",
        "GitHub code search",
    ),
    Source(
        "model-configs",
        "config.json of each model's publisher, as engines and tools repeat its keys; totals by its tensors",
        "huggingface.co, GitHub code search",
    ),
    Source("kimi-k2-readme", "Kimi K2", "github.com/MoonshotAI/Kimi-K2: README.md"),
    Source("gpt4-leak", "SemiAnalysis leak as relayed", "pbxscience.com, the-decoder.com", "2023-07"),
    Source(
        "nvidia-whitepapers",
        "Architecture whitepapers, Pascal to Blackwell: multiprocessors of each board",
        "resources.nvidia.com",
    ),
    Source(
        "device-query",
        "deviceQuery of V100, T4 and A100: multiprocessors and copy engines",
        "public code, CUDA samples' output",
    ),
    Source(
        "topcpu-l20", "A40 PCIe against L20: memory and slot", "topcpu.net/en/gpu-c/a40-pcie-vs-l20", "2025"
    ),
    Source(
        "nvidia-smi",
        "Memory totals that nvidia-smi prints, T4 to H100 (pull request 2797), and public logs of the command",
        "github.com/modal-labs/modal-client/pull/2797",
        "2025-01",
    ),
    Source(
        "pytorch-total", "Memory totals that PyTorch prints of AMD Instinct GPUs", "public logs, 2026", "2026"
    ),
    Source(
        "pb-10137",
        "NVIDIA A100 40GB PCIe product brief PB-10137 (copy)",
        "docslib.org/doc/3015592",
        "2020-09",
    ),
    Source(
        "pc2-a100",
        "NVIDIA A100 40GB with NVLink: nodes of four",
        "upb-pc2.atlassian.net/wiki: PC2DOK/1900609",
    ),
    Source(
        "takechance-6000d",
        "RTX Pro 6000D beats RTX 5090D",
        "takechance.work/articles/2025/11/27/nvidia-rtx-pro-6000d-beats-rtx-5090d",
        "2025-11",
    ),
    Source(
        "weka-spectrum-x",
        "NVIDIA Spectrum-X Ethernet platform",
        "weka.io/learn/enterprise-technology/nvidia-spectrum-x",
    ),
    Source(
        "hotchips-cx8",
        "ConnectX-8 SuperNIC at Hot Chips 2025 (report)",
        "afnnews.qaasid.com/140588",
        "2025-08",
    ),
    Source("grok-1", "Grok-1 code and specifications", "github.com/xai-org/grok-1: README.md", "2024-03"),
    Source(
        "dbrx",
        "DBRX model card and configuration",
        "github.com/databricks/dbrx: README.md, model/",
        "2024-03",
    ),
    Source(
        "phi-3.5-moe",
        "Phi-3.5-MoE configuration",
        "huggingface.co/microsoft/Phi-3.5-MoE-instruct: config.json",
        "2024-08",
    ),
    Source("klockwood-slingshot", "Slingshot", "glennklockwood.com/garden/slingshot"),
    Source(
        "notebookcheck-mi100",
        "AMD announces the Instinct MI100: table of its data sheet",
        "notebookcheck.net/AMD-announces-CDNA-based-Instinct-MI100-GPU",
        "2020-11",
    ),
    Source(
        "rocm-mi100",
        "AMD Instinct MI100 microarchitecture",
        "rocm.docs.amd.com: reference/gpu-arch/mi100",
    ),
    Source(
        "anandtech-mi210",
        "AMD releases Instinct MI210: table of the Instinct cards",
        "anandtech.com/show/17326",
        "2022-03",
    ),
    Source(
        "rocm-mi250",
        "AMD Instinct MI250 microarchitecture",
        "rocm.docs.amd.com: reference/gpu-arch/mi250",
    ),
    Source(
        "nccl-1127",
        "Peer-to-peer copies between RTX 3090 and 4090",
        "github.com/NVIDIA/nccl/issues/1127",
        "2024-02",
    ),
    Source(
        "p2p-driver",
        "Open GPU kernel modules with peer-to-peer for GeForce: what the shipped driver leaves out",
        "github.com/tinygrad/open-gpu-kernel-modules/issues/28",
        "2025-01",
    ),
    Source("mxfp-spec", "OCP Microscaling Formats 1.0", "opencompute.org", "2023-09"),
    Source("nvfp4-blog", "NVFP4: block scales of 16 values", "developer.nvidia.com/blog", "2025"),
    Source(
        "alps-gh200",
        "NCCL on Alps (GH200, Slingshot)",
        "github.com/boeschf/nccl-benchmark-on-alps-2025@897cff446b",
        "2025",
    ),
    Source(
        "alcf-nccl",
        "NCCL on Polaris, Sirius and Sophia",
        "github.com/argonne-lcf/alcf-nccl-tests@385be33604",
        "2024",
    ),
    Source(
        "p5-nccl",
        "NCCL on two p5.48xlarge",
        "github.com/KeitaW/p5-nccl-test-2024-07-19@1c78584b9f",
        "2024-07",
    ),
    Source(
        "aiconfigurator-nccl",
        "AIConfigurator: NCCL tables by system",
        "github.com/ai-dynamo/aiconfigurator@095f58a51c: systems/data/*/comm/nccl",
        "2026",
    ),
    Source(
        "deepops-nccl",
        "NCCL on two DGX A100 over HDR",
        "github.com/NVIDIA/deepops@3957a42fb9: docs/k8s-cluster/nvidia-network-operator.md",
        "2021",
    ),
    Source(
        "ma595-p2p", "p2pBandwidthLatencyTest on four A100", "github.com/ma595/gpu_nvlink@9fccbe0ca6: out/p2p"
    ),
    Source(
        "p2p-power",
        "p2pBandwidthLatencyTest on POWER8 with P100 and POWER9 with V100",
        "public code, repository not reported",
    ),
    Source(
        "calibration-set",
        "Published collective measurements, one table",
        "calibration data of this project",
        "2026-11",
    ),
    Source("vendor-datasheet", "Vendor datasheet, not looked up: unverified", "from memory"),
    Source("recall", "Common knowledge, no document found: unverified", "from memory"),
)

SOURCES = {document.key: document for document in _DOCUMENTS}
"""Every source by key."""

UNVERIFIED = frozenset({"vendor-datasheet", "recall", "gpt4-leak"})
"""Keys of sources that verify nothing."""


def cite(*keys: str) -> tuple[Source, ...]:
    """The sources of these keys, in order."""
    return tuple(SOURCES[key] for key in keys)
