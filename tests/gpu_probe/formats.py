"""Prints measurements the way the tools print them, so that no captured log lives here."""

import json

from gpu_probe.parsers import read
from gpu_probe.parsers.answer import answered

FACTORS = {
    "all_reduce": lambda n: 2 * (n - 1) / n,
    "all_gather": lambda n: (n - 1) / n,
    "reduce_scatter": lambda n: (n - 1) / n,
    "alltoall": lambda n: (n - 1) / n,
    "broadcast": lambda _: 1,
    "sendrecv": lambda _: 1,
}
SIZES = (1024, 1048576, 33554432, 1073741824)


def time_us(size, *, latency_us=10.0, rate=200e9):
    """A time that any machine could have shown."""
    return latency_us + size / rate * 1e6


def rank_lines(ranks, *, per_host=8, group=True, gpu="NVIDIA H100 80GB HBM3", prefix="#  "):
    """The device list of one execution."""
    middle = " Group  0" if group else ""
    return [
        f"{prefix}Rank {rank:2d}{middle} Pid {4000 + rank:6d} on {'node' + str(rank // per_host):>10} "
        f"device {rank % per_host:2d} [0x{rank % per_host:02x}] {gpu}"
        for rank in range(ranks)
    ]


def half(size, ranks, name, *, check="0", slow=1.0):
    """time, algbw, busbw and check of one placement."""
    spent = time_us(size) * slow
    algbw = size / spent / 1e3
    busbw = algbw * FACTORS[name](ranks)
    return f"{spent:8.2f} {algbw:7.2f} {busbw:7.2f} {check:>6}"


def new_table(name="all_reduce", ranks=8, sizes=SIZES, *, redop="sum", root="-1", inside="0", hash_sign="#"):
    """Header and rows as printed since 2022: with a root column and a count of wrong values."""
    lines = [
        f"{hash_sign}" + " " * 62 + "out-of-place                       in-place          ",
        (
            f"{hash_sign}       size         count      type   redop    root     time   algbw   busbw #wrong"
            "     time   algbw   busbw #wrong"
        ),
        (
            f"{hash_sign}        (B)    (elements)                               (us)  (GB/s)  (GB/s)"
            "            (us)  (GB/s)  (GB/s)       "
        ),
    ]
    for size in sizes:
        lead = f"{size:12d} {size // 4:13d}     float {redop:>7} {root:>7} "
        lines.append(lead + half(size, ranks, name) + " " + half(size, ranks, name, check=inside, slow=0.98))
    return lines


def old_table(name="all_reduce", ranks=8, sizes=SIZES, *, redop="sum"):
    """Header and rows as printed before 2022: no root column, an error size in e-notation."""
    word = f"   {redop:>5}" if redop else ""
    lines = [
        "#" + " " * 55 + "out-of-place                       in-place          ",
        "#       size         count      type"
        + ("   redop" if redop else "")
        + "     time   algbw   busbw  error"
        "     time   algbw   busbw  error",
    ]
    for size in sizes:
        lead = f"{size:12d} {size // 4:13d}     float{word} "
        lines.append(
            lead + half(size, ranks, name, check="5e-07") + " " + half(size, ranks, name, check="2e-07")
        )
    return lines


def nccl_tests(name="all_reduce", ranks=8, sizes=SIZES, *, named=True, old=False, footer=True, **table):
    """One whole execution of nccl-tests."""
    lines = []
    if named:
        lines += ["# nccl-tests version 2.17.8 nccl-headers=22902 nccl-library=22902"]
        lines += [f"# Collective test starting: {name}_perf"]
    lines += [
        (
            f"# nThread 1 nGpus 1 minBytes {sizes[0]} maxBytes {sizes[-1]} step: 2(factor) warmup iters: 5 "
            "iters: 20 agg iters: 1 validation: 1 graph: 0"
        ),
        "#",
        "# Using devices",
        *rank_lines(ranks, group=not old),
        "#",
    ]
    lines += old_table(name, ranks, sizes, **table) if old else new_table(name, ranks, sizes, **table)
    if footer:
        lines += ["# Out of bounds values : 0 OK", "# Avg bus bandwidth    : 61.5 ", "#"]
    if footer and named:
        lines += [f"# Collective test concluded: {name}_perf"]
    return lines


def text(lines):
    """Lines as a file."""
    return ("\n".join(lines) + "\n").encode()


