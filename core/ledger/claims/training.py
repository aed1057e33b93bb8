"""Claims C095 to C116 of document 001: gradients, PCIe, NVLink and the switch."""

from core.ledger import Topic, Verdict, claim, figure
from core.ledger.recomputed import capacity as c
from core.ledger.recomputed import fabrics as f
from core.ledger.recomputed import gradients as g
from core.ledger.recomputed import layers as tp
from core.ledger.recomputed import links
from core.units import GB, US

_OK, _IF, _BAD, _CLASH = Verdict.CONSISTENT, Verdict.CONDITIONAL, Verdict.WRONG, Verdict.CONTRADICTORY
_70B, _ALL = "llama-3.1-70b", 280 * GB
_NVLINKS = ((2, 300, 6, 2017), (3, 600, 12, 2020), (4, 900, 18, 2022), (5, 1800, 18, 2024))

# fmt: off
GRADIENTS = (
    claim(
        95, "001:39", Topic.STRATEGY, "Training averages gradients (all-reduce), hands on activations (pipeline) and gathers slices of tensors (TP).", _CLASH,
        "Tensor parallelism reduces partial sums, or scatters and gathers them in its sequence-parallel form; another document says all-reduce twice a layer.",
        evidence="megatron-2019 briefing-000", in_words=True,
    ),
    claim(
        96, "001:43", Topic.GRADIENTS, "An all-reduce of gradients moves twice the model, 280 GB for 70B on eight GPUs.", _IF,
        "Twice is the limit of many GPUs with two-byte gradients: eight send 245 GB each, and elsewhere the same 280 GB are four-byte gradients.",
        figure("sent by each GPU", 280, "GB", ours=(g.sent, 2.0), theirs=(g.gradient_bytes, 4.0)),
        figure("four-byte gradients, eight GPUs", None, "GB", ours=(g.sent, 4.0)),
        evidence="nccl-tests-performance",
    ),
    claim(
        97, "001:43", Topic.GRADIENTS, "Over NVLink at 3,350 GB/s that takes about 0.08 s.", _BAD,
        "3,350 GB/s is the memory of an H100; its NVLink sends 450 per direction, so a ring takes 0.54 s.",
        figure("NVLink 4, unidirectional", 3350, "GB/s", ours=(links.rate, "nvlink4"), theirs=(links.memory_rate, "h100-sxm")),
        figure("all-reduce of the gradients", 0.08, "s", ours=(g.sync_s, "nvlink4"), theirs=(g.over, _ALL, 3350 * GB), tolerance=0.05),
        evidence="ml-accelerator",
    ),
    claim(
        98, "001:43", Topic.GRADIENTS, "Over PCIe at 50 GB/s it takes about 5.6 s, 70 times as long.", _BAD,
        "50 GB/s is an NDR port, and the same text says 2.2 s further on; link against link the gap is 7.",
        figure("PCIe Gen5 x16, unidirectional", 50, "GB/s", ours=(links.rate, "pcie5-x16"), theirs=(links.rate, "ib-ndr")),
        figure("all-reduce of the gradients", 5.6, "s", ours=(g.sync_s, "pcie5-x16"), theirs=(g.over, _ALL, 50 * GB)),
        figure("NVLink over PCIe", 70, "times", ours=(links.ratio, "nvlink4", "pcie5-x16"), theirs=(links.apart, 3350, 50)),
    ),
    claim(
        99, "001:43", Topic.STRATEGY, "A pipeline stage hands on about batch times hidden size.", _IF,
        "Times sequence length and bytes of a value, for each micro-batch and direction: 67 MB for one sequence of 4,096 tokens of a 70B model.",
        figure("one sequence of 4,096 tokens, 70B", None, "MB", ours=(tp.message_bytes, _70B, 4096)), in_words=True,
    ),
    claim(
        100, "001:44", Topic.SCALING, "Eight GPUs on slow PCIe can be slower than four on NVLink.", _IF,
        "Not at its own 45 % against 87 % (3.6 against 3.5 GPUs), but at the lower end of its range (3.0).",
        figure("eight at 45 %", None, "GPUs", ours=(g.worth, 8, 0.45)),
        figure("eight at 37.5 %", None, "GPUs", ours=(g.worth, 8, 0.375)),
        figure("four at 87 %", None, "GPUs", ours=(g.worth, 4, 0.87)),
    ),
)

