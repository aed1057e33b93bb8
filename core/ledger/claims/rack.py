"""Claims C032 to C041 of document 000: switch chips, the NVL72 rack and a model of 1.8T parameters."""

from core.ledger import Topic, Verdict, claim, figure
from core.ledger.recomputed import capacity as c
from core.ledger.recomputed import fabrics as f
from core.ledger.recomputed import layers as tp
from core.ledger.recomputed import links

_OK, _IF, _BAD, _CLASH = Verdict.CONSISTENT, Verdict.CONDITIONAL, Verdict.WRONG, Verdict.CONTRADICTORY
_T18 = c.RUMOUR

# fmt: off
RACK = (
    claim(
        32, "000:43", Topic.SWITCH, "A Blackwell switch chip has 64 NVLink ports.", _BAD,
        "72: a rack's 72 GPUs with 18 links each end on 18 chips.",
        figure("ports of a chip", 64, "ports", ours=(f.chip_ports, "gb200-nvl72")),
        figure("GPU links on each chip", None, "links", ours=(f.gpu_ports_per_chip, "gb200-nvl72")),
        evidence="nvlink-switch-page",
    ),
    claim(
        33, "000:45", Topic.SWITCH, "A DGX H100 has four chips of 64 ports, 32 for each direction.", _IF,
        "64 ports, each of them bidirectional; ports are not divided by direction, and GPUs use 36 of a chip.",
        figure("switch chips", 4, "chips", ours=(f.chips, "dgx-h100")),
        figure("ports of a chip", 64, "ports", ours=(f.chip_ports, "dgx-h100")),
        figure("ports that send", 32, "ports", ours=(f.chip_ports, "dgx-h100")),
        figure("GPU links on each chip", None, "links", ours=(f.gpu_ports_per_chip, "dgx-h100")),
        figure("rate of a chip, bidirectional", None, "GB/s", ours=(links.rate, "nvswitch3", 2)),
        evidence="nvidia-nvswitch3-blog",
    ),
    claim(
        34, "000:46-47", Topic.SWITCH, "Eight GPUs have full bisection (the figure is lost): any part of them reaches any other at 900 GB/s.", _CLASH,
        "3.6 TB/s bidirectional by NVIDIA's count, which another document prints; this author elsewhere calls the aggregate of 7.2 bisection.",
        figure("one GPU, bidirectional", 900, "GB/s", ours=(links.gpu_rate, "h100-sxm")),
        figure("bisection, bidirectional", None, "TB/s", ours=(f.bisection, "dgx-h100")),
        figure("bisection, unidirectional", None, "TB/s", ours=(f.bisection, "dgx-h100", 1)),
        figure("aggregate, bidirectional", None, "TB/s", ours=(f.aggregate, "dgx-h100")),
        evidence="briefing-001 faraday-nvswitch", in_words=True,
    ),
    claim(
        35, "000:49", Topic.RACK, "36 superchips of two GPUs, joined by nine switch trays.", _OK,
        "72 GPUs with 18 links fill the 1,296 ports of nine trays exactly.",
        figure("GPUs", 72, "GPUs", ours=(f.domain, "gb200-nvl72")),
        figure("switch trays", 9, "trays", ours=(f.trays, "gb200-nvl72")),
        figure("ports that face GPUs", None, "ports", ours=(f.gpu_ports, "gb200-nvl72")),
        evidence="nvlink-switch-page",
    ),
    claim(
        36, "000:50", Topic.RACK, "The rack's bisection is about 130 TB/s.", _BAD,
        "130 is the aggregate of all GPUs; by the count that gives a DGX H100 3.6 the bisection is 64.8.",
        figure("bisection, bidirectional", 130, "TB/s", ours=(f.bisection, "gb200-nvl72"), theirs=(f.aggregate, "gb200-nvl72")),
        figure("bisection, unidirectional", None, "TB/s", ours=(f.bisection, "gb200-nvl72", 1)),
        evidence="nvlink-switch-page briefing-002",
    ),
    claim(
        37, "000:51-52", Topic.RACK, "What a rack offers a model of 1.8T parameters (the figure is lost).", _IF,
        "13.8 TB with 192 GB a GPU, which is the physical memory; NVIDIA states 13.4 TB for the rack.",
        figure("memory, 192 GB a GPU", None, "TB", theirs=(c.memory, "gb200-nvl72", 192.0), ours=(c.memory, "gb200-nvl72")),
        evidence="aiwiki-gb200 mlcommons-gb200",
    ),
    claim(
        38, "000:52", Topic.RACK, "1.8T parameters in FP4 are 900 GB: five GPUs hold them, and 72 hold 12.5 GB each.", _IF,
        "Only without block scales, cache and reserve: NVFP4 takes 4.5 bits a value, hence 1,012.5 GB and six GPUs.",
        figure("weights", 900, "GB", ours=(c.weights, _T18, "nvfp4"), theirs=(c.weights, _T18, "fp4")),
        figure("GPUs that hold them", 5, "GPUs", ours=(c.fewest_gpus, _T18, "nvfp4", 186.0), theirs=(c.fewest_gpus, _T18, "fp4", 192.0)),
        figure("on each of 72", 12.5, "GB", ours=(c.per_gpu, _T18, "nvfp4", 72), theirs=(c.per_gpu, _T18, "fp4", 72)),
        figure("weights in MXFP4", None, "GB", ours=(c.weights, _T18, "mxfp4")),
        evidence="nvfp4-blog mxfp-spec gpt4-leak",
    ),
    claim(
        39, "000:52", Topic.RACK, "Tensor parallelism over 72 GPUs gives the model an aggregate bandwidth (the figure is lost).", _IF,
        "Of memory it is 576 TB/s, which reads 900 GB in 1.56 ms; a mixture of experts reads far less for one token.",
        figure("memory rate of all GPUs", None, "TB/s", ours=(f.memory_aggregate, "gb200-nvl72")),
        figure("NVLink of all GPUs, bidirectional", None, "TB/s", ours=(f.aggregate, "gb200-nvl72")),
        figure("reading every weight once", None, "ms", ours=(c.dense_floor_s, _T18, "fp4", "gb200-nvl72")),
        figure("tokens of one sequence at that", None, "tokens/s", ours=(c.tokens_per_s, _T18, "fp4", "gb200-nvl72")),
        figure("reading 280B active parameters", None, "ms", ours=(c.active_floor_s,)),
        evidence="gpt4-leak",
    ),
    claim(
        40, "000:53", Topic.HIERARCHY, "InfiniBand of 50 GB/s is 18 times slower than NVLink.", _IF,
        "For NVLink 5 against NDR it is; the sentence is about H100, whose NVLink sends 450 GB/s per direction: nine times.",
        figure("NVLink 4 over NDR", 18, "times", ours=(links.ratio, "nvlink4", "ib-ndr"), theirs=(links.ratio, "nvlink4", "ib-ndr", 2, 1)),
        figure("NVLink 5 over NDR, each unidirectional", None, "times", ours=(links.ratio, "nvlink5", "ib-ndr")),
        evidence="briefing-001 briefing-002",
    ),
    claim(
        41, "000:53", Topic.STRATEGY, "A rack makes 72-way tensor parallelism possible.", _BAD,
        "No usual number of heads divides by 72; 64 is the widest for 64 or 128 heads, 48 for 96.",
        figure("widest degree of 64 heads", 72, "GPUs", ours=(tp.widest, 64, 72)),
        figure("of 96 heads", None, "GPUs", ours=(tp.widest, 96, 72)),
        figure("of 128 heads", None, "GPUs", ours=(tp.widest, 128, 72)),
        evidence="llama-sku-list deepseek-v3-config",
    ),
)