def only(lines, **answer):
    """The one run of these lines, with the user's answer where one is given."""
    (run,) = read("log", text(lines))
    return answered(run, **answer) if answer else run


def codes(run):
    """Codes of a run's warnings, in order."""
    return [notice.code for notice in run.warnings]


def nccl_json(name="all_reduce", ranks=8, sizes=SIZES, *, version=3, env=(), threads=1, per_process=1):
    """The ``-J`` report of nccl-tests."""
    devices = [
        {
            "rank": rank,
            "group": 0,
            "pid": 100 + rank,
            "hostname": f"node{rank // 8}",
            "device": rank % 8,
            "device_hex": "0000:1b:00",
            "device_info": "NVIDIA H100 80GB HBM3",
        }
        for rank in range(0, ranks, threads * per_process)
    ]

    def part(size):
        spent = time_us(size)
        rate = size / spent / 1e3
        return {"time": spent, "alg_bw": rate, "bus_bw": rate * FACTORS[name](ranks), "nwrong": 0.0}

    return {
        "version": version,
        "start_time": "2026-01-02 03:04:05",
        "args": [f"/opt/nccl-tests/build/{name}_perf", "-b", "1K"],
        "env": list(env),
        "nccl_version": 22902,
        "config": {
            "nthreads": threads,
            "ngpus": per_process,
            "minimum_bytes": sizes[0],
            "maximum_bytes": sizes[-1],
            "blocking_collectives": "false",
            "parallel_init": "false",
            "devices": devices,
        },
        "results": [
            {
                "size": size,
                "count": size // 4,
                "type": "float",
                "redop": "sum",
                "root": "    -1",
                "out_of_place": part(size),
                "in_place": part(size),
                "actual_iterations": 20,
                "experiment_name": "AllReduce",
            }
            for size in sizes
        ],
        "out_of_bounds": {"count": 0, "okay": "true"},
        "average_bus_bandwidth": {"bandwidth": 100.0, "okay": "unchecked"},
    }


def matrix_rows(count, value, *, own=1000.0):
    """Figures of a square matrix."""
    return [
        f"{i:6d} " + " ".join(f"{own if i == j else value + i / 10:6.2f}" for j in range(count))
        for i in range(count)
    ]


def p2p(count=4, *, cannot=()):
    """A whole p2pBandwidthLatencyTest."""
    lines = ["[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]"]
    lines += [
        f"Device: {i}, NVIDIA A100-SXM4-40GB, pciBusID: {i:x}, pciDeviceID: 0, pciDomainID:0"
        for i in range(count)
    ]
    for i in range(count):
        for j in range(count):
            if i != j:
                word = "CANNOT" if (i, j) in cannot else "CAN"
                lines.append(f"Device={i} {word} Access Peer Device={j}")
    head = "   D\\D " + " ".join(f"{i:6d}" for i in range(count))
    for title, value in (
        ("Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)", 20.0),
        ("Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)", 270.0),
        ("Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)", 520.0),
    ):
        lines += [title, head, *matrix_rows(count, value)]
    lines += ["P2P=Enabled Latency (P2P Writes) Matrix (us)"]
    lines += [head.replace("D\\D", "GPU"), *matrix_rows(count, 2.0, own=1.5), ""]
    lines += [head.replace("D\\D", "CPU"), *matrix_rows(count, 3.0, own=2.5), ""]
    return lines


def topology(gpus=4, nics=2, *, tabs=False, rows=None, legend=True, path="NV12"):
    """``nvidia-smi topo -m``."""
    names = [f"GPU{i}" for i in range(gpus)] + [f"NIC{i}" for i in range(nics)]

    def cell(a, b):
        return " X " if a == b else (path if a.startswith("GPU") and b.startswith("GPU") else "SYS")

    table = [["", *names, "CPU Affinity", "NUMA Affinity"]]
    table += [
        [name, *(cell(name, other) for other in names), *(["0-31", "0"] if name.startswith("GPU") else [])]
        for name in names[: rows if rows is not None else len(names)]
    ]
    lines = ["\t".join(row) if tabs else "".join(f"{word:<8}" for word in row) for row in table]
    if legend:
        lines += [
            "",
            "Legend:",
            "",
            "  X    = Self",
            "  NV#  = Connection traversing a bonded set of # NVLinks",
            "",
        ]
        lines += ["NIC Legend:", "", *(f"  NIC{i}: mlx5_{i}" for i in range(nics))]
    return lines