WIRES = (
    claim(
        101, "001:51-59", Topic.PCIE, "PCIe x16 unidirectional: Gen3 16, Gen4 32, Gen5 64, Gen6 128 GB/s; bidirectional twice that.", _OK,
        "The clearest convention of all five documents, nominal.",
        *(figure(f"Gen{generation} x16, unidirectional", 2.0 * 2**generation, "GB/s", ours=(links.rate, f"pcie{generation}-x16")) for generation in (3, 4, 5, 6)),
        *(figure(f"Gen{generation} x16, bidirectional", 4.0 * 2**generation, "GB/s", ours=(links.rate, f"pcie{generation}-x16", 2)) for generation in (4, 5, 6)),
        evidence="nvlink-table",
    ),
    claim(
        102, "001:57", Topic.GRADIENTS, "The FP32 gradients of 70B, 280 GB, cross PCIe at 128 GB/s in more than 2 s.", _IF,
        "2.2 s counts both directions; a transfer goes unidirectional and takes 4.4 s.",
        figure("gradients", 280, "GB", ours=(g.gradient_bytes, 4.0)),
        figure("time of the transfer", 2, "s", ours=(links.copy_s, _ALL, "pcie5-x16"), theirs=(links.copy_s, _ALL, "pcie5-x16", 2), tolerance=0.1),
    ),
    claim(
        103, "001:59", Topic.HIERARCHY, "NVLink 5 sends 900 GB/s per direction, PCIe Gen5 64: 14 times.", _OK, "Like for like.",
        figure("NVLink 5 over PCIe Gen5", 14, "times", ours=(links.ratio, "nvlink5", "pcie5-x16")),
        figure("NVLink 5, unidirectional", 900, "GB/s", ours=(links.rate, "nvlink5")),
        figure("PCIe Gen5 x16, unidirectional", 64, "GB/s", ours=(links.rate, "pcie5-x16")),
    ),
    claim(
        104, "001:69", Topic.NVLINK, "NVLink 2 gives a V100 300 GB/s and joins up to 6 GPUs.", _BAD,
        "Six is its links: a DGX-1 joins 8 GPUs with them, a DGX-2 16.",
        figure("GPUs joined", 6, "GPUs", ours=(f.domain, "dgx-2"), theirs=(links.gpu_links, "v100-sxm")),
        figure("rate of a V100, bidirectional", 300, "GB/s", ours=(links.gpu_rate, "v100-sxm")),
        figure("GPUs of a DGX-1", None, "GPUs", ours=(f.domain, "dgx-1-v100")),
        evidence="alibaba-ack anandtech-nvswitch",
    ),
    claim(
        105, "001:71-79", Topic.NVLINK, "NVLink 2 to 5: 300, 600, 900, 1,800 GB/s from 6, 12, 18, 18 links in 2017, 2020, 2022, 2024.", _OK,
        "Agrees with the other documents and the datasheets.",
        *(figure(f"NVLink {generation}, bidirectional", rate, "GB/s", ours=(links.rate, f"nvlink{generation}", 2)) for generation, rate, _, _ in _NVLINKS),
        *(figure(f"NVLink {generation}, links", count, "links", ours=(links.links, f"nvlink{generation}")) for generation, _, count, _ in _NVLINKS),
        *(figure(f"NVLink {generation}", year, "year", ours=(links.year, f"nvlink{generation}"), tolerance=0.0) for generation, _, _, year in _NVLINKS),
        evidence="ml-network",
    ),
    claim(
        106, "001:79", Topic.GRADIENTS, "280 GB of gradients sync in 2.2 s on PCIe Gen5, 0.31 s on NVLink 4, 0.16 s on NVLink 5.", _IF,
        "Counts both directions and sends the bytes once; a ring unidirectional takes 1.75 times as long with two-byte gradients, 3.5 times with four.",
        figure("NVLink 4", 0.31, "s", ours=(g.sync_s, "nvlink4"), theirs=(g.once_s, "nvlink4", _ALL)),
        figure("PCIe Gen5", 2.2, "s", ours=(g.sync_s, "pcie5-x16"), theirs=(g.once_s, "pcie5-x16", _ALL)),
        figure("NVLink 5", 0.16, "s", ours=(g.sync_s, "nvlink5"), theirs=(g.once_s, "nvlink5", _ALL), tolerance=0.03),
        *(figure(f"four-byte gradients, {name}", None, "s", ours=(g.sync_s, wire, 4.0))
          for name, wire in (("PCIe Gen5", "pcie5-x16"), ("NVLink 4", "nvlink4"), ("NVLink 5", "nvlink5"))),
    ),
    claim(
        107, "001:79", Topic.TP, "Tensor parallelism spends 40-60 % of a step on PCIe Gen5, 5-10 % on NVLink 4, 3-5 % on NVLink 5.", _IF,
        "No workload is named: decoding a 70B model at batch 32 it is 52 % and 16 %; the other long document prints 45 % and 25 %.",
        figure("PCIe Gen5, 70B decode, batch 32", (40, 60), "%", ours=(tp.decode_share, 64 * GB, 3 * US)),
        figure("NVLink 4, 70B decode, batch 32", (5, 10), "%", ours=(tp.decode_share, 450 * GB, US)),
        figure("NVLink 5 on the same GPU", (3, 5), "%", ours=(tp.decode_share, 900 * GB, US)),
        evidence="briefing-000",
    ),
)

