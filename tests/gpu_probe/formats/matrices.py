"""Matrices between GPUs of NVIDIA: p2pBandwidthLatencyTest, nvidia-smi, nvbandwidth."""

import json


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
