"""Claims 134 to 162 of documents 002, 003 and 004: domains, bridges, consumer cards, gradients."""

from core.catalog.claims import ours as o
from core.catalog.claims.row import CLASH, IF, OK, WRONG, claims

LADDER, SYNC, RACK, PARTS = "bandwidth_hierarchy", "gradient_sync", "nvl72", "catalog"

ROWS_002 = (
    (134, "6", "NVL72", OK, "About 130 TB/s in aggregate over 72 GPUs.", "The only source with the right word.", 130.0, lambda: o.aggregate_tbps(72, 1800), "TB/s", RACK),
    (135, "7", "scale-out", IF, "About eight times slower than scale-up.", "Nine for matched generations, 18 for B200 on NDR.", 8.0, lambda: o.scale_up("h100-sxm") / 2 / o.one_way("ib-ndr"), "times", LADDER),
    (136, "13-14", "domain", IF, "Hopper 8, Blackwell 72.", "Eight is the volume product; 256 existed."),
    (137, "15", "domain", IF, "Rubin is said to join over 500.", "Counting dies of Rubin Ultra; Rubin's rack has 72 packages.", 500.0, lambda: float(o.catalog.system("vera-rubin-nvl72").domain_gpus), "GPUs", PARTS),
    (138, "8", "topology", IF, "Scale-up is a full mesh.", "Any to any by a switch, one hop."),
    (139, "18", "MoE", IF, "The domain bounds the size of one MoE layer.", "Softly: experts over the network are in use. DeepSeek-V3's layer takes 11.3 GB in FP8.", None, o.moe_layer_gb, "GB", RACK),
    (140, "19", "MoE", OK, "640 GB do not hold a 5T MoE.", "2,500 GB in FP4: four nodes.", 640.0, lambda: 8 * o.catalog.gpu("h100-sxm").memory_bytes / 1e9, "GB", RACK),
    (141, "19", "MoE", OK, "About 13 TB make it possible.", "36 % in FP8.", None, lambda: o.weights_gb(5e12, "fp8") / (72 * 192), "of the rack", RACK),
    (142, "21", "pipeline", IF, "Stages across racks are free.", "For bandwidth: a boundary takes a twelfth of one MoE layer's exchange; bubble and memory remain.", None, o.pipeline_ratio, "times", RACK),
)  # fmt: skip

ROWS_003 = (
    (143, "1", "headline", CLASH, "600 to 900 GB/s against PCIe's 64.", "Both ways against one way.", 900 / 64, lambda: o.scale_up("h100-sxm") / o.both_ways("pcie5-x16"), "times", LADDER),
    (144, "5", "PCIe and NVLink", WRONG, "10 to 14 times faster than PCIe 5.", "NVLink 4 is seven times.", 10.0, lambda: o.scale_up("h100-sxm") / o.both_ways("pcie5-x16"), "times", LADDER),
    (145, "17-19", "NVLink", OK, "900, 600 and 300 GB/s both ways.", "", 300.0, lambda: o.scale_up("v100-sxm"), "GB/s", PARTS),
    (146, "20-21", "PCIe", WRONG, "64 and 32 GB/s in a column of both-ways rates.", "128 and 64.", 64.0, lambda: o.both_ways("pcie5-x16"), "GB/s", PARTS),
    (147, "22", "InfiniBand", OK, "NDR has 400 Gb/s a port.", "50 GB/s one way.", 400.0, lambda: o.one_way("ib-ndr") * 8, "Gb/s", PARTS),
    (148, "26", "copy", WRONG, "80 GB: 1.25 s on PCIe 5, 0.13 on NVLink 4.", "0.13 is NVLink 3 both ways; 0.178 one way: seven times, not ten.", 0.13, lambda: o.copy_s(80e9, o.scale_up("h100-sxm") / 2), "s", LADDER),
    (149, "27", "gradient sync", CLASH, "10 GB: 156 ms against 11 ms.", "Two conventions in one row and no ring: 22 ms one way.", 11.0, lambda: o.copy_s(10e9, o.scale_up("h100-sxm") / 2) * 1e3, "ms", SYNC),
    (150, "28", "efficiency", IF, "All-reduce reaches 70 to 80 % on PCIe and over 95 % on NVLink.", "Rings reach 80 %; 95 and more need reduction in the switch."),
    (151, "44-46", "consumer", OK, "The 3090 has a bridge for two, the 4090 none.", "112.5 GB/s both ways.", None, lambda: o.scale_up("rtx-3090"), "GB/s", PARTS),
    (152, "59-60", "DGX", OK, "600 and 900 GB/s behind switches.", "", 900.0, lambda: o.scale_up("h100-sxm"), "GB/s", PARTS),
    (153, "61", "DGX GH200", IF, "256 GPUs at 900 GB/s.", "Real; whether all leave their node at full rate is disputed: the taper is an input.", 256.0, lambda: float(o.catalog.system("dgx-gh200-256").domain_gpus), "GPUs", PARTS),
    (154, "76-82", "tooling", IF, "nvidia-smi nvlink -s, topo -m and nvlink -g 0.", "Counters moved to -gt d; -s prints rates before line code."),
    (155, "63-75", "API", IF, "all_reduce uses NVLink by itself.", "With peer access; 1,000 floats measure latency only."),
)  # fmt: skip

ROWS_004 = (
    (156, "21", "Hopper", OK, "Up to 900 GB/s both ways a GPU.", "", 900.0, lambda: o.scale_up("h200-sxm"), "GB/s", PARTS),
    (157, "23", "Blackwell", OK, "1.8 TB/s a GPU in an NVL72.", "Both ways, which it does not say.", 1800.0, lambda: o.scale_up("gb200"), "GB/s", PARTS),
    (158, "35", "gradients", OK, "70B in FP16 are about 140 GB.", "Another source has 280.", 140.0, lambda: o.weights_gb(70e9, "fp16"), "GB", SYNC),
    (159, "37", "gradients", OK, "A slow link costs seconds an iteration.", "3.8 s on PCIe 5, 0.54 on NVLink 4, nothing hidden.", None, lambda: o.ring_us(140e9, 64) / 1e6, "s", SYNC),
    (160, "47", "catalog", OK, "NVLink is on V100, A100, H100, H200 and some cards.", "P100 and Blackwell too."),
    (161, "49", "consumer", OK, "The 3090 has it, the 4090 has not.", ""),
    (162, "51", "consumer", OK, "The 50 series uses PCIe.", "PCIe 5 x16."),
)  # fmt: skip

CLAIMS = (*claims("002", ROWS_002), *claims("003", ROWS_003), *claims("004", ROWS_004))
