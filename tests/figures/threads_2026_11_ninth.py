"""Threads found on 2026-11-28, ninth round: written down after the eighth round's mends, before the code was asked."""

from tests.figures.threads import GIB, MIB, Table, Thread, flat
from tests.figures.threads_2026_11 import FINE, LOW

UCX = "github.com/openucx/ucx/issues/"
MOONCAKE = "github.com/kvcache-ai/Mooncake/issues/"
OSU_SLOW = (
    "GPUDirect RDMA between two hosts, IB NDR200 (200Gbps). mpirun -host host1,host2 -np 2 -npernode 1 ./osu_bw D D",
    "Previously ucx 1.13.1 had 24756.14 MB/sec at size 4194304, close to the speed of the NIC.",
    "# OSU MPI-CUDA Bandwidth Test v7.2",
    "# Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)",
    "# Size      Bandwidth (MB/s)",
    "# Datatype: MPI_CHAR.",
    "65536                2345.00",
    "262144               3526.87",
    "1048576              4031.50",
    "4194304              3840.19",
)
COPY_512 = (
    "$ ./nvbandwidth -t host_to_device_memcpy_sm -b 512",
    "nvbandwidth Version: v0.8",
    "Built from Git version: v0.8",
    "",
    "Device 0: NVIDIA A100-SXM4-40GB (00000000:99:00)",
    "",
    "Running host_to_device_memcpy_sm.",
    "memcpy SM CPU(row) -> GPU(column) bandwidth (GB/s)",
    "           0",
    " 0     25.13",
    "",
    "SUM host_to_device_memcpy_sm 25.13",
)
V100_EPYC = "Two nodes with an AMD EPYC 7452, one NVIDIA V100 and a Mellanox ConnectX-6 HDR (200 Gb/s) each, my own RDMA test with GPUDirect."

