"""Published bus bandwidth inside one scale-up domain: a coarse curve a machine and collective, GB/s."""

from core.provenance import Source
from core.units import GIB, KIB, MIB
from tests.figures.curve import Curve

AICONFIGURATOR = Source(
    "aiconfigurator",
    "aiconfigurator: measured NCCL tables",
    "github.com/ai-dynamo/aiconfigurator at 095f58a51c, systems/data/*/comm/nccl",
)
ENGINES = Source(
    "engines",
    "aiconfigurator: measured all-reduce of serving engines",
    "github.com/ai-dynamo/aiconfigurator at 095f58a51c, systems/data/*/comm",
)
RTX_4090 = Source(
    "rtx-4090",
    "nccl-tests on two RTX 4090",
    "github.com/Panlichen/nccl-tests at 2c51b1bec6, test_scripts/4090_2card_para",
)
ROCM = Source(
    "rocm",
    "System acceptance guide: RDMA benchmarking",
    "github.com/ROCm/system-acceptance-docs at 23e7312796, docs/network/rdma-benchmarking.md",
)
ALPS = Source(
    "alps",
    "NCCL benchmark on Alps",
    "github.com/boeschf/nccl-benchmark-on-alps-2025 at 897cff446b, results",
    "2025",
)
AZURE = Source(
    "azure",
    "Azure AI benchmarking guide",
    "github.com/Azure/AI-benchmarking-guide at 8fd0c6e1bd, Azure_Results",
)
DGX_CLOUD = Source(
    "dgx-cloud",
    "DGX Cloud benchmarking: NCCL",
    "github.com/NVIDIA/dgxc-benchmarking at 841f546, nccl/README.md",
)
AMD_AAC = Source(
    "amd-aac", "RCCL smoke test", "github.com/hisohara/ai-scripts at 9acb273b1d, training/01_rccl-smoketest"
)
DGX_2 = Source("dgx-2", "nccl-tests on a DGX-2", "github.com/wohlbier/nccl-tests at 33ee81a3ec, README.md")
OCI = Source(
    "oci",
    "OCI GPU quickstarts",
    "github.com/oracle-quickstart/oci-gpu-quickstarts at 2a523ef9e2, 44e4e6c9a4 and 61eba7f217",
)

