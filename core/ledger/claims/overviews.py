"""Claims C143 to C162 of documents 003 and 004: two short overviews of NVLink."""

from core.ledger import Topic, Verdict, claim, figure
from core.ledger.recomputed import fabrics as f
from core.ledger.recomputed import gradients as g
from core.ledger.recomputed import links
from core.ledger.recomputed import messages as m
from core.units import GB

_OK, _IF, _BAD, _CLASH = Verdict.CONSISTENT, Verdict.CONDITIONAL, Verdict.WRONG, Verdict.CONTRADICTORY
_UP = float("inf")

# fmt: off
GLOSSARY = (
    claim(
        143, "003:1", Topic.HIERARCHY, "NVLink has 600-900 GB/s bidirectional against 64 GB/s of PCIe.", _CLASH,
        "Bidirectional against unidirectional: like for like it is 4.7 to 7.0 times, not 9.4 to 14.",
        figure("PCIe Gen5 x16, bidirectional", 64, "GB/s", ours=(links.rate, "pcie5-x16", 2), theirs=(links.rate, "pcie5-x16")),
        figure("NVLink 3, bidirectional", 600, "GB/s", ours=(links.rate, "nvlink3", 2)),
        figure("NVLink 4, bidirectional", 900, "GB/s", ours=(links.rate, "nvlink4", 2)),
        figure("600 GB/s over PCIe Gen5", None, "times", ours=(links.ratio, "nvlink3", "pcie5-x16"), theirs=(links.apart, 600, 64)),
        figure("900 GB/s over PCIe Gen5", None, "times", ours=(links.ratio, "nvlink4", "pcie5-x16"), theirs=(links.apart, 900, 64)),
    ),
    claim(
        144, "003:5", Topic.HIERARCHY, "NVLink is 10-14 times faster than PCIe Gen5.", _BAD, "NVLink 4, which it describes, is 7 times faster; 14 is NVLink 5.",
        figure("NVLink 4 over PCIe Gen5", (10, 14), "times", ours=(links.ratio, "nvlink4", "pcie5-x16"), theirs=(links.ratio, "nvlink4", "pcie5-x16", 2, 1)),
        figure("NVLink 5 over PCIe Gen5", None, "times", ours=(links.ratio, "nvlink5", "pcie5-x16")),
        evidence="nvidia-nvlink",
    ),
    claim(
        145, "003:17-19", Topic.NVLINK, "NVLink 4, 3 and 2: 900, 600 and 300 GB/s bidirectional.", _OK, "The datasheets.",
        *(figure(f"NVLink {generation}, bidirectional", rate, "GB/s", ours=(links.rate, f"nvlink{generation}", 2)) for generation, rate in ((4, 900), (3, 600), (2, 300))),
        evidence="ml-network",
    ),
    claim(
        146, "003:20-21", Topic.PCIE, "PCIe Gen5 and Gen4 x16: 64 and 32 GB/s, in a column headed bidirectional.", _BAD, "Unidirectional; bidirectional 128 and 64.",
        figure("Gen5 x16, bidirectional", 64, "GB/s", ours=(links.rate, "pcie5-x16", 2), theirs=(links.rate, "pcie5-x16")),
        figure("Gen4 x16, bidirectional", 32, "GB/s", ours=(links.rate, "pcie4-x16", 2), theirs=(links.rate, "pcie4-x16")),
        evidence="nvlink-table",
    ),
    claim(
        147, "003:22", Topic.NETWORK, "An NDR port has 400 Gb/s.", _OK, "50 GB/s per direction.",
        figure("NDR port, unidirectional", 400, "Gb/s", ours=(links.rate, "ib-ndr")), evidence="infiniband-jp",
    ),
    claim(
        148, "003:26", Topic.PCIE, "80 GB copy in 1.25 s over PCIe Gen5, in 0.13 s over NVLink 4.", _BAD,
        "0.13 s is NVLink 3 with both directions; NVLink 4 takes 0.178 s in one direction, 7 times less than PCIe.",
        figure("over NVLink 4", 0.13, "s", ours=(links.copy_s, 80 * GB, "nvlink4"), theirs=(links.copy_s, 80 * GB, "nvlink3", 2), tolerance=0.03),
        figure("over PCIe Gen5", 1.25, "s", ours=(links.copy_s, 80 * GB, "pcie5-x16")),
        figure("over PCIe Gen5 after line code", None, "s", ours=(links.copy_s, 80 * GB, "pcie5-x16", 1, "effective")),
    ),
    claim(
        149, "003:27", Topic.GRADIENTS, "10 GB of gradients sync in 156 ms over PCIe Gen5, in 11 ms over NVLink 4.", _CLASH,
        "The first counts one direction, the second both, and neither the ring: 273 and 39 ms for eight GPUs.",
        figure("over NVLink 4, sent once unidirectional", 11, "ms", ours=(links.copy_s, 10 * GB, "nvlink4"), theirs=(links.copy_s, 10 * GB, "nvlink4", 2), tolerance=0.02),
        figure("over PCIe Gen5, sent once unidirectional", 156, "ms", ours=(links.copy_s, 10 * GB, "pcie5-x16")),
        figure("ring of eight over PCIe Gen5", None, "ms", ours=(g.sync_s, "pcie5-x16", 2.0, 5e9)),
        figure("ring of eight over NVLink 4", None, "ms", ours=(g.sync_s, "nvlink4", 2.0, 5e9)),
    ),
    claim(
        150, "003:28", Topic.COLLECTIVES, "All-reduces reach 70-80 % of PCIe and more than 95 % of NVLink.", _IF,
        "Rings reach about 80 % of NVLink unidirectional; more than 95 % needs reduction in the switch, whose bus bandwidth may exceed the link rate.",
        figure("NVLink 4, of unidirectional", (95, _UP), "%", ours=(m.measured_share, "nvlink4", 450 * GB),
               theirs=(m.measured_share_in_switch, "nvlink4", 450 * GB)),
        figure("ring on A100", None, "%", ours=(m.measured_share, "nvlink3", 300 * GB)),
        figure("ring on B200", None, "%", ours=(m.measured_share, "nvlink5", 900 * GB)),
        figure("in the switch on B200", None, "%", ours=(m.measured_share_in_switch, "nvlink5", 900 * GB)),
        evidence="ml-network",
    ),
    claim(
        151, "003:44-46", Topic.NVLINK, "The RTX 3090 has an NVLink bridge for two, the RTX 4090 has none.", _OK,
        "The bridge carries 112.5 GB/s bidirectional; its heading names the 4090, which misleads.",
        figure("RTX 3090 on a bridge", 2, "GPUs", ours=(f.domain, "rtx-3090-x2")),
        figure("links of an RTX 4090", 0, "links", ours=(links.gpu_links, "rtx-4090"), worded=True),
        figure("bridge of the RTX 3090, bidirectional", None, "GB/s", ours=(links.rate, "nvlink3-ga102", 2)),
        evidence="ga102-whitepaper hmc-tech-4090",
    ),
    claim(
        152, "003:59-60", Topic.NVLINK, "DGX A100 600 and DGX H100 900 GB/s between GPUs, eight of them behind switches.", _OK, "Bidirectional, as elsewhere.",
        figure("DGX A100, bidirectional", 600, "GB/s", ours=(links.gpu_rate, "a100-sxm-80gb")),
        figure("DGX H100, bidirectional", 900, "GB/s", ours=(links.gpu_rate, "h100-sxm")),
        figure("GPUs of either", 8, "GPUs", ours=(f.domain, "dgx-a100")),
        evidence="ml-network",
    ),
    claim(
        153, "003:61", Topic.SWITCH, "A DGX GH200 joins 256 GPUs at 900 GB/s.", _IF,
        "The domain is real; whether chassis are joined at full rate or at half of it is disputed, so the taper is an input.",
        figure("GPUs", 256, "GPUs", ours=(f.domain, "dgx-gh200-256")),
        figure("one GPU, bidirectional", 900, "GB/s", ours=(links.gpu_rate, "gh200")),
        figure("aggregate, bidirectional", None, "TB/s", ours=(f.aggregate, "dgx-gh200-256")),
        figure("bisection without taper, unidirectional", None, "TB/s", ours=(f.bisection, "dgx-gh200-256", 1)),
        evidence="nvidia-gh200-blog nvidia-hopper",
    ),
    claim(
        154, "003:76-82", Topic.MEASURING, "nvidia-smi shows links with nvlink -s, topology with topo -m, utilisation with nvlink -g 0.", _IF,
        "The last is obsolete (nvlink -gt d now); the first prints rates before line code, 26.562 or 53.125 GB/s a link.",
        figure("NVLink 4, one link raw", None, "GB/s", ours=(links.per_link, "nvlink4", 1, "raw")),
        figure("NVLink 5, one link raw", None, "GB/s", ours=(links.per_link, "nvlink5", 1, "raw")),
        evidence="nvidia-smi-nvlink nvlink-health", in_words=True,
    ),
    claim(
        155, "003:63-75", Topic.MEASURING, "An all-reduce of torch.distributed on NCCL uses NVLink by itself.", _IF,
        "Where peer access works; the sample sets no device and no rank, and its 4 kB would show latency only.",
        figure("time of 4 kB over eight H100, calibrated", None, "us", ours=(m.calibrated_s, "dgx-h100", 4000.0)),
        figure("transfer in it, unidirectional", None, "us", ours=(m.all_reduce_s, "dgx-h100", 4000.0, "unidirectional")),
        evidence="pytorch-distributed", in_words=True,
    ),
)

