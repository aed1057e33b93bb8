"""The pages by section: the navigation's list and the doors of Home."""

from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Stop:
    """One page: its file's name, title, icon and the question that it answers."""

    name: str
    title: str
    symbol: str
    question: str

    @property
    def file(self):
        """Where the page lies."""
        return PAGES / f"{self.name}.py"

    @property
    def icon(self):
        """As Streamlit names it."""
        return f":material/{self.symbol}:"


HOME = Stop("home", "Wirespeed", "bolt", "Start here: which page answers which question?")
TOUR = {
    "Plan": (
        Stop(
            "bandwidth_hierarchy",
            "Bandwidth hierarchy",
            "stairs",
            "How much slower is each level, from on-chip memory to the network? What does offloading a KV cache cost?",
        ),
        Stop(
            "collectives",
            "Collectives",
            "hub",
            "How long does an all-reduce of this size take on this machine, and which algorithm should win?",
        ),
        Stop(
            "tensor_parallel",
            "TP overhead",
            "view_column",
            "At which degree does splitting a layer over GPUs stop paying?",
        ),
        Stop(
            "scenarios",
            "Scenarios",
            "balance",
            "Eight H100 or four B200? Two serving scenarios side by side, their difference term by term.",
        ),
        Stop(
            "gradient_sync",
            "Gradient sync",
            "sync_alt",
            "How much of a training step waits for gradients, and what does the waiting cost a month?",
        ),
        Stop(
            "training",
            "Training",
            "model_training",
            "How long is the step of a 3-D layout, where does its time go, and does it fit the memory?",
        ),
        Stop(
            "nvl72",
            "NVL72 capacity",
            "dns",
            "Does the model fit the rack with its KV cache, what limits it, how fast can it decode?",
        ),
        Stop(
            "kv_transfer",
            "KV transfer",
            "move_up",
            "Move a KV cache over NVLink, PCIe or the network, park it in host memory, or compute it again?",
        ),
    ),
    "Decide": (
        Stop(
            "layouts",
            "Strategy",
            "alt_route",
            "Which parallelism on which wire, which layout wins, and what flips it? Do I need NVLink?",
        ),
        Stop(
            "cost",
            "Money",
            "payments",
            "What does exposed communication cost a month, what is 1 % worth, and when has a faster fabric paid?",
        ),
    ),
    "Measure": (
        Stop(
            "measurements",
            "Measurements",
            "monitoring",
            "What is in my log, and how does it lie over the model? Upload, keep, compare.",
        ),
        Stop(
            "check", "Check", "fact_check", "Is my number OK? A verdict for every size and the likely reason."
        ),
        Stop(
            "my_cluster",
            "My cluster",
            "tune",
            "How do I use my own sweep in every calculator? Fit the model to it.",
        ),
        Stop(
            "compare",
            "Compare",
            "compare_arrows",
            "Which of two runs is faster, and does one machine drift over time?",
        ),
        Stop("topology", "Topology", "device_hub", "What does topo -m promise, and which machine is that?"),
    ),
    "Look up": (
        Stop(
            "catalog",
            "Catalog",
            "menu_book",
            "What do links, GPUs, switches and models really carry, who says so, and where do sources disagree?",
        ),
        Stop(
            "ledger",
            "Ledger of claims",
            "gavel",
            "Is what they print true? 162 published claims, each beside our own value and a verdict.",
        ),
    ),
}
