"""Hardware that does not exist is answered from its catalog entries alone, through every door."""

import csv
import importlib
import io
import json
from dataclasses import replace

import pytest

from core.catalog import SYSTEMS
from core.catalog.networks import next_generation
from core.collectives.formulas import COLLECTIVES
from core.collectives.pricing import Scenario, sweep
from core.parallel import prices
from core.provenance import Origin
from core.shell.main import main
from core.systems import configure
from tests import invented
from tests.each import table
from tests.invented import FASTER_LINK, NETWORK, NEW_GENERATION, SAME_LINK

INVENTED = (SAME_LINK, FASTER_LINK, NEW_GENERATION)
SIZES = [1e3, 1e6, 1e9]

MODEL = ("--model", "llama-3.1-8b")
COMMANDS = {
    "hierarchy": ("--size", "1GB"),
    "collective": ("--collective", "all_reduce", "--ranks", "16", "--size", "64MiB"),
    "tp": (*MODEL, "--tp", "8", "--tokens", "64"),
    "gradient-sync": (*MODEL, "--backward-s", "0.5"),
    "train": (*MODEL, "--gpus", "16", "--tp", "8", "--global-batch", "64"),
    "capacity": (*MODEL, "--context", "8192", "--sequences", "8"),
    "strategy": (*MODEL, "--gpus", "16", "--global-batch", "64"),
    "expect": ("--collective", "all_reduce", "--from-size", "1MiB", "--to-size", "4MiB"),
}

DATASHEET = ("hierarchy",)
"""Commands whose copies are the datasheet's and say so."""
"""A command that answers without any collective."""


@pytest.fixture(autouse=True)
def _invented(monkeypatch):
    invented.add(monkeypatch)


def priced(system_id, collective="all_reduce", domains=1):
    system = configure(SYSTEMS[system_id], domains=domains)
    return sweep(Scenario(system, collective, system.gpus), SIZES)


def spread(answer):
    """High over low of the prediction interval."""
    return answer.high_s / answer.low_s


@table("domains", [1, 4])
@table("collective", COLLECTIVES)
@table("system_id", INVENTED)
def test_every_collective_has_a_calibrated_price(system_id, collective, domains):
    """Never the datasheet in silence: the rates say calibrated, the basis what stands for the hardware."""
    answer = priced(system_id, collective, domains)

    assert answer.rates == "calibrated"
    assert answer.basis.startswith(("calibrated:", "extrapolated:"))
    assert all(answer.time_s > 0)
    assert all(spread(answer) > 1)


def test_a_gpu_of_a_measured_generation_on_its_link_is_calibrated():
    """A new Hopper on NVLink 4 costs what an H200 does."""
    new, known = priced(SAME_LINK), priced("dgx-h200")

    assert new.basis == known.basis == "calibrated:nvlink-hopper"
    assert list(new.time_s) == list(known.time_s)


@pytest.mark.parametrize(
    ("system_id", "basis"),
    [(FASTER_LINK, "extrapolated:nvlink-hopper"), (NEW_GENERATION, "extrapolated:nvlink-blackwell")],
)
def test_what_nobody_measured_takes_the_nearest_generation_with_a_wider_band(system_id, basis):
    """Another link, or an architecture after the last one measured: faster, and less certain."""
    new, known = priced(system_id), priced("dgx-h100")

    assert new.basis == basis
    assert new.time_s[-1] < known.time_s[-1]
    assert all(spread(new) > spread(known))


def test_a_network_nobody_measured_takes_its_family_with_a_wider_band():
    """Four domains over a faster InfiniBand."""
    new, known = priced(FASTER_LINK, domains=4), priced("dgx-h100", domains=4)

    assert new.basis.startswith("extrapolated:ib")
    assert new.time_s[-1] < known.time_s[-1]
    assert all(spread(new) > spread(known))


@pytest.mark.parametrize("domains", [2, 4])
def test_a_measured_network_behind_an_unmeasured_link_is_extrapolated(monkeypatch, domains):
    """An answer across domains is no more certain than the one inside them: InfiniBand is, the link is not."""
    kin = SYSTEMS[SAME_LINK].fabrics[1:]
    monkeypatch.setitem(
        SYSTEMS,
        FASTER_LINK,
        replace(SYSTEMS[FASTER_LINK], fabrics=(SYSTEMS[FASTER_LINK].scale_up, *kin), network="ib-ndr"),
    )
    new, known = priced(FASTER_LINK, domains=domains), priced("dgx-h100", domains=domains)

    assert (new.basis, known.basis) == ("extrapolated:ib/hopper", "calibrated:ib/hopper")
    assert all(spread(new) > spread(known))


def stated(document, keys=("rates", "basis")):
    """Every ``rates`` and ``basis`` of an answer, wherever it stands."""
    if isinstance(document, list):
        document = dict(enumerate(document))
    if isinstance(document, dict):
        for key, value in document.items():
            if key in keys:
                yield value
            yield from stated(value, keys)


