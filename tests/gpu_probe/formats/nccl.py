"""nccl-tests: its tables, old and new, and its JSON."""

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
