"""Matrices of single machines: bridges between cards, direct copies that take a detour, lines of NVLink."""

from core.catalog import SYSTEMS
from core.measurement import GpuCount, Machine, Matrix, Run
from core.systems import configure
from core.verdict import Status, judge_run, judge_runs
from core.verdict.bridges import bridged_pairs, slot_rate
from core.verdict.recognition import system_of, system_of_file
from tests.each import each

GB = 1e9
ENABLED, DISABLED = (
    "Unidirectional P2P=Enabled Bandwidth (P2P Writes)",
    "Unidirectional P2P=Disabled Bandwidth",
)


def copies(count, rate, pairs=None, *, name=ENABLED, peer_access=True):
    """A matrix in which each pair copies at a rate (GB/s), those named at their own."""
    own = {place: other for pair, other in (pairs or {}).items() for place in (pair, pair[::-1])}
    rows = tuple(
        tuple(1500 * GB if i == j else own.get((i, j), rate) * GB for j in range(count)) for i in range(count)
    )
    names = tuple(str(index) for index in range(count))
    return Matrix(name, "bandwidth", "one_way", peer_access, names, names, rows)


def a_run(gpu, count, *matrices, form="p2p-bandwidth-latency-test"):
    """A run of matrices on GPUs of one name."""
    return Run("log", form, None, None, Machine((GpuCount(gpu, count),)), (), tuple(matrices))


def verdict_of(run):
    """The verdict on the system that the run itself tells."""
    match = system_of_file([run])
    assert match.system is not None
    return judge_run(run, match.system)


def test_bridges_stand_where_the_matrix_shows_them():
    """Cards bridged as 0-2 and 1-3 are judged so: these pairs by NVLink, the others by their slots."""
    odd = {(0, 2): 52, (1, 3): 52}
    run = a_run("NVIDIA RTX A6000", 4, copies(4, 24.5, odd))

    assert bridged_pairs(run.matrices[0], slot_rate("rtx-a6000")) == {(0, 2), (2, 0), (1, 3), (3, 1)}
    assert verdict_of(run).status is Status.FINE
    half = verdict_of(a_run("NVIDIA RTX A6000", 4, copies(4, 24.5, {**odd, (1, 3): 34})))
    assert {(pair.row, pair.column) for pair in half.pairs if pair.status is Status.LOW} == {
        ("GPU1", "GPU3"),
        ("GPU3", "GPU1"),
    }


def test_a_card_beyond_the_catalog_may_have_a_bridge_too():
    """A40 in bridged pairs copy at 52 GB/s, which is no impossible rate of a slot."""
    run = a_run("A40", 8, copies(8, 21, {(0, 1): 52, (2, 3): 52, (4, 5): 52, (6, 7): 52}))
    assert verdict_of(run).status is Status.FINE


def test_gpus_with_two_fast_partners_have_no_bridge():
    """A bridge joins pairs: three GPUs that all copy faster than a slot are joined by something else."""
    assert not bridged_pairs(copies(3, 52), slot_rate("rtx-a6000"))


def test_cards_without_a_bridge_are_judged_by_their_slots():
    """A100 PCIe without bridges are sound at the rate of a slot; where a topology shows NVLink they are not."""
    run = a_run("NVIDIA A100 80GB PCIe", 2, copies(2, 24.5))
    match = system_of(run)
    cells = (("X", "NV12"), ("NV12", "X"))
    paths = Run(
        "log",
        "topo-m",
        None,
        None,
        matrices=(Matrix("topo -m", "topology", None, None, ("GPU0", "GPU1"), ("GPU0", "GPU1"), cells),),
    )
    bridged = system_of_file([run, paths]).system

    assert "without NVLink bridges" in match.remark
    assert judge_run(run, match.system).status is Status.FINE
    assert judge_runs([run, paths], bridged)[0].status is Status.LOW
    assert verdict_of(a_run("NVIDIA H100 NVL", 2, copies(2, 50))).status is Status.LOW


def test_direct_copies_slower_than_staged_ones_take_a_detour():
    """Where P2P=Enabled gives 2 GB/s and P2P=Disabled 13, the IOMMU, ACS or the BAR is at fault."""
    run = a_run("NVIDIA RTX A6000", 2, copies(2, 13, name=DISABLED, peer_access=False), copies(2, 2.1))
    verdict = verdict_of(run)

    assert (verdict.status, verdict.reason.code) == (Status.LOW, "pcie_path")
    assert "IOMMU" in verdict.causes[0].reason.short
    sound = a_run("NVIDIA RTX A6000", 2, copies(2, 13, name=DISABLED, peer_access=False), copies(2, 11.5))
    assert verdict_of(sound).causes[0].reason.short != verdict.causes[0].reason.short


@each(
    [
        type(
            "Links", (), {"id": f"{gpu} {links}", "gpu": gpu, "links": links, "rate": rate, "status": status}
        )
        for gpu, links, rate, status in (
            ("NVIDIA H100 80GB HBM3", 18, 26.562, Status.FINE),
            ("NVIDIA H100 80GB HBM3", 17, 26.562, Status.LOW),
            ("NVIDIA H100 PCIe", 12, 26.562, Status.FINE),
            ("NVIDIA GB200", 18, 53.125, Status.FINE),
            ("Tesla V100-SXM2-32GB", 6, 25.781, Status.FINE),
            ("Tesla V100-SXM2-32GB", 4, 25.781, Status.LOW),
            ("NVIDIA H100 80GB HBM3", 18, 53.125, Status.IMPOSSIBLE),
        )
    ]
)
def test_the_rate_of_a_line_is_no_impossible_one(links):
    """``nvlink -s`` prints the line's rate, 26.562 GB/s where 25 carry data: all links up is fine."""
    names = tuple(f"Link {index}" for index in range(links.links))
    matrix = Matrix(
        "nvlink -s", "links", "one_way", None, ("GPU 0",), names, ((links.rate * GB,) * links.links,)
    )
    assert verdict_of(a_run(links.gpu, 1, matrix, form="nvlink-s")).status is links.status


def test_kernels_read_host_memory_at_half_a_slot():
    """Nvbandwidth's kernels read host memory at 35 GB/s over PCIe 5 on every H100; its copy engines at 55."""
    system = configure(SYSTEMS["dgx-h100"])

    def judged(name, rate, rows=1):
        matrix = Matrix(name, "bandwidth", "one_way", None, ("0", "1")[:rows], ("0",), ((rate * GB,),) * rows)
        return judge_run(a_run("NVIDIA H100 80GB HBM3", 8, matrix, form="nvbandwidth-text"), system).status

    assert judged("host_to_device_memcpy_sm", 35.2) is Status.FINE
    assert judged("host_to_device_memcpy_sm", 27) is Status.LOW
    assert judged("host_to_device_memcpy_ce", 35.2) is Status.LOW
    assert judged("device_to_host_memcpy_sm", 35.2) is Status.LOW


def test_a_slot_of_few_lanes_is_told():
    """A tenth of a slot is four lanes of an older generation, as a Thunderbolt case gives; half may be ACS too."""
    names = ("0",)

    def told(rate):
        matrix = Matrix(
            "host_to_device_memcpy_ce", "bandwidth", "one_way", None, names, names, ((rate * GB,),)
        )
        return (
            verdict_of(a_run("NVIDIA GeForce RTX 3080", 1, matrix, form="nvbandwidth-text")).causes[0].reason
        )

    assert told(3.0).short == told(6.6).short == "PCIe slot of few lanes"
    assert "eighth" in told(3.0).text
    assert told(13.0).short != told(6.6).short
