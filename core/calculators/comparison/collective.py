"""One collective by launch, latency, transfer and reduction."""

from core.calculators.comparison.explanation import RATE, SECONDS, Explanation, Factor, Figure, Part, Quantity
from core.calculators.comparison.facts import count, link, option, rates_text
from core.collectives.pricing import Answer, Scenario, answered
from core.units import format_message


def collective(scenario: Scenario, answer: Answer) -> Explanation:
    """The time of a collective in its four parts, and its bus bandwidth."""
    figures = [Figure("Sent per GPU", answer.wire_bytes, "bytes", more=False)]
    if answer.busbw_bytes_per_s:
        figures.insert(0, Figure("Bus bandwidth", answer.busbw_bytes_per_s, RATE, more=True))
    operation = scenario.collective.replace("_", "-")
    size = format_message(scenario.size_bytes)
    return Explanation(
        subject=f"{operation} of {size} over {scenario.ranks:,} x {scenario.system.gpu.name}",
        work={
            "collective": operation,
            "message size": size,
            "ranks": f"{scenario.ranks:,}",
            "rates": rates_text(scenario.rates),
        },
        quantities=(Quantity("Time", SECONDS, parts(scenario, answer)),),
        figures=tuple(figures),
        rates=answered(scenario.rates, [answer.basis]),
        warnings=answer.warnings,
        sources=answer.sources,
    )


def parts(scenario: Scenario, answer: Answer) -> tuple[Part, ...]:
    """The four parts with what each depends on."""
    software = option("software", f"{answer.implementation} in a {answer.launch}")
    way = option("algorithm", " ".join(filter(None, (answer.algorithm, answer.protocol))) or "none")
    basis = option("basis", answer.basis)
    ranks = count("ranks", scenario.ranks)
    sent = Factor("sent per GPU", format_message(answer.wire_bytes), answer.wire_bytes)
    return (
        Part("launch", answer.launch_s, (software, basis)),
        Part("latency", answer.latency_s, (ranks, way, software, basis)),
        Part("transfer", answer.transfer_s, (sent, link(scenario.system, scenario.ranks), way, basis)),
        Part("reduction", answer.reduction_s, (sent, way, basis)),
    )
