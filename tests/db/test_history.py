"""One machine over time, and two runs side by side."""

from dataclasses import replace

import numpy as np
import pytest

from core.measurement import Machine, Sample
from db.errors import UnknownRunError
from tests.db.examples import MACHINE, simple


def at(day, time_us, **changes):
    """A run of one size on that day; the same machine unless changed."""
    samples = (Sample("all_reduce", 1024, time_us * 1e-6, "out-of-place", 0),)
    facts = {"machine": MACHINE, "samples": samples, "started_at": f"2026-03-{day:02}T00:00:00"}
    return replace(simple(), **(facts | changes))


class TestDrift:
    """The same machine, run after run."""

    def test_runs_of_one_machine_come_in_the_order_they_were_measured(self, store):
        """However they were uploaded, and with the software each had."""
        store.save([at(3, 12.0, machine=replace(MACHINE, nccl="2.23")), at(1, 10.0), at(2, 11.0)])
        identity = store.runs().runs[0].identity
        found = store.drift(identity)

        assert found["time_s"].tolist() == pytest.approx([10e-6, 11e-6, 12e-6])
        assert found["nccl"].tolist() == ["2.22.3", "2.22.3", "2.23"]
        assert [moment.day for moment in found["measured_at"]] == [1, 2, 3]

    def test_other_machines_deleted_runs_and_wrong_results_stay_out(self, store):
        """What is no measurement of this machine is not drawn as its drift."""
        other = replace(MACHINE, hosts=("elsewhere",))
        wrong = (Sample("all_reduce", 1024, 1e-6, "out-of-place", 3),)
        kept, gone, *_ = store.save(
            [at(1, 10.0), at(2, 11.0), at(3, 12.0, machine=other), at(4, 1.0, samples=wrong)]
        )
        store.delete(gone.id)

        found = store.drift(store.rows([kept.id])[0].identity)
        assert found["run_id"].tolist() == [kept.id]

    def test_filters_leave_one_question(self, store):
        """Operation, placement, ranks and size."""
        run = simple(1, samples=4)
        number = store.save([run, simple(1, samples=2, operation="all_gather")])[0].id
        identity = store.rows([number])[0].identity
        found = store.drift(
            identity, operation="all_reduce", placement="out-of-place", ranks=8, size_bytes=2048
        )

        assert found["time_s"].tolist() == [run.samples[1].time_s]
        assert len(store.drift(identity, ranks=9)["time_s"]) == 0

    def test_machines_are_listed_with_their_runs(self, store):
        """The most often measured comes first, with its time span and hosts."""
        store.save([at(1, 10.0), at(5, 11.0), at(2, 12.0, machine=Machine())])
        first, second = store.machines()

        assert (first.run_count, first.gpu, first.hosts) == (2, MACHINE.gpus[0].name, MACHINE.hosts)
        assert (first.first_at.day, first.last_at.day) == (1, 5)
        assert (second.run_count, second.gpu, second.hosts) == (1, "", ())


class TestCompare:
    """Two runs side by side."""

    def test_the_ratio_is_second_over_first_per_size_and_placement(self, store):
        """Only what both measured, and never one placement against the other."""
        first = simple(samples=3)
        slower = tuple(replace(one, time_s=one.time_s * 1.25) for one in first.samples[1:])
        in_place = replace(first.samples[0], placement="in-place")
        one, two = store.save([first, replace(first, samples=(*slower, in_place))])

        found = store.compare(one.id, two.id)
        assert found["size_bytes"].tolist() == [2048, 4096]
        assert found["ratio"] == pytest.approx([1.25, 1.25])
        assert np.isnan(found["first_spread"]).all()

    def test_repeats_give_a_median_and_a_spread(self, store):
        """Five repeats of a size are one row; wrong results do not count."""
        times = (10.0, 11.0, 12.0, 14.0, 30.0)
        repeats = tuple(Sample("all_reduce", 1024, time * 1e-6, "out-of-place", 0) for time in times)
        wrong = Sample("all_reduce", 1024, 1e-6, "out-of-place", 9)
        stated = (Sample("all_reduce", 1024, 24e-6, "out-of-place", 0, low_s=23e-6, high_s=29e-6),)
        one, two = store.save([at(1, 1.0, samples=(*repeats, wrong)), at(2, 1.0, samples=stated)])

        found = store.compare(one.id, two.id)
        assert found["first_s"] == pytest.approx([12e-6])
        assert found["ratio"] == pytest.approx([2.0])
        assert found["first_spread"] == pytest.approx([20 / 12])
        assert found["second_spread"] == pytest.approx([6 / 24])
        assert (found["first_count"].tolist(), found["second_count"].tolist()) == ([5], [1])

    def test_runs_with_nothing_in_common_give_no_rows(self, store):
        """Another operation or type is no comparison."""
        one, two, three = store.save([simple(1), simple(1, operation="reduce"), simple(1, dtype="half")])

        assert len(store.compare(one.id, two.id)["ratio"]) == 0
        assert len(store.compare(one.id, three.id)["ratio"]) == 0

    def test_an_unknown_run_is_named(self, store):
        """Whichever of the two it is."""
        number = store.save([simple(1)])[0].id

        with pytest.raises(UnknownRunError, match="there is no run 99"):
            store.compare(number, 99)
