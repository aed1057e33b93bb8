"""Lists of runs: pages, filters, and what they leave out."""

from datetime import UTC, datetime, timedelta

import pytest

from core.checks import InputError
from tests.db.examples import simple


class TestPages:
    """Lists of runs."""

    def test_pages_join_without_gap_or_repeat(self, store):
        """Following ``next`` visits every run once, newest first, also while others arrive."""
        store.save([simple(n) for n in range(7)])
        seen, cursor = [], None
        while True:
            page = store.runs(cursor, limit=3)
            seen += [row.id for row in page.runs]
            store.save([simple(100 + len(seen))])
            cursor = page.next
            if cursor is None:
                break

        assert sorted(seen, reverse=True) == seen
        assert 7 == len(seen) == len(set(seen))

    def test_an_exact_last_page_has_no_next(self, store):
        """A page that ends with the last run does not promise another."""
        store.save([simple(n) for n in range(4)])

        assert store.runs(limit=4).next is None
        assert store.runs(store.runs(limit=2).next, limit=2).next is None

    def test_filters_pick_by_gpu_operation_tag_and_time(self, store):
        """Each filter alone and all together leave exactly the runs they name."""
        store.save([simple(1, gpu="NVIDIA H100 80GB HBM3")], tags=["x"])
        store.save([simple(2, gpu="NVIDIA H100 80GB HBM3", operation="all_gather")])
        store.save([simple(3)], tags=["x"])
        now = datetime.now(UTC)

        def files(**asked):
            return {row.file for row in store.runs(**asked).runs}

        assert {"run1.log", "run2.log"} == files(gpu="h100")
        assert {"run1.log", "run3.log"} == files(operation="all_reduce") == files(tag="x")
        assert {"run1.log"} == files(gpu="H100", operation="all_reduce", tag="x")
        assert set() == files(gpu="%") == files(gpu="H1_0")
        assert len(files(since=now - timedelta(hours=1))) == 3
        assert len(files(since=(now - timedelta(hours=1)).replace(tzinfo=None))) == 3
        assert set() == files(since=now + timedelta(hours=1))

    def test_numbers_for_a_list_to_choose_from(self, store):
        """All numbers, newest first, without the deleted; or those of a GPU."""
        store.save([simple(1, gpu="NVIDIA H100 80GB HBM3")])
        store.save([simple(2)])
        store.save([simple(3)])
        store.delete(2)

        assert [label.id for label in store.labels()] == [3, 1]
        assert [label.id for label in store.labels(gpu="h100")] == [1]

    @pytest.mark.parametrize("since", ["2026-11-01", 5])
    def test_a_bad_moment_is_an_explanation(self, store, since):
        """A text is no moment; the database is not asked."""
        with pytest.raises(InputError, match="since: a datetime"):
            store.runs(since=since)

    @pytest.mark.parametrize("cursor", ["x", "-1", "1;", "9" * 30, "\u0663"])
    def test_a_bad_cursor_is_an_explanation(self, store, cursor):
        """A cursor that no page handed out is refused by name."""
        with pytest.raises(InputError, match="cursor: "):
            store.runs(cursor)

    @pytest.mark.parametrize("limit", [0, -1, 501, 2.5])
    def test_a_bad_limit_is_an_explanation(self, store, limit):
        """So is a page without runs, or with all of them."""
        with pytest.raises(InputError, match="limit: "):
            store.runs(limit=limit)

    def test_facets_name_what_is_there(self, store):
        """GPUs, operations and tags of deleted runs are not offered."""
        store.save([simple(1)], tags=["b", "a"])
        deleted = store.save([simple(2, gpu="Tesla V100", operation="reduce")], tags=["c"])[0]
        store.delete(deleted.id)

        facets = store.facets()
        assert (
            facets.gpus,
            facets.operations,
            facets.tags,
            facets.run_count,
        ) == (("NVIDIA A100-SXM4-80GB",), ("all_reduce",), ("a", "b"), 1)
