"""The agent that runs where the GPUs are: probes, readers of other tools, client."""
