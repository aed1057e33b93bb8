"""One log, three doors: shell, page and HTTP say the same verdict, causes, weights and next command."""

import contextlib
import io
import json

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.units import whole_percent
from gpu_probe.__main__ import main
from pages.http.ask.check import Check
from pages.http.ask.routes import Rate
from tests.bench.causes.defects import DEFECTS
from tests.bench.causes.machines import LEFT_OUT, SEEN
from tests.pages.test_check import paste

CASES = (
    ("none", "H100, InfiniBand", 1),
    ("no GPUDirect RDMA", "H100, InfiniBand", 2),
    ("TCP", "H100, RoCE", 2),
    ("LL forced", "MI300X", 1),
    ("rate falls with size", "MI300X", 4),
    ("host split by containers", "H20", 1),
)


def log_of(defect, machine, nodes):
    """The paste of a case."""
    bench = next(item for item in (*SEEN, *LEFT_OUT) if (item.name, item.nodes) == (machine, nodes))
    chosen = next(item for item in DEFECTS if item.name == defect)
    return chosen.log(bench, np.random.default_rng(4), share=1.0, noise=0.03)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} on {case[1]}")
def test_three_doors_say_the_same(case, visit, headline, tmp_path):
    """The page shows the headline, the first cause with its weight and the next command of shell and HTTP."""
    log = log_of(*case)
    file = tmp_path / "log"
    file.write_text(log)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main(["check", str(file), "--json"])
    (told,) = json.loads(out.getvalue())
    with TestClient(Starlette(routes=Check(Rate(30)).routes())) as client:
        asked = client.post("/v1/check", content=log.encode(), headers={"Content-Type": "text/plain"})
    app = paste(visit("check"), log)
    shown = " ".join(part.value for part in (*app.markdown, *app.caption))

    assert asked.json()["runs"][0] | {"file": ""} == told | {"file": ""}
    assert not app.exception
    assert told["headline"] in headline(app)
    if told["causes"]:
        assert told["next"]["command"] in [block.value for block in app.code]
    if told["causes"] and told["reason"] != "below_the_band":
        assert f"**{whole_percent(told['causes'][0]['weight'])}**" in shown
