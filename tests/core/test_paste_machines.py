"""Machines of pastes: cards beyond the catalog, NICs in words, a few GPUs of a node, a topology beside a run."""

import pytest

from core.catalog import SYSTEMS
from core.measurement import GpuCount, Machine, Matrix, Observation, Run, Sample
from core.measurement.bus_factor import bus_factor
from core.systems import configure
from core.verdict import Status, judge_run, judge_runs
from core.verdict.cards import stand_in
from core.verdict.recognition import system_of, with_stated_nics
from gpu_probe.parsers import read
from gpu_probe.parsers.failures import explained
from gpu_probe.parsers.sentence.adapters import adapters_of
from gpu_probe.parsers.sentence.port import port_of
from tests.each import each
from tests.gpu_probe.formats import nccl_tests, text

GB = 1e9
LARGE = (1 << 28, 1 << 30, 1 << 32)


def a_run(rates, hosts, ranks, *, gpu="NVIDIA A100-SXM4-80GB", collective="all_reduce", said=(), env=None):
    """A run over these hosts with a bus bandwidth (GB/s) for each size."""
    factor = bus_factor(collective, ranks)
    samples = tuple(
        Sample(collective, size, factor * size / (rate * GB), "out-of-place", 0) for size, rate in rates
    )
    machine = Machine((GpuCount(gpu, ranks),), tuple(hosts), env=env or {})
    lines = tuple(Observation(kind, value) for kind, value in said)
    return Run(
        "log", "nccl-tests-text", collective, ranks, machine, samples, dtype="float", observations=lines
    )


def flat(rate):
    """The same rate at all large sizes."""
    return [(size, rate) for size in LARGE]


def test_cards_beyond_the_catalog_have_the_slot_of_another():
    """What cards exchange is decided by their slot: generation 3, 4, 5, and a bridge where topo -m shows one."""
    assert stand_in("Tesla V100-PCIE-32GB") == stand_in("NVIDIA GeForce RTX 2080 Ti") == "t4"
    assert stand_in("NVIDIA A40") == stand_in("NVIDIA A30") == stand_in("NVIDIA RTX A5000") == "l40s"
    assert stand_in("NVIDIA A40", bridged=True) == "rtx-a6000"
    assert stand_in("NVIDIA GeForce RTX 5080") == stand_in("NVIDIA GB10") == "rtx-5090"
    for module in ("Tesla V100-SXM2-32GB", "NVIDIA RTX 5000 Ada Generation", "Vega 20"):
        assert stand_in(module) is None
    for eight_lanes in ("NVIDIA A2", "NVIDIA GeForce RTX 4060 Ti", "NVIDIA GeForce RTX 5060"):
        assert stand_in(eight_lanes) is None
    for other_maker in ("AMD Radeon RX 5070", "Radeon RX 6000", "Intel(R) Arc(TM) A770 3080"):
        assert stand_in(other_maker) is None


def test_a_card_beyond_the_catalog_is_judged():
    """Eight A30 on one node are eight cards on PCIe 4, and the answer says for which they were taken."""
    run = a_run(flat(18), ["node"], 8, gpu="NVIDIA A30")
    match = system_of(run)

    assert match.system is not None
    assert "for NVIDIA A30, a card on PCIe Gen4" in match.remark
    assert judge_run(run, match.system).status is Status.FINE
    assert judge_run(run, SYSTEMS["a100-pcie-x8"]).status is Status.FINE


def test_one_gpu_may_use_several_nics_of_its_node():
    """A single L40S with two 100G NICs reaches both: 21 GB/s is no faster than possible, and its slot is the limit."""
    cards = configure(SYSTEMS["l40s-x4"], domains=2, network="roce-100", nics_per_domain=2)

    assert judge_run(a_run(flat(21.4), "ab", 2, gpu="NVIDIA L40S"), cards).status is Status.FINE
    assert judge_run(a_run(flat(45), "ab", 2, gpu="NVIDIA L40S"), cards).status is Status.IMPOSSIBLE


def test_slingshot_at_half_its_rate_is_low():
    """Published runs of four GH200 a node over Slingshot reach nine tenths of their NICs; half of that is low."""
    nodes = configure(SYSTEMS["gh200-x4"], domains=4)
    names = [f"n{index}" for index in range(4)]

    assert judge_run(a_run(flat(91), names, 16, gpu="GH200 120GB"), nodes).status is Status.FINE
    assert judge_run(a_run(flat(46), names, 16, gpu="GH200 120GB"), nodes).status is Status.LOW


def test_a_rate_that_collapses_is_low_whatever_the_interval():
    """An all-to-all that loses half of its rate as sizes grow is low though each size lies in a wide interval."""
    nodes = configure(SYSTEMS["hgx-h800-x8"], domains=8, network="roce-400")
    names = [f"n{index}" for index in range(8)]
    sizes = [
        (1 << 25, 40.0),
        (1 << 27, 45.0),
        (1 << 28, 44.0),
        (1 << 30, 22.0),
        (1 << 31, 23.0),
        (1 << 32, 22.0),
    ]
    run = a_run(sizes, names, 64, gpu="NVIDIA H800", collective="all_to_all")
    verdict = judge_run(run, nodes)

    assert verdict.status is Status.LOW
    assert verdict.causes[0].reason.code == "oversubscribed"
    steady = a_run(
        [(size, min(rate, 45.0) if rate > 30 else 45.0) for size, rate in sizes],
        names,
        64,
        gpu="NVIDIA H800",
        collective="all_to_all",
    )
    assert judge_run(steady, nodes).status is Status.FINE


