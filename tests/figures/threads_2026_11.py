"""Threads found on 2026-11-27, first round: read before the code was asked, none of them used to set a constant before."""

from tests.figures.threads import GIB, MIB, Table, Thread, flat, reduced

NCCL, TESTS = "github.com/NVIDIA/nccl/issues/", "github.com/NVIDIA/nccl-tests/issues/"
H100, V100 = "NVIDIA H100 80GB HBM3", "Tesla V100-SXM2-32GB"
FINE, LOW = ("fine",), ("low",)
TWO_A100_VMS = (
    "Two nodes with 8 A100 SXM4 each and 2 HDR InfiniBand cards per node.",
    "On each runs a virtual machine with all GPUs, NVSwitch and InfiniBand SR-IOV VFs passed through.",
    "-+-[0000:d0]---00.0-[d1]--+-01.0  NVIDIA Corporation GA100 [A100 SXM4 80GB]",
    " |                        +-02.0  NVIDIA Corporation GA100 [A100 SXM4 80GB]",
)
HDR_PAIR = ("--system", "dgx-a100", "--domains", "2", "--network", "ib-hdr", "--nics-per-domain", "2")
KVM = (
    "GPUDirect and RoCE in KVM+QEMU virtual machines: 8xH100 and 8 dual-port CX7 per node,",
    "all as SR-IOV VFs through VFIO. all_reduce over two nodes, NCCL 2.19.3:",
)
ROCE_PAIR = ("--system", "dgx-h100", "--domains", "2", "--network", "roce-400")
EDR = ("--network", "ib-edr", "--nics-per-domain", "4")
IBSTATUS = tuple(
    line
    for index in (0, 1, 3, 4)
    for line in (
        f"Infiniband device 'mlx5_{index}' port 1 status:",
        "\tstate:\t\t 4: ACTIVE",
        "\tphys state:\t 5: LinkUp",
        "\trate:\t\t 100 Gb/sec (4X EDR)",
        "\tlink_layer:\t InfiniBand",
    )
)
V100_TOPOLOGY = (
    "        GPU0    GPU1    GPU2    GPU3    NIC0    NIC1    CPU Affinity    NUMA Affinity",
    "GPU0     X      NV2     NV2     NV2     PIX     SYS     0-19,40-59      0",
    "GPU1    NV2      X      NV2     NV2     PIX     SYS     0-19,40-59      0",
    "GPU2    NV2     NV2      X      NV2     SYS     PIX     20-39,60-79     1",
    "GPU3    NV2     NV2     NV2      X      SYS     PIX     20-39,60-79     1",
    "NIC0    PIX     PIX     SYS     SYS      X      SYS",
    "NIC1    SYS     SYS     PIX     PIX     SYS      X",
)
SOCKETS = (
    "node0:7846:7846 [0] NCCL INFO Bootstrap : Using [0]ens5:10.0.0.1<0>",
    "node0:7846:7846 [0] ofi_init:700 NCCL WARN NET/OFI Only EFA provider is supported",
    "node0:7846:7846 [0] NCCL INFO NET/IB : No device found.",
    "node0:7846:7846 [0] NCCL INFO NET/Socket : Using [0]ens5:10.0.0.1<0>",
    "NCCL version 2.4.8+cuda10.1",
    "node0:7846:7901 [0] NCCL INFO Ring 00 : 15 -> 0 [receive] via NET/Socket/0",
    "node1:8544:8601 [7] NCCL INFO Ring 00 : 15 -> 0 [send] via NET/Socket/0",
)
SPARKS = ("Two DGX Spark, a single QSFP 200G DAC between them, MTU 9000.",)
PIX_PAIRS = (
    "\tGPU0\tGPU1\tGPU2\tGPU3\tGPU4\tGPU5\tGPU6\tGPU7\tNIC0\tNIC1\tNIC2\tNIC3\tNIC4\tNIC5\tNIC6\tNIC7",
    *(
        f"GPU{row}\t"
        + "\t".join(" X " if row == other else "NV18" for other in range(8))
        + "\t"
        + "\t".join("PIX" if row == nic else "NODE" if row // 4 == nic // 4 else "SYS" for nic in range(8))
        for row in range(8)
    ),
)
CARDS_TOPOLOGY = (
    "               GPU0-3   GPU4-7   mlx5_0",
    "GPU0-3       X          PHB        PIX",
    "GPU4-7     PHB         X         PHB",
    "mlx5_0      PIX          PHB         X",
)

THREADS = (
    Thread("nccl-949, before", NCCL + "949", "ACS settings were missing (asker, after a maintainer's hint): 27 of 48 GB/s",
           LOW, ("pcie_path",), tables=reduced(27.0, lines=("NCCL_ALGO=RING",)), lines=TWO_A100_VMS, nodes=2, options=HDR_PAIR),
    Thread("nccl-949, after", NCCL + "949", "48 GB/s by rings is the line rate of two HDR ports (asker)", FINE,
           tables=reduced(48.0, lines=("NCCL_ALGO=RING",)), lines=TWO_A100_VMS, nodes=2, options=HDR_PAIR),
    Thread("nccl-307", NCCL + "307", "half of 45 GB/s and uneven: no GPUDirect for reads, and a misconfigured network (maintainer, asker in 319)",
           LOW, ("no_gpudirect", "oversubscribed", "slow_node"), tables=(Table("broadcast", ((128 * MIB, 17.0), (512 * MIB, 20.0), (GIB, 16.0), (2 * GIB, 19.0))),),
           lines=("mpiexec -f hosts ./broadcast_perf -b 1M -e 2048M -f 2 -g 1 -c 0 -d half", "NCCL_IB_HCA=^mlx5_2", "NCCL_SOCKET_IFNAME=eth", *IBSTATUS),
           gpu=V100, nodes=2, options=("--system", "dgx-1-v100", "--domains", "2", *EDR)),
    Thread("nccl-319", NCCL + "319", "8 nodes on one switch 43.5, on two 19.5 GB/s by rings: between the switches (asker, maintainer)",
           LOW, ("oversubscribed",), gpu=V100, nodes=8,
           tables=(flat("all_reduce", 43.53, lines=("8 nodes on one switch, NCCL_ALGO=RING",)), flat("all_reduce", 19.53, lines=("8 nodes on two switches, NCCL_ALGO=RING",))),
           options=("--system", "dgx-1-v100", "--domains", "8", *EDR)),
    Thread("nccl-tests-251", TESTS + "251", "41.55 GB/s over two EDR ports is a tree between two nodes (maintainer)", FINE,
           gpu="Tesla V100-SXM2-16GB", nodes=2, local=4, tables=reduced(41.55), lines=("2x InfiniBand EDR (Connect-X4), 4x NVIDIA V100 GPU, 16 GB HBM each", *V100_TOPOLOGY)),
    Thread("nccl-1579", NCCL + "1579", "96 GB/s with GPUDirect over C2C (asker)", FINE, gpu="NVIDIA GH200 480GB", nodes=2, local=1,
           tables=(Table("all_reduce", ((2 * GIB, 96.07),)), Table("all_gather", ((2 * GIB, 94.48),))),
           lines=("(2) GH200, (4) 200Gbps ports each, pods with SR-IOV VFs, one for each interface.", "NCCL_NET_GDR_LEVEL=SYS")),
    Thread("nccl-1303, both ports", NCCL + "1303", "each VF at its own rate, both ports in use: the best (asker)", FINE, tables=reduced(365.0), lines=KVM, nodes=2, options=ROCE_PAIR),
    Thread("nccl-1303, one port", NCCL + "1303", "a topology file with 200G for each VF: NCCL uses one of two ports (maintainer)", LOW, ("fewer_nics", "bonded_port"),
           tables=reduced(193.0), lines=KVM, nodes=2, options=ROCE_PAIR),
    Thread("nccl-1303, no GPUDirect", NCCL + "1303", "GPUDirect RDMA is not detected (maintainer)", LOW, ("no_gpudirect",), tables=reduced(51.0), lines=KVM, nodes=2, options=ROCE_PAIR),
    Thread("nccl-2171, machines of one host", NCCL + "2171", "474 GB/s inside a virtual machine (asker)", FINE, gpu=H100, tables=reduced(474.1)),
    Thread("nccl-2171", NCCL + "2171", "a quarter of bare metal in virtual machines, RDMA itself at its rate (asker)", LOW, ("pcie_path", "no_gpudirect"),
           lines=("Two Cloud Hypervisor VMs with 8x H100 each, topology injected, ACS/ATS configured on the host.",
                  "| Test | Path | Bandwidth | % of NDR ceiling |", "|------|------|----------:|----------------:|",
                  "| Cross-node fabric, 4 QP / 1MB | Node A mlx5_0 - Node B mlx5_0 | 395.08 Gb/s | 99.7% |", "",
                  "NCCL All-Reduce (8 GB message)", "| Configuration | GPUs | Avg Bus BW | Path |", "|---|:---:|---:|---|",
                  "| Single node (Host 1) | 8 | 474.11 GB/s | NVLink/NVSwitch |", "| 2-node (16 GPUs) | 16 | 154.925 GB/s | NVLink + IB fabric |"),
           options=("--system", "dgx-h100", "--domains", "2")),
    Thread("cloud-hypervisor-8141", "github.com/cloud-hypervisor/cloud-hypervisor/issues/8141", "bare metal with ACS on: 186 GB/s (asker)", LOW, ("pcie_path",),
           gpu=H100, nodes=2, tables=reduced(186.0), lines=("Bare metal, with ACS enabled on the PCIe switches; 8 NDR NICs a node.",)),
    Thread("nccl-2409", NCCL + "2409", "half of what two such nodes reach, perftest at the line rate; no cause found (asker)", LOW, gpu=H100, nodes=2,
           tables=(Table("all_reduce", ((GIB, 216.5), (8 * GIB, 231.0))),), lines=("NCCL version 2.31.2+cuda13.3", "8x ConnectX-7 400 Gb/s RoCEv2 per node", *PIX_PAIRS)),
    Thread("coreweave-nccl-tests-43", "github.com/coreweave/nccl-tests/pull/43", "a sound rack (operator)", FINE, gpu="NVIDIA Graphics Device", nodes=18, local=4,
           tables=(Table("all_reduce", ((GIB // 2, 586.06), (GIB, 681.17), (2 * GIB, 757.78), (4 * GIB, 839.16), (8 * GIB, 834.57))),),
           lines=("Output of a full GB200 NVL72 rack:",)),
    Thread("dgx-spark-playbooks-102, before", "github.com/NVIDIA/dgx-spark-playbooks/issues/102", "NCCL of a development branch (asker)", LOW, ("nccl_version", "tcp_sockets"),
           gpu="NVIDIA GB10", nodes=2, local=1, tables=(flat("all_gather", 3.04),), lines=(*SPARKS, "NCCL_SOCKET_IFNAME=enP7s7", "NCCL_IB_HCA=rocep1s0f0,roceP2p1s0f0")),
    Thread("dgx-spark-playbooks-102, after", "github.com/NVIDIA/dgx-spark-playbooks/issues/102", "the rate of the cable with a release of NCCL (asker)", FINE,
           gpu="NVIDIA GB10", nodes=2, local=1, tables=(flat("all_gather", 23.74),), lines=(*SPARKS, "NCCL_IB_HCA=rocep1s0f0,roceP2p1s0f0")),
    Thread("dspark-35, before", "github.com/tonyd2wild/DeepSeek-v4-Flash-Vision-Exp-DSpark-1M-NVFP4-KV-2x-DGX-Spark/pull/35", "one of the port's two controllers (author)", LOW, ("fewer_nics",),
           gpu="NVIDIA GB10", nodes=2, local=1, tables=reduced(12.25), lines=(SPARKS[0], "NCCL_IB_HCA=rocep1s0f0", "NCCL_IB_GID_INDEX=0")),
    Thread("dspark-35, after", "github.com/tonyd2wild/DeepSeek-v4-Flash-Vision-Exp-DSpark-1M-NVFP4-KV-2x-DGX-Spark/pull/35", "both controllers (author)", FINE,
           gpu="NVIDIA GB10", nodes=2, local=1, tables=reduced(20.1), lines=(SPARKS[0], "NCCL_IB_HCA=rocep1s0f0,roceP2p1s0f0", "NCCL_IB_MERGE_NICS=1")),
    Thread("nccl-398, 16 ranks", NCCL + "398", "TCP sockets of 100 Gb/s (asker, commenter)", LOW, ("tcp_sockets",), gpu=V100, nodes=2,
           tables=(Table("all_reduce", ((MIB // 4, 1.2), (8 * MIB, 4.5), (64 * MIB, 5.8), (512 * MIB, 6.0)), SOCKETS),),
           lines=("aws p3dn instances, 8 V100s and 100Gbps network each",)),
    Thread("nccl-398, 2 ranks", NCCL + "398", "TCP sockets of 100 Gb/s (asker, commenter)", LOW, ("tcp_sockets",), gpu=V100, nodes=2, local=1,
           tables=(Table("all_reduce", ((8 * MIB, 3.9), (64 * MIB, 4.6), (256 * MIB, 4.7)), SOCKETS[:5]),), lines=("aws p3dn instances, 8 V100s and 100Gbps network each",)),
    Thread("nccl-450", NCCL + "450", "less than half of 100 Gb/s over TCP (asker)", LOW, ("tcp_sockets",),
           tables=(Table("all_reduce", ((8 * MIB, 4.2), (32 * MIB, 5.5), (128 * MIB, 6.0))),),
           lines=("Four machines with 8 V100-32G cards each, on a 100Gbps TCP network.", "NCCL_MIN_NCHANNELS=4 NCCL_SOCKET_NTHREADS=1 NCCL_NSOCKS_PERTHREAD=1"),
           nodes=4, options=("--system", "dgx-1-v100", "--domains", "4", "--network", "roce-100", "--nics-per-domain", "1")),
    Thread("nccl-371, 2.7.8", NCCL + "371", "NCCL_NET_GDR_READ=1 brings back the rate of 2.5.6 (asker)", LOW, ("no_gpudirect", "nccl_version"), gpu="Tesla V100-PCIE-32GB", nodes=2,
           tables=(Table("all_reduce", ((256 * MIB, 6.0), (GIB, 6.12)), ("NCCL version 2.7.8+cuda10.2",)),),
           lines=("mpirun -np 2 -H node0:1,node1:1 -x NCCL_DEBUG=INFO ./all_reduce_perf -b 1K -e 1G -f 2 -g 8", *CARDS_TOPOLOGY)),
    Thread("nccl-371, 2.5.6", NCCL + "371", "the best rate that was seen (asker)", FINE, gpu="Tesla V100-PCIE-32GB", nodes=2,
           tables=(Table("all_reduce", ((256 * MIB, 9.1), (GIB, 9.24)), ("NCCL version 2.5.6+cuda10.2",)),),
           lines=("mpirun -np 2 -H node0:1,node1:1 -x NCCL_DEBUG=INFO ./all_reduce_perf -b 1K -e 1G -f 2 -g 8", *CARDS_TOPOLOGY)),
    Thread("nccl-1281", NCCL + "1281", "a difference of compilers, not of the machine (maintainer)", FINE, gpu=H100, tables=(flat("reduce_scatter", 360.0), flat("all_gather", 350.0))),
    Thread("nccl-2343", "github.com/NVIDIA/nccl/pull/2343", "LL128 is the slower protocol of two B200 (author)", LOW, ("forced_setting",), gpu="NVIDIA B200", local=2,
           tables=(Table("all_reduce", ((GIB, 383.85),), ("NCCL_ALGO=Ring NCCL_PROTO=LL128", "NCCL version 2.31.2+cuda13.2")),)),
    Thread("nccl-1374", NCCL + "1374", "above the 200 GB/s of a direction by in-network reduction (commenters)", FINE, gpu="NVIDIA H800", tables=reduced(215.0)),
    Thread("nccl-tests-212", TESTS + "212", "256 MB is too small for the peak of 480 (maintainer)", FINE, gpu=H100, tables=(Table("all_reduce", ((256 * MIB, 437.5),)),)),
    Thread("nccl-tests-353", TESTS + "353", "the path between a GPU and the NIC on its own switch is slow (asker)", LOW, ("pcie_path",), gpu=H100, nodes=2,
           tables=reduced(7.75), lines=("NCCL version 2.27.6+cuda13.0", "4x ConnectX-6 per node; ib_write_bw --use_cuda reaches 95 Gbps on one link"),
           options=("--system", "dgx-h100", "--domains", "2", *EDR)),
    Thread("nccl-812", NCCL + "812", "60 GB/s by rings is a little low for 8 x 100 Gb/s (maintainer)", LOW, gpu="NVIDIA A100-SXM4-40GB", nodes=2,
           tables=reduced(60.0, lines=("NCCL_ALGO=Ring",)), options=("--system", "dgx-a100", "--domains", "2", "--network", "ib-edr", "--nics-per-domain", "8")),
    Thread("alayanew, H100 PCIe", "docs.alayanew.com/en/docs/tech-blog/2026-05-06-nccl-tests", "35 to 45 GB/s are usual (operator)", FINE,
           lines=("all_reduce_perf on one node with 8x H100 PCIe shows 40 GB/s busbw. Is that right?",)),
    Thread("rocm-systems-9409", "github.com/ROCm/rocm-systems/pull/9409", "two sound nodes after tuning (author)", FINE, gpu="AMD Instinct MI350X", nodes=2,
           tables=(Table("all_reduce", ((32 * MIB, 156.35), (64 * MIB, 190.33), (128 * MIB, 249.40))),)),
    Thread("nccl-tests-371", TESTS + "371", "70 of some 390 GB/s (asker)", LOW, gpu=H100, nodes=2, tables=reduced(70.0), lines=("2*8 h100 machines, DOCA-HOST installed, with 400G * 8 IB",)),
    Thread("rccl-1490", "github.com/ROCm/rccl/issues/1490", "70 ms for 2 MiB (asker)", LOW, nodes=4,
           tables=(Table("all_gather", ((65536, 0.59), (131072, 0.60), (262144, 1.20), (524288, 0.73), (MIB, 0.70), (2 * MIB, 0.03))),),
           lines=("4 nodes, each with 4 mi250x; aws-ofi-rccl on Slingshot 11", "srun --nodes=4 --ntasks-per-node=8 --label -- all_gather_perf -b 64K -e 4G -f 2 -g 1"), prefix=" 0: "),
)  # fmt: skip