@pytest.fixture
def bases(monkeypatch):
    """Basis of every collective priced from here on whose question asked for calibrated rates."""
    pricing = importlib.import_module("core.collectives.pricing.sweep")
    collectives = []

    def recorded(price):
        def record(scenario, *args):
            answer = price(scenario, *args)
            if scenario.rates.origin is Origin.CALIBRATED:
                collectives.append(answer.basis)
            return answer

        return record

    for name in ("by_cost_model", "by_formulas"):
        monkeypatch.setattr(pricing, name, recorded(getattr(pricing, name)))
    timing = importlib.import_module("core.collectives.pricing.timing")
    monkeypatch.setattr(timing, "curve_of", recorded(timing.curve_of))
    for cached in (prices._priced, prices._exchange, timing._placed):
        cached.cache_clear()
    return collectives


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("system_id", INVENTED)
def test_every_command_answers(capsys, bases, system_id, command):
    """Status 0, nothing on stderr, and no collective in it falls to the datasheet."""
    status = main([command, *COMMANDS[command], "--system", system_id, "--domains", "2", "--json"])
    printed = capsys.readouterr()

    assert (status, printed.err) == (0, "")
    assert command in DATASHEET or "spec" not in set(stated(json.loads(printed.out)))
    assert bases
    assert all(basis.startswith(("calibrated:", "extrapolated:", "parts:")) for basis in bases)


@pytest.mark.parametrize("command", ["collective", "tp", "gradient-sync", "train", "strategy"])
def test_rates_say_what_answered(capsys, command):
    """A latency of one's own is priced by the formulas, and no command calls that calibrated."""
    ask = [command, *COMMANDS[command], "--system", SAME_LINK, "--domains", "2", "--latency-us", "3"]
    assert main([*ask, "--json"]) == 0

    assert set(stated(json.loads(capsys.readouterr().out), ("rates",))) == {"spec"}


@pytest.mark.parametrize("system_id", INVENTED)
def test_nccl_counts_the_links_of_any_nvlink_gpu(capsys, system_id):
    """Its own ceiling and its tuning table, by architecture and not by the name of a link."""
    here = ("--system", system_id, "--json")
    assert main(["hierarchy", *here]) == 0
    ceilings = {row["name"]: row["bytes_per_s"] for row in json.loads(capsys.readouterr().out)["ceilings"]}
    assert main(["collective", "--algorithm", "ring", "--nccl-table", *here]) == 0
    table = json.loads(capsys.readouterr().out)["nccl_table"]

    per_link = 40.1e9 if system_id == NEW_GENERATION else 20.6e9
    assert ceilings["NCCL's own"] == table["bytes_per_s"] == pytest.approx(18 * per_link)


def test_the_next_network_is_the_slowest_faster_one_of_its_family():
    """One more entry stands between NDR and XDR; networks of instances have no next."""
    path = ["ib-hdr", "ib-ndr", NETWORK, "ib-xdr", None]

    assert [next_generation(network) for network in path[:-1]] == path[1:]
    assert [next_generation(network) for network in ("roce-400", "roce-800", "efa-400", "yours")] == [
        "roce-800",
        *(None, None, None),
    ]


def test_the_systems_are_listed(capsys):
    """One entry each, and the list has them."""
    assert main(["systems", "--json"]) == 0

    assert set(INVENTED) <= {row["id"] for row in json.loads(capsys.readouterr().out)["systems"]}


def test_a_network_of_one_entry_can_be_chosen(capsys):
    """``--network`` takes it on any system."""
    ask = ["collective", "--system", "dgx-h100", "--domains", "2", "--network", NETWORK, "--ranks", "16"]

    assert main([*ask, "--collective", "all_reduce", "--size", "1GiB", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["basis"].startswith("extrapolated:ib")


HEADER = (
    "gpu,scale_up_link,domain_gpus,domains,scale_up_GBps_per_gpu,scale_out_link,scale_out_GBps_per_gpu,"
    "collective,size_bytes"
)
ROWS = {
    "catalogued, calibrated": "h100-sxm,nvlink4,8,1,,,,all_reduce,1e8",
    "invented, of its generation": "h210,nvlink4,8,1,,,,all_reduce,1e8",
    "invented, other link": "h220,nvlink4x,8,1,,,,all_reduce,1e8",
    "invented, other architecture": "f100,nvlink8,8,1,,,,all_reduce,1e8",
    "invented network": f"h100-sxm,nvlink4,8,4,,{NETWORK},,all_reduce,1e8",
    "unknown GPU": "z900,nvlink4,8,1,,,,all_reduce,1e8",
    "unknown GPU and link": "z900,zlink2,8,1,700,,,all_reduce,1e8",
    "unknown network": "h100-sxm,nvlink4,8,4,,znet-9,80,all_reduce,1e8",
    "all unknown": "z900,zlink2,8,4,700,znet-9,80,all_to_all,1e8",
}


@pytest.fixture
def predicted(tmp_path, capsys):
    """The rows of ``ROWS`` as ``predict`` answers them, by name."""
    table = tmp_path / "rows.csv"
    table.write_text("\n".join([HEADER, *ROWS.values()]) + "\n")
    assert main(["predict", str(table), "-o", "-"]) == 0
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    return dict(zip(ROWS, rows, strict=True))


def test_predict_answers_every_row(predicted):
    """No row is an error; only those of a measured generation on its own link are calibrated."""
    bases = {name: row["basis"] for name, row in predicted.items()}

    assert [name for name, basis in bases.items() if basis.startswith("calibrated:")] == list(ROWS)[:2]
    assert all(basis.startswith(("calibrated:", "extrapolated:", "parts:")) for basis in bases.values())
    assert all(float(row["predicted_us"]) > 0 for row in predicted.values())


def test_predict_is_less_certain_of_what_nobody_measured(predicted):
    """Each such row has a wider interval than the same question of an H100."""
    width = {name: float(row["high_us"]) / float(row["low_us"]) for name, row in predicted.items()}
    inside = ("invented, other link", "invented, other architecture", "unknown GPU", "unknown GPU and link")

    assert all(width[name] > width["catalogued, calibrated"] for name in inside)
