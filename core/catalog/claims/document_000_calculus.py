"""Claims 55 to 94 of document 000: all-reduce, overheads, measurements, placement."""

from core.catalog.claims import ours as o
from core.catalog.claims.row import CLASH, IF, OK, WRONG, claims

TP, LADDER, RINGS = "tensor_parallel", "bandwidth_hierarchy", "collectives"
BOTH = (
    "Comes out in the sources' convention only: both directions, no latency; really twice that, and latency."
)
LOST = "1.75 messages at eight GPUs; the latency of 14 steps and the direction are missing."

ROWS = (
    (55, "97-99", "all-reduce", OK, "An all-reduce is a scatter and a gather, hence a factor of two (formula lost).", LOST, None, lambda: o.factor(8), "messages", RINGS),
    (56, "97", "TP", WRONG, "A reduction follows the column-parallel and the row-parallel product.", "Two a layer, but each after a row-parallel product."),
    (57, "100", "TP message", OK, "One token of 8,192 values in FP16 (formula lost).", "16 KiB.", None, lambda: o.TOKEN_BYTES, "B", TP),
    (58, "105", "all-reduce", IF, "PCIe 4: 0.45 us an operation.", BOTH, 0.45, lambda: o.by_both_ways_us(64), "us", TP),
    (59, "106", "all-reduce", IF, "PCIe 5: 0.22 us an operation.", BOTH, 0.22, lambda: o.by_both_ways_us(128), "us", TP),
    (60, "107", "all-reduce", IF, "NVLink 3: 0.048 us an operation.", BOTH, 0.048, lambda: o.by_both_ways_us(600), "us", TP),
    (61, "108", "all-reduce", IF, "NVLink 4: 0.032 us an operation.", BOTH, 0.032, lambda: o.by_both_ways_us(900), "us", TP),
    (62, "109", "all-reduce", IF, "NVLink 5: 0.016 us an operation.", BOTH, 0.016, lambda: o.by_both_ways_us(1800), "us", TP),
    (63, "110", "latency", IF, "At batch 1 an operation really costs 1 to 2 us on any generation.", "For one-shot kernels; NCCL's ring of eight takes 15 us.", 2.0, lambda: o.nccl_us(o.TOKEN_BYTES), "us", TP),
    (64, "110", "TP message", IF, "At batch 256 the message is 4 MB and bandwidth dominates.", "4 MiB is where a ring's latency and bytes are even; 107 of 450 GB/s were measured.", 4e6, lambda: 256 * o.TOKEN_BYTES, "B", TP),
    (65, "114", "TP overhead", WRONG, "A layer computes in 12 us at batch 32.", "28.3 us on one GPU by its own formula; reading the weights takes 32.7 us at TP8.", 12.0, lambda: o.layer_us(8).compute_s * 1e6, "us", TP),
    (66, "114", "parameters", OK, "70B over 80 layers are 875 million each.", "856 without the embeddings.", 875e6, o.layer_params, "", TP),
    (67, "115", "TP overhead", IF, "NVLink 4 reduces in about 4 us a layer.", "Needs the ring's factor that its formula leaves out; one way 6.1 us.", 4.0, lambda: o.layer_us(8, 450, 1).comm_s * 1e6, "us", TP),
    (68, "117", "TP overhead", WRONG, "PCIe 5 reduces in about 10 us a layer.", "Its own formula gives 14.2; one way and with the factor 34.7.", 10.0, lambda: o.layer_us(8, 64, 3).comm_s * 1e6, "us", TP),
    (69, "118", "TP overhead", IF, "Overheads of 25 % and 45 % (formula lost).", "Follow from wrong inputs; 15.7 % and 51.5 % from right ones.", 0.25, lambda: o.layer_us(8, 450, 1).share, "of the step", TP),
    (70, "118", "TP speed-up", OK, "25 % means six times, 45 % means 4.4.", "Given the shares.", 6.0, lambda: 8 * (1 - 0.25), "times", TP),
    (71, "123-207", "P2P code", WRONG, "The both-ways rate is timed on the first stream's event.", "That event does not wait for the second stream."),
    (72, "230", "P2P", IF, "A pair of A100 reaches 270 to 290 and 530 to 570 GB/s.", "By copy engines; NCCL's send reaches 195."),
    (73, "231", "P2P", OK, "A pair of H100 reaches 400 to 430 and 780 to 850.", "396 and 784 were measured."),
    (74, "232", "P2P", OK, "PCIe 4 reaches 22 to 25 and 40 to 48.", "70 to 79 % one way."),
    (75, "233", "P2P", OK, "PCIe 5 reaches 48 to 55 and 90 to 110.", "55.4 were measured from host to device."),
    (76, "247,255", "busbw", OK, "busbw is algbw times 2(n-1)/n; at eight GPUs (lost).", "1.75.", None, lambda: o.factor(8), "times", RINGS),
    (77, "248", "busbw", IF, "busbw comes close to a GPU's NVLink rate.", "To the one-way rate; reduction in the switch exceeds it."),
    (78, "250", "NCCL curve", IF, "0.5 GB/s at 1 KB.", "Implies 3.6 us; NCCL's own constants give 15.", 3.58, lambda: o.nccl_us(1024), "us", RINGS),
    (79, "251", "NCCL curve", WRONG, "50 GB/s at 64 KB.", "Implies 2.3 us, less than the row before.", 2.29, lambda: o.nccl_us(65536), "us", RINGS),
    (80, "252", "NCCL curve", WRONG, "350 GB/s at 1 MB.", "Implies 5.2 us; 28 by NCCL's constants, 46 measured.", 5.24, lambda: o.nccl_us(1048576), "us", RINGS),
    (81, "253", "NCCL curve", OK, "430 GB/s at 64 MB.", "A bit high: 346 measured on H200.", 273.0, lambda: o.implied_us(67108864, 430), "us", RINGS),
    (82, "254", "NCCL curve", OK, "440 GB/s at 1 GB.", "464 with, 365 without reduction in the switch.", 4270.0, lambda: o.implied_us(1073741824, 440), "us", RINGS),
    (83, "260-264", "topology", OK, "NV18 between all eight H100.", "18 links to the fabric, shared by all peers."),
    (84, "266-271", "topology", WRONG, "PHB means the same socket but another PCIe switch.", "It crosses a host bridge; PXB is several bridges without one."),
    (85, "266-268", "topology", WRONG, "GPU 0 and 1 PIX, 0 and 2 PHB, 1 and 2 SYS.", "Impossible: siblings are equally far from a third."),
    (86, "277-280", "strategy", IF, "TP on NVLink only, PP on either, EP on NVLink, DP on InfiniBand.", "A rule of thumb; the page ranks layouts instead."),
    (87, "285,291", "405B", WRONG, "Llama 3 405B has 80 layers.", "126; 80 is the 70B.", 80.0, lambda: float(o.LLAMA_405B.layers), "layers", TP),
    (88, "284", "405B", OK, "50 GB a GPU in FP8 on eight H100.", "50.7, which leaves 29 GB.", 50.0, lambda: o.weights_gb(405.853e9, "fp8") / 8, "GB", "nvl72"),
    (89, "290", "405B", OK, "101 GB a GPU in FP8 on four B200.", "", 101.0, lambda: o.weights_gb(405.853e9, "fp8") / 4, "GB", "nvl72"),
    (90, "291", "405B", WRONG, "Half of the GPUs mean half of the traffic.", "86 % a GPU, 43 % in all.", 0.5, lambda: o.factor(4) / o.factor(8), "of the bytes", TP),
    (91, "286", "405B", IF, "Eight H100 lose about 25 % at batch 32.", "23 % with 80 layers, both directions and no memory bound; 7.8 % really."),
    (92, "292", "405B", WRONG, "Four B200 lose about 8 %.", "The same recipe gives 17 %; really 5 %."),
    (93, "294", "405B", IF, "Fewer and larger GPUs give more throughput and more efficiency.", "For decode, which memory bounds: 15.1 against 12.7 ms a step.", None, lambda: o.weights_gb(405.853e9, "fp8") / 8 / o.memory("h100-sxm") * 1e3, "ms", TP),
    (94, "297-300", "hierarchy", CLASH, "Four layers, each 7 to 20 times slower.", "4 to 16 by its own figures, and an order of magnitude elsewhere.", 7.0, lambda: o.memory("h100-sxm") / (o.scale_up("h100-sxm") / 2), "times", LADDER),
)  # fmt: skip

CLAIMS = claims("000", ROWS)
