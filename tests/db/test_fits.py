"""Named fits: kept whole, exported and imported without loss, never silently replaced."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.checks import InputError
from core.collectives.cost_model import Setting
from core.collectives.cost_model.adapt import Adaptation
from core.collectives.fitted import Curve, Fit, MachineConstants, fit_text, read_fit
from db.errors import UnknownRunError

H100 = Setting("h100-sxm", "nvlink4", 8)
FIT = Fit(
    name="our p5 cluster",
    model_version="2026.11",
    machines=(MachineConstants(H100, Adaptation(0.25, -0.1, 7.5e-6, 1024.0), 0.1, 0.05),),
    curves=(Curve(H100, (1024.0, 4096.0), (1.25e-5, 2e-5), 0.03),),
    unidentified=("the network: no run spans domains",),
    run_ids=("a" * 64, "b" * 64),
    note="after the firmware",
    created_at=datetime(2026, 11, 1, 12, 30, tzinfo=UTC),
    created_by="ada",
)
SLOWER = (MachineConstants(H100, Adaptation(0.5), 0.1, 0.05),)


def same(first, second):
    """Equal, and kept by the same person at the same moment."""
    return (first, first.created_at, first.created_by) == (second, second.created_at, second.created_by)


def test_a_fit_comes_back_as_it_was_kept(store):
    """Constants, residuals and the runs it came from survive to the last digit."""
    store.save_fit(FIT)

    assert same(store.fit("our p5 cluster"), FIT)
    assert store.fits() == [FIT]


def test_a_name_is_taken_once(store):
    """Keeping another fit under a name needs a word; then it replaces the first."""
    store.save_fit(FIT)
    other = replace(FIT, machines=SLOWER, run_ids=("c" * 64,))
    with pytest.raises(InputError, match="there is a fit 'our p5 cluster' already"):
        store.save_fit(other)
    assert store.fit(FIT.name) == FIT

    store.save_fit(other, replace=True)
    assert store.fits() == [other]


def test_a_fit_travels_as_a_file(store):
    """Exported, deleted and imported again it is the same fit."""
    store.save_fit(FIT)
    written = fit_text(store.fit(FIT.name))
    store.delete_fit(FIT.name)
    assert store.fits() == []

    store.save_fit(read_fit(written))
    assert same(store.fit(FIT.name), FIT)
    assert {"constants", "run_ids", "residuals", "model_version"} <= set(json.loads(written))


@pytest.mark.parametrize("action", ["fit", "delete_fit"])
def test_an_unknown_fit_is_named(store, action):
    """One line with the name asked for."""
    with pytest.raises(UnknownRunError, match=r"^there is no fit 'none'$"):
        getattr(store, action)("none")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": ""}, "fit.file.name|fit.name: letters"),
        ({"name": "a/b"}, "fit.name: letters"),
        ({"name": "x" * 65}, "fit.name: letters"),
        ({"machines": ()}, "fit.machines: at least one"),
        ({"machines": (replace(SLOWER[0], sd_latency=float("nan")),)}, r"fit.machines\[0\].sd_latency"),
        ({"curves": (replace(FIT.curves[0], time_s=(1e-5,)),)}, r"fit.curves\[0\].time_s"),
        ({"run_ids": ("zz",)}, "fit.run_ids: a list of sha256"),
    ],
)
@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_what_is_no_fit_is_refused_by_key(store, change, words):
    """Nothing is kept of it."""
    with pytest.raises(InputError, match=words):
        store.save_fit(replace(FIT, **change))
    assert store.fits() == []


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_text_that_no_database_holds_is_kept_without_it(store):
    """NUL in a note or in what was left out does not lose the fit."""
    store.save_fit(replace(FIT, note="a\x00b"))
    assert store.fit(FIT.name).note == "ab"
