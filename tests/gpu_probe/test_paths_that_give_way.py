"""Tests of transfers whose rate collapses, in an older layout, and exchanges at the rate of their ports."""

import pytest

from core.catalog import SYSTEMS
from core.systems import configure
from core.verdict import Status, judge_run
from tests.figures.threads import GIB, Table, Thread
from tests.figures.threads_2026_11_halves import ucx_perftest
from tests.figures.threads_2026_11_outputs import osu
from tests.gpu_probe.formats import only
from tests.gpu_probe.thread_logs import log_of

PAIR = configure(SYSTEMS["dgx-1-v100"], domains=2, network="ib-edr", nics_per_domain=4)


@pytest.mark.parametrize(
    ("largest", "status"), [(11000, Status.FINE), (7200, Status.FINE), (4000, Status.LOW)]
)
def test_a_rate_that_large_messages_lose_is_low(largest, status):
    """A transfer that reaches its port at 256 KiB and a third of it at 4 MiB is slow, whatever its best size shows."""
    run = only(osu("DEVICE (D)", "DEVICE (D)", ((262144, 11500), (1048576, 11000), (4194304, largest))))

    assert judge_run(run, PAIR).status is status


def test_an_older_ucx_perftest_is_read():
    """Without a column of stages the last row still tells size and rate, and the command that GPUs are meant."""
    (sample,) = only(ucx_perftest(4194304, 10000)).samples

    assert sample.size_bytes == pytest.approx(4194304, rel=1e-3)
    assert sample.size_bytes / sample.time_s == pytest.approx(10000 * 2**20, rel=1e-3)
    assert "GPU memory" in sample.detail


@pytest.mark.parametrize(("rate", "status"), [(25, Status.FINE), (23, Status.LOW)])
def test_an_exchange_at_the_ports_rate_is_not_low(rate, status):
    """Between two nodes a rate like the ports' is what such machines are measured by; less is slow."""
    exchange = Thread(
        "pair",
        "",
        "",
        (),
        gpu="NVIDIA A100-SXM4-80GB",
        nodes=2,
        tables=(Table("all_to_all", ((GIB, rate), (4 * GIB, rate))),),
    )
    run = only(log_of(exchange).splitlines())

    assert judge_run(run, configure(SYSTEMS["dgx-a100"], domains=2)).status is status
