"""Claims C001 to C011 and C094: what the longest document opens and closes with."""

from core.ledger import Topic, Verdict, claim, figure
from core.ledger.recomputed import layers as tp
from core.ledger.recomputed import links
from core.ledger.recomputed import messages as m
from core.units import GB, GIB

_OK, _IF, _BAD = Verdict.CONSISTENT, Verdict.CONDITIONAL, Verdict.WRONG
_CLASH, _OPEN = Verdict.CONTRADICTORY, Verdict.UNVERIFIED
_70B = "llama-3.1-70b"
_REAL = m.Traffic(16384.0)

# fmt: off
LEVELS = (
    claim(
        1, "000:1", Topic.TP, "Sharing Llama 70B between eight H100 makes every layer all-reduce about 17 MB.", _IF,
        "That is a step of 1,024 prompt tokens; a decoding sequence sends 16 KiB, and a layer has two all-reduces.",
        figure("message of a layer", 17, "MB", ours=(tp.message_bytes, _70B, 1),
               theirs=(tp.message_bytes, _70B, 1024), tolerance=0.02),
        figure("tokens that make 17 MB", None, "tokens", ours=(tp.tokens_of, _70B, 17e6)),
        evidence="llama-sku-list",
    ),
    claim(
        2, "000:1", Topic.TP, "80 layers times 48 tokens a second times that message is the traffic (the product is lost).", _IF,
        "The product is 65.3 GB/s, but it joins the message of 1,024 tokens with the pace of one: a lone sequence sends 300 times less.",
        figure("payload, as the sentence multiplies", None, "GB/s", theirs=(m.payload_rate, m.OPENING), ours=(m.wire_rate, _REAL)),
        figure("times more than one sequence sends", None, "times", ours=(m.times_more, m.OPENING, _REAL)),
    ),
    claim(
        3, "000:2", Topic.TP, "That traffic fills a PCIe Gen5 slot, whose both directions make 64 GB/s.", _IF,
        "64 GB/s is one direction of the slot: the payload fills one direction, half of both.",
        figure("PCIe Gen5 x16, bidirectional", 64, "GB/s", ours=(links.rate, "pcie5-x16", 2), theirs=(links.rate, "pcie5-x16")),
        figure("share of the slot", None, "%", ours=(m.share, m.OPENING, 128 * GB), theirs=(m.share, m.OPENING, 64 * GB)),
        evidence="nvlink-table",
    ),
    claim(
        4, "000:2", Topic.TP, "The same traffic takes 7 % of NVLink's 900 GB/s.", _IF,
        "The division is right; two all-reduces by a ring over one direction take half of the link.",
        figure("share of NVLink 4", 7, "%", ours=(m.wire_share, m.OPENING, 450 * GB), theirs=(m.share, m.OPENING, 900 * GB), tolerance=0.04),
    ),
    claim(
        5, "000:2", Topic.PCIE, "An all-reduce over PCIe Gen5 reaches 30 to 40 GB/s in practice.", _IF,
        "Seen on cards with peer access (35-45 GB/s published); copies that pass through host memory reach half of it or less.",
        figure("eight cards at 1 GiB, calibrated", (30, 40), "GB/s", ours=(m.calibrated_busbw, "rtx-pro-6000-x8", GIB)),
        figure("share of one direction, low", None, "%", ours=(links.share_of, 30 * GB, "pcie5-x16", 1, "effective")),
        figure("share of one direction, high", None, "%", ours=(links.share_of, 40 * GB, "pcie5-x16", 1, "effective")),
        evidence="alayanew-nccl besthub-tp4", in_words=True,
    ),
    claim(
        6, "000:5", Topic.HIERARCHY, "The hierarchy has four levels, each ten times slower than the one above.", _CLASH,
        "Its own table has six rows whose ratios run from 1.0 to 14.",
        figure("NVLink below memory", 10, "times", ours=(links.level_ratio, "dgx-h100", "scale-up"), theirs=(links.apart, 3350, 900), worded=True),
        figure("memory below L2", 10, "times", ours=(links.level_ratio, "dgx-h100", "memory"), theirs=(links.apart, 12000, 3350), worded=True),
        figure("PCIe below NVLink", 10, "times", ours=(links.level_ratio, "dgx-h100", "host"), theirs=(links.apart, 900, 64), worded=True),
        figure("network below PCIe", 10, "times", ours=(links.level_ratio, "dgx-h100", "network"), theirs=(links.apart, 64, 50), worded=True),
    ),
    claim(
        7, "000:9", Topic.HIERARCHY, "The L2 of an H100 moves about 12 TB/s, some 200 cycles away.", _OPEN,
        "No public document confirms the rate; the hierarchy page shows it only on request, as an author's estimate.",
        figure("L2 rate", 12, "TB/s"),
        evidence="briefing-000",
    ),
    claim(
        8, "000:12", Topic.PCIE, "A PCIe Gen5 x16 slot moves 64 GB/s, in a column headed bidirectional.", _BAD,
        "32 GT/s times 16 lanes is 64 GB/s in one direction; the same text prints 128 for both further down.",
        figure("PCIe Gen5 x16, bidirectional", 64, "GB/s", ours=(links.rate, "pcie5-x16", 2), theirs=(links.rate, "pcie5-x16")),
        figure("bidirectional after line code", None, "GB/s", ours=(links.rate, "pcie5-x16", 2, "effective")),
        figure("unidirectional after line code", None, "GB/s", ours=(links.rate, "pcie5-x16", 1, "effective")),
        evidence="nvlink-table klockwood-h100",
    ),
    claim(
        9, "000:13", Topic.NETWORK, "NDR InfiniBand is 50 GB/s, in a column headed bidirectional.", _CLASH,
        "50 GB/s is one direction of the port while the NVLink row counts two, so the table's ratios are twice too large.",
        figure("NDR port, bidirectional", 50, "GB/s", ours=(links.rate, "ib-ndr", 2), theirs=(links.rate, "ib-ndr")),
        evidence="infiniband-jp",
    ),
    claim(
        10, "000:10", Topic.HIERARCHY, "The HBM3 of an H100 moves 3,350 GB/s.", _OK,
        "The datasheet's figure; reads and writes share it, so it is neither halved nor doubled.",
        figure("memory rate of an H100", 3350, "GB/s", ours=(links.memory_rate, "h100-sxm")),
        evidence="ml-accelerator",
    ),
    claim(
        11, "000:8-14", Topic.NETWORK, "Latencies: NVLink 1-2 us, PCIe 2-5, InfiniBand 1-5, RoCE 2-10.", _IF,
        "Right for a small message end to end, not for a switch hop (0.13 and 0.5 us); another document narrows the last two.",
        figure("NVLink", (1, 2), "us", ours=(links.latency, "nvlink4")),
        figure("PCIe", (2, 5), "us", ours=(links.latency, "pcie5-x16")),
        figure("InfiniBand", (1, 5), "us", ours=(links.latency, "ib-ndr")),
        figure("RoCE", (2, 10), "us", ours=(links.latency, "roce-400")),
        evidence="pingdo-hops",
    ),
)

PICTURE = (
    claim(
        94, "000:297-301", Topic.HIERARCHY, "Four layers of 3,350, 900, 50-100 GB/s and 25-100 Gb/s, each 7-20 times slower than the last.", _CLASH,
        "Like for like the steps are 7.4, 4.5 to 9 and 4 to 16; the same text said ten at its start.",
        figure("NVLink below memory", (7, 20), "times", ours=(links.apart, 3350, 450), theirs=(links.apart, 3350, 900)),
        figure("NDR below NVLink 4", (7, 20), "times", ours=(links.ratio, "nvlink4", "ib-ndr"), theirs=(links.ratio, "nvlink4", "ib-ndr", 2, 1)),
        figure("XDR below NVLink 4", (7, 20), "times", ours=(links.ratio, "nvlink4", "ib-xdr")),
        figure("100 Gb/s Ethernet below NDR", (7, 20), "times", ours=(links.ratio, "ib-ndr", "roce-100")),
    ),
)
