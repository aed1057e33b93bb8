"""InfiniBand against RoCE and other scale-out networks under the same job."""

from dataclasses import dataclass, replace
from functools import lru_cache

import pandas as pd
import streamlit as st

from core.calculators.gradient_sync import Scenario
from core.calculators.gradient_sync.compare import INFINIBAND_COST_FACTOR, Network, by_network
from core.catalog import LINKS
from core.catalog.links.network import ROCE_PAYLOAD
from core.catalog.networks import OF_ONE_RATE
from core.checks import InputError
from core.hardware import Family
from core.parallel.grow import domains_for, grow_to
from core.systems import NETWORKS, configure
from core.units import US, format_time
from pages.ui.shared import bound, names, tables
from pages.ui.shared.messages import plain

FEWEST_DOMAINS = 8


@dataclass(frozen=True, slots=True)
class NetworkQuery:
    """Networks by id, the payload share of a RoCE link, and the port price of InfiniBand over Ethernet."""

    networks: tuple[str, ...]
    roce_payload: float
    infiniband_cost_factor: float


def query() -> NetworkQuery:
    """The widgets of the comparison."""
    left, middle, right = st.columns((2, 1, 1))
    with left:
        networks = bound.several("Networks", "sync_networks", NETWORKS, OF_ONE_RATE, names=names.catalog())
    with middle:
        payload = bound.number(
            "RoCE payload share",
            "roce_payload",
            ROCE_PAYLOAD,
            low=0.01,
            high=1.0,
            step=0.005,
            format="%.3f",
            help="Of the link rate, RoCEv2 at an MTU of 4,096 bytes: headers take the rest. An assumption.",
        )
    with right:
        factor = bound.number(
            "InfiniBand port price / Ethernet",
            "ib_cost_factor",
            INFINIBAND_COST_FACTOR,
            low=0.1,
            step=0.1,
            help="Sources say 1.5 to 2.5 and name no measurement: put your quote here.",
        )
    return NetworkQuery(tuple(networks), payload, factor)


@lru_cache(maxsize=64)
def _compared(scenario: Scenario, query: NetworkQuery) -> tuple[Network, ...] | str:
    """The networks under this job, or why there is no answer."""
    factors = {
        network: query.infiniband_cost_factor
        for network in query.networks
        if LINKS[network].family is Family.INFINIBAND
    }
    try:
        networks = by_network(scenario, query.networks, roce_payload=query.roce_payload, cost_factors=factors)
    except InputError as problem:
        return str(problem)
    return tuple(networks)


def draw(scenario: Scenario, networks: NetworkQuery) -> None:
    """One row a network: latency, payload, exposed communication, price of a port."""
    if not networks.networks:
        st.info("Choose at least one network.")
        return
    across = _across(scenario, networks.networks[0])
    compared = _compared(across, networks)
    if isinstance(compared, str):
        st.info(plain(compared))
        return
    columns = {
        "latency (µs)": st.column_config.NumberColumn(format="%.3g", help="Of one small message."),
        "payload (%)": st.column_config.NumberColumn(format="%.1f"),
        "slower (%)": st.column_config.NumberColumn(format="%.2g", help="Step time against the best."),
        "port price": st.column_config.NumberColumn(format="%.2g ×"),
    }
    tables.show(_table(compared), "Scale-out networks under the same job", columns, height="content")
    system = across.system
    domains = domains_for(system, across.world)
    st.caption(
        f"The same job on {across.world:,} GPUs in {domains:,} domains with {_nics(scenario)} NICs each."
    )


def _table(networks: tuple[Network, ...]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "network": network.name,
            "latency (µs)": network.latency_s / US,
            "payload (%)": 100 * network.payload_share,
            "communication": format_time(network.answer.comm_s),
            "exposed": format_time(network.answer.exposed_s),
            "slower (%)": 100 * (network.slowdown - 1),
            "port price": network.cost_factor,
        }
        for network in networks
    )


def _nics(scenario: Scenario) -> int:
    return scenario.system.nics_per_domain or scenario.system.domain_gpus


def _across(scenario: Scenario, network: str) -> Scenario:
    """The job across domains in any case: a job of one domain is grown to several."""
    system = scenario.system
    domains = max(system.domains, domains_for(system, scenario.world))
    gpus = FEWEST_DOMAINS * system.domain_gpus if domains == 1 else scenario.world
    if system.scale_out:
        return replace(scenario, system=grow_to(system, gpus), ranks=gpus)
    joined = configure(
        system,
        domains=domains_for(system, gpus),
        network=network,
        nics_per_domain=_nics(scenario),
    )
    return replace(scenario, system=joined, ranks=gpus)
