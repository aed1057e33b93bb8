"""Whose rate a paste tells, and of which machine: templates, quoted mail, other people's numbers, wrapped logs."""

import pytest

from core.measurement.bus_factor import bus_factor
from gpu_probe.parsers import read
from gpu_probe.parsers.problem import ParseError
from gpu_probe.parsers.sentence.pair_list import weak_host
from gpu_probe.parsers.sentence.port import port_of
from tests.each import table
from tests.gpu_probe.formats import nccl_tests, new_table

SMI = tuple(
    f"|   {index}  NVIDIA H100 80GB HBM3          On  |   00000000:{index:02x}:00.0 Off |                    0 |"
    for index in range(4)
)
OURS = "8x H100 all_reduce busbw"
BARS = ("| | GB/s |", "|---|---|")


def told(lines):
    """Ranks, nodes and busbw of each run that a paste tells."""
    try:
        runs = read("paste.log", "\n".join(lines).encode())
    except ParseError:
        return []
    return [_figures(run) for run in runs]


def _figures(run):
    nodes = next((int(item.value) for item in run.observations if item.kind == "nodes"), 1)
    sample = run.samples[-1]
    busbw = bus_factor(run.collective, run.ranks) * sample.size_bytes / sample.time_s / 1e9
    return run.ranks, nodes, round(busbw, 1)


@table(
    ("lines", "figures"),
    [
        (("We have 8x H100. The paper reports 480 GB/s busbw for all_reduce.",), []),
        (("According to the paper all_reduce reaches 480 GB/s busbw on 8x H100; we measure 300 GB/s.",), [(8, 1, 300)]),
        (("NCCL 2.27 release notes: all_reduce busbw improved to 410 GB/s on 2 nodes of 8x H100.",), []),
        (("NVIDIA's DGX H100 numbers are 480 GB/s busbw for all_reduce with 8x H100.",), []),
        (("On their cluster all_reduce gets 350 GB/s busbw over 4 nodes of 8x H100; on ours it gets only 90 GB/s.",), [(32, 4, 90)]),
        (("A friend's 8x A100 node gets 230 GB/s busbw all_reduce, mine gets 120 GB/s.",), [(8, 1, 120)]),
        (("> On 8x H100 we see 480 GB/s busbw in all_reduce.", "Ours is 8x H100 too and shows 300 GB/s busbw."), [(8, 1, 300)]),
        (("> On 8x H100 we see 480 GB/s busbw in all_reduce.", "Thanks, that is good to know."), []),
        (("> On 8x H100 we see 480 GB/s busbw in all_reduce.",), [(8, 1, 480)]),
        (("8x A100 all_reduce", "| size | before (GB/s) | after (GB/s) |", "|---|---|---|", "| 1 GiB busbw | 120 | 230 |"), [(8, 1, 230)]),
        ((OURS, *BARS, "| reference (DGX) | 480 |", "| ours | 300 |"), [(8, 1, 300)]),
        ((OURS, *BARS, "| published | 480 |"), []),
        (("8x H100 all_reduce busbw is 5 GB/s lower than the 480 GB/s of the docs: 475 GB/s",), []),
        (("We lose 5 GB/s busbw when ECC is on: 8x H100 all_reduce",), []),
        (("8x H100, all_reduce variance is 3 GB/s busbw",), []),
        (("8x H100 all_reduce busbw 478 ± 3 GB/s",), [(8, 1, 478)]),
        (("8x H100 all_reduce busbw 478 GB/s +/- 3 GB/s",), [(8, 1, 478)]),
        (("8x H100 all_reduce busbw dropped by 180 GB/s to 298 GB/s",), []),
        (("8x H100 all_reduce busbw is only 298 GB/s, lower than expected",), [(8, 1, 298)]),
    ],
)  # fmt: skip
def test_whose_rate_it_is(lines, figures):
    """Papers, notes, quoted mail, other clusters and columns of before are not what the asker measured."""
    assert told(lines) == figures


