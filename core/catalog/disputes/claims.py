"""Disputes about claims: conventions, gaps, times and money that sources print differently."""

from core.catalog.disputes.dispute import Dispute, reading

_000, _001, _002, _003 = "briefing-000", "briefing-001", "briefing-002", "briefing-003"

CLAIM_DISPUTES = (
    Dispute(
        "pcie5-direction",
        "PCIe Gen5 x16",
        (
            reading(64, "GB/s bidirectional", _000, "hierarchy table"),
            reading(64, "GB/s bidirectional", _003),
            reading(128, "GB/s bidirectional", _000, "PCIe table of the same text"),
            reading(128, "GB/s bidirectional", _001, "64 per direction"),
            reading(126.03, "GB/s bidirectional", "nvlink-table", "after line code"),
        ),
        "64 GB/s nominal, unidirectional (128 bidirectional), 63.015 after line code",
        "32 GT/s x 16 lanes / 8 is one direction; 64 in a column of two directions is half of it.",
        ("pcie5-x16",),
    ),
    Dispute(
        "pcie5-copy",
        "A copy of 1 GB over PCIe Gen5",
        (
            reading(7.8, "ms", _000, "divides by both directions"),
            reading(15.87, "ms", "nvlink-table", "unidirectional, after line code"),
        ),
        "15.9 ms",
        "A copy uses one direction; the other stands idle.",
        ("pcie5-x16",),
    ),
    Dispute(
        "nvl72-bisection",
        "130 TB/s of an NVL72",
        (
            reading(130, "TB/s bisection", _000),
            reading(130, "TB/s bisection", _001),
            reading(130, "TB/s aggregate", _002),
            reading(130, "TB/s of GPU bandwidth", "nvidia-nvlink"),
            reading(129.6, "TB/s aggregate", "nvlink-switch-page", "72 x 1.8"),
        ),
        "129.6 TB/s aggregate; bisection 64.8 TB/s bidirectional, 32.4 unidirectional",
        "All GPUs together send and receive 72 x 1.8; a cut through the middle carries half of that.",
        ("gb200-nvl72", "gb300-nvl72"),
    ),
    Dispute(
        "dgx-h100-bisection",
        "Bisection of a DGX H100",
        (
            reading(3.6, "TB/s bidirectional", _001, "4 x 900"),
            reading(7.2, "TB/s", "faraday-nvswitch", "8 x 900, the aggregate"),
        ),
        "3.6 TB/s bidirectional, 1.8 unidirectional; aggregate 7.2 TB/s",
        "One convention for all machines: floor(n / 2) x the bidirectional rate of a GPU.",
        ("dgx-h100",),
    ),
    Dispute(
        "nvlink-infiniband-gap",
        "NVLink against InfiniBand",
        (
            reading(18, "times", _000, "bidirectional H100 over unidirectional NDR"),
            reading(160, "times", _001, "memory over NDR"),
            reading(8, "times", _002, "per link"),
        ),
        "9 (H100, NDR), 18 (B200, NDR), 9 (B200, XDR), unidirectional",
        "Like for like: 450 / 50, 900 / 50, 900 / 100.",
        ("nvlink4", "nvlink5", "ib-ndr", "ib-xdr"),
    ),
    Dispute(
        "level-gap",
        "Each level slower than the one above",
        (
            reading(10, "times", _000, "an order of magnitude"),
            reading("7-20", "times", _000, "later in the same text"),
            reading("10-20", "times", _001),
        ),
        "Ratios of the same direction, computed for each machine",
        "Their own numbers give 1.3 to 14; an H100 has 7.4, 7.0 and 1.28.",
    ),
    Dispute(
        "pcie-nvlink-gap",
        "NVLink against PCIe of its time",
        (
            reading("7-28", "times", _000),
            reading("10-14", "times", _003),
            reading(14, "times", _001, "NVLink 5 over Gen5"),
        ),
        "5.0 (P100), 9.4 (V100, A100), 7.0 (H100), 14.1 (B200), unidirectional",
        "28 divides a bidirectional rate by a unidirectional one.",
        ("nvlink4", "nvlink5", "pcie5-x16"),
    ),
    Dispute(
        "edr-port",
        "InfiniBand EDR port",
        (
            reading(25, "GB/s", _000, "bidirectional, beside unidirectional rows"),
            reading(12.5, "GB/s unidirectional", "infiniband-jp"),
        ),
        "12.5 GB/s unidirectional; 6.25 per GPU of a DGX-1, which has four ports",
        "100 Gb/s / 8; a table must keep one direction.",
        ("ib-edr", "dgx-1-p100", "dgx-1-v100"),
    ),
    Dispute(
        "b200-network",
        "Network of a DGX B200",
        (
            reading(800, "Gb/s a GPU", _000, "called NDR 800G"),
            reading(400, "Gb/s a GPU", "dgx-b200-guide", "eight ConnectX-7"),
        ),
        "400 Gb/s (NDR); 800 Gb/s is XDR, in the DGX B300",
        "The machine's own manual.",
        ("dgx-b200", "dgx-b300", "ib-ndr", "ib-xdr"),
    ),
    Dispute(
        "nic-attachment",
        "Where the NIC of a DGX H100 is attached",
        (
            reading("NVSwitch", "place", _000, "one section"),
            reading("PCIe", "place", _000, "two other sections"),
            reading("PCIe", "place", "wheelersnetwork", "NVLink and InfiniBand are not bridged"),
        ),
        "PCIe",
        "A ConnectX is a PCIe device; the way over NVLink is a hop to the GPU beside the NIC.",
        ("dgx-h100",),
    ),
    Dispute(
        "gpu-nic-ratio",
        "GPUs to NICs in a DGX H100",
        (reading("8:1", "ratio", _001), reading("1:1", "ratio", _001, "same line: eight NICs of 400 Gb/s")),
        "1:1",
        "Eight ConnectX-7 for eight GPUs.",
        ("dgx-h100",),
    ),
    Dispute(
        "network-latency",
        "Latency of InfiniBand and RoCE",
        (
            reading("1-5", "us, InfiniBand", _000),
            reading("1-1.6", "us, InfiniBand", _001),
            reading("2-10", "us, RoCE", _000),
            reading("5-6", "us, RoCE", _001),
            reading("0.13 and 0.5", "us, one switch hop each", "pingdo-hops"),
        ),
        "1-1.6 and 5-6 us end to end on datasheet rates; calibrated rates come from measurements",
        "The narrow ranges are for small messages end to end; a step of a collective costs more than a hop.",
        ("ib-ndr", "roce-400"),
    ),
    Dispute(
        "tp-compute",
        "Compute of a 70B layer, batch 32, on H100",
        (
            reading(12, "us", _000, "its own expression gives 28.3 on one GPU"),
            reading(32.65, "us", "ml-accelerator", "reading the weights of one of eight parts"),
        ),
        "the larger of 3.54 us (arithmetic) and 32.65 us (memory) with TP 8",
        "Decoding waits for memory, so the overheads are 15.7 % and 51.5 %, not 25 % and 45 %.",
    ),
    Dispute(
        "tp-pcie-all-reduce",
        "All-reduce of a 70B layer over PCIe Gen5",
        (
            reading(10, "us", _000, "printed"),
            reading(14.2, "us", _000, "its own expression"),
            reading(34.7, "us", "nvlink-table", "unidirectional, ring factor"),
        ),
        "34.7 us a layer with 3 us an operation",
        "The printed result contradicts the expression beside it.",
    ),
    Dispute(
        "llama-405b-layers",
        "Layers of Llama 3.1 405B",
        (reading(80, "layers", _000), reading(126, "layers", "llama-sku-list")),
        "126",
        "80 is the 70B.",
        ("llama-3.1-405b",),
    ),
    Dispute(
        "b200-tp-overhead",
        "All-reduce overhead of 405B on four B200",
        (reading(8, "%", _000, "printed"), reading(17, "%", _000, "by its own recipe")),
        "5.2 % with memory-bound compute and unidirectional rates",
        "The printed figure cannot be reproduced.",
    ),
    Dispute(
        "nccl-curve",
        "Bus bandwidth of eight H100 at 64 KB",
        (
            reading(50, "GB/s", _000, "2.29 us: faster than its 1 KB row of 3.58 us"),
            reading(2.93, "GB/s", "ml-network", "measured on eight H200"),
        ),
        "measured curves",
        "A larger message cannot take less time; the 1 MB row is too fast as well.",
    ),
    Dispute(
        "idle-cost",
        "Cost of 1 % idle of 16,384 GPUs at $3 an hour",
        (reading(47_000, "$ a day", _001), reading(11_796, "$ a day", _001, "0.01 x 16,384 x 24 x 3")),
        "$11,796 a day",
        "The product is plain; 47,000 is four days.",
    ),
    Dispute(
        "saved-cost",
        "Saving 5 % of 16,384 GPUs at $3 an hour",
        (
            reading(850_000, "$ a month", _001),
            reading(1_769_472, "$ a month", _001, "0.05 x 16,384 x 24 x 30 x 3"),
        ),
        "$1.77 million a month",
        "The two printed costs disagree with each other by a factor of eight.",
    ),
    Dispute(
        "bus-bandwidth-above-link",
        "Bus bandwidth above the link",
        (
            reading(107, "% of the unidirectional rate", "ml-network", "eight H200, reduced in the switch"),
            reading(82, "% of the unidirectional rate", "ml-network", "eight H200, ring"),
            reading("95+", "%", _003, "called all-reduce efficiency"),
        ),
        "Compared with the unidirectional rate; more than 100 % is legal with reduction in the switch",
        "The factor of bus bandwidth assumes a ring.",
        ("h200-sxm",),
    ),
)
