"""The fit file: written, read back the same, and refused in one line where it is none."""

import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checks import InputError
from core.collectives.cost_model import Setting, predict
from core.collectives.fitted import Series, fit_json, fit_series, predict_fitted, read_fit
from tests.each import table

SIZES = np.exp2(np.arange(10, 31.0))
H100 = Setting("h100-sxm", "nvlink4", 8)


def made():
    """A small fit with something left out."""
    times = 1.2 * predict(H100, SIZES).time_s
    times[0] *= 3
    series = Series(H100, tuple(zip(SIZES.tolist(), times.tolist(), strict=True)))
    return fit_series("rack 7", [series], run_ids=["0" * 64], note="after the fix")


MADE = made()
BODY = fit_json(MADE)


def changed(path, value):
    """The file's text with one value replaced; ``path`` walks keys and places."""
    body = json.loads(json.dumps(BODY))
    place = body
    for key in path[:-1]:
        place = place[key]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return json.dumps(body, allow_nan=True)


def test_it_reads_back_what_it_wrote():
    """Constants, residuals and words survive, and so do its answers."""
    again = read_fit(json.dumps(BODY, allow_nan=False))

    assert again == MADE
    assert hash(again) == hash(MADE)
    assert np.array_equal(predict_fitted(H100, SIZES, again).time_s, predict_fitted(H100, SIZES, MADE).time_s)


@table(
    ("path", "value", "word"),
    [
        (("format_version",), 2, "format_version"),
        (("format_version",), True, "format_version"),
        (("name",), "../x", "name"),
        (("name",), 7, "name"),
        (("more",), 1, "unknown"),
        (("constants",), ..., "constants"),
        (("constants", "machines"), [], "at least one"),
        (("constants", "machines"), {}, "a list"),
        (("constants", "machines", 0, "ln_transfer"), float("nan"), "ln_transfer"),
        (("constants", "machines", 0, "ln_transfer"), 1e9, "ln_transfer"),
        (("constants", "machines", 0, "floor_s"), -1, "floor_s"),
        (("constants", "machines", 0, "floor_s"), "0", "floor_s"),
        (("constants", "machines", 0, "setting", "gpu"), 5, "gpu"),
        (("constants", "curves", 0, "setting", "domain_gpus"), 0, "domain_gpus"),
        (("constants", "curves", 0, "setting", "collective"), "all_hands", "collective"),
        (("constants", "curves", 0, "setting", "password"), "x", "unknown"),
        (("constants", "curves", 0, "size_bytes", 1), 1.0, "size_bytes"),
        (("constants", "curves", 0, "time_s", 0), 0, "time_s"),
        (("constants", "curves", 0, "time_s"), [1e-5], "one per size"),
        (("constants", "curves", 0, "scatter"), -0.1, "scatter"),
        (("residuals", "curves", 0, "held_out"), [1.0], "one length"),
        (("residuals", "curves"), [], None),
        (("residuals", "unidentified"), [3], "unidentified"),
        (("run_ids",), ["abc"], "run_ids"),
        (("note",), 3, "note"),
    ],
)
def test_a_wrong_value_is_refused_by_name(path, value, word):
    """One line names the key; only residuals may be missing."""
    if word is None:
        assert read_fit(changed(path, value)).residuals == ()
        return
    with pytest.raises(InputError, match=word) as caught:
        read_fit(changed(path, value))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "[" * 100_000, "x" * 2_000_001])
def test_what_is_no_fit_is_one_line(text):
    """Anything else is refused in a line, however long or deep."""
    with pytest.raises(InputError) as caught:
        read_fit(text)
    assert len(str(caught.value)) < 300


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=5), st.data())
def test_no_json_value_anywhere_raises_anything_else(value, data):
    """Whatever stands at any key, the file is read or refused with an InputError."""
    key = data.draw(st.sampled_from(sorted(BODY)))
    inner = data.draw(
        st.sampled_from([(key,), ("constants", "curves"), ("constants", "curves", 0, "setting")])
    )
    with suppress(InputError):
        assert read_fit(changed(inner, value)).name
