"""The page Topology: `nvidia-smi topo -m` as a heat map, its findings, and the system it describes."""
