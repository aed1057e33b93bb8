"""How much must be measured: the runs that narrow the prediction interval most."""

from core.collectives.plan.plan import MOST_RUNS, Plan, PlannedRun, measurement_plan
from core.collectives.plan.targets import COLLECTIVES

__all__ = ["COLLECTIVES", "MOST_RUNS", "Plan", "PlannedRun", "measurement_plan"]
