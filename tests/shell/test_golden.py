"""Worked cases through the shell, with the overrides that anyone may type."""

import json

import pytest

from core.units import GB
from tests.shell.commands import answer, ask

SPEC = ("--rates", "spec")


def test_two_levels_with_a_latency_and_a_rate_each(capsys):
    """810 GB over 2,048 nodes of 8, each level with its own latency and rate."""
    reply = answer(
        capsys,
        *("gradient-sync", "--params", "405e9", "--domains", "2048", "--algorithm", "two-level", *SPEC),
        *("--latency-us", "1,5", "--rate-gbps-one-way", "450,50"),
    )

    assert reply["time_s"] == pytest.approx(7.218506460937501, rel=1e-9)


def test_a_pair_reaches_the_hierarchys_network_alone(capsys):
    """The second number replaces what crosses domains, the first everything else."""
    levels = answer(
        capsys,
        *("hierarchy", "--domains", "2", "--latency-us", "1,5", "--rate-gbps-one-way", "400,25", *SPEC),
    )["levels"]
    by_name = {level["level"]: level for level in levels}

    assert by_name["network"]["latency_s"] == pytest.approx(5e-6)
    assert by_name["network"]["bytes_per_s"] == 25 * GB
    assert by_name["scale-up"]["latency_s"] == pytest.approx(1e-6)
    assert by_name["scale-up"]["bytes_per_s"] == 400 * GB


@pytest.mark.parametrize("pair", ["1,2,3", "1,", "-1", "1,x"])
def test_what_is_no_pair_is_refused_in_one_line(capsys, pair):
    """One number or two; anything else is exit 2 and a line."""
    status, out, err = ask(capsys, "gradient-sync", "--params", "1e9", f"--latency-us={pair}")

    assert (status, out, err.count("\n")) == (2, "", 1)


def test_nccls_own_table_by_size(capsys):
    """8 GPUs at 18 links of 20.6 GB/s, from 1 KiB to 1 GiB."""
    expected = {
        "1KiB": ("LL", 15.012709219858156),
        "64KiB": ("LL", 15.813390070921985),
        "1MiB": ("LL", 28.014241134751774),
        "64MiB": ("Simple", 372.7219848975189),
        "1GiB": ("Simple", 5123.551758360301),
    }
    for size, (protocol, time_us) in expected.items():
        said = answer(capsys, "collective", "--ranks", "8", "--size", size, "--nccl-table")["nccl_table"]
        assert (said["protocol"], said["time_s"] * 1e6) == (protocol, pytest.approx(time_us, rel=1e-9))


def test_nccls_table_is_silent_where_it_has_no_links(capsys):
    """A card on PCIe has no NVLink row."""
    reply = answer(capsys, "collective", "--system", "rtx-4090-x8", "--nccl-table")

    assert reply["nccl_table"] is None


def test_half_a_pcie_slot(capsys):
    """Eight lanes move half of sixteen, generation by generation."""
    links = {item["id"]: item for item in answer(capsys, "systems")["links"]}
    halves = {"3": 7.876923076923077, "4": 15.753846153846155, "5": 31.50769230769231, "6": 60.5, "7": 121.0}

    for generation, rate in halves.items():
        assert links[f"pcie{generation}-x16"]["half_width_effective_bytes_per_s"] == pytest.approx(rate * GB)


@pytest.mark.parametrize(
    ("pp", "micro", "vpp", "share"),
    [(1, 8, 1, 0), (8, 32, 1, 0.1794871794871795), (8, 32, 4, 0.05185185185185185)],
)
def test_the_pipelines_own_bubble(capsys, pp, micro, vpp, share):
    """Idle share of the pipeline, whatever else is in the step."""
    reply = answer(
        capsys,
        *("train", "--model", "llama-3.1-405b", "--tp", "8", "--dp", "1", "--global-batch", str(micro)),
        *("--pp", str(pp), "--vpp", str(vpp), "--micro-batch", "1"),
    )

    assert reply["bubble_fraction"] == pytest.approx(share, abs=1e-12)


def test_the_money_of_a_stated_share(capsys):
    """Five per cent of 16,384 GPUs at three dollars, and when ten million are back."""
    reply = answer(
        capsys,
        *("gradient-sync", "--params", "70e9", "--domains", "2048", "--usd-per-gpu-hour", "3"),
        *("--lost-share", "0.05", "--upgrade-usd", "10e6"),
    )

    assert reply["one_percent"]["usd_per_day"] == pytest.approx(11796.48)
    assert reply["loss"]["usd_per_month"] == pytest.approx(1769472)
    assert reply["payback_months"] == pytest.approx(5.651403356481482)