# fmt: off
CURVES = (
    Curve("8x A100", "a100-sxm-80gb", "nvlink3", 8, "all_reduce", AICONFIGURATOR,
        {16 * KIB: 1.27, 256 * KIB: 16.7, 4 * MIB: 94.9, 64 * MIB: 197, 512 * MIB: 222}),
    Curve("8x A100", "a100-sxm-80gb", "nvlink3", 8, "all_gather", AICONFIGURATOR,
        {16 * KIB: 0.906, 256 * KIB: 10.9, 4 * MIB: 76.5, 64 * MIB: 167, 512 * MIB: 205}),
    Curve("8x A100", "a100-sxm-80gb", "nvlink3", 8, "reduce_scatter", AICONFIGURATOR,
        {16 * KIB: 0.949, 256 * KIB: 12.6, 4 * MIB: 70.5, 64 * MIB: 179, 512 * MIB: 213}),
    Curve("8x A100", "a100-sxm-80gb", "nvlink3", 8, "all_to_all", AICONFIGURATOR,
        {16 * KIB: 1.14, 256 * KIB: 12.5, 4 * MIB: 57, 64 * MIB: 169, 512 * MIB: 203}),
    Curve("8x H100", "h100-sxm", "nvlink4", 8, "all_reduce", AICONFIGURATOR,
        {16 * KIB: 1.72, 256 * KIB: 23.8, 4 * MIB: 146, 64 * MIB: 364, 512 * MIB: 445}),
    Curve("8x H100", "h100-sxm", "nvlink4", 8, "all_gather", AICONFIGURATOR,
        {16 * KIB: 1.28, 256 * KIB: 17, 4 * MIB: 110, 64 * MIB: 281, 512 * MIB: 336}),
    Curve("8x H100", "h100-sxm", "nvlink4", 8, "reduce_scatter", AICONFIGURATOR,
        {16 * KIB: 1.3, 256 * KIB: 19.1, 4 * MIB: 124, 64 * MIB: 293, 512 * MIB: 335}),
    Curve("8x H100", "h100-sxm", "nvlink4", 8, "all_to_all", AICONFIGURATOR,
        {16 * KIB: 1.99, 256 * KIB: 17.6, 4 * MIB: 139, 64 * MIB: 270, 512 * MIB: 317}),
    Curve("8x H200", "h200-sxm", "nvlink4", 8, "all_reduce", AICONFIGURATOR,
        {16 * KIB: 1.64, 256 * KIB: 23.3, 4 * MIB: 141, 64 * MIB: 367, 512 * MIB: 460}),
    Curve("8x B200", "b200-sxm", "nvlink5", 8, "all_reduce", AICONFIGURATOR,
        {16 * KIB: 1.03, 256 * KIB: 14.9, 4 * MIB: 133, 64 * MIB: 424, 512 * MIB: 685}),
    Curve("8x B200", "b200-sxm", "nvlink5", 8, "all_gather", AICONFIGURATOR,
        {16 * KIB: 0.821, 256 * KIB: 12.2, 4 * MIB: 112, 64 * MIB: 414, 512 * MIB: 610}),
    Curve("8x B200", "b200-sxm", "nvlink5", 8, "reduce_scatter", AICONFIGURATOR,
        {16 * KIB: 0.813, 256 * KIB: 12.1, 4 * MIB: 127, 64 * MIB: 414, 512 * MIB: 611}),
    Curve("8x B200", "b200-sxm", "nvlink5", 8, "all_to_all", AICONFIGURATOR,
        {16 * KIB: 1.26, 256 * KIB: 17.5, 4 * MIB: 99.3, 64 * MIB: 425, 512 * MIB: 532}),
    Curve("8x B300", "b300-sxm", "nvlink5", 8, "all_reduce", AICONFIGURATOR,
        {16 * KIB: 1.1, 256 * KIB: 16.3, 4 * MIB: 139, 64 * MIB: 431, 512 * MIB: 704}),
    Curve("4x H100", "h100-sxm", "nvlink4", 4, "all_reduce", AICONFIGURATOR,
        {16 * KIB: 2.24, 256 * KIB: 33.4, 4 * MIB: 152, 64 * MIB: 311, 512 * MIB: 349}),
    Curve("2x H100", "h100-sxm", "nvlink4", 2, "all_gather", AICONFIGURATOR,
        {16 * KIB: 1.31, 256 * KIB: 17.4, 4 * MIB: 78, 64 * MIB: 210, 512 * MIB: 258}),
    Curve("4x GB200", "gb200", "nvlink5", 4, "all_reduce", AICONFIGURATOR,
        {16 * KIB: 1.46, 256 * KIB: 22.4, 4 * MIB: 172, 64 * MIB: 552, 512 * MIB: 628}),
    Curve("8x RTX PRO 6000", "rtx-pro-6000-server", "pcie5-x16", 8, "all_reduce", AICONFIGURATOR,
        {16 * KIB: 1.06, 256 * KIB: 5.41, 4 * MIB: 21.2, 64 * MIB: 23.8, 512 * MIB: 24.7}),
    Curve("8x H100", "h100-sxm", "nvlink4", 8, "all_reduce", ENGINES,
        {16 * KIB: 5.4, 256 * KIB: 42.5, 4 * MIB: 238, 64 * MIB: 341, GIB: 469}, implementation="vllm-custom", launch="graph"),
    Curve("8x H100", "h100-sxm", "nvlink4", 8, "all_reduce", ENGINES,
        {16 * KIB: 8.06, 256 * KIB: 45.1, 4 * MIB: 141, 64 * MIB: 364, GIB: 469}, implementation="trtllm-auto"),
    Curve("8x B200", "b200-sxm", "nvlink5", 8, "all_reduce", ENGINES,
        {16 * KIB: 3.55, 256 * KIB: 17.8, 4 * MIB: 279, 64 * MIB: 527, GIB: 722}, implementation="vllm-custom", launch="graph"),
    Curve("2x RTX 4090", "rtx-4090", "pcie4-x16", 2, "all_reduce", RTX_4090,
        {16 * KIB: 0.776, 256 * KIB: 5.31, 4 * MIB: 7.1, 64 * MIB: 9.11, GIB: 8.98, 4 * GIB: 9.08}),
    Curve("8x MI350X", "mi350x", "if-mi355x", 8, "all_reduce", ROCM,
        {16 * KIB: 0.575, 256 * KIB: 7.71, 4 * MIB: 128, 64 * MIB: 112, GIB: 362, 8 * GIB: 361}, implementation="rccl"),
    Curve("Alps, one node of 4 GH200", "gh200", "nvlink4", 4, "all_reduce", ALPS,
        {16 * KIB: 2.29, 256 * KIB: 33.7, 4 * MIB: 145, 64 * MIB: 299, GIB: 338, 4 * GIB: 339}),
    Curve("Azure ND H100 v5", "h100-sxm", "nvlink4", 8, "all_reduce", AZURE,
        {16 * KIB: 0.95, 256 * KIB: 10.9, 4 * MIB: 129, 64 * MIB: 362, GIB: 466, 8 * GIB: 479}, calibrated_on=False),
    Curve("Azure ND H200 v5", "h200-sxm", "nvlink4", 8, "all_reduce", AZURE,
        {16 * KIB: 0.93, 256 * KIB: 14.8, 4 * MIB: 138, 64 * MIB: 368, GIB: 468, 8 * GIB: 480}, calibrated_on=False),
    Curve("DGX Cloud, 8x H100", "h100-sxm", "nvlink4", 8, "all_reduce", DGX_CLOUD,
        {16 * KIB: 1.6, 256 * KIB: 22.5, 4 * MIB: 135, 64 * MIB: 362, GIB: 466, 8 * GIB: 480}, calibrated_on=False),
    Curve("8x MI300X", "mi300x", "if-mi300x", 8, "all_reduce", AMD_AAC,
        {16 * KIB: 1.85, 256 * KIB: 26.3, 4 * MIB: 139, 64 * MIB: 272, GIB: 314, 8 * GIB: 316}, implementation="rccl"),
    Curve("DGX-2, 12 V100", "v100-sxm", "nvlink2", 12, "all_reduce", DGX_2,
        {16 * KIB: 0.466, 256 * KIB: 7.03, 4 * MIB: 41.9, 64 * MIB: 117, GIB: 123, 8 * GIB: 124}),
    Curve("DGX-2, 12 V100", "v100-sxm", "nvlink2", 12, "all_gather", DGX_2,
        {16 * KIB: 0.256, 256 * KIB: 3.8, 4 * MIB: 28.8, 64 * MIB: 67.2, GIB: 71.6}),
    Curve("OCI, 4x GB300", "gb300", "nvlink5", 4, "all_reduce", OCI,
        {512 * KIB: 43.9, 4 * MIB: 153, 64 * MIB: 560, GIB: 640, 8 * GIB: 681}),
    Curve("OCI, 64 of a GB200 NVL72", "gb200", "nvlink5", 64, "all_reduce", OCI,
        {8 * GIB: 892}),
)
