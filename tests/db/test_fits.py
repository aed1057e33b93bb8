"""Named fits: kept whole, exported and imported without loss, never silently replaced."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.checks import InputError
from db.errors import UnknownRunError
from db.fits import from_json, to_json
from db.records import Fit
from tests.db.examples import FULL, simple

FIT = Fit(
    name="our p5 cluster",
    model_version="2026.11",
    constants={"latency_s": 7.5e-6, "per_step": {"ring": [1.25e-6, 2e-6]}, "identified": True, "tree": None},
    residuals=[{"size_bytes": 1024, "ratio": 1.02}],
    run_sha256s=("a" * 64, "b" * 64),
    created_at=datetime(2026, 11, 1, 12, 30, tzinfo=UTC),
    created_by="ada",
    note="after the firmware",
)


def test_a_fit_comes_back_as_it_was_kept(store):
    """Constants, residuals and the runs it came from survive to the last digit."""
    store.save_fit(FIT)

    assert store.fit("our p5 cluster") == FIT
    assert store.fits() == [FIT]


def test_a_name_is_taken_once(store):
    """Keeping another fit under a name needs a word; then it replaces the first."""
    store.save_fit(FIT)
    other = replace(FIT, constants={"latency_s": 1e-6}, run_sha256s=("c" * 64,))
    with pytest.raises(InputError, match="there is a fit 'our p5 cluster' already"):
        store.save_fit(other)
    assert store.fit(FIT.name) == FIT

    store.save_fit(other, replace=True)
    assert store.fits() == [other]


def test_a_fit_travels_as_a_file(store):
    """Exported, deleted and imported again it is the same fit."""
    store.save_fit(FIT)
    written = to_json(store.fit(FIT.name))
    store.delete_fit(FIT.name)
    assert store.fits() == []

    store.save_fit(from_json(written))
    assert store.fit(FIT.name) == FIT
    assert {"constants", "run_ids", "residuals", "model_version"} <= set(json.loads(written))


def test_the_runs_of_a_fit_are_found_here(store):
    """A fit names runs by what they hold, so each server finds its own number for them."""
    saved = store.save([FULL, simple(1)])
    names = [row.sha256 for row in store.rows([one.id for one in saved])]

    assert store.run_numbers([*names, "f" * 64]) == {
        name: one.id for name, one in zip(names, saved, strict=True)
    }


@pytest.mark.parametrize("action", ["fit", "delete_fit"])
def test_an_unknown_fit_is_named(store, action):
    """One line with the name asked for."""
    with pytest.raises(UnknownRunError, match=r"^there is no fit 'none'$"):
        getattr(store, action)("none")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": ""}, "fit.name: letters"),
        ({"name": "a/b"}, "fit.name: letters"),
        ({"name": "x" * 65}, "fit.name: letters"),
        ({"name": 5}, "fit.name: a text"),
        ({"constants": {}}, "fit.constants: a JSON object"),
        ({"constants": [1]}, "fit.constants: a JSON object"),
        ({"constants": {"x": float("nan")}}, "fit.constants, residuals: plain JSON"),
        ({"residuals": object()}, "fit.constants, residuals: plain JSON"),
        ({"run_sha256s": ("zz",)}, "fit.run_ids: a list of sha256"),
        ({"created_by": 1}, "fit.created_by: a text"),
        ({"note": None}, "fit.note: a text"),
    ],
)
@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_what_is_no_fit_is_refused_by_key(store, change, words):
    """Nothing is kept of it."""
    with pytest.raises(InputError, match=words):
        store.save_fit(replace(FIT, **change))
    assert store.fits() == []


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("", "fit: a JSON object"),
        ("[" * 100_000, "fit: a JSON object"),
        ("[]", "fit.format_version: 1"),
        ('{"format_version": 2}', "fit.format_version: 1"),
        ('{"format_version": 1, "x": 1}', "fit.x: unknown"),
        ('{"format_version": 1}', "fit.name"),
        ('{"format_version": 1, "name": "a", "constants": {"b": NaN}}', "plain JSON values"),
        ('{"format_version": 1, "name": "a", "constants": {"b": 1}, "created_at": 5}', "fit.created_at"),
        ('{"format_version": 1, "name": "a", "constants": {"b": 1}, "run_ids": "abc"}', "fit.run_ids"),
        (" " * 2_000_001, "at most 2,000,000 characters"),
    ],
)
def test_a_file_that_is_no_fit_is_refused_by_key(written, words):
    """One line that names the key and what it may hold."""
    with pytest.raises(InputError, match=words) as refused:
        from_json(written)
    assert "\n" not in str(refused.value)
