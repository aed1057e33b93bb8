"""Every kernel of a run as nsys stats prints it, a file written for each form."""

import json
import time

import pytest

from core.errors import InputError
from tests.core.traces.written import calls, read

KERNELS = (
    "NOTICE: Existing SQLite export found\n\nProcessing [a.sqlite] with [cuda_gpu_trace.py]...\n"
    "Start (ns),Duration (ns),CorrId,GrdX,Bytes (MB),Device,Ctx,GreenCtx,Strm,Name\n"
    '1000,100,1,4,,NVIDIA H100 (0),1,,7,"void gemm<int, 2>(int)"\n'
    "1050,200,2,4,,NVIDIA H100 (0),1,,20,ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)\n"
    "1300,10,3,,8.0,NVIDIA H100 (0),1,,7,[CUDA memcpy Host-to-Device]\n"
    "900,50,1,4,,NVIDIA H100 (1),1,,7,gemm\n"
    "1100,150,2,4,,NVIDIA H100 (1),1,,20,ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)\n"
)
EXECUTED = (
    "API Start (ns),API Dur (ns),Queue Start (ns),Kernel Start (ns),Kernel Dur (ns),DevId,API Function,Kernel Name\n"
    "900,5,905,1000,100,0,cudaLaunchKernel,gemm\n"
    "950,5,,1050,200,0,cudaLaunchKernelExC,ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)\n"
)
RULED = (
    " Start (ns)  Duration (ns)  CorrId  Strm          Name        \n"
    " ----------  -------------  ------  ----  --------------------\n"
    "      1,000            100       1     7  gemm                \n"
    "      1,050            200       2     7  ncclKernel_AllReduce\n"
)


def test_single_kernels_of_nsys():
    """Times of every kernel on two devices: a timeline, with what compute hides."""
    job = read(KERNELS.encode())
    found = job.ranks[0].collectives

    assert [(entry.rank, entry.device, entry.kernels) for entry in job.ranks] == [(0, 0, 2), (1, 1, 2)]
    assert (list(found.operation), found.stream.tolist(), job.device_name) == (
        ["all_reduce"],
        [20],
        "NVIDIA H100",
    )
    times_s = [found.start_s[0], found.duration_s[0], found.exposed_s[0]]
    assert [1e9 * time_s for time_s in times_s] == pytest.approx([150, 200, 150])
    assert job.ranks[0].copies.start_s.tolist() == pytest.approx([400e-9])
    assert (job.ranks[1].start_s, job.ranks[1].end_s) == pytest.approx((0, 350e-9))


@pytest.mark.parametrize(
    "written",
    [
        KERNELS.replace(",", "\t").replace("int\t", "int,"),
        "\n".join(line for line in KERNELS.splitlines() if "(1)" not in line),
        EXECUTED,
        json.dumps(
            [
                {"Start (us)": 1.0, "Duration (us)": 0.1, "CorrId": 1, "Strm": 7, "Name": "gemm"},
                {
                    "Start (us)": 1.05,
                    "Duration (us)": 0.2,
                    "CorrId": 2,
                    "Strm": 9,
                    "Name": "ncclKernel_AllReduce",
                },
            ]
        ),
        RULED,
    ],
)
def test_single_kernels_in_any_form(written):
    """Commas, tabs, blanks or JSON, any unit, with the launch or without: the same call."""
    found = calls(written.encode(), names=["rank4_cuda_gpu_trace.csv"])

    assert found.duration_s * 1e9 == pytest.approx([200])
    assert found.exposed_s * 1e9 == pytest.approx([150])


def test_a_list_whose_rows_differ():
    """Rows that name their columns otherwise than the first, or whose kernel has not ended, are left out."""
    nanoseconds = {"Start (ns)": 1, "Duration (ns)": 5, "CorrId": 1, "Name": "gemm"}
    microseconds = {"Start (us)": 1, "Duration (us)": 5, "CorrId": 1, "Name": "gemm"}
    running = nanoseconds | {"Duration (ns)": None}
    wider = nanoseconds | {"Start (ns)": 9, "Strm": 7}
    job = read(json.dumps([nanoseconds, microseconds, running, wider]).encode())

    assert job.ranks[0].kernels == 2
    assert job.ranks[0].compute.start_s.tolist() == pytest.approx([0, 8e-9])


def test_what_nsys_prints_while_it_profiles():
    """Its progress in brackets begins no JSON: the tables below it are read."""
    progress = "[1/8] [========================100%] report1.nsys-rep\n[2/8] Executing 'cuda_gpu_trace'\n\n"

    assert calls((progress + RULED).encode()).duration_s.tolist() == pytest.approx([200e-9])


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (
            "Start (ns),Duration (ns),Name,Result,CorrID,Pid,Tid\n1,2,cudaFree,0,1,7,7\n",
            "no trace of a known",
        ),
        ("Start (ns),Duration (ns),CorrId,Name\n1,2,3,[CUDA memset]\n", "without kernels"),
        ("Start (ns),Duration (ns),CorrId,Name\n1,x,3,gemm\n", "is no time"),
        ("Start (h),Duration (h),CorrId,Name\n1,2,3,gemm\n", "is no time"),
        (f"Start (ns),Duration (ns),CorrId,Name\n1,{'9' * 400},3,gemm\n", "is no time"),
        ("Start (ns),Duration (ns),CorrId,Name\n", "without rows"),
        (
            'Total Time (ns),Instances,Name\n100,",",ncclDevKernel_AllReduce_Sum_f32_RING_LL\n',
            "without kernels",
        ),
    ],
)
def test_tables_of_nsys_without_kernels(written, reason):
    """Calls on the CPU, copies alone, times that are none: a line."""
    with pytest.raises(InputError, match=reason):
        read(written.encode())


def test_a_cell_of_any_length_is_looked_at_quickly():
    """A first line of tens of kilobytes in brackets costs no more than any other."""
    start = time.process_time()

    with pytest.raises(InputError, match="no trace of a known"):
        read((("(" * 32_000) + (")" * 32_000) + "x\n").encode())
    assert time.process_time() - start < 1
