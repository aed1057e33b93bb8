"""Capacity of a scale-up domain: what fits, what limits it, and what its edge costs."""

from core.calculators.capacity.capacity import Capacity, capacity
from core.calculators.capacity.domains import DomainRow, EdgeStep, domain_rows, edge_steps
from core.calculators.capacity.exchange import ExchangeAnswer, exchange_answer
from core.calculators.capacity.fabric import FabricFigures, fabric_figures, ports
from core.calculators.capacity.json_form import capacity_json
from core.calculators.capacity.parts import Part
from core.calculators.capacity.pipeline import Boundary, boundary
from core.calculators.capacity.scenario import Scenario
from core.calculators.capacity.service import capacity_service, decode_step, served_requests, served_step
from core.calculators.capacity.transfer import Path, Transfer, paths, transfer
from core.calculators.capacity.usage import Usage, usage
from core.calculators.capacity.weights import minimum_gpus, weight_bytes

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
    "Usage",
    "boundary",
    "capacity",
    "capacity_json",
    "capacity_service",
    "decode_step",
    "domain_rows",
    "edge_steps",
    "exchange_answer",
    "fabric_figures",
    "minimum_gpus",
    "paths",
    "ports",
    "served_requests",
    "served_step",
    "transfer",
    "usage",
    "weight_bytes",
]
