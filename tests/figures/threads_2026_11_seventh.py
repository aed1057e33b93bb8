"""Six threads found on 2026-11-27: written down after the sixth round's mends, before the code was asked."""

from tests.figures.threads import GIB, MIB, Table, Thread
from tests.figures.threads_2026_11 import FINE, LOW, NCCL, TESTS

FOUR_NV4 = (
    "\tGPU0\tGPU1\tGPU2\tGPU3",
    "GPU0\t X \tNV4\tNV4\tNV4",
    "GPU1\tNV4\t X \tNV4\tNV4",
    "GPU2\tNV4\tNV4\t X \tNV4",
    "GPU3\tNV4\tNV4\tNV4\t X ",
)
FROM_A_GPU = (
    "HDR InfiniBand, 200 Gb/s. Host to host it reaches around 23000 MB/s.",
    "initializing CUDA",
    "[pid = 3669, dev = 0] device name = [NVIDIA A30]",
    "                    RDMA_Write BW Test",
    " Dual-port       : OFF\t\tDevice         : mlx5_0",
    " Number of qps   : 1\t\tTransport type : IB",
    " Mtu             : 4096[B]",
    " Link type       : IB",
    " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]",
    " 33554432   5000             11020.40            11015.20             0.000344",
)
FOUR_NODES = (
    "DeepEP on 4 nodes of 8x H200, CX7 400 Gb/s InfiniBand",
    "[tuning] Best combine: SMs 24, NVL chunk 2, RDMA chunk 8: 12.53 GB/s (RDMA), 25.05 GB/s (NVL)",
)

# fmt: off
THREADS = (
    Thread("nccl-378", NCCL + "378", "a fabric without flow control drops packets (NVIDIA)", LOW, ("oversubscribed",), gpu="Tesla V100-SXM2-32GB", nodes=4,
           tables=(Table("all_reduce", ((MIB, 2.1), (16 * MIB, 0.6), (128 * MIB, 0.4), (512 * MIB, 0.3))),), lines=("RoCE, one ConnectX-5 of 100 Gb/s per node",)),
    Thread("nccl-tests-331", TESTS + "331", "what four links leave of 100 GB/s (asker)", FINE, gpu="NVIDIA A100-SXM-64GB", local=2,
           tables=(Table("send_recv", ((256 * MIB, 70.9), (GIB, 71.8), (4 * GIB, 72.2))),), lines=FOUR_NV4),
    Thread("perftest-241", "github.com/linux-rdma/perftest/issues/241", "GPU and NIC on different sockets, host memory twice as fast (asker)", LOW, ("pcie_path", "numa", "no_gpudirect"), lines=FROM_A_GPU),
    Thread("DeepEP-493", "github.com/deepseek-ai/DeepEP/issues/493", "44 GB/s on two nodes (asker)", LOW, lines=FOUR_NODES),
    Thread("sglang-V100-2", "github.com/haohervchb/sglang-V100/pull/2", "NCCL over a PCIe switch at line rate (author)", FINE,
           lines=("Our four V100 SXM2 32 GB sit behind one PCIe switch, there is no NVLink.", "NCCL all-reduce of 384 KB takes 83.5 us.")),
    Thread("legacy-rocm-build-2499", "github.com/ROCm/legacy-rocm-build/issues/2499", "what the protocol leaves of 92 GB/s (AMD)", FINE,
           lines=("8x MI100 in two hives: rocm_bandwidth_test shows 70 GB/s bidirectional between two GPUs of a hive.",)),
)
# fmt: on
