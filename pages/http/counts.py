"""What a process counts of its requests and verdicts, and all processes' counts in Prometheus' text format."""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

BOUNDS_S = (0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 10.0, 60.0)
DURATION = "wirespeed_http_request_duration_seconds"
KINDS = (
    ("/api/", "api"),
    ("/_stcore/stream", "websocket"),
    ("/_stcore/", "session"),
    ("/static/", "static"),
    ("/docs", "docs"),
    ("/healthz", "health"),
    ("/readyz", "health"),
    ("/metrics", "metrics"),
)


def kind_of(path: str) -> str:
    """To which kind of request a path belongs: few, whatever visitors ask for."""
    return next((kind for start, kind in KINDS if path.startswith(start)), "page")


@dataclass(frozen=True, slots=True)
class Counts:
    """
    Counts of one process since its start.

    Attributes:
        requests: Requests by kind and hundred of their status, as ``(kind, "2xx", number)``.
        buckets: By kind, how many took up to each of ``BOUNDS_S``, and longer; not summed up.
        seconds: Time of all requests by kind, in seconds.
        open_pages: Pages whose websocket is open.
        verdicts: Verdicts that the page Check gave, by what they say, as ``(verdict, number)``.
    """

    requests: tuple[tuple[str, str, int], ...]
    buckets: Mapping[str, tuple[int, ...]]
    seconds: Mapping[str, float]
    open_pages: int
    verdicts: tuple[tuple[str, int], ...]

    @classmethod
    def of_json(cls, body: Any) -> "Counts":
        """From the JSON values of ``dataclasses.asdict``."""
        return cls(
            tuple((kind, status, number) for kind, status, number in body["requests"]),
            {kind: tuple(numbers) for kind, numbers in body["buckets"].items()},
            body["seconds"],
            body["open_pages"],
            tuple((verdict, number) for verdict, number in body["verdicts"]),
        )


class Metrics:
    """The counts of this process while it counts; safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str]] = Counter()
        self._buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS_S) + 1))
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._open = 0
        self._verdicts: Counter[str] = Counter()

    def request(self, path: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        kind = kind_of(path)
        slot = next((index for index, bound in enumerate(BOUNDS_S) if seconds <= bound), len(BOUNDS_S))
        with self._lock:
            self._requests[kind, f"{status // 100}xx"] += 1
            self._buckets[kind][slot] += 1
            self._seconds[kind] += seconds

    def websocket(self, change: int) -> None:
        """A page's websocket opened (1) or closed (-1)."""
        with self._lock:
            self._open += change

    def verdict(self, verdict: str) -> None:
        """Count a verdict on a run."""
        with self._lock:
            self._verdicts[verdict] += 1

    def counts(self) -> Counts:
        """The counts of this moment."""
        with self._lock:
            return Counts(
                tuple((*of, number) for of, number in sorted(self._requests.items())),
                {kind: tuple(numbers) for kind, numbers in sorted(self._buckets.items())},
                dict(self._seconds),
                self._open,
                tuple(sorted(self._verdicts.items())),
            )

    def lines(self) -> list[str]:
        """The counts in Prometheus' text format."""
        return lines({"": self.counts()})


OF_PROCESS = Metrics()
"""Those that /metrics of this process tells."""


def lines(by_label: Mapping[str, Counts]) -> list[str]:
    """Counts in Prometheus' text format; those of each process carry its label, such as ``worker="0"``."""
    each: list[tuple[Callable[[str, Counts], list[str]], list[str]]] = [
        (
            _requests,
            head("wirespeed_http_requests_total", "counter", "Requests answered, by kind and status."),
        ),
        (_durations, head(DURATION, "histogram", "Time until the last byte of an answer, by kind of path.")),
        (_open_pages, head("wirespeed_open_pages", "gauge", "Pages whose websocket is open.")),
        (
            _verdicts,
            head("wirespeed_verdicts_total", "counter", "Verdicts on runs that the page Check gave."),
        ),
    ]
    return [
        line
        for samples, beginning in each
        for line in (*beginning, *(line for of in by_label.items() for line in samples(*of)))
    ]


def gauge(name: str, text: str, value: float) -> list[str]:
    """The lines of a figure that may rise and fall."""
    return [*head(name, "gauge", text), f"{name} {value}"]


def head(name: str, kind: str, text: str) -> list[str]:
    """The lines before the samples of a name."""
    return [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]


def _requests(label: str, counts: Counts) -> list[str]:
    return [
        f"wirespeed_http_requests_total{_labels(label, kind=kind, status=status)} {number}"
        for kind, status, number in counts.requests
    ]


def _durations(label: str, counts: Counts) -> list[str]:
    samples = []
    for kind, numbers in counts.buckets.items():
        total = 0
        for bound, number in zip([*map(str, BOUNDS_S), "+Inf"], numbers, strict=True):
            total += number
            samples.append(f"{DURATION}_bucket{_labels(label, kind=kind, le=bound)} {total}")
        samples.append(f"{DURATION}_sum{_labels(label, kind=kind)} {counts.seconds[kind]:.6f}")
        samples.append(f"{DURATION}_count{_labels(label, kind=kind)} {total}")
    return samples


def _open_pages(label: str, counts: Counts) -> list[str]:
    return [f"wirespeed_open_pages{_labels(label)} {counts.open_pages}"]


def _verdicts(label: str, counts: Counts) -> list[str]:
    return [
        f"wirespeed_verdicts_total{_labels(label, verdict=verdict)} {number}"
        for verdict, number in counts.verdicts
    ]


def _labels(label: str, **values: str) -> str:
    named = ",".join([*filter(None, [label]), *(f'{name}="{value}"' for name, value in values.items())])
    return f"{{{named}}}" if named else ""
