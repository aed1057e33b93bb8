"""Threads found on 2026-11-27, second round: written down after the first round's mends, before the code was asked."""

from tests.figures.threads import GIB, MIB, Table, Thread, flat, reduced
from tests.figures.threads_2026_11 import FINE, H100, LOW, NCCL, TESTS

GB10 = "NVIDIA GB10"
V100_PCIE = "Tesla V100-PCIE-16GB"
MESH = "github.com/autoscriptlabs/nccl-mesh-plugin/issues/"
FOUR_HDR = ("--network", "ib-hdr", "--nics-per-domain", "4")

# fmt: off
THREADS = (
    Thread("nccl-tests-319", TESTS + "319", "a ninth of what eight NDR NICs carry; ACS, IOMMU, GPUDirect and all NICs to be checked (NVIDIA)", LOW,
           ("fewer_nics", "no_gpudirect", "pcie_path"), gpu=H100, nodes=2,
           tables=(Table("all_reduce", ((256 * MIB, 44.0), (GIB, 44.4), (8 * GIB, 44.1))),),
           lines=("Two HGX hosts with 8 ConnectX-7 NDR each.",
                  "mpirun --np 16 -H node0:8,node1:8 -x NCCL_NET_GDR_LEVEL=1 -x NCCL_P2P_LEVEL=NVL all_reduce_perf -b 256M -e 8G -f 2 -g 1")),
    Thread("nccl-tests-252", TESTS + "252", "some 24 GB/s a NIC by rings: great (NVIDIA)", FINE, gpu=H100, nodes=2, local=4,
           tables=(Table("all_reduce", ((GIB // 2, 93.5), (GIB, 93.6), (2 * GIB, 94.3), (4 * GIB, 97.4), (8 * GIB, 95.1))),),
           lines=("mpirun -x NCCL_ALGO=RING -np 8 -N 4 ./all_reduce_perf -b 512M -e 8G -f 2 -g 1",), options=FOUR_HDR),
    Thread("nccl-mesh-plugin-58", MESH + "58", "receivers not ready and their timer: middle sizes a tenth of what they reach (author)", LOW,
           lines=("Three DGX Spark (GB10) as a ring of 200G cables, NCCL_NET=Mesh NCCL_IB_DISABLE=1 NCCL_ALGO=Ring, 3 ranks.",
                  "| message | all-reduce busbw | point-to-point |", "|---|---|---|",
                  "| 208 KB | 1.4 GB/s | 9 GB/s |", "| 464 KB | 0.6 GB/s | 10 GB/s |", "| 704 KB | 0.6 GB/s | 10 GB/s |",
                  "| 3.4 MB | 0.9 GB/s | 11 GB/s |", "| 8 MB | 2.6 GB/s | 11 GB/s |", "| 17 MB | 11.3 GB/s | 11 GB/s |", "| 64 MB | 12.3 GB/s | 12 GB/s |")),
    Thread("nccl-mesh-plugin-56", MESH + "56", "184 ms for 1 MB on three nodes (author)", LOW,
           lines=("3x DGX Spark (GB10), all_reduce over the mesh plugin",
                  "node0:1200:1280 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/Mesh/0",
                  "node0:1200:1250 [0] NCCL INFO ncclCommInitRank comm 0x1 rank 0 nranks 3 cudaDev 0 nvmlDev 0 busId f01000 - Init COMPLETE",
                  "Message Size: 1 MB", "Avg Latency: 184.368 ms", "Bus Bandwidth: 0.01 GB/s")),
    Thread("nccl-1455", NCCL + "1455", "what in-network reduction gives at these numbers of GPUs (NVIDIA)", FINE, gpu=H100, local=8, tables=reduced(480.0)),
    Thread("nccl-1455, 5 GPUs", NCCL + "1455", "as above", FINE, gpu=H100, local=5, tables=reduced(420.0)),
    Thread("nccl-1455, 4 GPUs", NCCL + "1455", "as above", FINE, gpu=H100, local=4, tables=reduced(368.0),
           lines=("NCCL_ALGO=NVLS",)),
    Thread("nccl-tests-22", TESTS + "22", "a tree between two nodes passes the line rate (NVIDIA)", FINE,
           lines=("Two p3dn.24xlarge, EFA 100 Gb/s, all_reduce_perf with 16 ranks, 1 GiB: busbw 15.0 GB/s",)),
    Thread("uccl-205", "github.com/uccl-project/uccl/issues/205", "what such nodes reach (author)", FINE,
           lines=("On 8 nodes of 8x H100 with ConnectX-7 400G, NCCL all_reduce reaches 350 GB/s bus bandwidth.",)),
    Thread("azurehpc-health-checks-142", "github.com/Azure/azurehpc-health-checks/issues/142", "a sound virtual machine (operator)", FINE, gpu="NVIDIA H200",
           tables=(Table("all_reduce", ((16 * GIB, 479.97),)),)),
    Thread("nccl-tests-83", TESTS + "83", "TCP over 25 Gb/s Ethernet, RDMA off by its setting (asker)", LOW, ("tcp_sockets", "network_off"), gpu=V100_PCIE, nodes=2, local=4,
           tables=(Table("all_reduce", ((32 * MIB, 1.68), (128 * MIB, 1.70))),),
           lines=(("mpirun -np 8 --host node0:4,node1:4 -x NCCL_IB_DISABLE=1 -x NCCL_ALGO=Ring -x NCCL_PROTO=Simple -x NCCL_NSOCKS_PERTHREAD=2 "
                  "-x NCCL_SOCKET_NTHREADS=4 -x NCCL_MAX_NCHANNELS=2 ./build/all_reduce_perf -b 8 -e 128M -f 2 -g 1"),)),
    Thread("hpc-ai-envs-30", "github.com/crickett-hpe/hpc-ai-envs/pull/30", "a sound node (operator)", FINE, gpu="AMD Instinct MI300X",
           tables=(Table("all_reduce", ((8 * MIB, 161.14),)),), lines=("rccl-tests: Collective test starting",)),
    Thread("nccl-tests-100", TESTS + "100", "four HDR NICs give some 96 GB/s (NVIDIA, in #119)", FINE, gpu="NVIDIA A100-SXM-80GB", nodes=2, tables=reduced(91.0),
           lines=(("mpirun -np 16 -H node0:8,node1:8 -bind-to none -map-by slot -x NCCL_IB_HCA=mlx5_0:1,mlx5_1:1,mlx5_2:1,mlx5_3:1 "
                  "-mca pml ob1 ./build/all_reduce_perf -b 1G -e 8G -f 2"), "Two HGX-A100 with four ConnectX-6 IB, 200Gbps each.")),
    Thread("aicad-nccl-1", "github.com/luxingcom/aicad-nccl-optimization/issues/1", "after its mends (author)", FINE, gpu=GB10, nodes=3, local=1,
           tables=(Table("all_reduce", ((256 * MIB, 13.86),)),), lines=("node0:900:950 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0",)),
    Thread("nccl-595", NCCL + "595", "an eighth of two HDR NICs; GPUDirect or ACS, as in #489 (NVIDIA)", LOW, gpu="A100-SXM4-40GB", nodes=2, local=4,
           tables=(flat("all_reduce", 3.0, sizes=(32 * MIB, 128 * MIB)),),
           lines=("our cluster has 200Gb/sec InfiniBand",
                  "\tGPU0\tGPU1\tGPU2\tGPU3\tmlx5_0\tmlx5_1\tCPU Affinity\tNUMA Affinity",
                  "GPU0\t X \tNV4\tNV4\tNV4\tSYS\tSYS\t16-31,80-95\t1", "GPU1\tNV4\t X \tNV4\tNV4\tPIX\tSYS\t0-15,64-79\t0",
                  "GPU2\tNV4\tNV4\t X \tNV4\tSYS\tPIX\t48-63,112-127\t3", "GPU3\tNV4\tNV4\tNV4\t X \tSYS\tSYS\t32-47,96-111\t2",
                  "mlx5_0\tSYS\tPIX\tSYS\tSYS\t X \tSYS", "mlx5_1\tSYS\tSYS\tPIX\tSYS\tSYS\t X ")),
    Thread("nccl-1454", NCCL + "1454", "a tenth of four such NICs, no cause found (NVIDIA asked for more)", LOW,
           lines=("300 nodes, 8x H100 SXM per node, 4 InfiniBand NDR NICs per node.",
                  "mpirun -np 300 -N 1 -x NCCL_IB_QPS_PER_CONNECTION=2 /nccl/nccl-tests/build/all_reduce_perf -b 512 -e 8G -f 2 -g 8",
                  "The max busbw is only 14GB/s")),
    Thread("nccl-1588", NCCL + "1588", "far below four such NICs; ACS and GPUDirect to be checked (NVIDIA)", LOW,
           lines=("Two H20 nodes with 8 GPUs each and 4x 400G InfiniBand per node: all_reduce busbw is only reaching 65 Gbps.",
                  "mpirun -np 16 -x NCCL_IB_HCA=mlx5_0:1,mlx5_1:1,mlx5_2:1,mlx5_4:1 -x NCCL_ALGO=tree all_reduce_perf -b 1G -e 8G -f 2")),
    Thread("aws-ofi-nccl-584", "github.com/aws/aws-ofi-nccl/issues/584", "one EFA of four is attached (AWS)", LOW, ("fewer_nics",),
           lines=("2 x p4d.24xlarge, one EFA interface per instance",
                  "(head, rank=0, pid=36870) [node0:0]:The average bandwidth of all_reduce with a 4.0GB payload (5 trials, 16 ranks):",
                  "(head, rank=0, pid=36870) [node0:0]: algbw: 11.135 GBps (89.1 Gbps)", "(head, rank=0, pid=36870) [node0:0]: busbw: 20.878 GBps (167.0 Gbps)")),
    Thread("rocm-systems-9406", "github.com/ROCm/rocm-systems/pull/9406", "after tuning (AMD)", FINE,
           lines=("2-node MI350X cluster, allreduce, 16 GPUs", "size\ttype\tredop\tbusbw\talgo\tproto\tnchannels", "(B)\t(us)\t(GB/s)\t(GB/s)\t\t\t",
                  "33554432\tfloat\tsum\t156.35\tRING\tLL128\t64", "67108864\tfloat\tsum\t190.33\tTREE\tSIMPLE\t64", "134217728\tfloat\tsum\t249.40\tRING\tSIMPLE\t48")),
    Thread("nccl-tests-347", TESTS + "347", "inside one node (asker)", FINE, gpu=H100, tables=(Table("all_reduce", ((8 * GIB, 479.41),)),)),
)
# fmt: on
