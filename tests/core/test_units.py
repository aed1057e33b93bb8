"""Units: sizes of messages are binary, memory is decimal, both to three significant digits."""

import pytest

from core.units import (
    GB,
    GIB,
    MIB,
    format_fill,
    format_memory,
    format_message,
    format_rate,
    format_share,
    format_size,
    format_time,
    parse_size,
)


@pytest.mark.parametrize(
    ("size_bytes", "message", "memory"),
    [
        (0, "0 B", "0 B"),
        (1023, "1,023 B", "1.02 kB"),
        (64 * 1024, "64 KiB", "65.5 kB"),
        (4.216e6, "4.02 MiB", "4.22 MB"),
        (999.6 * MIB, "1,000 MiB", "1.05 GB"),
        (GIB, "1 GiB", "1.07 GB"),
        (80 * GB, "74.5 GiB", "80 GB"),
    ],
)
def test_sizes_have_three_digits_and_the_unit_of_their_kind(size_bytes, message, memory):
    """The same bytes are a message in powers of 1024 and memory in powers of 1000."""
    assert format_message(size_bytes) == message
    assert format_memory(size_bytes) == memory


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [
        (16 * MIB, "16 MiB"),
        (64e6, "64 MB"),
        (1152 * MIB, "1.12 GiB"),
        (3.377e6, "3.22 MiB"),
        (325_500, "318 KiB"),
        (GIB - 1, "1 GiB"),
    ],
)
def test_a_size_keeps_its_units_only_where_three_digits_say_it(size_bytes, text):
    """16 MiB and 64 MB stay as they were written; a computed size is binary like every message."""
    assert format_size(size_bytes) == text


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (450 * GB, "450 GB/s"),
        (9587 * GB, "9.59 TB/s"),
        (22_370 * GB, "22.4 TB/s"),
        (129_600 * GB, "130 TB/s"),
    ],
)
def test_rates_have_three_digits(rate, text):
    """A rack's bandwidth has no more digits than a link's."""
    assert format_rate(rate) == text


@pytest.mark.parametrize(
    ("share", "text"), [(0.0, "0 %"), (0.0004, "below 0.1 %"), (0.0123, "1.23 %"), (0.9993, "99.9 %")]
)
def test_a_small_share_is_not_called_none(share, text):
    """What costs something is never said to cost nothing."""
    assert format_share(share) == text


@pytest.mark.parametrize(
    ("text", "size_bytes"), [("1,000", 1000), ("1,048,576 B", 1048576), ("2,048 KiB", 2**21)]
)
def test_thousands_may_stand_apart_in_a_size(text, size_bytes):
    """A size copied with its commas is the same size."""
    assert parse_size(text) == size_bytes


@pytest.mark.parametrize("text", ["1,00", ",5", "1,0000", "10,"])
def test_other_commas_are_no_size(text):
    """A comma elsewhere is a slip of the hand; the message says that a bare number is bytes."""
    with pytest.raises(ValueError, match="a number of bytes, or a number with"):
        parse_size(text)


def test_what_is_far_too_large_is_read_in_larger_units():
    """167,772,178 of 72 GB, or 59,029,581,036 s, is no figure that anyone can read."""
    assert format_fill(77.6e9, 80e9) == "78 of 80 GB"
    assert format_fill(9_500e9, 80e9) == "9,500 of 80 GB"
    assert format_fill(167_772_178e9, 72e9) == "168 PB of 72 GB"
    assert format_time(59_029_581_036) == "1,871 years"


def test_long_times_are_told_in_minutes_hours_and_days():
    """90 s stay seconds, 450 s are 7.5 min, 3 h, 5 days and 1 year are no thousands of seconds."""
    times = {
        90: "90 s",
        450: "7.5 min",
        7_199: "120 min",
        10_800: "3 h",
        432_000: "5 days",
        31_557_600: "1 year",
        4e7: "1.27 years",
    }

    assert {time_s: format_time(time_s) for time_s in times} == times