def test_pairs_of_one_paste_name_the_weak_host():
    """The host that is slow with most of its partners is named, with how many of its pairs are slow."""
    nodes = configure(SYSTEMS["dgx-a100"], domains=2, network="ib-hdr", nics_per_domain=4)
    rates = {"ab": 90, "cd": 91, "ae": 90, "xa": 90, "xb": 47, "xc": 46, "xd": 47}
    runs = [a_run(flat(rate), pair, 16, env={"NCCL_ALGO": "Ring"}) for pair, rate in rates.items()]
    verdicts = judge_runs(runs, nodes)

    for pair, verdict in zip(rates, verdicts, strict=True):
        assert (verdict.status is Status.LOW) == (rates[pair] < 50)
    assert verdicts[-1].causes[0].reason.short == "x is slow"
    assert "x is slow in 3 of its 4 pairs here" in verdicts[-1].causes[0].reason.text


def test_a_topology_beside_a_run_is_evidence():
    """A topology of cards has no expectation of its own: beside a run it is not an unknown verdict."""
    cells = (("X", "SYS"), ("SYS", "X"))
    paths = Run(
        "log",
        "topo-m",
        None,
        None,
        matrices=(Matrix("topo -m", "topology", None, None, ("GPU0", "GPU1"), ("GPU0", "GPU1"), cells),),
    )
    run = a_run(flat(20), ["node"], 2, gpu="NVIDIA GeForce RTX 4090")
    beside, alone = (
        judge_runs([paths, run], SYSTEMS["rtx-4090-x2"]),
        judge_runs([paths], SYSTEMS["rtx-4090-x2"]),
    )

    assert (beside[0].status, beside[0].reason.code) == (Status.FINE, "as_evidence")
    assert alone[0].status is Status.UNKNOWN


def test_uneven_racks_share_their_ranks():
    """Ninety-six GPUs of two racks are forty-eight each, not seventy-two and the rest."""
    run = a_run(flat(90), [f"t{index}" for index in range(24)], 96, gpu="NVIDIA GB200")
    verdict = judge_run(run, configure(SYSTEMS["gb200-nvl72"], domains=2))

    assert (verdict.local_ranks, verdict.domains) == (48, 2)


def test_nics_stated_by_an_option_are_not_assumed():
    """Fewer NICs may be a cause again once somebody says how many there are."""
    match = system_of(a_run(flat(20), "ab", 16, gpu="NVIDIA L40S"))

    assert match.system is not None
    assert match.system.unverified
    assert not with_stated_nics(match.system).unverified


@each(
    [
        type("Words", (), {"id": words, "words": words, "nics": nics})
        for words, nics in (
            ("2 nodes, each has 8 A100 and 4 * 200Gbps nic", (4, 200, "IB")),
            ("1 HDR 200G IB card per node", (1, 200, "IB")),
            ("with 4 InfiniBand NDR NICs", (4, 400, "IB")),
            ("a single Intel 100Gbps network card", (1, 100, "RoCE")),
            ("2 NICs (100G) between the servers", (2, 100, "IB")),
            ("4x Mellanox 100 Gb/s", (4, 100, "IB")),
            ("8x80G A100", None),
            ("2x 100GB SSD", None),
            ("4x200G here and 8x400G there", None),
            ("busbw is 50 GB/s", None),
        )
    ]
)
def test_words_tell_the_nics_of_a_node(words):
    """Number and rate of a node's NICs in the words of forums; two that differ tell nothing."""
    stated = adapters_of(words.words)
    assert (None if stated is None else (stated.count, stated.gbit_per_s, stated.kind)) == words.nics


def test_nics_in_words_beside_a_table_count():
    """The question above a pasted table says what the table does not: one NIC a node."""
    log = ["8 A100 and 1 HDR 200G IB card per node. Is this ok?", "", *nccl_tests(ranks=16)]
    (run,) = read("log", text(log))
    match = system_of(run)

    assert match.system is not None
    assert (match.system.nics_per_domain, match.system.network) == (1, "ib-hdr")


@each(
    [
        type("Words", (), {"id": words, "words": words, "gbit_per_s": rate})
        for words, rate in (
            ("EDR, so 100 Gb/s", 100),
            ("our ConnectX-7 of 400 Gb/s", 400),
            ("100GbE between the hosts", 100),
            ("a NIC of 200 Gbps, and we only measured 100 Gb/s", 200),
            ("HDR ports, but we only get 100 Gb/s", 200),
            ("HDR100 adapters", 100),
            ("we only measured 100 Gb/s over this link", None),
            ("a node with 400 GB of RAM and a NIC", None),
            ("nodes with 400 G of RAM and one NIC", None),
            ("2x 100GB SSD beside the HCA", None),
            ("the rate is 100 Gb/s", None),
            ("EDR here and HDR there", None),
        )
    ]
)
def test_words_tell_the_rate_of_a_port(words):
    """A generation, or bits a second said of a port, are its rate; bytes, and what was measured, are not."""
    port = port_of(words.words)
    assert (None if port is None else port.gbit_per_s) == words.gbit_per_s