def nvlink(gpus=2, links=6, *, inactive=()):
    """``nvidia-smi nvlink -s``."""
    lines = []
    for gpu in range(gpus):
        lines.append(f"GPU {gpu}: Tesla V100-SXM2-32GB (UUID: GPU-0000000{gpu}-1111-2222-3333-444444444444)")
        lines += [
            f"\t Link {link}: " + ("<inactive>" if (gpu, link) in inactive else "25.781 GB/s")
            for link in range(links)
        ]
    return lines


def nvbandwidth_text(count=2):
    """Nvbandwidth's plain text with a one-way, a stacked two-way, a latency and a waived case."""
    head = "  " + " ".join(f"{i:9d}" for i in range(count))
    square = [
        f"{i} " + " ".join("N/A" if i == j else f"{270 + i:9.2f}" for j in range(count)) for i in range(count)
    ]
    lines = ["nvbandwidth Version: v0.8", "Built from Git version: v0.8", ""]
    lines += ["CUDA Runtime Version: 12080", "CUDA Driver Version: 12080", "Driver Version: 570.86.16", ""]
    lines += [f"Device {i}: NVIDIA H100 80GB HBM3 (00000000:{i:02x}:00)" for i in range(count)] + [""]
    lines += ["Running host_to_device_memcpy_ce.", "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)", head]
    lines += [
        "0 " + " ".join("    55.10" for _ in range(count)),
        "",
        "SUM host_to_device_memcpy_ce 110.20",
        "",
    ]
    lines += ["Running device_to_device_bidirectional_memcpy_read_ce."]
    for word in ("Read1", "Read2", "Total"):
        lines += [f"memcpy CE GPU(row) <-> GPU(column) {word} bandwidth (GB/s)", head, *square, ""]
    lines += [
        "Waived: ",
        "Running host_device_latency_sm.",
        "memory latency SM CPU(row) <-> GPU(column) (ns)",
    ]
    return [*lines, head, "0 " + " ".join("   772.58" for _ in range(count)), ""]


def nvbandwidth_json(count=2):
    """Nvbandwidth ``-j`` with the same cases."""
    square = [["N/A" if i == j else f"{270 + i}.5" for j in range(count)] for i in range(count)]
    cases = [
        {
            "bandwidth_description": "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)",
            "bandwidth_matrix": [["55.1"] * count],
            "name": "host_to_device_memcpy_ce",
            "status": "Passed",
            "sum": 110.2,
        },
        {
            "bandwidth_description": "memcpy CE GPU(row) <-> GPU(column) Total bandwidth (GB/s)",
            "bandwidth_matrix": square * 3,
            "name": "device_to_device_bidirectional_memcpy_read_ce",
            "status": "Passed",
        },
        {
            "bandwidth_description": "memory latency SM CPU(row) <-> GPU(column) (ns)",
            "bandwidth_matrix": [["574.7"] * count],
            "name": "host_device_latency_sm",
            "status": "Passed",
        },
        {"name": "all_to_one_read_sm", "status": "Waived"},
        {"name": "one_to_all_read_sm", "status": "Error", "error": "out of memory"},
    ]
    return {
        "nvbandwidth": {
            "CUDA Runtime Version": 12080,
            "Driver Version": "570.86.16",
            "GPU Device list": [
                f"{i}: NVIDIA H100 80GB HBM3 (00000000:0{i}:00): (node1)" for i in range(count)
            ],
            "testcases": cases,
            "version": "v0.8",
        }
    }


def styled(value):
    """JSON as nvbandwidth prints it: over many lines, braces on their own."""
    return json.dumps(value, indent="\t").replace('": {', '" : \n{').splitlines()


def _devices_table(cells, head="D/D"):
    """A table of rocm-bandwidth-test, with blank lines between its rows."""
    lines = [f"          {head}       {'           '.join(map(str, range(len(cells))))}           "]
    for index, row in enumerate(cells):
        words = "".join(f"{cell if isinstance(cell, str) else f'{cell:.3f}':<12}" for cell in row)
        lines += ["", f"          {index:<10}{words}"]
    return [*lines, ""]


