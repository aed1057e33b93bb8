"""Strategy: which parallelism on which wire, why, and what would change the answer."""

from core.strategy.flips import KNOBS, Flip, Knob, crossing, flip_map, flips
from core.strategy.need import Need, needs
from core.strategy.questions import Solved, bucket_for_a_network, budget_across, tokens_for_a_link
from core.strategy.sensitivity import Bar, Tornado, tornado
from core.strategy.serve import GOALS, Served, Serving
from core.strategy.serve import rank as rank_serving
from core.strategy.train import Ranked, Ranking
from core.strategy.train import rank as rank_training

__all__ = [
    "GOALS",
    "KNOBS",
    "Bar",
    "Flip",
    "Knob",
    "Need",
    "Ranked",
    "Ranking",
    "Served",
    "Serving",
    "Solved",
    "Tornado",
    "bucket_for_a_network",
    "budget_across",
    "crossing",
    "flip_map",
    "flips",
    "needs",
    "rank_serving",
    "rank_training",
    "tokens_for_a_link",
    "tornado",
]
