"""Strategy: which parallelism on which wire, why, and what would change the answer."""

from core.strategy.backwards import solved_backwards
from core.strategy.enough import enough
from core.strategy.fabric_value import Terms, Value, by_network, by_rate
from core.strategy.flips import KNOBS, Flip, Knob, crossing, flips
from core.strategy.growth import Grown, winners
from core.strategy.need import Need, needs
from core.strategy.questions import Solved, bucket_for_a_network, budget_across, tokens_for_a_link
from core.strategy.region import Region, flip_map, regions
from core.strategy.sensitivity import Bar, Tornado, tornado
from core.strategy.serve import GOALS, Served, Serving
from core.strategy.serve import rank as rank_serving
from core.strategy.serve_flips import serving_flips
from core.strategy.serve_sensitivity import serving_tornado
from core.strategy.train import Ranked, Ranking
from core.strategy.train import rank as rank_training
from core.strategy.wires import Placed, Wire, place_serving, place_training, wires

__all__ = [
    "GOALS",
    "KNOBS",
    "Bar",
    "Flip",
    "Grown",
    "Knob",
    "Need",
    "Placed",
    "Ranked",
    "Ranking",
    "Region",
    "Served",
    "Serving",
    "Solved",
    "Terms",
    "Tornado",
    "Value",
    "Wire",
    "bucket_for_a_network",
    "budget_across",
    "by_network",
    "by_rate",
    "crossing",
    "enough",
    "flip_map",
    "flips",
    "needs",
    "place_serving",
    "place_training",
    "rank_serving",
    "rank_training",
    "regions",
    "serving_flips",
    "serving_tornado",
    "solved_backwards",
    "tokens_for_a_link",
    "tornado",
    "winners",
    "wires",
]
