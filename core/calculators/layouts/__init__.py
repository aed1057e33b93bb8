"""Layouts: every way to divide a model over GPUs, ranked, placed on interconnects, with break-even points."""

from core.calculators.layouts.break_even import (
    BreakEven,
    bucket_for_a_network,
    budget_across,
    tokens_for_a_link,
)
from core.calculators.layouts.break_even_questions import break_even_questions
from core.calculators.layouts.crossover_map import MapCell, crossover_map
from core.calculators.layouts.crossovers import Crossover, crossover_searches, crossovers
from core.calculators.layouts.fabric_value import FabricValue, Terms, by_network, by_rate
from core.calculators.layouts.inputs import INPUTS, Input
from core.calculators.layouts.interconnects import Interconnect, interconnects
from core.calculators.layouts.link_value import LinkOption, LinkValue, serving_link_value, training_link_value
from core.calculators.layouts.mfu import Mfu, mfus
from core.calculators.layouts.nvlink import NvlinkCase, nvlink_cases
from core.calculators.layouts.placement import InterconnectPlacement, place_serving, place_training
from core.calculators.layouts.scaling import BestLayout, best_by_gpus
from core.calculators.layouts.sensitivity import Bar, Tornado, tornado
from core.calculators.layouts.serving_crossovers import serving_crossover_searches, serving_crossovers
from core.calculators.layouts.serving_layout import ServingLayout
from core.calculators.layouts.serving_ranking import GOALS, ServingRanking, most_requests
from core.calculators.layouts.serving_ranking import rank as rank_serving
from core.calculators.layouts.serving_sensitivity import serving_tornado
from core.calculators.layouts.solve import crossing
from core.calculators.layouts.training_break_even import training_break_even
from core.calculators.layouts.training_ranking import RankedLayout, Ranking
from core.calculators.layouts.training_ranking import fastest as fastest_layout
from core.calculators.layouts.training_ranking import rank as rank_training

__all__ = [
    "GOALS",
    "INPUTS",
    "Bar",
    "BestLayout",
    "BreakEven",
    "Crossover",
    "FabricValue",
    "Input",
    "Interconnect",
    "InterconnectPlacement",
    "LinkOption",
    "LinkValue",
    "MapCell",
    "Mfu",
    "NvlinkCase",
    "RankedLayout",
    "Ranking",
    "ServingLayout",
    "ServingRanking",
    "Terms",
    "Tornado",
    "best_by_gpus",
    "break_even_questions",
    "bucket_for_a_network",
    "budget_across",
    "by_network",
    "by_rate",
    "crossing",
    "crossover_map",
    "crossover_searches",
    "crossovers",
    "fastest_layout",
    "interconnects",
    "mfus",
    "most_requests",
    "nvlink_cases",
    "place_serving",
    "place_training",
    "rank_serving",
    "rank_training",
    "serving_crossover_searches",
    "serving_crossovers",
    "serving_link_value",
    "serving_tornado",
    "tokens_for_a_link",
    "tornado",
    "training_break_even",
    "training_link_value",
]
