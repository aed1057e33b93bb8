"""Claims C117 to C133 of document 001: networks, the hierarchy, scaling and money."""

from core.calculators.bandwidth_hierarchy.scenario import BOTH_WAYS
from core.ledger import Topic, Verdict, claim, figure
from core.ledger.recomputed import fabrics as f
from core.ledger.recomputed import gradients as g
from core.ledger.recomputed import links

_OK, _IF, _BAD = Verdict.CONSISTENT, Verdict.CONDITIONAL, Verdict.WRONG
_CLASH, _OPEN = Verdict.CONTRADICTORY, Verdict.UNVERIFIED

# fmt: off
NETWORKS = (
    claim(
        117, "001:109-111", Topic.NETWORK, "InfiniBand ports: HDR 200 Gb/s, NDR 400, XDR 800.", _OK,
        "Contradicts the 'NDR 800G' of the other long document.",
        figure("HDR port, unidirectional", 200, "Gb/s", ours=(links.rate, "ib-hdr")),
        figure("NDR port, unidirectional", 400, "Gb/s", ours=(links.rate, "ib-ndr")),
        figure("XDR port, unidirectional", 800, "Gb/s", ours=(links.rate, "ib-xdr")),
        evidence="infiniband-jp aicplight-ib",
    ),
    claim(
        118, "001:111", Topic.NETWORK, "Eight cards of 400 Gb/s give a DGX H100 3.2 Tb/s.", _OK, "400 GB/s per direction.",
        figure("network of a node, unidirectional", 3.2, "Tb/s", ours=(links.node_network, "dgx-h100")),
        evidence="dgx-basepod",
    ),
    claim(
        119, "001:111", Topic.NETWORK, "Eight GPUs share one network card there.", _BAD, "The same line gives every GPU a card of its own.",
        figure("GPUs for each card", 8, "GPUs", ours=(f.gpus_per_nic, "dgx-h100")),
        evidence="dgx-basepod",
    ),
    claim(
        120, "001:111", Topic.NETWORK, "About 80 % of AI clusters ran InfiniBand in 2023; by 2025 Ethernet leads.", _OPEN,
        "No source was looked up, and no calculator uses it.",
        figure("clusters on InfiniBand in 2023", 80, "%"),
    ),
    claim(
        121, "001:112", Topic.NETWORK, "An InfiniBand port costs 1.5 to 2.5 times an Ethernet port.", _OPEN,
        "No source was found; the network comparison takes it as an input of yours.",
        figure("price of a port, over Ethernet", (1.5, 2.5), "times"),
    ),
)

LADDER = (
    claim(
        122, "001:148", Topic.HIERARCHY, "The slowest level has 128 GB/s, the fastest 1.8 TB/s.", _CLASH, "Its own five levels run from 50 GB/s to 8 TB/s.",
        figure("highest level", 1.8, "TB/s", ours=(links.level_rate, "dgx-b200", "memory")),
        figure("lowest level, unidirectional", 128, "GB/s", ours=(links.level_rate, "dgx-b200", "network")),
    ),
    claim(
        123, "001:162", Topic.HIERARCHY, "Each level is 10 to 20 times slower than the one above.", _CLASH,
        "Its own numbers give 4.4, 14 and 2.6; like for like a B200 has 8.9, 14.1 and 1.3.",
        figure("NVLink below memory", (10, 20), "times", ours=(links.level_ratio, "dgx-b200", "scale-up"), theirs=(links.apart, 8000, 1800)),
        figure("PCIe below NVLink", (10, 20), "times", ours=(links.level_ratio, "dgx-b200", "host"), theirs=(links.apart, 1800, 128)),
        figure("network below PCIe", (10, 20), "times", ours=(links.level_ratio, "dgx-b200", "network"), theirs=(links.apart, 128, 50)),
    ),
    claim(
        124, "001:164", Topic.HIERARCHY, "A B200 has levels of 8,000, 1,800, 128 and 50 GB/s: 4.4, 14 and 2.6 times apart.", _IF,
        "The divisions are right; the first three rates count both directions or share them, the last counts one.",
        figure("NVLink below memory", 4.4, "times", ours=(links.level_ratio, "dgx-b200", "scale-up"), theirs=(links.apart, 8000, 1800), tolerance=0.02),
        figure("PCIe below NVLink", 14, "times", ours=(links.level_ratio, "dgx-b200", "host"), theirs=(links.apart, 1800, 128)),
        figure("network below PCIe", 2.6, "times", ours=(links.level_ratio, "dgx-b200", "network"), theirs=(links.apart, 128, 50), tolerance=0.02),
        figure("memory", 8000, "GB/s", ours=(links.level_rate, "dgx-b200", "memory", BOTH_WAYS)),
        figure("NVLink, bidirectional", 1800, "GB/s", ours=(links.level_rate, "dgx-b200", "scale-up", BOTH_WAYS)),
        figure("PCIe, bidirectional", 128, "GB/s", ours=(links.level_rate, "dgx-b200", "host", BOTH_WAYS)),
        figure("network, unidirectional", 50, "GB/s", ours=(links.level_rate, "dgx-b200", "network")),
    ),
    claim(
        125, "001:164", Topic.HIERARCHY, "NVLink is 160 times faster than InfiniBand.", _BAD,
        "That is memory over NDR; NVLink 5 over NDR is 18 in one direction, and 36 in its own mixed numbers.",
        figure("NVLink 5 over NDR", 160, "times", ours=(links.ratio, "nvlink5", "ib-ndr"), theirs=(links.apart, 8000, 50)),
        figure("in its own numbers", None, "times", ours=(links.apart, 1800, 50)),
    ),
)

