"""Claims C134 to C142 of document 002: size of the scale-up domain and what it limits."""

from core.ledger import Topic, Verdict, claim, figure
from core.ledger.recomputed import capacity as c
from core.ledger.recomputed import fabrics as f
from core.ledger.recomputed import gradients as g
from core.ledger.recomputed import links

_OK, _IF = Verdict.CONSISTENT, Verdict.CONDITIONAL
_MOE = "deepseek-v3-r1"

# fmt: off
DOMAINS = (
    claim(
        134, "002:6", Topic.RACK, "72 GPUs of an NVL72 have about 130 TB/s in aggregate.", _OK, "129.6; the only document with the right word for it.",
        figure("aggregate, bidirectional", 130, "TB/s", ours=(f.aggregate, "gb200-nvl72")), evidence="nvlink-switch-page",
    ),
    claim(
        135, "002:7", Topic.HIERARCHY, "Scale-out is about 8 times slower than scale-up for each link.", _IF,
        "9 for matched generations (H100 with NDR, B200 with XDR), 18 for B200 with NDR.",
        figure("NVLink 4 over NDR", 8, "times", ours=(links.ratio, "nvlink4", "ib-ndr"), tolerance=0.13),
        figure("NVLink 5 over NDR", None, "times", ours=(links.ratio, "nvlink5", "ib-ndr")),
        figure("NVLink 5 over XDR", None, "times", ours=(links.ratio, "nvlink5", "ib-xdr")),
        evidence="briefing-000 briefing-001",
    ),
    claim(
        136, "002:13-14", Topic.SWITCH, "Domains: 8 GPUs with Hopper, 72 with Blackwell.", _IF, "What is commonly sold; a Hopper switch system of 256 existed.",
        figure("Hopper", 8, "GPUs", ours=(f.domain, "dgx-h100")),
        figure("Blackwell", 72, "GPUs", ours=(f.domain, "gb200-nvl72")),
        figure("Hopper switch system", None, "GPUs", ours=(f.domain, "dgx-gh200-256")),
        evidence="nvidia-gh200-blog",
    ),
    claim(
        137, "002:15", Topic.SWITCH, "Rubin is rumoured to join more than 500 GPUs.", _IF,
        "That needs Rubin Ultra and a count of dies, 144 packages of four; Rubin itself joins 72 packages.",
        figure("GPUs of a Rubin domain", (500, float("inf")), "GPUs", ours=(f.domain, "vera-rubin-nvl72"), theirs=(f.dies, 144, 4)),
        evidence="wheelersnetwork futuretechstocks-rubin techandspace-rubin",
    ),
    claim(
        138, "002:8", Topic.SWITCH, "The scale-up fabric is a full mesh.", _IF, "Any GPU reaches any other at full rate, but through a switch, not by a link to each.",
        evidence="nvlink-switch-page", in_words=True,
    ),
    claim(
        139, "002:18", Topic.STRATEGY, "The size of the domain bounds how large one mixture-of-experts layer can be.", _IF,
        "A soft bound: experts do run across nodes over RDMA, and a layer of DeepSeek-V3 holds 11.3 GB of them in FP8.",
        figure("routed experts of a layer, DeepSeek-V3, FP8", None, "GB", ours=(c.expert_layer_bytes, _MOE)),
        evidence="deepseek-v3-config", in_words=True,
    ),
    claim(
        140, "002:19", Topic.RACK, "Eight Hopper GPUs hold 640 GB, not enough for a mixture of experts of 5T parameters.", _OK,
        "5 TB in FP8; even FP4 fills four such nodes.",
        figure("memory of a node", 640, "GB", ours=(c.memory, "dgx-h100")),
        figure("5T parameters in FP8", None, "GB", ours=(c.weights, 5e12, "fp8")),
        figure("nodes filled in FP4", None, "nodes", ours=(c.domains_for, 5e12, "fp4", "dgx-h100")),
    ),
    claim(
        141, "002:19", Topic.RACK, "72 GPUs of 192 GB hold about 13 TB, which makes it feasible.", _OK, "13.4 TB by NVIDIA's count, 13.8 physical; FP8 weights take 36 %.",
        figure("memory of the rack", 13, "TB", ours=(c.memory, "gb200-nvl72"), theirs=(c.memory, "gb200-nvl72", 192.0), tolerance=0.07),
        figure("share of it that 5T in FP8 take", None, "%", ours=(c.share_of_memory, 5e12, "fp8", "gb200-nvl72", 192.0)),
        evidence="aiwiki-gb200",
    ),
    claim(
        142, "002:21", Topic.STRATEGY, "Putting layers on different racks costs nothing, as the residual stream is small beside the exchange of a layer.", _IF,
        "Hardly any bandwidth (12 times less than one layer's exchange for DeepSeek-V3); latency, bubbles and memory remain.",
        figure("exchange of a layer over the boundary", None, "times", ours=(c.boundary_bytes, _MOE, "ratio")),
        figure("boundary, one token", None, "B", ours=(c.boundary_bytes, _MOE, "boundary")),
        figure("exchange of a layer, one token", None, "B", ours=(c.boundary_bytes, _MOE, "exchange")),
        figure("bubble of 8 stages and 32 micro-batches", None, "%", ours=(g.pipeline_bubble, 8, 32)),
        evidence="deepseek-v3-config", in_words=True,
    ),
)
