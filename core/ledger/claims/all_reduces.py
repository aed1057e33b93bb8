"""Claims C055 to C064 and C076 to C082 of document 000: the ring, its table, the curve of NCCL."""

from core.ledger import Claim, Topic, Verdict, claim, figure
from core.ledger.recomputed import layers as tp
from core.ledger.recomputed import messages as m
from core.units import GB, GIB, KIB, MIB

_OK, _IF, _BAD = Verdict.CONSISTENT, Verdict.CONDITIONAL, Verdict.WRONG
_70B, _TOKEN = "llama-3.1-70b", 16384.0


def _row(number: int, line: int, wire: str, system: str, both_ways: int, *printed: float) -> Claim:
    """A row of the table: one all-reduce, a layer's two, and those of 80 layers."""
    names = zip(("one all-reduce", "a layer", "80 layers"), (1, 2, 160), printed, strict=True)
    return claim(
        number, f"000:{line}", Topic.COLLECTIVES,
        f"One token of a 70B model over eight GPUs on {wire} at {both_ways:,} GB/s: {', '.join(f'{time_us:g}' for time_us in printed)} us "
        "for an all-reduce, a layer and 80 layers.",
        _IF,
        "Comes out only with both directions and no latency; one direction takes twice as long, and 14 steps of latency far longer.",
        *(figure(name, value, "us", ours=(m.all_reduce_s, system, _TOKEN, "unidirectional", count),
                 theirs=(m.all_reduce_s, system, _TOKEN, "published", count), tolerance=0.02) for name, count, value in names),
        figure("one all-reduce with its latency", None, "us", ours=(m.all_reduce_s, system, _TOKEN, "spec")),
        evidence="nccl-tests-performance",
    )  # fmt: skip


def _curve(
    number: int,
    line: int,
    size: str,
    size_bytes: float,
    printed: tuple[float, float],
    verdict: Verdict,
    why: str,
    tolerance: float,
) -> Claim:
    """A point of the curve: what it implies, and what calibrated rates and others' measurements give."""
    low, high = printed
    shown = f"{low:g}" if low == high else f"{low:g}-{high:g}"
    fused = (m.calibrated_busbw, "dgx-h100", size_bytes, "trtllm-auto") if verdict is _IF else None
    measured = (
        [figure("measured on eight H200", None, "GB/s", ours=(m.measured_busbw, "dgx-h200", size_bytes))]
        if size_bytes > KIB
        else []
    )
    return claim(
        number, f"000:{line}", Topic.COLLECTIVES, f"Eight H100 all-reduce {size} at about {shown} GB/s of bus bandwidth.", verdict, why,
        figure(f"bus bandwidth at {size}", printed, "GB/s", ours=(m.calibrated_busbw, "dgx-h100", size_bytes), theirs=fused, tolerance=tolerance),
        figure("time that the print implies", None, "us", ours=(m.implied_s, size_bytes, (low + high) / 2 * GB)),
        figure("time as calibrated", None, "us", ours=(m.calibrated_s, "dgx-h100", size_bytes)),
        *measured,
        evidence="ml-network nccl-tuning",
    )  # fmt: skip


