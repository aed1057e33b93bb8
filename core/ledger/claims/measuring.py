"""Claims C071 to C075 and C083 to C086 of document 000: code, expected rates, topology, strategy."""

from core.ledger import Topic, Verdict, claim, figure
from core.ledger.recomputed import links
from core.ledger.recomputed import matrices as x
from core.ledger.recomputed import messages as m
from core.units import GB, GIB

_OK, _IF, _BAD = Verdict.CONSISTENT, Verdict.CONDITIONAL, Verdict.WRONG

# fmt: off
COPIES = (
    claim(
        71, "000:123-207", Topic.MEASURING, "Code that times copies in both directions by events on one of two streams.", _BAD,
        "The stop event waits for its own stream only, so the rate is too high when the other is slower; peer access is switched on twice as well.",
        evidence="cuda-runtime", in_words=True,
    ),
    claim(
        72, "000:230", Topic.MEASURING, "Two A100 copy at 270-290 GB/s per direction and 530-570 bidirectional.", _IF,
        "90-97 % of the link is what copy engines may reach; NCCL's send and receive stay near 65 to 80 %.",
        figure("unidirectional; ours by NCCL, calibrated", (270, 290), "GB/s", ours=(m.calibrated_pair_rate, "dgx-a100", GIB)),
        figure("bidirectional", (530, 570), "GB/s"),
        *(figure(f"of {name}, {end}", None, "%", ours=(links.share_of, value * GB, "nvlink3", ways))
          for name, ways, values in (("unidirectional", 1, (270, 290)), ("bidirectional", 2, (530, 570)))
          for end, value in zip(("low", "high"), values, strict=True)),
        evidence="ml-network", in_words=True,
    ),
    claim(
        73, "000:231", Topic.MEASURING, "Two H100 copy at 400-430 GB/s per direction and 780-850 bidirectional.", _OK,
        "396 and 784 measured between two H200: the lower edge.",
        figure("unidirectional", (400, 430), "GB/s", ours=(links.rate, "nvlink4", 1, "measured")),
        figure("bidirectional", (780, 850), "GB/s", ours=(links.measured_both_ways, "nvlink4")),
        evidence="ml-network",
    ),
    claim(
        74, "000:232", Topic.MEASURING, "Two GPUs on PCIe Gen4 copy at 22-25 GB/s per direction and 40-48 bidirectional.", _OK,
        "70-79 % and 63-76 % of the slot after line code: typical; no measurement was found.",
        figure("unidirectional", (22, 25), "GB/s"),
        figure("bidirectional", (40, 48), "GB/s"),
        *(figure(f"of {name}, {end}", None, "%", ours=(links.share_of, value * GB, "pcie4-x16", ways, "effective"))
          for name, ways, values in (("unidirectional", 1, (22, 25)), ("bidirectional", 2, (40, 48)))
          for end, value in zip(("low", "high"), values, strict=True)),
    ),
    claim(
        75, "000:233", Topic.MEASURING, "Two GPUs on PCIe Gen5 copy at 48-55 GB/s per direction and 90-110 bidirectional.", _OK,
        "55 GB/s measured between host and GPU; 71-87 % of both directions.",
        figure("unidirectional", (48, 55), "GB/s", ours=(links.rate, "pcie5-x16", 1, "measured")),
        figure("bidirectional", (90, 110), "GB/s"),
        *(figure(f"of bidirectional, {end}", None, "%", ours=(links.share_of, value * GB, "pcie5-x16", 2, "effective"))
          for end, value in (("low", 90), ("high", 110))),
        evidence="ml-network",
    ),
)

TOPOLOGY = (
    claim(
        83, "000:260-264", Topic.MEASURING, "nvidia-smi shows NV18 between all eight H100.", _OK,
        "18 links of each GPU to the switches, shared by all its peers.",
        figure("links of a GPU", 18, "links", ours=(links.gpu_links, "h100-sxm")),
        evidence="vultr-b200",
    ),
    claim(
        84, "000:266-271", Topic.MEASURING, "PHB means the same socket behind another PCIe switch.", _BAD,
        "The tool's legend: PHB crosses a host bridge of the CPU, PXB several PCIe bridges without one; PXB and NODE are left out.",
        evidence="nvidia-smi-topo", in_words=True,
    ),
    claim(
        85, "000:266-268", Topic.MEASURING, "A sample matrix: GPU0-GPU1 PIX, GPU0-GPU2 PHB, GPU1-GPU2 SYS.", _BAD,
        "No tree has it: two GPUs behind one switch are equally far from any third.",
        figure("triples that no tree has", 0, "triples", ours=(x.impossible_triples,), worded=True),
        evidence="nvidia-smi-topo",
    ),
    claim(
        86, "000:277-280", Topic.STRATEGY, "TP wants NVLink, PP NVLink or InfiniBand, EP NVLink or NVSwitch, DP is content with InfiniBand.", _IF,
        "A good first guess that another document shares; the strategy follows from model and batch, and experts do run over InfiniBand.",
        evidence="briefing-001", in_words=True,
    ),
)
