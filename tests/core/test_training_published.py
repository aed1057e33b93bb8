"""The training calculator against published throughput; skipped where the table is not there."""

from statistics import mean

import pytest

from tests.bench import published_rows
from tests.bench import published_training as published
from tests.bench.left_out import every_row, left_out
from tests.bench.training_shipped import CLEAR_LOSS, losses

if not published_rows.PUBLISHED.exists():
    pytest.skip(f"no {published_rows.PUBLISHED.name} beside the repository", allow_module_level=True)


@pytest.fixture(scope="module")
def rows():
    """Every row that says enough."""
    return list(published_rows.rows())


@pytest.fixture(scope="module")
def levels(rows):
    """One constant per GPU, format and framework."""
    return published.levels(rows)


def test_most_rows_can_be_asked(rows):
    """Hundreds of published runs say enough to be computed."""
    assert len(rows) > 400


def test_dense_levels_come_out_after_one_constant(levels):
    """10 % mean in every group of dense models."""
    for level in levels:
        if not level.moe:
            assert mean(abs(error) for error in level.errors.values()) <= 0.10, level.key


def test_moe_levels_come_out_within_a_band(levels):
    """20 % mean where experts are routed."""
    for level in levels:
        if level.moe:
            assert mean(abs(error) for error in level.errors.values()) <= 0.20, level.key


def test_moe_steps_lie_in_the_band_that_the_answer_states(levels):
    """Whether the experts' exchanges hide is not published; the band says so and holds nine rows of ten."""
    moe = [level for level in levels if level.moe]

    assert sum(level.inside for level in moe) >= 0.9 * sum(level.rows for level in moe)


def test_constants_are_shares_of_a_peak(levels):
    """No group needs kernels faster than the peak, or absurdly slow ones."""
    assert all(0.4 < level.efficiency < 0.95 for level in levels)


def test_a_publisher_that_is_left_out_lies_in_the_interval_of_the_others(rows):
    """Four of five rows of dense models, nearly all of experts, at constants and bands from everybody else."""
    results = left_out(list(every_row(rows)))
    for moe, most in ((False, 0.9), (True, 0.96)):
        inside = mean(item.inside for item in results if item.row.scenario.model.moe is moe)
        assert 0.75 <= inside <= most


def test_scaling_keeps_its_shape(rows, levels):
    """More GPUs: weak scaling within 2 % in the mean, strong within 3 %."""
    errors = shapes_of(rows, levels)

    assert len(errors["weak"]) > 90
    assert len(errors["strong"]) > 60
    assert mean(abs(error) for _, error in errors["weak"]) <= 0.02
    assert mean(abs(error) for _, error in errors["strong"]) <= 0.03


def test_the_same_gpus_divided_otherwise(rows, levels):
    """TP against PP on the same GPUs at the same batch: one operator's search, whose own repeats differ by 11 %."""
    errors = shapes_of(rows, levels)["layout"]

    assert len(errors) > 70
    assert mean(abs(error) for _, error in errors) <= 0.06


def test_losses_of_weak_scaling_are_neither_missed_nor_invented(rows):
    """Where 2 % or more are lost the mean loss comes out within a third; BF16 at 2,048 GPUs loses a fiftieth at most."""
    series = losses(rows)
    clear = [loss for loss in series if loss.published >= CLEAR_LOSS]

    assert len(clear) >= 8
    published, computed = (mean(getattr(loss, name) for loss in clear) for name in ("published", "computed"))
    assert abs(computed - published) <= published / 3
    assert all(loss.computed < 0.02 for loss in series if "70b-bf16" in loss.series)


def shapes_of(rows, levels):
    """Errors of shape at the constants of the levels."""
    return published.shapes(rows, {(level.key, level.moe): level.efficiency for level in levels})