@table(
    ("lines", "figures"),
    [
        (("2 nodes, 8 H100, all_reduce busbw 380 GB/s",), [(16, 2, 380)]),
        (("Nodes: 4", "GPU: H200 x 8", "all_reduce busbw: 350 GB/s"), [(32, 4, 350)]),
        (("**GPU model**: NVIDIA H100 80GB HBM3", "**GPUs per node**: 8", "**Number of nodes**: 2", "**busbw**: 190 GB/s (all_reduce)"), [(16, 2, 190)]),
        (("node: 2, gpu: 8 x H800, all_reduce busbw 150GB/s",), [(16, 2, 150)]),
        (("GPU: 0", "8x A100, all_reduce busbw 230 GB/s"), [(8, 1, 230)]),
        (("Auf 8x A100 erreicht all_reduce nur 120,5 GB/s busbw",), [(8, 1, 120.5)]),
        (("8x A100, all_reduce busbw 1,234 GB/s",), []),
        ((*SMI, "all_reduce_perf gives 300 GB/s busbw"), [(4, 1, 300)]),
        (("AllReduce over 128 H100 (16 nodes) NDR400: 330GB/s",), [(128, 16, 330)]),
        (("128 H100 GPUs, all_reduce busbw 300 GB/s",), [(128, 16, 300)]),
        (("p4d.24xlarge x 2, all_reduce_perf: busbw 42 GB/s",), [(16, 2, 42)]),
        (("p5.48xlarge * 4, NCCL all_reduce_perf 16GB busbw=385",), [(32, 4, 385)]),
        (("2 VMs (8x A100, 8x HDR), all_reduce busbw 186 GB/s",), [(16, 2, 186)]),
        (("a3-highgpu-8g x 2, all_reduce busbw 80 GB/s",), [(16, 2, 80)]),
        (("two a3-highgpu-8g instances, H100, all_reduce busbw 80 GB/s",), [(16, 2, 80)]),
        (("2x a3-megagpu-8g all_reduce busbw 180 GB/s",), [(16, 2, 180)]),
        (("2 Standard_ND96isr_H100_v5, all_reduce busbw 450 GB/s",), [(16, 2, 450)]),
        (("4 BM.GPU.H100.8 nodes, all_reduce busbw 380 GB/s",), [(32, 4, 380)]),
        (("8x H100 p5.48xlarge all_reduce busbw 475 GB/s",), [(8, 1, 475)]),
        (("8x H100 reduce busbw 360 GB/s",), [(8, 1, 360)]),
        (("DGX-2 16x V100 all_reduce busbw 120 GB/s",), [(16, 1, 120)]),
        (("One DGX-2 node, 16x V100: all_reduce busbw 120 GB/s",), [(16, 1, 120)]),
        (("DGX-2 all_reduce busbw 122 GB/s, V100",), [(16, 1, 122)]),
        (("DGX-2, 8x V100: all_reduce busbw 122 GB/s",), [(8, 1, 122)]),
        (("8x A100 on 2 nodes, all_reduce busbw 90 GB/s",), []),
        (("all_reduce busbw on 8xB200: 835 GB/s. 2 nodes (16 GPUs): 620 GB/s.",), []),
        (("GB200 NVL72, 72 GPUs: all_reduce 744.7 GB/s busbw",), [(72, 1, 744.7)]),
        (("Avg bus bandwidth: 45.3", "all_reduce on 8x A100"), []),
        (("8x H100, all_reduce: NVLink: 900 GB/s",), []),
    ],
)  # fmt: skip
def test_of_which_machine(lines, figures):
    """Fields of issue templates, nvidia-smi's table, instances, racks and decimal commas; nothing of what is unclear."""
    assert told(lines) == figures


@table(
    ("lines", "stated"),
    [
        (("2 nodes of 8x H100, 8x NDR: all_reduce busbw 380 GB/s",), ["8 400 IB"]),
        (("two nodes of 8 A100, 4x HDR each: all_reduce busbw 91 GB/s",), ["4 200 IB"]),
        (("2 nodes of 8x H100: all_reduce busbw 91 GB/s", "rate: 200 Gb/sec (4X HDR)"), []),
        (("2 nodes of 8x V100, one ConnectX-5 of 100 Gb/s per node: all_reduce busbw 9 GB/s",), ["1 100 IB"]),
        (("2 nodes of 8x V100, a single 100GbE NIC per node: all_reduce busbw 9 GB/s",), ["1 100 RoCE"]),
        (("2 nodes of 8x A100, one HDR200 port per node: all_reduce busbw 20 GB/s",), ["1 200 IB"]),
        (("2 nodes of 8x H100, NDR InfiniBand, 100G Ethernet for storage: all_reduce busbw 385 GB/s",), ["0 400 IB"]),
        (("2 nodes of 8x H100, management over 10GbE. all_reduce busbw 190 GB/s",), []),
        (("2 nodes of 8x H100; storage network 100GbE: all_reduce busbw 190 GB/s",), []),
        (("2 nodes of 8x H100 over 100GbE RoCE: all_reduce busbw 11 GB/s",), ["0 100 RoCE"]),
        (("2 nodes of 4x A100, 4x Slingshot 200G: all_reduce busbw 75 GB/s",), ["4 200 Slingshot"]),
        (("2 nodes of 4x A100, 4x200G Slingshot: all_reduce busbw 75 GB/s",), ["4 200 Slingshot"]),
    ],
)  # fmt: skip
def test_nics_by_their_generation(lines, stated):
    """``8x NDR`` are eight NICs; the four lanes of a port are none."""
    (run,) = read("paste.log", "\n".join(lines).encode())

    assert [item.value for item in run.observations if item.kind == "nics_stated"] == stated