def test_efficiencies_with_a_rest_of_the_step(capsys):
    """Compute 0.85, communication 0.12 and a rest of 0.03 under each definition."""
    reply = answer(
        capsys,
        *(
            "gradient-sync",
            "--params",
            "0.12e9",
            "--grad-bytes",
            "2",
            "--ranks",
            "2",
            "--latency-us",
            "0",
            *SPEC,
        ),
        *("--rate-gbps-one-way", "2", "--algorithm", "ring", "--overlap", "0"),
        *("--backward-s", "0.5", "--forward-s", "0.35", "--other-s", "0.03"),
    )

    assert reply["exposed_s"] == pytest.approx(0.12)
    assert reply["efficiency"] == {
        "compute_over_compute_and_comm": pytest.approx(0.8762886597938144),
        "compute_share": pytest.approx(0.85),
        "no_comm_speedup": pytest.approx(0.88),
    }


def test_a_model_and_a_number_of_parameters_are_not_both_taken(capsys):
    """Neither wins silently."""
    status, _, err = ask(capsys, "gradient-sync", "--model", "llama-3.1-8b", "--params", "70e9")

    assert status == 2
    assert err.count("\n") == 1
    assert "not both" in err


def test_a_plain_mlp_has_two_matrices(capsys):
    """GPT-3's shape counts 175 billion parameters; a gated MLP of the same width 58 billion more."""
    shape = ["--layers", "96", "--hidden", "12288", "--heads", "96", "--ffn", "49152", "--vocab", "51200"]
    plain, gated = (
        answer(capsys, "gradient-sync", *shape, *more)["params"] for more in ((), ("--mlp", "gated"))
    )

    assert plain == pytest.approx(174.6e9, rel=1e-3)
    assert gated > plain + 57e9


def test_waiting_for_the_slowest_rank_is_in_the_sentence(capsys):
    """A spread adds to the step, and the headline says how much."""
    reply = answer(capsys, "gradient-sync", "--params", "7e9", "--backward-s", "1", "--spread", "0.1")

    assert "waiting for the slowest rank adds" in reply["headline"]
    assert reply["step_s"] == pytest.approx(1.5 + reply["exposed_s"] + reply["straggler_s"])


def test_a_micro_batch_that_nobody_gave_is_said(capsys):
    """The fastest that fits is taken and named; a stated one is left alone."""
    job = (
        "train",
        "--model",
        "llama-3.1-8b",
        "--gpus",
        "64",
        "--tp",
        "2",
        "--global-batch",
        "256",
        "--seq",
        "2048",
    )
    free, case = answer(capsys, *job), answer(capsys, *job, "--micro-batch", "1")

    assert free["step_s"] < case["step_s"]
    assert any("no micro-batch is given" in line for line in free["assumptions"])
    assert not any("no micro-batch is given" in line for line in case["assumptions"])


def test_infiniband_and_roce_side_by_side(capsys):
    """Latency, payload and price set them apart; the machine's oversubscription stays with both."""
    job = ("gradient-sync", "--params", "8e9", "--domains", "16", *SPEC, "--algorithm", "two-level")
    plain = answer(capsys, *job, "--networks", "ib-ndr,roce-400", "--roce-payload", "0.9")["networks"]
    thin = answer(capsys, *job, "--networks", "ib-ndr", "--oversubscription", "4")
    by_link = {case["link"]: case for case in plain}

    assert list(by_link) == ["ib-ndr", "roce-400"]
    assert (by_link["roce-400"]["payload_share"], by_link["ib-ndr"]["cost_factor"]) == (0.9, 2)
    assert by_link["ib-ndr"]["slowdown"] == 1 < by_link["roce-400"]["slowdown"]
    assert thin["networks"][0]["time_s"] == pytest.approx(thin["time_s"])
    assert thin["time_s"] > by_link["ib-ndr"]["time_s"]


def test_an_unknown_network_is_refused_in_one_line(capsys):
    """The line lists those that exist."""
    status, out, err = ask(capsys, "gradient-sync", "--params", "1e9", "--domains", "2", "--networks", "x")

    assert (status, out, err.count("\n")) == (2, "", 1)


def test_a_system_files_oversubscription_survives_more_domains(capsys, tmp_path):
    """A machine of yours with a 4:1 leaf keeps it when the shell asks for more of its domains."""
    mine = {"name": "mine", "gpu": "h100-sxm", "domain": {"gpus": 8}}
    times = []
    for ratio in (1, 4):
        path = tmp_path / f"{ratio}.json"
        network = {"link": "ib-ndr", "oversubscription": ratio}
        path.write_text(json.dumps(mine | {"network": network}), encoding="utf-8")
        job = ("gradient-sync", "--params", "8e9", "--domains", "64", "--system-file", str(path), *SPEC)
        times.append(answer(capsys, *job)["time_s"])

    assert times[1] > 2 * times[0]
