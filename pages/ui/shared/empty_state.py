"""Empty pages: what is missing, and the commands that make it."""

from urllib.parse import urlsplit

import streamlit as st

NCCL_TESTS = """# nccl-tests: one rank per GPU, 8 B to 8 GiB
mpirun -np 16 -H node0:8,node1:8 ./build/all_reduce_perf -b 8 -e 8G -f 2 -g 1 | tee nccl.log"""
PROBE = """# or without nccl-tests, with PyTorch alone
torchrun --nproc_per_node 8 -m gpu_probe run -o run.json"""
TOPOLOGY = "nvidia-smi topo -m | tee topo.txt"


def push_command() -> str:
    """The command that sends a log from any machine to this server."""
    address = urlsplit(st.context.url or "http://127.0.0.1:8501")
    return f"python -m gpu_probe push nccl.log --server {address.scheme}://{address.netloc}"


def logs(text: str) -> None:
    """No log yet: how one is made."""
    show(text, NCCL_TESTS, PROBE)


def show(text: str, *commands: str) -> None:
    """What is missing, and the commands that make it."""
    st.info(text, icon=":material/terminal:")
    st.code("\n\n".join(commands), language="bash")
