"""Units: sizes of messages are binary, memory is decimal, both to three significant digits."""

import pytest

from core.units import GB, GIB, MIB, format_memory, format_message


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
