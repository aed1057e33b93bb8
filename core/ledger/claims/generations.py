"""Claims C012 to C031 of document 000: NVLink generations, how they signal, what they join."""

from core.ledger import Topic, Verdict, claim, figure
from core.ledger.recomputed import fabrics as f
from core.ledger.recomputed import links
from core.ledger.recomputed import messages as m

_OK, _IF, _BAD, _CLASH = Verdict.CONSISTENT, Verdict.CONDITIONAL, Verdict.WRONG, Verdict.CONTRADICTORY
_ML, _WIKI = "ml-network", "nvlink-encyclopedia"

# fmt: off
GENERATIONS = (
    claim(
        12, "000:18", Topic.NVLINK, "NVLink 1: four links of 40 GB/s, 160 GB/s a GPU, five times PCIe Gen3 x16.", _OK,
        "Both sides count both directions.",
        figure("rate of a P100, bidirectional", 160, "GB/s", ours=(links.gpu_rate, "p100-sxm")),
        figure("one link, bidirectional", 40, "GB/s", ours=(links.per_link, "nvlink1")),
        figure("over PCIe Gen3 x16", 5, "times", ours=(links.ratio, "nvlink1", "pcie3-x16")),
        evidence="p100-overview",
    ),
    claim(
        13, "000:18", Topic.SWITCH, "Joining four P100 completely took an NVLink switch or a mesh.", _IF,
        "A mesh, yes: three of the four links suffice; no NVLink switch existed in 2016.",
        figure("links that a mesh of four needs on each GPU", None, "links", ours=(f.mesh_links_per_gpu, 4, 4)),
        figure("links of a P100", None, "links", ours=(links.gpu_links, "p100-sxm")),
        evidence="p100-overview anandtech-nvswitch",
    ),
    claim(
        14, "000:20", Topic.NVLINK, "NVLink 2 doubled the links to six, each of 50 GB/s, 300 GB/s a GPU.", _BAD,
        "From four links to six is 1.5 times, and a link grew by 1.25; the total is right.",
        figure("links against NVLink 1", 2, "times", ours=(links.growth, "nvlink2", "nvlink1"), worded=True),
        figure("one link, bidirectional", 50, "GB/s", ours=(links.per_link, "nvlink2")),
        figure("rate of a V100, bidirectional", 300, "GB/s", ours=(links.gpu_rate, "v100-sxm")),
        evidence=_ML,
    ),
    claim(
        15, "000:20", Topic.SWITCH, "Eight V100 of a DGX-1 form a hybrid cube mesh: six links cannot reach all seven others.", _OK,
        "Six is fewer than seven, and the machine's topology is published.",
        figure("links of a V100", 6, "links", ours=(links.gpu_links, "v100-sxm")),
        figure("links that a mesh of eight needs on each GPU", 7, "links", ours=(f.mesh_links_per_gpu, 8, 6)),
        evidence="alibaba-ack",
    ),
    claim(
        16, "000:22", Topic.NVLINK, "NVLink 3: twelve links of 50 GB/s, 600 GB/s a GPU.", _OK, "The product, and the datasheet.",
        figure("rate of an A100, bidirectional", 600, "GB/s", ours=(links.gpu_rate, "a100-sxm-80gb")),
        figure("one link, bidirectional", 50, "GB/s", ours=(links.per_link, "nvlink3")),
        evidence=_ML,
    ),
    claim(
        17, "000:22-23", Topic.SWITCH, "In a DGX A100 every GPU is wired to every other; two sentences on, all links end at switches.", _CLASH,
        "Only the second is so: twelve links do not divide among seven peers, and six switches take two from each GPU.",
        figure("links over peers", None, "links", ours=(f.links_per_peer, 8, 12)),
        figure("links of a GPU to each switch chip", None, "links", ours=(f.links_to_each_chip, "dgx-a100")),
        evidence="nvidia-hgx-a100-blog", in_words=True,
    ),
    claim(
        18, "000:23", Topic.SWITCH, "A DGX A100 has six switch chips, each joined to all eight GPUs.", _OK,
        "Sixteen GPU links end on each chip, two of every GPU.",
        figure("switch chips", 6, "chips", ours=(f.chips, "dgx-a100")),
        figure("GPU links on each chip", None, "links", ours=(f.gpu_ports_per_chip, "dgx-a100")),
        evidence="nvidia-hgx-a100-blog",
    ),
    claim(
        19, "000:25", Topic.NVLINK, "NVLink 4 made a link faster, to the 50 GB/s it had before; 18 of them give 900.", _CLASH,
        "The sentence contradicts itself: the rate of a link did not change, the number of links did.",
        figure("rate of an H100, bidirectional", 900, "GB/s", ours=(links.gpu_rate, "h100-sxm")),
        figure("rate of a link against NVLink 3", None, "times", ours=(links.growth, "nvlink4", "nvlink3", "rate")),
        evidence=_ML, in_words=True,
    ),
    claim(
        20, "000:26", Topic.COLLECTIVES, "With reduction in the switch an all-reduce of large messages takes about one pass over the link.", _IF,
        "1.125 passes for eight GPUs instead of a ring's 1.75, a gain of 1.56 at best and 1.31 as measured; one pass is the limit.",
        figure("passes over each GPU's link", 1, "passes", ours=(m.in_switch,), tolerance=0.13),
        figure("passes of a ring", None, "passes", ours=(m.factor, "all_reduce")),
        figure("gain over the ring", None, "times", ours=(m.in_switch_gain,)),
        figure("gain measured on eight H200", None, "times", ours=(m.measured_gain,)),
        evidence=_ML,
    ),
    claim(
        21, "000:28", Topic.NVLINK, "NVLink 5: 18 links of 100 GB/s, 1,800 GB/s a GPU.", _OK,
        "900 GB/s per direction; one of NVIDIA's own manuals prints 900 for a link, which is wrong.",
        figure("rate of a B200, bidirectional", 1800, "GB/s", ours=(links.gpu_rate, "b200-sxm")),
        figure("one link, bidirectional", 100, "GB/s", ours=(links.per_link, "nvlink5")),
        evidence="ml-network bcm-nvlinkinfo",
    ),
    claim(
        22, "000:28", Topic.SWITCH, "The Blackwell switch joins 72 GPUs where the one before joined 8.", _IF,
        "8 was the size of a node: 256 GPUs shared a Hopper switch system, and Blackwell's limit is 576.",
        figure("GPUs of an NVL72", 72, "GPUs", ours=(f.domain, "gb200-nvl72")),
        figure("GPUs of a DGX H100", 8, "GPUs", ours=(f.domain, "dgx-h100")),
        figure("largest Hopper domain", None, "GPUs", ours=(f.domain, "dgx-gh200-256")),
        figure("Blackwell on paper", None, "GPUs", ours=(f.domain, "nvlink5-576")),
        evidence="nvidia-gh200-blog bcm-nvlinkinfo",
    ),
    claim(
        23, "000:37", Topic.NVLINK, "NVLink 1 signals at 20 Gb/s a lane.", _OK, "Eight lanes per direction make 40 GB/s a link.",
        figure("one lane, unidirectional", 20, "Gb/s", ours=(links.lane_rate, "nvlink1")), evidence=_WIKI,
    ),
    claim(
        24, "000:37", Topic.NVLINK, "NVLink 2 signals at 25 Gb/s a lane.", _OK, "Eight lanes per direction make 50 GB/s a link.",
        figure("one lane, unidirectional", 25, "Gb/s", ours=(links.lane_rate, "nvlink2")), evidence=_WIKI,
    ),
    claim(
        25, "000:37", Topic.NVLINK, "NVLink 3 signals at 25 Gb/s a lane.", _BAD,
        "It has four lanes where NVLink 2 had eight, so 50 GB/s a link need 50 Gb/s a lane.",
        figure("one lane, unidirectional", 25, "Gb/s", ours=(links.lane_rate, "nvlink3")), evidence=_WIKI,
    ),
    claim(
        26, "000:37", Topic.NVLINK, "NVLink 4 signals at 50 and NVLink 5 at 100 Gb/s, PAM4.", _IF,
        "True of symbols, each of which carries two bits: 100 and 200 Gb/s net a lane.",
        figure("NVLink 4, one lane", 50, "Gb/s", ours=(links.lane_rate, "nvlink4"), theirs=(links.lane_rate, "nvlink4", 2)),
        figure("NVLink 5, one lane", 100, "Gb/s", ours=(links.lane_rate, "nvlink5"), theirs=(links.lane_rate, "nvlink5", 2)),
        figure("NVLink 4, one link raw, unidirectional", None, "GB/s", ours=(links.per_link, "nvlink4", 1, "raw")),
        figure("NVLink 5, one link raw, unidirectional", None, "GB/s", ours=(links.per_link, "nvlink5", 1, "raw")),
        evidence="nvlink-health",
    ),
    claim(
        27, "000:38", Topic.SWITCH, "No NVSwitch for the V100.", _BAD, "The DGX-2 joined 16 of them by the first NVSwitch.",
        figure("V100 behind switches", 0, "GPUs", ours=(f.domain, "dgx-2"), worded=True), evidence="ml-network anandtech-nvswitch",
    ),
    claim(
        28, "000:38", Topic.SWITCH, "At most 8 GPUs share a switched domain of A100 or H100, and 72 one of B200.", _CLASH,
        "Other documents print 256 for Hopper and 576 for Blackwell; 8 and 72 are what is commonly sold.",
        figure("Hopper", 8, "GPUs", ours=(f.domain, "dgx-gh200-256"), theirs=(f.domain, "dgx-h100")),
        figure("Blackwell", 72, "GPUs", ours=(f.domain, "nvlink5-576"), theirs=(f.domain, "gb200-nvl72")),
        figure("A100", 8, "GPUs", ours=(f.domain, "dgx-a100")),
        evidence="briefing-003 briefing-001 nvidia-gh200-blog",
    ),
    claim(
        29, "000:39", Topic.SWITCH, "Switches compute from the H100 on: not for P100, V100, A100, but for H100 and B200.", _OK,
        "Reduction came with the third NVSwitch.",
        figure("of these five, with in-network reduction", 2, "GPUs", ours=(links.reducing, "p100-sxm", "v100-sxm", "a100-sxm-80gb", "h100-sxm", "b200-sxm"), worded=True),
        evidence="nvidia-nvswitch3-blog",
    ),
    claim(
        30, "000:42", Topic.SWITCH, "Twelve links can join eight GPUs completely, one or two to each pair.", _IF,
        "On paper: five peers with two links and two with one; no DGX A100 is wired so.",
        figure("links over peers", (1, 2), "links", ours=(f.links_per_peer, 8, 12)), evidence="nvidia-hgx-a100-blog",
    ),
    claim(
        31, "000:42", Topic.SWITCH, "Wiring 72 GPUs point to point takes hundreds of links on each.", _BAD,
        "71 on each; 2,556 in all.",
        figure("links on each GPU", (200, 999), "links", ours=(f.mesh_links_per_gpu, 72, 18), worded=True),
        figure("links in all", None, "links", ours=(f.mesh_pairs, 72)),
    ),
)
