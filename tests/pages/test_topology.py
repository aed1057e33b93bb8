"""The page Topology: a pasted matrix, its heat map, and the machine in the calculators."""

import json
from pathlib import Path

from tests.pages.charts import drawn

ROWS = 8
PAGES = Path(__file__).resolve().parents[2] / "pages"


def matrix(word="NV18", nics=0):
    """The text of `nvidia-smi topo -m` for eight GPUs."""
    names = [f"GPU{i}" for i in range(ROWS)] + [f"NIC{i}" for i in range(nics)]
    lines = ["\t" + "\t".join([*names, "CPU Affinity"])]
    for i, name in enumerate(names):
        cells = [
            "X" if i == j else word if max(i, j) < ROWS else "PIX" if abs(i - j) == ROWS else "SYS"
            for j in range(len(names))
        ]
        lines.append("\t".join([name, *cells, "0-63"]))
    return "\n".join(lines)


def paste(app, words):
    """Put a matrix into the page."""
    app.text_area(key="_topo_run_text").input(words)
    return app.run()


def test_a_matrix_becomes_a_heat_map_and_a_machine(visit, headline):
    """Eight H100 on switches: 450 GB/s unidirectional, drawn pair by pair, offered as a file."""
    app = paste(visit("topology", topo_gpu="h100-sxm", topo_network="ib-ndr"), matrix(nics=8))

    assert not app.exception
    assert "8 GPUs through switches: 450 GB/s" in headline(app)
    (chart,) = drawn(app)
    assert "56 pairs" in chart.words
    assert any("8 × InfiniBand NDR" in line.value for line in app.caption)


def test_without_the_gpu_the_matrix_is_drawn(visit, headline):
    """The matrix does not name the GPU: its paths and domains are drawn, and the page asks for it in words."""
    app = paste(visit("topology"), matrix())

    assert not app.exception
    assert "8 GPUs, 18 NVLinks a pair. NVLink domains: 8 GPUs." in headline(app)
    assert "does not name the GPU" in headline(app)
    assert "H100" in headline(app)
    (chart,) = drawn(app)
    assert "56 pairs" in chart.words


def test_without_the_gpu_pcie_is_drawn_by_distance(visit, headline):
    """A machine without NVLink shows how far its GPUs are from each other."""
    app = paste(visit("topology"), matrix("SYS"))

    assert not app.exception
    assert "PCIe only" in headline(app)
    (chart,) = drawn(app)
    assert "steps of distance" in chart.words


def test_weak_pairs_are_named(visit):
    """On PCIe across sockets the far pairs are found and named."""
    app = paste(
        visit("topology", topo_gpu="l40s"),
        "\tGPU0\tGPU1\tGPU2\nGPU0\tX\tPIX\tSYS\nGPU1\tPIX\tX\tSYS\nGPU2\tSYS\tSYS\tX",
    )

    assert not app.exception
    assert any("GPU0-GPU2 (SYS" in line.value for line in app.markdown)


def test_the_machine_goes_into_the_calculators(visit, headline):
    """One button, and the collectives page prices the machine of the matrix, labelled yours."""
    app = paste(visit("topology", topo_gpu="h100-sxm"), matrix("NV16"))
    app.button(key="_topo_use").click().run()
    assert any("calculators" in box.value for box in app.success)
    app.switch_page(str(PAGES / "collectives.py")).run()

    assert not app.exception
    assert app.selectbox(key="system").value == "file"
    assert "8 GPUs" in headline(app)
    assert any("400 GB/s" in line.value for line in app.caption)


def test_what_is_no_matrix_is_refused(visit):
    """Another tool's text is named as not being of this kind."""
    app = paste(visit("topology"), "hello")

    assert not app.exception
    assert app.error or app.warning


def test_the_file_is_valid_json(visit):
    """What the download offers is a system file in JSON."""
    from core.systems import read_system
    from pages.ui.shared.stored import store

    app = paste(visit("topology", topo_gpu="h100-sxm"), matrix())
    app.button(key="_topo_use").click().run()
    handed = store().file(app.session_state["system_file"]).content.decode()

    assert json.loads(handed)["domain"]["gpus"] == 8
    assert read_system(handed).scale_up.bytes_per_s == 450e9
