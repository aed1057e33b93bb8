"""The nccl-tests program of each collective, and the line that runs it."""

PROGRAMS = {
    "all_reduce": "all_reduce_perf",
    "all_gather": "all_gather_perf",
    "reduce_scatter": "reduce_scatter_perf",
    "all_to_all": "alltoall_perf",
    "broadcast": "broadcast_perf",
    "reduce": "reduce_perf",
    "send_recv": "sendrecv_perf",
}


def command(collective: str, first_bytes: int, last_bytes: int, ranks: int) -> str:
    """Sizes from one to another, doubling, with one process per GPU."""
    return f"mpirun -np {ranks} {PROGRAMS[collective]} -b {first_bytes} -e {last_bytes} -f 2 -g 1"
