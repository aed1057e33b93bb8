"""How each calculator's page is answered from an address: its widgets, its scenario, its explained answer."""

from collections.abc import Callable
from dataclasses import dataclass

from core.calculators import comparison
from core.calculators.comparison import Explanation
from core.calculators.tensor_parallel import Scenario as Step
from pages.ui.bandwidth_hierarchy import inputs as hierarchy_inputs
from pages.ui.bandwidth_hierarchy import summary as hierarchy
from pages.ui.collectives import inputs as collective_inputs
from pages.ui.collectives import summary as collectives
from pages.ui.cost import inputs as cost_inputs
from pages.ui.cost import summary as cost
from pages.ui.gradient_sync import inputs as sync_inputs
from pages.ui.gradient_sync import summary as gradient_sync
from pages.ui.kv_transfer import inputs as transfer_inputs
from pages.ui.kv_transfer import summary as transfer
from pages.ui.layouts import inputs as layout_inputs
from pages.ui.layouts import result as layouts
from pages.ui.nvl72 import inputs as capacity_inputs
from pages.ui.nvl72 import summary as capacity
from pages.ui.shared.question import bar
from pages.ui.tensor_parallel import engine_inputs, service
from pages.ui.tensor_parallel import inputs as tp_inputs
from pages.ui.tensor_parallel import summary as tensor_parallel
from pages.ui.training import inputs as training_inputs
from pages.ui.training import memory_saving
from pages.ui.training import summary as training


def _tensor_parallel() -> Explanation:
    shared = bar.shared()
    runs = engine_inputs.choose(shared.software.preset)
    scenario = tp_inputs.scenario(shared, tp_inputs.step(), tp_inputs.execution(), runs)
    figures = service.ask(scenario, service.objective(), runs[0])
    return comparison.tensor_parallel(tensor_parallel.ask(scenario), figures, runs[0])


def _training() -> Explanation:
    saving = memory_saving.savings()
    scenario = training_inputs.scenario(
        bar.shared(), training_inputs.layout(), training_inputs.details(), saving
    )
    return comparison.training(scenario, training.ask(scenario))


def _gradient_sync() -> Explanation:
    scenario = sync_inputs.scenario(bar.shared(), sync_inputs.sync(), sync_inputs.details())
    return comparison.gradient_sync(scenario, gradient_sync.ask(scenario))


def _collectives() -> Explanation:
    query = collective_inputs.query(collective_inputs.collective())
    kernel = collective_inputs.kernel()
    scenario = collective_inputs.scenario(bar.shared(), query, kernel)
    return comparison.collective(scenario, collectives.ask(scenario))


def _capacity() -> Explanation:
    answer = capacity.ask(capacity_inputs.scenario(bar.shared(), capacity_inputs.layout()))
    figures = capacity.ask_service(answer.scenario, service.objective())
    return comparison.capacity(answer, figures)


def _hierarchy() -> Explanation:
    shared = bar.shared()
    moved = hierarchy_inputs.transfer(shared)
    scenario = hierarchy_inputs.scenario(shared, moved, hierarchy_inputs.overrides())
    return comparison.hierarchy(scenario, hierarchy.ask(scenario))


def _transfer() -> Explanation:
    shared = bar.shared()
    query = transfer_inputs.query(shared)
    cache = transfer.cache(query, shared.system.system(), shared.rates)
    prefill = Step(
        model=cache.model,
        system=cache.system,
        phase="prefill",
        tokens=query.context,
        tp=cache.gpus,
        weights=cache.weights,
        kv=cache.kv,
        rates=cache.rates,
    )
    return comparison.transfer(prefill, transfer.ask(cache, query.context))


def _layouts() -> Explanation:
    shared = bar.shared()
    answer = layouts.ask(layout_inputs.question(shared), shared.system, shared.rates)
    if isinstance(answer, layouts.TrainingResult):
        return comparison.training_layout(answer.ranking)
    return comparison.serving_layout(answer.scenario, answer.gpus, answer.sequences, answer.ranking)


def _cost() -> Explanation:
    shared = bar.shared()
    question = cost_inputs.question(shared)
    answer = cost.ask(question, cost_inputs.prices(question), shared.system, shared.rates)
    if answer.job is None:
        return comparison.known_share(answer.lost)
    return comparison.cost(answer.job.scenario, answer.job.answer, answer.lost)


@dataclass(frozen=True, slots=True)
class Calculator:
    """
    A calculator's page.

    Attributes:
        title: What the navigation calls it.
        explained: Draws the page's widgets and explains its answer.
    """

    title: str
    explained: Callable[[], Explanation]


CALCULATORS = {
    "tensor_parallel": Calculator("Tensor parallelism", _tensor_parallel),
    "training": Calculator("Training step", _training),
    "gradient_sync": Calculator("Gradient sync", _gradient_sync),
    "collectives": Calculator("Collectives", _collectives),
    "nvl72": Calculator("NVL72 capacity", _capacity),
    "bandwidth_hierarchy": Calculator("Bandwidth hierarchy", _hierarchy),
    "kv_transfer": Calculator("KV cache transfer", _transfer),
    "layouts": Calculator("Parallelism layouts", _layouts),
    "cost": Calculator("Cost of communication", _cost),
}
"""By name of the page in the address."""
