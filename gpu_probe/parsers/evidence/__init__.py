"""What lines beside the measurement say of the machine: NCCL's own, and those of tools for host and NICs."""