SCALING = (
    claim(
        126, "001:174-176", Topic.SCALING, "6-7 times on eight GPUs is 80-90 % efficiency, 3-4 times is 40-50 %.", _BAD,
        "75-87.5 % and 37.5-50 %.",
        figure("6 of 8", 80, "%", ours=(g.part, 6.0, 8.0)),
        figure("7 of 8", 90, "%", ours=(g.part, 7.0, 8.0)),
        figure("3 of 8", 40, "%", ours=(g.part, 3.0, 8.0)),
        figure("4 of 8", 50, "%", ours=(g.part, 4.0, 8.0)),
    ),
    claim(
        127, "001:178", Topic.SCALING, "Where all-reduces take 10 % of a step on InfiniBand they take 25 % on Ethernet.", _OPEN,
        "Means three times slower communication, which latency does not explain for large messages at the same port rate.",
        figure("communication that much slower", None, "times", ours=(g.slower_network, 0.10, 0.25)),
    ),
    claim(
        128, "001:182", Topic.SCALING, "85 % compute and 12 % communication scale at 87 %; 45 % and 50 % at 45 %.", _CLASH,
        "The first is compute over compute and communication (87.6 %, by which the second were 47.4 %), the second the share of compute.",
        figure("first, compute over both", 87, "%", ours=(g.efficiency, "compute_over_compute_and_comm", 0.85, 0.12, 0.03)),
        figure("second, compute over both", 45, "%", ours=(g.efficiency, "compute_over_compute_and_comm", 0.45, 0.50, 0.05),
               theirs=(g.efficiency, "compute_share", 0.45, 0.50, 0.05)),
        figure("first, share of compute", None, "%", ours=(g.efficiency, "compute_share", 0.85, 0.12, 0.03)),
    ),
    claim(
        129, "001:182", Topic.SCALING, "Training Llama 3 on 16,384 GPUs, network configuration caused 10.7 % of significant failures.", _BAD,
        "Its report counts 35 of 419 interruptions for switches and cables, 8.4 %; 10.7 % comes from an article about something else.",
        figure("failures by switches and cables", 10.7, "%", ours=(g.part, 35.0, 419.0)),
        evidence="llama3-failures introl",
    ),
    claim(
        130, "001:182", Topic.SCALING, "1 % of 16,384 GPUs is 163 idle GPUs.", _OK, "163.84.",
        figure("idle GPUs", 163, "GPUs", ours=(g.idle_gpus, 0.01)),
    ),
    claim(
        131, "001:182", Topic.SCALING, "At $3 a GPU-hour they cost about $47K a day.", _BAD, "$11,796; $47K would be four days of it.",
        figure("cost of a day", 47, "k$/day", ours=(g.usd_per_day, 0.01)),
    ),
    claim(
        132, "001:182", Topic.SCALING, "Saving 5 % on a 16K cluster is worth $850K a month.", _CLASH,
        "$1.77M at $3; its own $47K a day for 1 % would make 7.05M.",
        figure("saved in 30 days", 850, "k$/month", ours=(g.usd_per_month, 0.05), theirs=(g.usd_by_print, 47e3, 5.0)),
    ),
    claim(
        133, "001:182", Topic.SCALING, "A $10M network upgrade that saves 5 % pays for itself many times.", _IF,
        "After 5.7 months at $3 a GPU-hour, after 11.8 at its own $850K; many times only over years.",
        figure("payback at $3", None, "months", ours=(g.payback, 10e6, 0.05)),
        figure("payback at its own figure", None, "months", ours=(g.part, 10e6, 850e3)),
    ),
)
