"""What two settings must share to be one placement on one machine, or one cluster."""

from functools import lru_cache
from typing import Any

from core.collectives.cost_model.communicator import resolve
from core.collectives.cost_model.setting import Setting


@lru_cache(maxsize=4096)
def cluster_key(setting: Setting) -> tuple[object, ...]:
    """
    What must agree for a measured point to say something about a setting: all but how many domains.

    Points of an all-reduce with in-network reduction say nothing of one without, nor the reverse.
    """
    *hardware, domains, network, nic_bytes_per_s = machine_key(setting)
    added = setting.in_network_reduction and domains > 1 and setting.collective == "all_reduce"
    return (*hardware, domains > 1, network, nic_bytes_per_s, added)


@lru_cache(maxsize=4096)
def machine_key(setting: Setting) -> tuple[Any, ...]:
    """What must agree for two settings to be one placement on one machine."""
    comm = resolve(setting)
    return (
        setting.gpu,
        setting.scale_up_link,
        comm.link_bytes_per_s,
        comm.gpus,
        comm.domains,
        setting.scale_out_link if comm.domains > 1 else None,
        comm.nic_bytes_per_s,
    )
