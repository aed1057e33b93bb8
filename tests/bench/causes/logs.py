"""A defect's run as nccl-tests and rccl-tests print it, between the lines that NCCL prints of such a machine."""

from core.measurement.bus_factor import bus_factor

_NAMES = {"all_to_all": "alltoall", "send_recv": "sendrecv"}
_HEAD = (
    "#                                                              out-of-place                       in-place",
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong",
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)",
)


def info(text, host="node0", device=0):
    """A line of NCCL's log."""
    return f"{host}:4100:4200 [{device}] NCCL INFO {text}"


def usual_lines(
    bench, *, nics=None, direct=True, network=None, channels=16, nvls=True, inside="P2P/CUMEM", version=""
):
    """What NCCL says of a sound machine; the arguments are what a defect changes of it."""
    version = version or ("2.27.7+hip7.0" if bench.library == "RCCL" else "2.27.5+cuda12.9")
    lines = [f"{bench.library} version {version}"]
    if bench.nodes > 1:
        lines += _network_lines(bench, nics, direct=direct, network=network)
        lines.append(
            info(
                f"comm 0x5 rank 0 nRanks {bench.ranks} nNodes {bench.nodes} localRanks 8 localRank 0 MNNVL 0"
            )
        )
    if bench.switched:
        state = "is available on dev 0 (NVLS_NCHANNELS 16)" if nvls else "is not available on dev 0"
        lines.append(info(f"NVLS multicast support {state}"))
    lines.append(info(f"Channel 00/0 : 0[0] -> 1[1] via {inside}"))
    lines.append(
        info(f"{channels} coll channels, {channels} collnet channels, 0 nvls channels, 32 p2p channels")
    )
    return lines  # fmt: skip


def _network_lines(bench, nics, *, direct, network):
    used = bench.nics if nics is None else nics
    if network == "Socket":
        return [
            info("NET/IB : No device found."),
            info("NET/Socket : Using [0]eth0:10.0.0.1<0>"),
            info("Using network Socket"),
            info("Channel 00/0 : 8[0] -> 0[0] [receive] via NET/Socket/0"),
            info("Channel 00/0 : 0[0] -> 8[0] [send] via NET/Socket/0"),
        ]
    suffix = "/GDRDMA" if direct else ""
    if bench.plugin:
        return [
            info(f"NET/OFI Selected provider is efa, fabric is efa (found {used} nics)"),
            info("Using network AWS Libfabric"),
            info(f"Channel 00/0 : 8[0] -> 0[0] [receive] via NET/AWS Libfabric/0{suffix}"),
            info(f"Channel 00/0 : 0[0] -> 8[0] [send] via NET/AWS Libfabric/0{suffix}"),
        ]
    names = " ".join(f"[{index}]{bench.adapter}{index}:1/{bench.layer}" for index in range(used))
    return [
        info(f"NET/IB : Using {names} [RO]; OOB eno1:10.0.0.1<0>"),
        info("Using network IB"),
        info(f"Channel 00/0 : 8[0] -> 0[0] [receive] via NET/IB/0{suffix}"),
        info(f"Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0{suffix}"),
    ]


def execution(bench, collective, sizes, times, *, hosts=None, lines=()):
    """One run of the tests with the library's lines above its table."""
    system = bench.system
    hosts = hosts or [f"node{index}" for index in range(bench.nodes)]
    local = system.domain_gpus
    name = _NAMES.get(collective, collective)
    tool = "rccl-tests" if bench.library == "RCCL" else "nccl-tests"
    head = [
        f"# {tool} version 2.16.7",
        f"# Collective test starting: {name}_perf",
        f"# nThread 1 nGpus 1 minBytes {sizes[0]} maxBytes {sizes[-1]} step: 2(factor) warmup iters: 5 iters: 20",
        "#",
        "# Using devices",
    ]
    ranks = [
        f"#  Rank {rank:2d} Group  0 Pid {4000 + rank:6d} on {hosts[rank // local]:>10} device {rank % local:2d} "
        f"[0x{16 + rank % local:02x}] {bench.gpu}"
        for rank in range(local * len(hosts))
    ]
    factor = bus_factor(collective, local * len(hosts))
    rows = [_row(size, time_s, factor) for size, time_s in zip(sizes, times, strict=True)]
    return [*head, *ranks, "#", *lines, *_HEAD, *rows, "# Out of bounds values : 0 OK", "#"]


def _row(size, time_s, factor):
    algbw = size / time_s / 1e9
    half = f"{time_s * 1e6:8.2f} {algbw:7.2f} {factor * algbw:7.2f}      0"
    return f"{size:12d} {size // 4:13d}     float     sum      -1 {half} {half}"