# fmt: off
RING = (
    claim(
        55, "000:97-99", Topic.COLLECTIVES, "A ring's all-reduce time (the formula is lost) has a factor of two for its two halves.", _OK,
        "2(n-1)/n times message over bandwidth, which its table confirms; it leaves out latency and the direction of the bandwidth.",
        figure("reduce-scatters that it is worth", 2, "rounds", ours=(m.rounds,)),
        figure("passes of the message, eight GPUs", None, "passes", ours=(m.factor, "all_reduce")),
        evidence="nccl-tests-performance",
    ),
    claim(
        56, "000:97", Topic.TP, "A layer all-reduces twice: after the column-parallel and after the row-parallel product.", _BAD,
        "Two is right, the place is not: both follow a row-parallel product, of attention and of the MLP; a column-parallel one needs none.",
        figure("all-reduces of a layer", 2, "messages", ours=(tp.messages_per_layer, _70B), worded=True),
        evidence="megatron-2019", in_words=True,
    ),
    claim(
        57, "000:100", Topic.TP, "The message of one token of a 70B model in FP16 (the figure is lost).", _OK, "8,192 values of two bytes: 16 KiB.",
        figure("message of one token", None, "B", ours=(tp.message_bytes, _70B, 1)),
        evidence="llama-sku-list",
    ),
    _row(58, 105, "PCIe Gen4", "l40s-x8", 64, 0.45, 0.89, 71.2),
    _row(59, 106, "PCIe Gen5", "rtx-pro-6000-x8", 128, 0.22, 0.45, 35.6),
    _row(60, 107, "NVLink 3", "dgx-a100", 600, 0.048, 0.095, 7.6),
    _row(61, 108, "NVLink 4", "dgx-h100", 900, 0.032, 0.063, 5.1),
    _row(62, 109, "NVLink 5", "dgx-b200", 1800, 0.016, 0.032, 2.5),
    claim(
        63, "000:110", Topic.COLLECTIVES, "At batch 1 an all-reduce really costs 1 to 2 us, whatever the generation.", _IF,
        "For one fused kernel in which every GPU reads all others in one step; NCCL's ring of eight takes about 15 us.",
        figure("16 KiB over eight H100", (1, 2), "us", ours=(m.nccl_table_s, _TOKEN), theirs=(m.one_shot_s, _TOKEN, 450 * GB)),
        figure("by NCCL, calibrated", None, "us", ours=(m.calibrated_s, "dgx-h100", _TOKEN)),
        figure("by TensorRT-LLM's kernel, calibrated", None, "us", ours=(m.calibrated_s, "dgx-h100", _TOKEN, "trtllm-auto")),
        evidence="nccl-tuning",
    ),
    claim(
        64, "000:110", Topic.COLLECTIVES, "At batch 256 the message is 4 MB, where bandwidth dominates.", _IF,
        "4 MiB is where latency and transfer of a ring are about equal, not where one dominates: measured, it runs at a quarter of the link.",
        figure("message of 256 tokens", 4, "MB", ours=(tp.message_bytes, _70B, 256), tolerance=0.05),
        figure("transfer of a ring, unidirectional", None, "us", ours=(m.all_reduce_s, "dgx-h100", 256 * _TOKEN, "unidirectional")),
        figure("latency of 14 steps of 1 us", None, "us", ours=(m.ring_latency_s,)),
        figure("message at which they are equal", None, "MB", ours=(m.ring_half_size, 450 * GB)),
        evidence="ml-network",
    ),
)

CURVE = (
    claim(
        76, "000:247,255", Topic.COLLECTIVES, "Bus bandwidth of an all-reduce is its algorithm bandwidth times 2(n-1)/n (for eight GPUs the number is lost).", _OK,
        "1.75 for eight GPUs, as the tool's own document defines it.",
        figure("factor for eight GPUs", None, "times", ours=(m.factor, "all_reduce")),
        evidence="nccl-tests-performance",
    ),
    claim(
        77, "000:248", Topic.COLLECTIVES, "Bus bandwidth of large messages approaches the NVLink bandwidth of a GPU.", _IF,
        "The unidirectional rate of 450, not the printed 900 GB/s; rings reach 82 % of it, reduction in the switch 107 %.",
        figure("ring on eight H200, of unidirectional", None, "%", ours=(m.measured_share, "nvlink4", 450 * GB)),
        figure("in the switch, of unidirectional", None, "%", ours=(m.measured_share_in_switch, "nvlink4", 450 * GB)),
        evidence="ml-network", in_words=True,
    ),
    _curve(78, 250, "1 KB", KIB, (0.5, 0.5), _IF,
           "Means 3.6 us, which a fused kernel of an inference engine reaches; NCCL's ring takes four times as long.", 0.15),
    _curve(79, 251, "64 KB", 64 * KIB, (50, 50), _BAD,
           "Means 2.3 us, less than the 3.6 us of its 1 KB row: a larger message cannot take less time.", 0.01),
    _curve(80, 252, "1 MB", MIB, (350, 350), _BAD,
           "Means 5.2 us; measurements take five to ten times as long.", 0.01),
    _curve(81, 253, "64 MB", 64 * MIB, (420, 440), _OK,
           "A bit high, within a fifth of calibrated and measured values; the shape is right.", 0.2),
    _curve(82, 254, "1 GB", GIB, (430, 450), _OK,
           "Between a ring (about 365) and reduction in the switch (464 measured).", 0.05),
)