PRIMER = (
    claim(
        156, "004:21", Topic.NVLINK, "H100 and H200 have up to 900 GB/s of NVLink, bidirectional.", _OK, "18 links of 50 GB/s.",
        figure("rate of an H100, bidirectional", 900, "GB/s", ours=(links.gpu_rate, "h100-sxm")),
        figure("rate of an H200, bidirectional", 900, "GB/s", ours=(links.gpu_rate, "h200-sxm")),
        evidence="ml-network",
    ),
    claim(
        157, "004:23", Topic.NVLINK, "A GPU of a GB200 NVL72 has 1.8 TB/s.", _OK, "Bidirectional, which it does not say.",
        figure("rate of a GB200, bidirectional", 1.8, "TB/s", ours=(links.gpu_rate, "gb200")), evidence="ml-network",
    ),
    claim(
        158, "004:35", Topic.GRADIENTS, "Gradients of 70B parameters in FP16 are about 140 GB.", _OK,
        "141.1 GB by the exact count; another document says 280, which needs four bytes or counts the all-reduce.",
        figure("gradients", 140, "GB", ours=(g.gradient_bytes, 2.0, 70.554e9), theirs=(g.gradient_bytes, 2.0)),
        figure("in binary units", None, "GiB", ours=(g.gradient_bytes, 2.0)),
        evidence="llama-sku-list",
    ),
    claim(
        159, "004:37", Topic.GRADIENTS, "On a slow interconnect that costs several seconds in each iteration.", _OK,
        "A ring of eight without overlap: 3.8 s on PCIe Gen5, 7.7 on Gen4, 19.6 on 100 Gb/s Ethernet, 0.54 on NVLink 4.",
        figure("PCIe Gen5", (2, _UP), "s", ours=(g.sync_s, "pcie5-x16"), worded=True),
        figure("PCIe Gen4", (2, _UP), "s", ours=(g.sync_s, "pcie4-x16"), worded=True),
        figure("100 Gb/s Ethernet", (2, _UP), "s", ours=(g.sync_s, "roce-100"), worded=True),
        figure("NVLink 4", None, "s", ours=(g.sync_s, "nvlink4")),
    ),
    claim(
        160, "004:47", Topic.NVLINK, "V100, A100, H100, H200 and some professional cards have NVLink.", _OK,
        "So have P100, Blackwell and some Turing and Ampere cards.",
        figure("of the four, with links", 4, "GPUs", ours=(links.with_links, "v100-sxm", "a100-sxm-80gb", "h100-sxm", "h200-sxm"), worded=True),
        evidence="ml-network puget-nvlink",
    ),
    claim(
        161, "004:49", Topic.NVLINK, "The RTX 3090 still has NVLink, the RTX 4090 does not.", _OK, "Four links, and none.",
        figure("links of an RTX 4090", 0, "links", ours=(links.gpu_links, "rtx-4090"), worded=True),
        figure("links of an RTX 3090", None, "links", ours=(links.gpu_links, "rtx-3090")),
        evidence="ga102-whitepaper hmc-tech-4090",
    ),
    claim(
        162, "004:51", Topic.NVLINK, "The GeForce 50 series talks over PCIe.", _OK, "The RTX 5090 has a Gen5 slot and no NVLink.",
        figure("links of an RTX 5090", 0, "links", ours=(links.gpu_links, "rtx-5090"), worded=True), evidence="spheron-5090",
    ),
)