def rocm_bandwidth(gpus=3, *, cannot=()):
    """The output of rocm-bandwidth-test for two CPUs and some GPUs, of which the last is on the second CPU."""
    count = gpus + 2
    lines = ["....................", "          RocmBandwidthTest Version: 2.6.0", ""]
    lines += ["          Launch Command is: rocm-bandwidth-test (rocm_bandwidth -a + rocm_bandwidth -A)", ""]
    lines += [f"          Device: {cpu},  AMD EPYC 9654 96-Core Processor" for cpu in range(2)]
    lines += [
        f"          Device: {gpu},  AMD Instinct MI300X,  GPU-06c9d21390bc2e7{gpu},  {gpu}5:0.0"
        for gpu in range(2, count)
    ]
    access = [["0" if (i, j) in cannot else "1" for j in range(count)] for i in range(count)]
    lines += ["", "          Inter-Device Access", "", *_devices_table(access)]
    far = [[str(20 * (i != j)) for j in range(count)] for i in range(count)]
    lines += ["          Inter-Device Numa Distance", "", *_devices_table(far)]

    def rate(i, j):
        cpus = (i < 2) + (j < 2)
        if cpus == 2:
            return "N/A"
        if cpus == 1:
            return 55.0 if (min(i, j) == 1) == (max(i, j) == count - 1) else 41.0
        return 1600.0 if i == j else 48.5

    one_way = [[rate(i, j) for j in range(count)] for i in range(count)]
    both = [
        [cell if isinstance(cell, str) else "N/A" if cell > 1000 else 2 * cell for cell in row]
        for row in one_way
    ]
    lines += ["          Unidirectional copy peak bandwidth GB/s", "", *_devices_table(one_way)]
    return [*lines, "", "          Bidirectional copy peak bandwidth GB/s", "", *_devices_table(both)]


def transferbench(gpus=3, *, frame=""):
    """The output of ``TransferBench p2p`` for one CPU and some GPUs."""
    devices = ["CPU 00", *(f"GPU {gpu:02d}" for gpu in range(gpus))]
    head = "".join(f"{name:>11}" for name in devices)
    lines = ["$ ./TransferBench p2p 64M", "TransferBench v1.50", "[Common]", "Bytes Per Direction 67108864"]
    lines += ["Unidirectional copy peak bandwidth GB/s [Local read / Remote write] (GPU-Executor: GFX)"]
    lines += [f"{frame} SRC+EXE\\DST{head}"]
    for row in devices:
        cells = [
            24.0
            if row == name == "CPU 00"
            else 1600.0
            if row == name
            else 54.0
            if "CPU 00" in (row, name)
            else 48.5
            for name in devices
        ]
        lines.append(f"{frame} {row}  -> " + "".join(f"{cell:>11.2f}" for cell in cells))
    lines += [
        "              CPU->CPU  CPU->GPU  GPU->CPU  GPU->GPU",
        "Averages (During UniDir):     24.0     54.0     54.0     48.5",
        "",
    ]
    lines += [
        "Bidirectional copy peak bandwidth GB/s [Local read / Remote write] (GPU-Executor: GFX)",
        f"   SRC\\DST{head}",
    ]
    for row in devices:
        for arrow, rate in ((" ->", 46.0), ("<- ", 45.0), ("<->", 91.0)):
            lines.append(
                f" {row} {arrow} "
                + "".join(f"{'N/A' if row == name else f'{rate:.2f}':>11}" for name in devices)
            )
        lines.append("")
    return lines


def cuda_bandwidth(unit="GB", *, csv=False, gpu="NVIDIA RTX 6000 Ada Generation", rates=(26.8, 26.3, 900.0)):
    """The output of bandwidthTest: host to device, device to host, within the device."""
    lines = [
        "[CUDA Bandwidth Test] - Starting...",
        "Running on...",
        "",
        f" Device 0: {gpu}",
        " Quick Mode",
        "",
    ]
    scale = 1.0 if unit == "GB" else 1e9 / 2**20
    for title, short, rate in zip(
        ("Host to Device", "Device to Host", "Device to Device"),
        ("H2D-Pinned", "D2H-Pinned", "D2D"),
        rates,
        strict=True,
    ):
        value = f"{rate * scale:.1f}"
        if csv:
            lines.append(
                f"bandwidthTest-{short}, Bandwidth = {value} {unit}/s, Time = 0.00119 s, Size = 32000000 bytes, NumDevsUsed = 1"
            )
            continue
        lines += [
            f" {title} Bandwidth, 1 Device(s)",
            " PINNED Memory Transfers",
            f"   Transfer Size (Bytes)\tBandwidth({unit}/s)",
            f"   32000000\t\t\t{value}",
            "",
        ]
    return [*lines, "Result = PASS", ""]
