"""One machine over time."""

from dataclasses import replace

import pytest

from core.measurement import Machine, Sample
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
        columns = store.drift(identity)

        assert columns["time_s"].tolist() == pytest.approx([10e-6, 11e-6, 12e-6])
        assert columns["nccl"].tolist() == ["2.22.3", "2.22.3", "2.23"]
        assert [moment.day for moment in columns["measured_at"]] == [1, 2, 3]

    def test_other_machines_deleted_runs_and_wrong_results_stay_out(self, store):
        """What is no measurement of this machine is not drawn as its drift."""
        other = replace(MACHINE, hosts=("elsewhere",))
        wrong = (Sample("all_reduce", 1024, 1e-6, "out-of-place", 3),)
        shown, deleted, *_ = store.save(
            [at(1, 10.0), at(2, 11.0), at(3, 12.0, machine=other), at(4, 1.0, samples=wrong)]
        )
        store.delete(deleted.id)

        columns = store.drift(store.rows([shown.id])[0].identity)
        assert columns["run_id"].tolist() == [shown.id]

    def test_filters_leave_one_question(self, store):
        """Operation and ranks."""
        run = simple(1, samples=4)
        number = store.save([run, simple(1, samples=2, operation="all_gather")])[0].id
        identity = store.rows([number])[0].identity
        columns = store.drift(identity, operation="all_reduce", ranks=8)

        assert columns["time_s"].tolist() == [sample.time_s for sample in run.samples]
        assert len(store.drift(identity, ranks=9)["time_s"]) == 0

    def test_machines_are_listed_with_their_runs(self, store):
        """The most often measured comes first, with its time span and hosts."""
        store.save([at(1, 10.0), at(5, 11.0), at(2, 12.0, machine=Machine())])
        first, second = store.machines()

        assert (first.run_count, first.gpu, first.hosts) == (2, MACHINE.gpus[0].name, MACHINE.hosts)
        assert (first.first_at.day, first.last_at.day) == (1, 5)
        assert (second.run_count, second.gpu, second.hosts) == (1, "", ())

    def test_a_series_is_repeated_where_two_runs_of_one_machine_measured_it(self, store):
        """Another number of ranks, another machine or a deleted run is no repetition."""
        deleted = at(6, 9.0, ranks=4)
        ids = store.save(
            [at(1, 10.0), at(2, 11.0), at(3, 12.0, ranks=16), at(4, 1.0, machine=Machine()), deleted]
        )
        store.save([at(7, 9.5, ranks=4)])
        store.delete(ids[-1].id)
        (series,) = store.repeated_series()

        assert (series.name, series.identity) == (
            "all_reduce, 8 ranks, out-of-place, float",
            store.rows([ids[0].id])[0].identity,
        )
        assert store.series_drift(series, 9)["time_s"].tolist() == pytest.approx([10e-6, 11e-6])
        assert store.series_drift(series, 1)["time_s"].tolist() == pytest.approx([11e-6])

    def test_runs_that_do_not_say_their_ranks_are_a_series_of_their_own(self, store):
        """None is none of the numbers, on either engine."""
        store.save([at(day, 10.0 + day, ranks=None, collective=None) for day in (1, 2)] + [at(3, 1.0)])
        (series,) = store.repeated_series()

        assert (series.ranks, series.name) == (None, "all_reduce, out-of-place, float")
        assert len(store.series_drift(series, 9)["time_s"]) == 2
