"""Texts from outside that no store, file or terminal holds: met at one place, whatever tool wrote them."""

import io
import json
import tarfile
from typing import NamedTuple

import pytest

from core.errors import InputError
from core.measurement import Machine, Run
from core.measurement.run_json import from_json, to_json
from core.storable import UNSTORABLE, storable
from core.traces.detect import read_job
from core.traces.job_json import job_to_json
from gpu_probe.parsers import read
from tests.gpu_probe import formats as tools
from tools.big_trace import write

SIGNS = ("\0", "\ud800", "H\x00100", "\udc80")
FILLER = ("x" * 80 + "\n") * 1300
"""More than the beginning of a log, by which a file that is no text is told."""


class Port(NamedTuple):
    """A named tuple as records of the core are."""

    name: str
    lanes: int


def reports(sign):
    """Files of the tools with the sign in texts that a run keeps, by what they are."""
    bandwidth, collective = tools.nvbandwidth_json(), tools.nccl_json(env=[f"NCCL_ALGO={sign}"])
    bandwidth["nvbandwidth"]["Driver Version"] = sign
    collective |= {"version": sign, "start_time": sign}
    collective["results"][0]["type"] = sign
    log = FILLER + "\n".join(tools.nccl_tests()).replace("node0", f"node0{sign}")
    topology = FILLER + "\n".join(tools.topology()).replace("mlx5_1", f"mlx5_1{sign}")
    return {
        "nvbandwidth": json.dumps(bandwidth).encode(),
        "nvbandwidth in a log": "\n".join(["+ nvbandwidth -j", *tools.styled(bandwidth), "end"]).encode(),
        "nccl-tests": json.dumps(collective).encode(),
        "log": log.encode("utf-8", "surrogatepass"),
        "topology": topology.encode("utf-8", "surrogatepass"),
    }


def test_every_run_that_is_read_can_be_kept():
    """NUL or half a surrogate pair in a version, a host or a name leaves a run that its own file form takes."""
    for sign in SIGNS:
        for what, data in reports(sign).items():
            for run in read(what if "\0" in sign else f"{what}{sign}", data):
                assert from_json(json.loads(json.dumps(to_json(run)))) == run, (what, sign)


def test_the_sign_shows_where_it_stood():
    """A driver's version with NUL is read with U+FFFD in its place."""
    (run,) = read("upload", reports("5\x0070")["nvbandwidth"])

    assert run.machine.driver == "5\ufffd70"


def test_every_job_that_is_read_can_be_printed():
    """The device, kernel, group and file of a trace likewise, and a refusal that names a file of an archive."""
    file = io.StringIO()
    write(100_000, file)
    text = file.getvalue()
    for plain in ("NVIDIA H100", "ncclDevKernel", '"Process Group Name": "', '"nccl_version": "'):
        for sign in ("\\u0000", "\\ud800"):
            trace = text.replace(plain, f"{plain}{sign}").encode()
            job = read_job([("trace\udc80.json", io.BytesIO(trace))])
            written = json.dumps(job_to_json(job), ensure_ascii=False)
            assert "\\u0000" not in written
            assert not UNSTORABLE.search(written), plain

    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        notes = tarfile.TarInfo("notes\udc80.txt")
        notes.size = 5
        tar.addfile(notes, io.BytesIO(b"notes"))
    archive.seek(0)
    with pytest.raises(InputError) as refused:
        read_job([("all.tar", archive)])
    assert str(refused.value).startswith("notes?.txt: ")


def test_what_can_be_kept_is_not_copied():
    """A run without such a sign is the very same, and in others only what holds one is new."""
    plain = Run("a", "topo-m", None, None, Machine(hosts=("h",), env={"NCCL_ALGO": "Tree"}))
    broken = Run("a", "topo-m", None, None, Machine(hosts=("h", "i\0"), env={"NCCL_ALGO": "\ud800"}))

    assert storable(plain) is plain
    assert storable(broken).machine == Machine(hosts=("h", "i\ufffd"), env={"NCCL_ALGO": "\ufffd"})


def test_a_named_tuple_stays_one():
    """A port whose name had NUL still has its fields by name."""
    port = storable(Port("mlx5\0", 16))

    assert isinstance(port, Port)
    assert (port.name, port.lanes) == ("mlx5\ufffd", 16)
