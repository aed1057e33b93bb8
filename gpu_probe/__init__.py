"""The agent that runs where the GPUs are: probes, readers of other tools, client."""

from gpu_probe.profiling import record_step

__all__ = ["record_step"]