def test_a_container_without_nics_is_told():
    """The verbs library refuses: the answer names the device that containers need."""
    assert "/dev/infiniband" in explained("misc/ibvwrap.cc:212 NCCL WARN Call to ibv_open_device failed")


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (["    ECC Errors", "            DRAM Uncorrectable           : 3"], "gpu_fault"),
        (["            SRAM Uncorrectable SEC-DED    : 3"], "gpu_fault"),
        (["\t\tCESta:\tRxErr- BadTLP+ BadDLLP- Rollover- Timeout- AdvNonFatalErr-"], "aer"),
        (["    [ 7] BadDLLP               (First)"], "aer"),
        (["CA 'mlx5_0'", "\tPort 1:", "\t\tState: Active", "\t\tRate: 200"], "nic_rate"),
        (["    Remapped Rows", "        Pending                          : Yes"], "gpu_fault"),
        (["pcieport 0000:15:01.0: AER: Corrected error message received from 0000:16:00.0"], "aer"),
        (["            Replays Since Reset          : 4211"], "aer"),
        (["        SW Power Cap                     : Active"], "power_cap"),
        (
            [
                "        Idle : Not Active",
                "    Clocks",
                "        SM           : 345 MHz",
                "    Max Clocks",
                "        SM           : 1980 MHz",
            ],
            "clock",
        ),
    ],
)
def test_faults_and_clocks_are_evidence(lines, kind):
    """What nvidia-smi -q and the kernel say of memory errors, links and clocks comes with the run."""
    (run,) = read("log", text([*lines, *nccl_tests()]))
    assert kind in {item.kind for item in run.observations}


def test_healthy_counters_are_no_evidence():
    """Zero errors, an idle clock and no pending row say nothing against a GPU."""
    lines = [
        "            DRAM Uncorrectable           : 0",
        "            SRAM Uncorrectable SEC-DED   : 0",
        "\t\tCESta:\tRxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr-",
        "\t\tCEMsk:\tRxErr- BadTLP+ BadDLLP+ Rollover- Timeout- AdvNonFatalErr+",
        "        Pending                          : No",
        "        Idle : Active",
        "    Clocks",
        "        SM           : 345 MHz",
        "    Max Clocks",
        "        SM           : 1980 MHz",
    ]
    (run,) = read("log", text([*lines, *nccl_tests()]))
    assert not {"gpu_fault", "aer", "clock", "power_cap"} & {item.kind for item in run.observations}


@pytest.mark.parametrize(("slots", "told"), [(range(7, 39, 4), True), ([7] * 8, False)])
def test_containers_of_one_node_are_told_by_their_slots(slots, told):
    """Eight hosts with one GPU each, all in different slots, are containers of one node; in the same slot they are nodes."""
    log = nccl_tests(ranks=8)
    hosts = iter(enumerate(slots))
    lines = []
    for line in log:
        if "# " in line and " Rank " in line:
            rank, slot = next(hosts)
            lines.append(
                f"#  Rank {rank:2d} Group  0 Pid   100{rank} on pod-{rank} device  0 [0x{slot:02x}] NVIDIA A100-SXM4-80GB"
            )
        else:
            lines.append(line)
    (run,) = read("log", text(lines))

    assert ("containers" in {item.kind for item in run.observations}) is told
    if told:
        verdict = judge_run(
            a_run(flat(1.4), [f"pod-{index}" for index in range(8)], 8, said=(("containers", "8 hosts"),)),
            SYSTEMS["dgx-a100"],
        )
        assert verdict.causes[0].reason.code == "split_node"


@pytest.mark.parametrize(
    ("slots", "told"),
    [(("0000:02:00", "0000:02:00"), True), (("0000:02:00", "0000:03:00"), False), (("0x02", "0x02"), False)],
)
def test_ranks_that_share_a_gpu_are_told(slots, told):
    """Two ranks in one slot take turns on a GPU; a slot without its domain may be two."""
    log = nccl_tests(ranks=2)
    ranks = [
        f"#  Rank {rank:2d} Group  0 Pid   100{rank} on lab device  0 [{slot}] NVIDIA GeForce RTX 5090"
        for rank, slot in enumerate(slots)
    ]
    first = next(index for index, line in enumerate(log) if " Rank " in line)
    (run,) = read("log", text([*log[:first], *ranks, *log[first + 2 :]]))

    assert ("shared_gpu" in {item.kind for item in run.observations}) is told
    if told:
        slow = a_run(
            flat(1.5), ["lab"], 2, gpu="NVIDIA GeForce RTX 5090", said=(("shared_gpu", "2 ranks on 1 GPU"),)
        )
        assert judge_run(slow, SYSTEMS["rtx-5090-x2"]).causes[0].reason.code == "shared_gpu"
