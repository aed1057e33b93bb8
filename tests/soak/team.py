"""A server under supervision, and people who upload until each run is acknowledged."""

import itertools
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx

from core.measurement.run_json import runs_from_json
from gpu_probe.parsers.detect import read
from tests.db.examples import log
from tests.server import Server

SETTLED_S = 180
ANSWER_S = 60
PERSONS = 4


class Supervised(Server):
    """
    The real server, started again as soon as it ends, as Docker's `restart: unless-stopped` does.

    What it wrote stays in ``log`` over all its lives.
    """

    def __init__(self, folder, **settings):
        super().__init__(folder, **settings)
        self.log = ""
        self.starts = 0
        self._stopping = False
        self._watch = None

    def start(self):
        """Start it, and watch over it from now on."""
        self.starts += 1
        self.__enter__()
        self._watch = threading.Thread(target=self._supervise, daemon=True)
        self._watch.start()

    def _supervise(self):
        while True:
            self.process.wait()
            self.log += self.output.read_text()
            if self._stopping:
                return
            self.starts += 1
            self.__enter__()

    def stop(self):
        """An orderly end."""
        self._stopping = True
        self.__exit__()
        self._watch.join(30)

    def written(self):
        """All it wrote to its log so far."""
        return self.log + self.output.read_text()


def readiness(server):
    """The status of /readyz; 0 where nobody answers."""
    try:
        return httpx.get(f"{server.base}/readyz", timeout=ANSWER_S).status_code
    except httpx.TransportError:
        return 0


def settled(server, status=200, within_s=SETTLED_S):
    """Seconds until /readyz has a status."""
    start = time.monotonic()
    while readiness(server) != status:
        assert time.monotonic() - start < within_s, f"/readyz is not {status}: {server.written()[-600:]}"
        time.sleep(0.05)
    return time.monotonic() - start


def post(server, number):
    """Upload the log of a number once; None where nobody answers."""
    try:
        return httpx.post(
            f"{server.base}/api/v1/runs",
            content=log(number),
            headers={"content-type": "text/plain"},
            params={"file": f"run{number}.log"},
            timeout=ANSWER_S,
        )
    except httpx.TransportError:
        return None


class Team:
    """
    People who upload, each run again until it is acknowledged.

    Args:
        servers: Where; each upload goes to the next of them.
        first: The number of the first log.

    Attributes:
        acknowledged: The number of each log that was acknowledged, with its run.
        refused: Answers of 503.
        unanswered: Requests that nobody answered.
        strange: Other answers, which there should not be.
    """

    def __init__(self, *servers, first=0):
        self._servers = itertools.cycle(servers)
        self._numbers = itertools.count(first)
        self._change = threading.Condition()
        self._last = first
        self.acknowledged = {}
        self.refused = 0
        self.unanswered = 0
        self.strange = []
        self.waits_s = []

    @contextmanager
    def uploading(self, uploads):
        """While the block runs, and after it until every upload is acknowledged."""
        self._last += uploads
        with ThreadPoolExecutor(PERSONS) as pool:
            persons = [pool.submit(self._person) for _ in range(PERSONS)]
            yield
        for person in persons:
            person.result()

    def upload(self, uploads):
        """So many uploads, all acknowledged at the end."""
        with self.uploading(uploads):
            pass

    def wait_for(self, uploads):
        """Until so many are acknowledged."""
        with self._change:
            assert self._change.wait_for(lambda: len(self.acknowledged) >= uploads, 300)

    def wait_for_refusals(self, refusals):
        """Until so many were refused."""
        with self._change:
            assert self._change.wait_for(lambda: self.refused >= refusals, 300)

    def _person(self):
        while True:
            with self._change:
                number = next(self._numbers)
            if number >= self._last:
                with self._change:
                    self._numbers = itertools.chain([number], self._numbers)
                return
            self._insist(number)

    def _insist(self, number):
        start = time.monotonic()
        while not self._attempt(number):
            assert time.monotonic() - start < 600, f"run {number} was never acknowledged"
            time.sleep(0.05)
        self.waits_s.append(time.monotonic() - start)

    def _attempt(self, number):
        with self._change:
            server = next(self._servers)
        answer = post(server, number)
        with self._change:
            if answer is None:
                self.unanswered += 1
            elif answer.status_code in {200, 201}:
                self.acknowledged[number] = answer.json()["id"]
            elif answer.status_code == 503:
                self.refused += 1
            else:
                self.strange.append((answer.status_code, answer.text[:200]))
            self._change.notify_all()
        return number in self.acknowledged


def listed(server, limit=97):
    """Every run that the server lists, page by page."""
    runs, cursor = [], None
    while True:
        query = {"limit": limit} | ({"cursor": cursor} if cursor else {})
        page = (
            httpx.get(f"{server.base}/api/v1/runs", params=query, timeout=ANSWER_S).raise_for_status().json()
        )
        runs += page["runs"]
        cursor = page["next"]
        if cursor is None:
            return runs


def whole(server, acknowledged, *, unsure=0):
    """
    Every acknowledged run is there, whole, exactly once, and nothing else but what is ``unsure``.

    ``unsure``: uploads that were sent and got no answer, or an error; each may be there.
    """
    runs = listed(server)
    numbers = [run["id"] for run in runs]
    assert len(numbers) == len(set(numbers))
    assert len({run["sha256"] for run in runs}) == len(runs)
    assert set(acknowledged.values()) <= set(numbers)
    assert len(set(acknowledged.values())) == len(acknowledged)
    assert len(acknowledged) <= len(runs) <= len(acknowledged) + unsure
    with httpx.Client(timeout=ANSWER_S) as client:
        for number, run_id in acknowledged.items():
            stored = runs_from_json(
                client.get(f"{server.base}/api/v1/runs/{run_id}").raise_for_status().json()
            )[0]
            (sent,) = read(f"run{number}.log", log(number).encode())
            assert [(s.size_bytes, s.placement, round(s.time_s, 12)) for s in stored.samples] == [
                (s.size_bytes, s.placement, round(s.time_s, 12)) for s in sent.samples
            ]
