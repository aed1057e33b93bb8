"""Strategy: which parallelism on which wire, why, and what would change the answer."""

from core.calculators.layouts.backwards import solved_backwards
from core.calculators.layouts.fabric_value import Terms, Value, by_network, by_rate
from core.calculators.layouts.flips import KNOBS, Flip, Knob, crossing, flips
from core.calculators.layouts.growth import Grown, winners
from core.calculators.layouts.need import Need, needs
from core.calculators.layouts.questions import Solved, bucket_for_a_network, budget_across, tokens_for_a_link
from core.calculators.layouts.region import Region, flip_map, regions
from core.calculators.layouts.sensitivity import Bar, Tornado, tornado
from core.calculators.layouts.serve import GOALS, Served, Serving
from core.calculators.layouts.serve import rank as rank_serving
from core.calculators.layouts.serve_flips import serving_flips
from core.calculators.layouts.serve_sensitivity import serving_tornado
from core.calculators.layouts.train import Ranked, Ranking
from core.calculators.layouts.train import rank as rank_training
from core.calculators.layouts.wires import Placed, Wire, place_serving, place_training, wires
from core.parallel.grow import enough

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
