"""After each upload: where a machine is slower than its history, the webhook is told."""

import hashlib
import queue
import re
import threading
import uuid
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from core.measurement import Sample
from core.measurement.drift import Slowdown, slowdowns
from core.version import VERSION
from db import log
from db.errors import StoreError, UnknownRunError
from db.projects import EVERYONE
from db.records import Columns, RunRow, Saved, StoredRun
from db.secret import secret
from db.store import Store
from db.webhook import ADDRESS, KEY, Webhook

MOST_WAITING = 1000
"""Runs that wait to be looked at; more are left out, so that no upload waits for the webhook."""
MOST_EARLIER = 50
"""The latest runs of a machine's history that are compared with."""
_UNUSUAL = re.compile(r"[^\w .+()/-]")
Now = Callable[[], datetime]


def from_environment(store: Store) -> "DriftAlerts | None":
    """The alerts of the settings; None where no webhook is set: then nothing is ever posted."""
    address = secret(ADDRESS)
    if address is None:
        return None
    return DriftAlerts(store, Webhook(address, secret(KEY) or ""))


class DriftAlerts:
    """
    A thread that looks at new runs and tells of slowdowns, once a day for a machine and operation.

    Args:
        store: Where runs are kept.
        webhook: Who is told.
        now: The time of day.
    """

    def __init__(self, store: Store, webhook: Webhook, now: Now = lambda: datetime.now(UTC)) -> None:
        self._store = store
        self._webhook = webhook
        self._now = now
        self._waiting: queue.Queue[int | None] = queue.Queue(MOST_WAITING)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="drift-alerts", daemon=True)

    def start(self) -> None:
        """Look at every run that is stored from now on."""
        self._store.after_save = self.uploaded
        self._thread.start()

    def close(self) -> None:
        """Stop; what was not told yet is not told."""
        self._store.after_save = None
        self._stopping.set()
        try:
            self._waiting.put_nowait(None)
        except queue.Full:
            return

    def uploaded(self, saved: Sequence[Saved]) -> None:
        """Note new runs; never waits and never fails."""
        for run in saved:
            if run.new:
                try:
                    self._waiting.put_nowait(run.id)
                except queue.Full:
                    log.once("more runs than can be looked at for drift: some are left out")
                    return

    def settle(self) -> None:
        """Wait until every noted run was looked at."""
        self._waiting.join()

    def _work(self) -> None:
        while not self._stopping.is_set():
            run_id = self._waiting.get()
            try:
                if run_id is not None:
                    self._examine(run_id)
            except (StoreError, UnknownRunError) as problem:
                log.line(f"run {run_id} was not looked at for drift: {problem}")
            finally:
                self._waiting.task_done()

    def _examine(self, run_id: int) -> None:
        stored = self._store.run(run_id)
        for slowdown in shown_by(self._store, stored):
            moment = self._now()
            if self._store.claim_alert(_told_of(stored.row), slowdown.operation, moment):
                reason = self._webhook.post(message(stored, slowdown, moment), self._stopping)
                if reason is not None:
                    log.line(f"the drift of run {run_id} was not told: {reason}")


def shown_by(store: Store, stored: StoredRun) -> tuple[Slowdown, ...]:
    """What is slower than in earlier runs of the machine in the project; nothing where one is later."""
    row, run = stored.row, stored.run
    if not run.machine.hosts:  # machines without names cannot be told apart
        return ()
    columns = store.drift(row.identity, ranks=row.ranks, project=row.project or EVERYONE)
    keys = list(zip(columns["measured_at"], columns["run_id"].tolist(), strict=True))
    own = (row.measured_at, row.id)
    if any(key > own for key in keys):
        return ()
    earlier = sorted({key for key in keys if key < own})[-MOST_EARLIER:]
    dtype = run.dtype or ""
    histories = [
        replace(run, samples=samples)
        for _, run_id in earlier
        if (samples := _samples(columns, run_id, dtype))
    ]
    return slowdowns(histories, run)


def _told_of(row: RunRow) -> str:
    """A machine within a project: what is told of one project keeps nothing of another from being told."""
    if row.project is None:
        return row.identity
    return hashlib.sha256(f"{row.project}:{row.identity}".encode()).hexdigest()


def _samples(columns: Columns, run_id: int, dtype: str) -> tuple[Sample, ...]:
    places = ((columns["run_id"] == run_id) & (columns["dtype"] == dtype)).nonzero()[0]
    return tuple(
        Sample(
            operation=columns["operation"][place] or None,
            size_bytes=int(columns["size_bytes"][place]),
            time_s=float(columns["time_s"][place]),
            placement=columns["placement"][place] or None,
            wrong=0,
            detail=columns["detail"][place] or None,
        )
        for place in places
    )


def message(stored: StoredRun, slowdown: Slowdown, moment: datetime) -> dict[str, Any]:
    """What is posted: no host, file, note or tag; ``text`` is the line that chat services show."""
    row = stored.row
    gpu = _UNUSUAL.sub("", row.gpu)[:80]
    machine = f"{row.gpu_count} × {gpu} ({row.identity[:6]})"
    operation = _UNUSUAL.sub("", slowdown.operation)
    text = (
        f"Wirespeed: {machine} takes {slowdown.ratio:.3g} times as long for {operation} as the median of "
        f"its {slowdown.earlier_runs} earlier runs; {slowdown.slower} of {slowdown.sizes} message sizes are "
        f"slower beyond noise. Run {row.id}: /measurements?runs={row.id}"
    )
    return {
        "text": text,
        "event": "drift",
        "id": uuid.uuid4().hex,
        "sent_at": moment.isoformat(),
        "version": VERSION,
        "machine": {"id": row.identity[:12], "gpu": gpu, "gpu_count": row.gpu_count, "ranks": row.ranks},
        "run": {
            "id": row.id,
            "path": f"/measurements?runs={row.id}",
            "measured_at": row.measured_at.isoformat(),
        },
        "slowdown": {**asdict(slowdown), "operation": operation},
    }
