"""The pages by section: the list of the navigation and of the page Home."""

from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Page:
    """
    A page of the navigation.

    Attributes:
        name: Its file's name, and its path in the address.
        title: What the navigation calls it.
        symbol: Its Material symbol.
        question: What it answers, in a sentence.
    """

    name: str
    title: str
    symbol: str
    question: str

    @property
    def file(self) -> Path:
        """Where the page lies."""
        return PAGES / f"{self.name}.py"

    @property
    def icon(self) -> str:
        """The symbol as Streamlit names it."""
        return f":material/{self.symbol}:"


HOME = Page("home", "Wirespeed", "bolt", "All pages, each with the question it answers.")
SECTIONS = {
    "Plan": (
        Page(
            "bandwidth_hierarchy",
            "Bandwidth hierarchy",
            "stairs",
            "Bandwidth of each level from HBM to the network, and the time to offload a KV cache.",
        ),
        Page(
            "collectives",
            "Collectives",
            "hub",
            "Time and bus bandwidth of an all-reduce or all-to-all of any size, and the fastest algorithm.",
        ),
        Page(
            "tensor_parallel",
            "Tensor parallelism",
            "view_column",
            "Communication per layer and step by TP degree: where does more TP stop paying off?",
        ),
        Page(
            "scenarios",
            "Scenarios",
            "balance",
            "Saved questions, and up to four of one calculator side by side: the terms in which they differ.",
        ),
        Page(
            "gradient_sync",
            "Gradient sync",
            "sync_alt",
            "Exposed communication of DDP, ZeRO and FSDP as a share of the training step.",
        ),
        Page(
            "training",
            "Training step",
            "model_training",
            "Step time, MFU, pipeline bubble and memory of a TP x PP x DP x CP x EP layout.",
        ),
        Page(
            "nvl72",
            "NVL72 capacity",
            "dns",
            "Do weights and KV cache fit the rack, what limits it, and how fast can it decode?",
        ),
        Page(
            "kv_transfer",
            "KV cache transfer",
            "move_up",
            "Move a KV cache over NVLink, PCIe or the network, offload it to host memory, or recompute it?",
        ),
    ),
    "Decide": (
        Page(
            "layouts",
            "Parallelism layouts",
            "alt_route",
            "Which TP, PP, DP, CP and EP degrees are fastest on this system, and is NVLink needed?",
        ),
        Page(
            "cost",
            "Cost of communication",
            "payments",
            "Exposed communication in dollars per month, and the break-even of a faster fabric.",
        ),
    ),
    "Measure": (
        Page(
            "measurements",
            "Measurements",
            "monitoring",
            "Upload nccl-tests logs, store them, and compare their bus bandwidth with the model.",
        ),
        Page(
            "check",
            "Check a result",
            "fact_check",
            "Is this busbw as expected? A verdict for every message size, and the likely cause.",
        ),
        Page(
            "job",
            "Job",
            "view_timeline",
            "Where does the time of a traced step go, which collective is exposed, and what would another fabric change?",
        ),
        Page(
            "my_cluster",
            "Fit your cluster",
            "tune",
            "Calibrate the cost model to your own nccl-tests sweep and use it in every calculator.",
        ),
        Page(
            "compare",
            "Compare runs",
            "compare_arrows",
            "Which of two runs is faster beyond noise, and does a system drift over time?",
        ),
        Page(
            "topology",
            "Topology",
            "device_hub",
            "Expected bandwidth of every GPU pair from `nvidia-smi topo -m`, and the system it describes.",
        ),
    ),
    "Look up": (
        Page(
            "catalog",
            "Catalog",
            "menu_book",
            "Links, GPUs, switches, systems and models: published figures, sources, and where they disagree.",
        ),
        Page(
            "ledger",
            "Published claims",
            "gavel",
            "162 published claims about interconnects, each recomputed, with a verdict.",
        ),
    ),
    "Manage": (
        Page(
            "access",
            "Access",
            "key",
            "Tokens for your programs, projects and their members, and the log of who did what.",
        ),
    ),
}
"""Sections of the navigation in order, each with its pages."""
