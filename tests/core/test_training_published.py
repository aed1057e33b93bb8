"""The training calculator against published throughput; skipped where the table is not there."""

from statistics import mean

import pytest

from tests.bench import published_training as published

pytestmark = pytest.mark.skipif(
    not published.PUBLISHED.exists(), reason=f"no {published.PUBLISHED.name} beside the repository"
)


@pytest.fixture(scope="module")
def rows():
    """Every row that says enough."""
    return list(published.rows())


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


def test_constants_are_shares_of_a_peak(levels):
    """No group needs kernels faster than the peak, or absurdly slow ones."""
    assert all(0.4 < level.efficiency < 0.95 for level in levels)


def test_scaling_keeps_its_shape(rows, levels):
    """Ratios between rows that differ in layout or GPUs only: strong within 6 %, weak within 3 % outside one operator's search."""
    constants = {(level.key, level.moe): level.efficiency for level in levels}
    tables = {row.id: row.table for row in rows}
    errors = published.shapes(rows, constants)
    weak = [
        abs(error) for ids, error in errors["weak"] if not tables[ids.split("/")[0]].startswith("bigscience")
    ]

    assert mean(weak) <= 0.015
    assert mean(abs(error) for _, error in errors["strong"]) <= 0.06
    assert mean(abs(error) for _, error in errors["weak"]) <= 0.05
