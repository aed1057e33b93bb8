"""Claims 95 to 133 of document 001: parallelism, PCIe, NVLink, InfiniBand, money."""

from core.catalog.claims import ours as o
from core.catalog.claims.row import CLASH, IF, OK, OPEN, WRONG, claims

LADDER, SYNC, RACK, PARTS = "bandwidth_hierarchy", "gradient_sync", "nvl72", "catalog"
HALF = "Both directions and no ring: really 1.75 times longer in BF16 with one direction, 3.5 times in FP32."

ROWS = (
    (95, "39", "parallelism", CLASH, "Gradients are averaged, activations passed on, tensor slices gathered.", "TP reduces (or scatters and gathers); the same text calls it a gather elsewhere."),
    (96, "43", "DP volume", IF, "An all-reduce moves twice the model: 280 GB for 70B on eight GPUs.", "245 GB in BF16; 280 is the limit of many ranks, or FP32 without the factor.", 280.0, lambda: o.ddp_gb(70e9, 2), "GB", SYNC),
    (97, "43", "gradient sync", WRONG, "At NVLink's 3,350 GB/s that takes 0.08 s.", "3,350 is the memory of an H100; its NVLink has 450 one way.", 3350.0, lambda: o.scale_up("h100-sxm") / 2, "GB/s", SYNC),
    (98, "43", "gradient sync", WRONG, "At PCIe's 50 GB/s 5.6 s, 70 times more.", "50 is NDR; the ratio is 67 and compares memory with a network.", 70.0, lambda: o.memory("h100-sxm") / o.one_way("ib-ndr"), "times", SYNC),
    (99, "43", "PP volume", IF, "A stage passes on batch times hidden width.", "Times sequence and bytes: 67 MB for 4,096 tokens.", None, lambda: 4096 * o.TOKEN_BYTES / 1e6, "MB", SYNC),
    (100, "44", "scaling", IF, "Eight GPUs on slow PCIe can lose against four on NVLink.", "Not at its own 45 % (3.6 against 3.48), at its other end yes.", None, lambda: 8 * 0.45 - 4 * 0.87, "GPUs", SYNC),
    (101, "51-59", "PCIe", OK, "16 to 128 GB/s one way, twice that both ways.", "The clearest convention of all sources.", 64.0, lambda: o.one_way("pcie5-x16"), "GB/s", PARTS),
    (102, "57", "gradient copy", IF, "280 GB at 128 GB/s take over 2 s.", "A copy moves one way: 4.4 s.", 2.0, lambda: o.copy_s(280e9, o.one_way("pcie5-x16")), "s", LADDER),
    (103, "59", "PCIe and NVLink", OK, "NVLink 5 is 14 times PCIe 5, one way each.", "", 14.0, lambda: o.scale_up("b200-sxm") / o.both_ways("pcie5-x16"), "times", LADDER),
    (104, "69", "NVLink 2", WRONG, "300 GB/s joined up to six GPUs.", "Six are its links; eight or sixteen GPUs were joined.", 6.0, lambda: float(o.catalog.system("dgx-2").domain_gpus), "GPUs", PARTS),
    (105, "71-79", "NVLink", OK, "300, 600, 900, 1,800 GB/s over 6, 12, 18, 18 links.", "Agrees with the other sources.", 600.0, lambda: o.scale_up("a100-sxm-80gb"), "GB/s", PARTS),
    (106, "79", "gradient sync", IF, "280 GB: 2.2 s on PCIe 5, 0.31 on NVLink 4, 0.16 on NVLink 5.", HALF, 0.31, lambda: o.gradient_s(450), "s", SYNC),
    (107, "79", "TP overhead", IF, "PCIe 5 takes 40 to 60 % of a step, NVLink 4 5 to 10, NVLink 5 3 to 5.", "The workload is not stated; another source has 45 and 25 %."),
    (108, "85", "mesh", OK, "Eight GPUs need 28 links.", "Pairs, times the links of a pair.", 28.0, lambda: 8 * 7 / 2, "links", PARTS),
    (109, "89", "DGX H100", OK, "Four chips, 900 GB/s to every other GPU, a bisection of 3.6 TB/s.", "The 900 are shared by all peers.", 3.6, lambda: o.bisection_tbps(8, 900), "TB/s", RACK),
    (110, "93", "NVL72", WRONG, "A bisection of 130 TB/s.", "The aggregate; the bisection is 64.8.", 130.0, lambda: o.bisection_tbps(72, 1800), "TB/s", RACK),
    (111, "91", "NVL72", OK, "72 times 192 GB are 13.8 TB.", "13.4 by the vendor, less usable.", 13.8, lambda: 72 * 192 / 1000, "TB", RACK),
    (112, "91", "unified memory", WRONG, "Any GPU reads another's memory as its own; no partitioning needed.", "Reachable, but 8.9 times slower.", 1.0, lambda: o.memory("b200-sxm") / (o.scale_up("b200-sxm") / 2), "times", RACK),
    (113, "93", "naming", CLASH, "The Blackwell switch is of the fifth generation.", "NVLink is; the switch is the fourth."),
    (114, "93", "576 GPUs", OK, "576 GPUs share 1 PB/s.", "1.04 PB/s; never shipped.", 1000.0, lambda: o.aggregate_tbps(576, 1800), "TB/s", RACK),
    (115, "93", "576 GPUs", OK, "110 TB hold 55T parameters in FP16.", "Weights only.", 55.0, lambda: 576 * 192e9 / 2 / 1e12, "T", RACK),
    (116, "103-112", "latency", IF, "InfiniBand 1 to 1.6 us, RoCE v2 5 to 6.", "Another source has wider ranges; Ethernet switches cut through too."),
    (117, "109-111", "InfiniBand", OK, "HDR 200 in 2019, NDR 400 in 2022, XDR 800 in 2025.", "25, 50 and 100 GB/s one way.", 100.0, lambda: o.one_way("ib-xdr"), "GB/s", PARTS),
    (118, "111", "DGX H100", OK, "Eight times 400 Gb/s are 3.2 Tb/s.", "400 GB/s one way.", 3200.0, lambda: 8 * o.nic_share("dgx-h100") * 8, "Gb/s", LADDER),
    (119, "111", "DGX H100", WRONG, "Eight GPUs to one NIC.", "One each, as the same line says.", 8.0, lambda: o.catalog.system("dgx-h100").domain_gpus / o.catalog.system("dgx-h100").nics_per_domain, "GPUs a NIC", LADDER),
    (120, "111", "market", OPEN, "InfiniBand had 80 % in 2023; Ethernet leads in 2025.", "No source was looked up."),
    (121, "112", "cost", OPEN, "An InfiniBand port costs 1.5 to 2.5 times more.", "No source; an input here."),
    (122, "148", "hierarchy", CLASH, "From 128 GB/s to 1.8 TB/s, in five levels down to 50 GB/s.", "The heading leaves out its own ends."),
    (123, "162", "hierarchy", CLASH, "Each level is 10 to 20 times slower.", "4.4, 14 and 2.6 by its own figures.", 10.0, lambda: o.memory("b200-sxm") / o.scale_up("b200-sxm"), "times", LADDER),
    (124, "164", "hierarchy", IF, "8,000, 1,800, 128 and 50 GB/s: 4.4, 14 and 2.6 times.", "Arithmetic right; NVLink and PCIe both ways, InfiniBand one way.", 4.4, lambda: o.memory("b200-sxm") / o.scale_up("b200-sxm"), "times", LADDER),
    (125, "164", "160 times", WRONG, "160 times lie between NVLink and InfiniBand.", "160 lie between memory and InfiniBand; NVLink 5 is 18 times NDR.", 160.0, lambda: o.scale_up("b200-sxm") / 2 / o.one_way("ib-ndr"), "times", LADDER),
    (126, "174-176", "scaling", WRONG, "Six to seven times on eight GPUs are 80 to 90 %.", "75 to 87.5 %.", 0.8, lambda: 6 / 8, "efficient", SYNC),
    (127, "178", "scaling", OPEN, "10 % of a step with InfiniBand become 25 % with Ethernet.", "Needs three times slower communication, which latency does not explain.", None, lambda: 0.25 / 0.75 * 0.9 / 0.1, "times", SYNC),
    (128, "182", "scaling", CLASH, "85, 12 and 3 % are 87 % efficient; 45, 50 and 5 are 45 %.", "Two definitions in two rows: 47 % by the first.", 0.45, lambda: o.efficiency("compute_over_compute_and_comm", 0.45, 0.5, 0.05), "efficient", SYNC),
    (129, "182", "failures", WRONG, "10.7 % of the failures of Llama 3 were network errors.", "Switches and cables 35 of 419, 8.4 %.", 0.107, lambda: 35 / 419, "of failures"),
    (130, "182", "money", OK, "1 % of 16,384 GPUs are 163 idle.", "", 163.0, lambda: o.loss(0.01, 16384, 3).idle_gpus, "GPUs", SYNC),
    (131, "182", "money", WRONG, "That costs 47,000 dollars a day at 3 an hour.", "A quarter of it.", 47000.0, lambda: o.usd_per_day(0.01), "USD", SYNC),
    (132, "182", "money", CLASH, "5 % save 850,000 dollars a month.", "Twice that; by its own daily figure eight times.", 850000.0, lambda: 30 * o.usd_per_day(0.05), "USD", SYNC),
    (133, "182", "money", IF, "An upgrade of 10 million pays for itself many times.", "Once in 5.7 months.", None, lambda: o.payback(10e6, 0.05), "months", SYNC),
)  # fmt: skip

CLAIMS = claims("001", ROWS)
