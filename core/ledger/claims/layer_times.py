"""Claims C065 to C070 and C087 to C093 of document 000: what a layer computes and says, 70B and 405B."""

from core.ledger import Topic, Verdict, claim, figure
from core.ledger.recomputed import capacity as c
from core.ledger.recomputed import gradients as g
from core.ledger.recomputed import layers as tp
from core.ledger.recomputed import messages as m
from core.units import GB, US

_OK, _IF, _BAD = Verdict.CONSISTENT, Verdict.CONDITIONAL, Verdict.WRONG
_70B, _405B = "llama-3.1-70b", "llama-3.1-405b"

# fmt: off
OVERHEAD = (
    claim(
        65, "000:114", Topic.TP, "Decoding 32 sequences in FP8, a 70B layer computes for about 12 us on H100.", _BAD,
        "Its own expression gives 28.3 us on one GPU and 3.5 on eight; reading the weights takes 32.65 us on eight, and that decides.",
        figure("compute of a layer", 12, "us", ours=(tp.decode_compute_s, 8), theirs=(tp.decode_compute_s, 1, "flops")),
        figure("arithmetic alone, eight GPUs", None, "us", ours=(tp.decode_compute_s, 8, "flops")),
        evidence="ml-accelerator",
    ),
    claim(
        66, "000:114", Topic.TP, "A layer of a 70B model has 875M parameters.", _OK,
        "855.7M without embedding and output projection: within 3 %.",
        figure("parameters of a layer", 875, "M parameters", ours=(tp.layer_params, _70B), theirs=(g.part, 70e9, 80.0), tolerance=0.03),
        evidence="llama-sku-list",
    ),
    claim(
        67, "000:115", Topic.TP, "Over NVLink 4 its two all-reduces take about 4 us.", _IF,
        "The expression beside it gives 3.2; 4 needs the ring's factor it leaves out, and one direction makes it 6.1.",
        figure("two all-reduces", 4, "us", ours=(tp.decode_comm_s, 450 * GB, US), theirs=(tp.decode_comm_published_s, 450 * GB, US), tolerance=0.02),
        figure("expression as printed", None, "us", ours=(tp.without_ring_factor_s, 900 * GB, US)),
    ),
    claim(
        68, "000:117", Topic.TP, "Over PCIe Gen5 they take about 10 us.", _BAD,
        "The expression beside it gives 14.2; with the ring's factor and one direction it is 34.7.",
        figure("two all-reduces", 10, "us", ours=(tp.decode_comm_s, 64 * GB, 3 * US), theirs=(tp.without_ring_factor_s, 128 * GB, 3 * US)),
        figure("with the ring's factor, bidirectional", None, "us", ours=(tp.decode_comm_published_s, 64 * GB, 3 * US)),
    ),
    claim(
        69, "000:118", Topic.TP, "So communication is 25 % of a layer over NVLink and 45 % over PCIe (the formula is lost).", _IF,
        "Follows from 4, 10 and 12 us, of which two are wrong; with memory-bound compute and one direction it is 15.7 % and 51.5 %.",
        figure("share over NVLink 4", 25, "%", ours=(tp.decode_share, 450 * GB, US), theirs=(tp.share, 4.0, 12.0)),
        figure("share over PCIe Gen5", 45, "%", ours=(tp.decode_share, 64 * GB, 3 * US), theirs=(tp.share, 10.0, 12.0), tolerance=0.02),
        figure("by its own expressions, NVLink", None, "%", ours=(tp.share, 3.165, 12.0)),
        figure("by its own expressions, PCIe", None, "%", ours=(tp.share, 14.192, 12.0)),
    ),
    claim(
        70, "000:118", Topic.TP, "25 % leaves eight GPUs about 6 times as fast as one, 45 % about 4.4 times: 27 % less.", _OK,
        "Eight times the share that computes, given those shares.",
        figure("speed-up at 25 %", 6, "times", ours=(g.speedup, 8, 0.75, 0.25)),
        figure("speed-up at 45 %", 4.4, "times", ours=(g.speedup, 8, 0.55, 0.45)),
        figure("loss between them", 27, "%", ours=(tp.share, 1.6, 4.4), tolerance=0.02),
    ),
)

BIG = (
    claim(
        87, "000:285,291", Topic.TP, "Llama 3 405B has 80 layers.", _BAD, "126; the 70B has 80.",
        figure("layers", 80, "layers", ours=(tp.layer_count, _405B)), evidence="llama-sku-list",
    ),
    claim(
        88, "000:284", Topic.RACK, "Eight H100 hold 50 GB of its FP8 weights each.", _OK, "50.7 of 80 GB.",
        figure("weights on each GPU", 50, "GB", ours=(c.weights_per_gpu, _405B, "dgx-h100", 8), tolerance=0.02), evidence="llama-sku-list",
    ),
    claim(
        89, "000:290", Topic.RACK, "Four B200 hold 101 GB of them each.", _OK, "101.5 of 180 GB usable.",
        figure("weights on each GPU", 101, "GB", ours=(c.weights_per_gpu, _405B, "dgx-b200", 4)), evidence="llama-sku-list",
    ),
    claim(
        90, "000:291", Topic.COLLECTIVES, "Half the GPUs communicate half as much.", _BAD,
        "Each sends 14 % less (1.5 instead of 1.75 messages); all together 57 % less.",
        figure("sent by each GPU, of before", 50, "%", ours=(m.fewer_ranks, 4, 8), worded=True),
        figure("sent by all, of before", 50, "%", ours=(m.fewer_ranks, 4, 8, "all"), worded=True),
        evidence="nccl-tests-performance",
    ),
    claim(
        91, "000:286-287", Topic.TP, "On eight H100 at batch 32 all-reduces take about 25 % of a 405B layer.", _IF,
        "23 % by its recipe of 80 layers, arithmetic only and both directions; 126 layers that wait for memory make it 8 %.",
        figure("share of a layer", 25, "%", ours=(tp.big_model_share, "dgx-h100", 8), theirs=(tp.big_model_recipe_share, "dgx-h100", 8), tolerance=0.1),
    ),
    claim(
        92, "000:292-293", Topic.TP, "On four B200 they take about 8 %.", _BAD,
        "The same recipe gives 17 %; 126 layers that wait for memory, in one direction, 5 %.",
        figure("share of a layer", 8, "%", ours=(tp.big_model_share, "dgx-b200", 4), theirs=(tp.big_model_recipe_share, "dgx-b200", 4), tolerance=0.1),
    ),
    claim(
        93, "000:294", Topic.TP, "Four larger GPUs are faster in all and more efficient than eight smaller ones.", _IF,
        "True of decoding, which waits for memory: 32 TB/s against 26.8; arithmetic differs less.",
        figure("reading 405B in FP8, eight H100", None, "ms", ours=(c.dense_floor_s, 405.853e9, "fp8", "dgx-h100", 8)),
        figure("four B200", None, "ms", ours=(c.dense_floor_s, 405.853e9, "fp8", "dgx-b200", 4)),
        figure("dense FP8 peak of eight H100", None, "PFLOP/s", ours=(c.peak_flop_per_s, "dgx-h100", 8)),
        figure("of four B200", None, "PFLOP/s", ours=(c.peak_flop_per_s, "dgx-b200", 4)),
        evidence="ml-accelerator",
    ),
)