# fmt: off
THREADS = (
    Thread("Mooncake-813, one", MOONCAKE + "813", "the effect is good (asker)", FINE,
           lines=("RDMA from GPU memory (VRAM): with a single 400Gbps RDMA NIC, mlx5_2, the throughput reaches about 42 GB/s.",)),
    Thread("Mooncake-813, four", MOONCAKE + "813", "only one of the NICs is near the GPU (maintainer)", LOW, ("pcie_path", "numa"),
           lines=("RDMA from one GPU over four 400Gbps NICs, of which one is PIX and the others are NODE.", "The total throughput is only 30 GB/s, worse than with one NIC.")),
    Thread("Mooncake-6", MOONCAKE + "6", "what its TCP mode reaches (maintainer)", ("fine", "unknown"),
           lines=("Two H20 machines, transfer_engine_bench over TCP, no RDMA, from CPU DRAM to CPU DRAM: only 0.26 GB/s.",)),
    Thread("SO-59277346, hosts", "stackoverflow.com/questions/59277346", "what HDR leaves (asker)", FINE,
           lines=(V100_EPYC, "Node 1 CPU memory <-> Node 2 CPU memory: 24.48 GB/s")),
    Thread("SO-59277346, GPUs", "stackoverflow.com/questions/59277346", "reads of a GPU by the NIC through this CPU (asker)", LOW, ("pcie_path", "no_gpudirect"),
           lines=(V100_EPYC, "Node 1 GPU memory <-> Node 2 GPU memory: 6.12 GB/s")),
    Thread("nccl-1138", "github.com/NVIDIA/nccl/issues/1138", "near the peak, 4 % short of a modified library (asker)", FINE,
           lines=("I test alltoall_perf on 2 nodes, each has 8 * A100 and 4 * 200Gbps nic. nccl-tests busbw is 19.83 and nic bandwidth is about 183Gbps.",
                  "mpirun -np 16 -npernode 8 alltoall_perf -b 4G -e 4G -f 2 -w 10 -n 100 -g 1")),
    Thread("nccl-412", "github.com/NVIDIA/nccl/issues/412", "24 with a NIC behind the GPUs' switch and GPUDirect RDMA, 16 where it hangs on the CPU (NVIDIA)", LOW, ("no_gpudirect", "pcie_path"),
           lines=("8 NVLink A800 GPUs and 1 HDR 200G IB card in each node, 12 nodes on one HDR switch.", "The average bus bandwidth for all_reduce_perf is 15.3 GB/s on these 12 nodes.")),
    Thread("rocm_smi_lib-110", "github.com/ROCm/rocm_smi_lib/issues/110", "it looks ok (asker)", FINE,
           lines=("Dual AMD Radeon Pro VII on a Threadripper 2950X, PCIe 3.0 x16.", "rocm-bandwidth-test: host to device 14.25 GB/s.")),
    Thread("ucx-11121, perftest", UCX + "11121", "as expected (asker)", FINE,
           lines=("Two nodes with Broadcom RoCEv2 NICs (100 Gb) and NVIDIA GPUs.", "ib_write_bw --use_cuda=0 gives 85 Gb/s.")),
    Thread("ucx-11121, UCX", UCX + "11121", "UCX stages through host memory where GPU and NIC are on different NUMA nodes (asker)", LOW, ("no_gpudirect", "pcie_path", "numa"),
           lines=("Two nodes with Broadcom RoCEv2 NICs (100 Gb) and NVIDIA GPUs.", "With UCX and the GPU on another NUMA node than the NIC the RDMA bandwidth drops to 65 Gb/s.")),
    Thread("ucx-9287", UCX + "9287", "a sixth of the former version's rate (asker)", LOW, lines=OSU_SLOW),
    Thread("ucx-3984", UCX + "3984", "what FDR leaves (asker)", FINE, lines=("CentOS 7.6, FDR interconnect (56 Gb/s InfiniBand). osu_bw host to host (H H) shows 6.5 GB/s.",)),
    Thread("NVSHMEM-Tutorial-23", "github.com/KuangjuX/NVSHMEM-Tutorial/issues/23", "a fifth of the links (asker)", LOW,
           lines=("8x H20 in one node. Our mesh intranode all_gather only yields bus bandwidth of 93GBps.",)),
    Thread("servethehome-gb10", "servethehome.com/the-nvidia-gb10-connectx-7-200gbe-networking-is-really-different", "the two halves of the NIC together (authors)", FINE,
           lines=("Two NVIDIA GB10 systems, ConnectX-7 200Gbps.", "iperf3 with 64 streams and jumbo frames: 198 Gbps over both interfaces.")),
    Thread("nvbandwidth-42", "github.com/NVIDIA/nvbandwidth/issues/42", "buffers of this size are fast (asker)", FINE, lines=COPY_512),
    Thread("nccl-tests-293", "github.com/NVIDIA/nccl-tests/issues/293", "after NPS4 as NVIDIA advised (asker); the network's rate is that of nccl-tests 182, same machines", FINE, gpu="NVIDIA A100-PCIE-40GB", nodes=2, local=1,
           tables=(flat("all_reduce", 9.0, sizes=(256 * MIB, GIB)),), options=("--network", "ib-edr", "--nics-per-domain", "1")),
    Thread("rcuda-k40", "rcuda.net/index.php/48-rcuda-connectib-perf.html", "local CUDA (authors)", FINE,
           lines=("NVIDIA Tesla K40, PCIe 3.0 x16, Ivy Bridge Xeon. bandwidthTest from the CUDA samples: maximum data transfer rate host to device 10.06 GB/s.",)),
    Thread("DeepEP-5ab80c2", "github.com/deepseek-ai/DeepEP/commit/5ab80c2", "near the network's limit (authors)", FINE,
           lines=("DeepEP internode normal kernel on 4 nodes of 8x H800, 400 Gb/s InfiniBand: RDMA performance reaches 60 GB/s.",)),
    Thread("nccl-tests-78", "github.com/NVIDIA/nccl-tests/issues/78", "a third of an adapter (asker)", LOW, gpu="Tesla V100-SXM2-32GB", nodes=8,
           tables=(Table("all_reduce", ((256 * MIB, 4.33), (512 * MIB, 4.32))),), lines=("8 nodes of 8 V100, one IB network card of 100 Gb/s each",)),
)
# fmt: on
