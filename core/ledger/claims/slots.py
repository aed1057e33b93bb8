"""Claims C042 to C054 of document 000: PCIe, InfiniBand ports and the way from GPU to network."""

from core.ledger import Topic, Verdict, claim, figure
from core.ledger.recomputed import links
from core.units import GB

_OK, _IF, _BAD, _CLASH = Verdict.CONSISTENT, Verdict.CONDITIONAL, Verdict.WRONG, Verdict.CONTRADICTORY

# fmt: off
SLOTS = (
    claim(
        42, "000:59-62", Topic.PCIE, "PCIe Gen3 to Gen6: 1, 2, 4, 8 GB/s a lane, x16 bidirectional 32, 64, 128, 256 GB/s.", _OK,
        "Nominal rates, before line code; they contradict 64 for Gen5 in the table above.",
        *(figure(f"Gen{g} x16, bidirectional", 4 * 2**g, "GB/s", ours=(links.rate, f"pcie{g}-x16", 2)) for g in (3, 4, 5, 6)),
        *(figure(f"Gen{g}, one lane, unidirectional", 2**g / 8, "GB/s", ours=(links.lane_rate, f"pcie{g}-x16")) for g in (3, 4, 5, 6)),
        *(figure(f"Gen{g} x16, bidirectional after line code", None, "GB/s", ours=(links.rate, f"pcie{g}-x16", 2, "effective")) for g in (3, 4, 5, 6)),
        evidence="nvlink-table",
    ),
    claim(
        43, "000:62", Topic.PCIE, "PCIe Gen6 is still to come.", _IF,
        "True when written: network cards with it ship now; whether accelerators use it is disputed.",
        evidence="klockwood-b300 ml-network", in_words=True,
    ),
    claim(
        44, "000:63", Topic.HIERARCHY, "PCIe is 7 to 28 times slower than NVLink of the same generation.", _BAD,
        "5.0 (P100) to 14.1 (B200) like for like; 28 divides bidirectional by unidirectional.",
        figure("smallest gap: P100", 7, "times", ours=(links.ratio, "nvlink1", "pcie3-x16")),
        figure("largest gap: B200", 28, "times", ours=(links.ratio, "nvlink5", "pcie5-x16"), theirs=(links.ratio, "nvlink5", "pcie5-x16", 2, 1)),
        figure("V100", None, "times", ours=(links.ratio, "nvlink2", "pcie3-x16")),
        figure("A100", None, "times", ours=(links.ratio, "nvlink3", "pcie4-x16")),
        figure("H100", None, "times", ours=(links.ratio, "nvlink4", "pcie5-x16")),
        evidence="nvlink-table",
    ),
    claim(
        45, "000:68", Topic.PCIE, "1 GB of KV cache crosses PCIe Gen5, at 128 GB/s, in 7.8 ms.", _BAD,
        "A copy uses one direction: 15.6 ms nominal, 15.9 after line code, 18 at measured rates.",
        figure("time of the copy", 7.8, "ms", ours=(links.copy_s, GB, "pcie5-x16"), theirs=(links.copy_s, GB, "pcie5-x16", 2)),
        figure("after line code", None, "ms", ours=(links.copy_s, GB, "pcie5-x16", 1, "effective")),
        figure("at the measured rate", None, "ms", ours=(links.copy_s, GB, "pcie5-x16", 1, "measured")),
        evidence="ml-network",
    ),
    claim(
        46, "000:72", Topic.HIERARCHY, "Tensor parallelism over PCIe is 7 to 14 times slower than over NVLink.", _OK,
        "7.0 on H100 and 14.1 on B200, where bandwidth decides; small messages differ less.",
        figure("H100", 7, "times", ours=(links.ratio, "nvlink4", "pcie5-x16")),
        figure("B200", 14, "times", ours=(links.ratio, "nvlink5", "pcie5-x16")),
    ),
    claim(
        47, "000:78", Topic.NETWORK, "An EDR port carries 25 GB/s.", _BAD,
        "100 Gb/s is 12.5 GB/s per direction; the row counts both directions, those below count one.",
        figure("EDR port, unidirectional", 25, "GB/s", ours=(links.rate, "ib-edr"), theirs=(links.rate, "ib-edr", 2)),
        evidence="infiniband-jp",
    ),
    claim(
        48, "000:78", Topic.NETWORK, "A DGX-1 has one EDR link and 25 GB/s for each GPU.", _BAD,
        "Four ports serve eight GPUs, so each has 6.25 GB/s per direction.",
        figure("each GPU, unidirectional", 25, "GB/s", ours=(links.network_share, "dgx-1-v100")),
        figure("links for each GPU", 1, "links", ours=(links.nics_per_gpu, "dgx-1-v100")),
        evidence="mellanox-dgx1",
    ),
    claim(
        49, "000:79", Topic.NETWORK, "An HDR port carries 25 GB/s, a GPU of a DGX A100 has one or two.", _OK,
        "200 Gb/s per direction; eight compute ports for eight GPUs.",
        figure("HDR port, unidirectional", 25, "GB/s", ours=(links.rate, "ib-hdr")),
        figure("each GPU, unidirectional", (25, 50), "GB/s", ours=(links.network_share, "dgx-a100")),
        evidence="infiniband-jp dgx-basepod",
    ),
    claim(
        50, "000:80", Topic.NETWORK, "An NDR port carries 50 GB/s, one for each GPU of a DGX H100.", _OK, "400 Gb/s per direction; eight ConnectX-7.",
        figure("NDR port, unidirectional", 50, "GB/s", ours=(links.rate, "ib-ndr")),
        figure("each GPU, unidirectional", 50, "GB/s", ours=(links.network_share, "dgx-h100")),
        evidence="infiniband-jp dgx-basepod",
    ),
    claim(
        51, "000:81", Topic.NETWORK, "A DGX B200 has 'NDR 800G', 100 GB/s for each GPU.", _BAD,
        "It has eight ConnectX-7 of 400 Gb/s; 800 Gb/s is XDR, in the DGX B300.",
        figure("each GPU of a DGX B200, unidirectional", 100, "GB/s", ours=(links.network_share, "dgx-b200"), theirs=(links.rate, "ib-xdr")),
        figure("each GPU of a DGX B300, unidirectional", None, "GB/s", ours=(links.network_share, "dgx-b300")),
        evidence="dgx-b200-guide",
    ),
    claim(
        52, "000:84-88", Topic.NETWORK, "Without GPUDirect data crosses PCIe twice and is copied twice by the CPU.", _CLASH,
        "Four crossings: the drawn path leaves out the hop from host memory to the card, which is a PCIe device as well.",
        figure("PCIe crossings of a bounce", 2, "crossings", ours=(links.crossings, "dgx-h100", "bounce"), worded=True),
        figure("with GPUDirect", None, "crossings", ours=(links.crossings, "dgx-h100", "direct")),
    ),
    claim(
        53, "000:89", Topic.NETWORK, "GPUDirect saves 2 to 5 us and doubles the bandwidth.", _IF,
        "2.6 times where the three copies of a bounce follow each other; no gain where they overlap.",
        figure("direct over bounce", 2, "times", ours=(links.direct_over_bounce, "dgx-h100", "bounce, pipelined"), theirs=(links.direct_over_bounce, "dgx-h100", "bounce"), tolerance=0.3, worded=True),
    ),
    claim(
        54, "000:91-94", Topic.NETWORK, "From the DGX H100 on the network card hangs on the NVLink switch, not on PCIe.", _BAD,
        "A ConnectX-7 is a PCIe Gen5 device, as this document says twice elsewhere; NCCL goes over NVLink to the GPU beside the card, then over PCIe.",
        evidence="wheelersnetwork dgx-basepod nccl-paths", in_words=True,
    ),
)