@pytest.mark.parametrize(
    "prefix",
    [
        "[1,0]<stdout>: node01: ",
        "[pod/nccl-0/main] ",
        "2026-11-27T10:00:00.123Z stdout F ",
        "1764238800.123 ",
        "> > ",
        'time="2026-11-27T10:00:00Z" level=info msg="',
    ],
)
def test_wrapped_tables_are_read(prefix):
    """Launchers, kubectl, container logs, epochs, mail and a message in quotes around every line."""
    behind = '"' if prefix.endswith('"') else ""
    (plain,) = read("paste.log", "\n".join(nccl_tests()).encode())
    (run,) = read("paste.log", "\n".join(prefix + line + behind for line in nccl_tests()).encode())

    assert (run.samples, run.ranks, run.machine.gpus) == (plain.samples, plain.ranks, plain.machine.gpus)


def test_a_host_that_is_slow_in_every_pair_of_a_list():
    """Pairs as people list them name the slow host; without a sound pair, or in doubt, none."""
    pairs = ["n1,n2  49.4", "n3,n4  88.4", "n4,n1  49.3", "n5,n2  86.8"]
    (run,) = read("paste.log", "\n".join(["2 nodes of 8x A100", *pairs, *new_table(ranks=16)]).encode())

    assert weak_host(pairs) == "n1 is slow in 2 of its 2 pairs here"
    assert [item.value for item in run.observations if item.kind == "weak_host"] == [weak_host(pairs)]
    assert weak_host(pairs[:2]) == ""
    assert weak_host([*pairs, "n1,n3  88.0"]) == ""
    assert weak_host(["size 1024 10.5", "size 2048 20.5", "size 4096 88.1"]) == ""


@table(
    ("line", "figures"),
    [
        ("All-reduce of 1 GiB on 2 nodes of 8x H100 takes 8 ms.", [(16, 2, 251.7)]),
        ("4 GB200 NVL72 nodes with 4 GPUs each: all-reduce of 112 MiB over 16 ranks took 506 us", [(16, 4, 435.2)]),
        ("We expect an all-reduce of 1 GiB on 8x H100 to take 4 ms.", []),
        ("All-reduce and all-gather of 1 GiB on 8x H100 take 8 ms.", []),
        ("All-reduce takes 8 ms of a step on 8x H100.", []),
        ("One MI300X node with 8 GPUs: all_reduce reaches only 50 GB/s busbw.", [(8, 1, 50)]),
    ],
)  # fmt: skip
def test_the_time_of_a_size(line, figures):
    """The time of an all-reduce is its rate, where the sentence tells of how many bytes."""
    assert told([line]) == figures


def test_one_copy_of_each_direction():
    """``56.9 GB/s unidirectional, 111 GB/s bidirectional`` are two matrices of the same cards."""
    said = "P2P between two RTX 5090: 56.9 GB/s unidirectional, 111 GB/s bidirectional."
    (run,) = read("paste.log", said.encode())

    assert [(matrix.direction, matrix.values[0][1]) for matrix in run.matrices] == [
        ("one_way", 56.9e9),
        ("both_ways", 111e9),
    ]


@table(
    ("text", "gbit"),
    [
        ("Bond of two 200G ports of a ConnectX-7, 400 Gb/s.", 400),
        ("Two NICs, one of 200 Gb/s and one of 400 Gb/s", None),
        ("Bonded NICs: a port of 100 Gb/s and one of 400 Gb/s", None),
    ],
)
def test_the_port_of_a_bond(text, gbit):
    """A bond has the rate of both its ports; other rates side by side name no port."""
    port = port_of(text)

    assert (port.gbit_per_s if port else None) == gbit
