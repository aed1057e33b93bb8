"""Capacity of a scale-up domain: what fits, what limits it, and what its edge costs."""

from core.nvl72.capacity import Capacity, capacity
from core.nvl72.domains import DomainRow, EdgeStep, domain_rows, edge_steps
from core.nvl72.exchange import ExchangeAnswer, exchange_answer
from core.nvl72.fabric import FabricFigures, fabric_figures, ports
from core.nvl72.json_form import capacity_json
from core.nvl72.parts import Part
from core.nvl72.pipeline import Boundary, boundary
from core.nvl72.scenario import Scenario
from core.nvl72.transfer import Path, Transfer, paths, transfer
from core.nvl72.weights import minimum_gpus, weight_bytes

__all__ = [
    "Boundary",
    "Capacity",
    "DomainRow",
    "EdgeStep",
    "ExchangeAnswer",
    "FabricFigures",
    "Part",
    "Path",
    "Scenario",
    "Transfer",
    "boundary",
    "capacity",
    "capacity_json",
    "domain_rows",
    "edge_steps",
    "exchange_answer",
    "fabric_figures",
    "minimum_gpus",
    "paths",
    "ports",
    "transfer",
    "weight_bytes",
]