SWITCHED = (
    claim(
        108, "001:85", Topic.SWITCH, "Joining eight GPUs directly takes 28 links.", _OK, "28 pairs, with as many links each as the pair shall have.",
        figure("pairs of eight GPUs", 28, "links", ours=(f.mesh_pairs, 8)),
    ),
    claim(
        109, "001:89", Topic.SWITCH, "Four chips give a DGX H100 900 GB/s to every GPU and a bisection of 3.6 TB/s.", _OK,
        "NVIDIA's own figure, bidirectional; the 900 are shared among all peers at once.",
        figure("bisection, bidirectional", 3.6, "TB/s", ours=(f.bisection, "dgx-h100")),
        figure("one GPU, bidirectional", 900, "GB/s", ours=(links.gpu_rate, "h100-sxm")),
        figure("switch chips", 4, "chips", ours=(f.chips, "dgx-h100")),
        evidence="nvidia-nvswitch3-blog ml-network",
    ),
    claim(
        110, "001:93", Topic.RACK, "The bisection of an NVL72 is 130 TB/s.", _BAD,
        "That is the aggregate; by the count that gives a DGX H100 3.6 in the same text it is 64.8.",
        figure("bisection, bidirectional", 130, "TB/s", ours=(f.bisection, "gb200-nvl72"), theirs=(f.aggregate, "gb200-nvl72")),
        evidence="nvlink-switch-page",
    ),
    claim(
        111, "001:91", Topic.RACK, "72 GPUs of 192 GB make 13.8 TB.", _OK, "The product; NVIDIA states 13.4 TB, from 186 GB a GPU.",
        figure("memory of the rack", 13.8, "TB", ours=(c.memory, "gb200-nvl72"), theirs=(c.memory, "gb200-nvl72", 192.0), tolerance=0.035),
        evidence="aiwiki-gb200 mlcommons-gb200",
    ),
    claim(
        112, "001:91,94", Topic.RACK, "In a rack every GPU reads every other's memory as if local, so no model needs partitioning.", _BAD,
        "Reachable, yes, but 8.9 times slower than its own: models are still partitioned.",
        figure("own memory over a peer's", 1, "times", ours=(links.memory_over_link, "gb200"), worded=True),
    ),
    claim(
        113, "001:93", Topic.SWITCH, "The Blackwell switch is the fifth generation of NVSwitch.", _CLASH,
        "The chip is the fourth NVSwitch, as the other long document says; fifth is NVLink.",
        figure("generation of NVSwitch in 2024", 5, "generation", ours=(links.switch_generation, 2024)),
        evidence="dgx-b200-guide briefing-000",
    ),
    claim(
        114, "001:93", Topic.SWITCH, "Up to 576 GPUs share an NVLink domain of 1 PB/s.", _OK, "576 times 1.8 TB/s, an aggregate; a limit on paper that was never sold.",
        figure("aggregate, bidirectional", 1, "PB/s", ours=(f.aggregate, "nvlink5-576"), tolerance=0.04),
        figure("GPUs", 576, "GPUs", ours=(f.domain, "nvlink5-576")),
        evidence="bcm-nvlinkinfo",
    ),
    claim(
        115, "001:93", Topic.RACK, "576 GPUs of 192 GB make 110 TB, enough for 55T parameters in FP16.", _OK, "Weights alone, no cache.",
        figure("memory", 110, "TB", ours=(c.memory, "nvlink5-576", 192.0)),
        figure("parameters", 55, "T parameters", ours=(c.largest_params, "nvlink5-576", "fp16", 192.0)),
    ),
    claim(
        116, "001:103-112", Topic.NETWORK, "InfiniBand takes 1-1.6 us, RoCEv2 5-6 us.", _IF,
        "Small messages end to end, as vendors quote them; the other long document has wider ranges, and Ethernet switches cut through as well.",
        figure("InfiniBand", (1, 1.6), "us", ours=(links.latency, "ib-ndr")),
        figure("RoCEv2", (5, 6), "us", ours=(links.latency, "roce-400")),
        evidence="briefing-000 pingdo-hops",
    ),
)
