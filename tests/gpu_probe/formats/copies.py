"""Copies as rocm-bandwidth-test, TransferBench and bandwidthTest print them."""


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
