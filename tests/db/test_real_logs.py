"""Every real log that the readers understand goes through the store unharmed."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.measurement.run_json import file_json, runs_from_json
from db.tidy import measured
from gpu_probe.parsers import ParseError, read

LOGS = Path(__file__).resolve().parents[3] / "shared" / "data" / "logs"


def readable():
    """The runs of each log that hold measurements, by file name."""
    for path in sorted(LOGS.iterdir()):
        try:
            yield path.name, measured(read(path.name, path.read_bytes()))
        except (ParseError, InputError):
            continue


@pytest.mark.skipif(not LOGS.is_dir(), reason="the logs lie beside the repository and are not here")
def test_real_logs_come_back_as_they_were_read(store):
    """Nothing is lost, a second upload is known, and so is the first's run file."""
    files = dict(readable())
    for name, runs in files.items():
        saved = store.save(runs)
        assert [store.run(one.id).run for one in saved if one.new] == [
            run for run, one in zip(runs, saved, strict=True) if one.new
        ], name
        assert not any(one.new for one in store.save(runs)), name
        travelled = runs_from_json(file_json(runs))
        assert [one.id for one in store.save(travelled)] == [one.id for one in saved], name

    assert len(files) > 50
