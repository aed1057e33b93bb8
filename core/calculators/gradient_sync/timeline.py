"""Overlap as a timeline: when each bucket is ready, when it is sent, how much communication is exposed."""

from dataclasses import dataclass

import numpy as np

from core.checks import Floats, InputError, number

MOST_BUCKETS = 200_000


@dataclass(frozen=True, slots=True)
class Track:
    """
    Buckets of one phase in the order in which they are sent, seconds from the phase's start.

    Attributes:
        ready_s: When the bucket's bytes exist (or may be requested).
        start_s, end_s: When its collective starts and ends.
    """

    name: str
    ready_s: Floats
    start_s: Floats
    end_s: Floats

    @property
    def busy_s(self) -> float:
        """Seconds of communication."""
        return float(np.sum(self.end_s - self.start_s))


@dataclass(frozen=True, slots=True)
class Timeline:
    """Compute of one pass with its communication, in seconds from its start."""

    compute_s: float
    end_s: float
    tracks: tuple[Track, ...]

    @property
    def exposed_s(self) -> float:
        """Exposed communication: the pass without its compute, between zero and all communication."""
        return min(self.comm_s, max(0.0, self.end_s - self.compute_s))

    @property
    def comm_s(self) -> float:
        """Seconds of communication, exposed or overlapped."""
        return sum(track.busy_s for track in self.tracks)


def split_buckets(size_bytes: float, bucket_bytes: float | None) -> Floats:
    """
    Sizes of the buckets of one pass: all full but the last; none for an empty pass.

    ``bucket_bytes`` None sends the pass as one message.

    Raises:
        InputError: A bucket that is not positive, or so small that there would be too many.
    """
    if size_bytes <= 0:
        return np.zeros(0)
    if bucket_bytes is None or bucket_bytes >= size_bytes:
        return np.array([float(size_bytes)])
    bucket = number("bucket_bytes", bucket_bytes, above=0)
    buckets = int(np.ceil(size_bytes / bucket))
    if buckets > MOST_BUCKETS:
        message = f"bucket_bytes: at least {size_bytes / MOST_BUCKETS:.0f}, else over {MOST_BUCKETS} buckets"
        raise InputError(message)
    sizes = np.full(buckets, bucket)
    sizes[-1] = size_bytes - bucket * (buckets - 1)
    return sizes


def reduce_behind(name: str, compute_s: float, sizes: Floats, times: Floats) -> Timeline:
    """
    Gradients are reduced while backward runs: a bucket is ready when its share of backward is done.

    One bucket at a time is sent, in order; the last is ready only when backward ends.
    """
    if sizes.size == 0:
        return Timeline(compute_s, compute_s, ())
    ready = np.cumsum(sizes) / np.sum(sizes) * compute_s
    done = np.cumsum(times)
    end = done + np.maximum.accumulate(ready - (done - times))
    return Timeline(compute_s, max(compute_s, float(end[-1])), (Track(name, ready, end - times, end),))


def gather_ahead(name: str, compute_s: float, sizes: Floats, times: Floats) -> Timeline:
    """
    Parameters are gathered while compute uses those before them: all may be requested at the start.

    A bucket's share of compute begins when it has arrived and the share before it is done.
    """
    if sizes.size == 0:
        return Timeline(compute_s, compute_s, ())
    shares = sizes / np.sum(sizes) * compute_s
    arrived = np.cumsum(times)
    done = np.cumsum(shares)
    compute_end = done + np.maximum.accumulate(arrived - (done - shares))
    track = Track(name, np.zeros_like(times), arrived - times, arrived)
    return Timeline(compute_s, float(compute_end[-1]), (track,))


def gather_and_reduce(
    names: tuple[str, str], compute_s: float, sizes: Floats, gathers: Floats, reduces: Floats
) -> Timeline:
    """
    Sharded backward: gather one bucket ahead, compute on it, reduce-scatter its gradients; one link.

    The gather of the next bucket is requested when compute on this one begins, so it precedes the
    reduce-scatter of this bucket.
    """
    buckets = sizes.size
    if buckets == 0:
        return Timeline(compute_s, compute_s, ())
    shares = sizes / np.sum(sizes) * compute_s
    gather, reduce = np.zeros((3, buckets)), np.zeros((3, buckets))
    compute_end = 0.0
    gather[:, 0] = 0.0, 0.0, gathers[0]
    link_free = float(gathers[0])
    for bucket in range(buckets):
        compute_start = max(compute_end, gather[2, bucket])
        compute_end = compute_start + shares[bucket]
        if bucket + 1 < buckets:
            start = max(link_free, compute_start)
            link_free = start + gathers[bucket + 1]
            gather[:, bucket + 1] = compute_start, start, link_free
        start = max(link_free, compute_end)
        link_free = start + reduces[bucket]
        reduce[:, bucket] = compute_end, start, link_free
    tracks = (Track(names[0], *gather), Track(names[1], *reduce))
    return Timeline(compute_s, max(float(compute_end), float(link_free)), tracks)


def exposed_by_fraction(comm_s: float, backward_s: float, overlappable: float) -> float:
    """
    Exposed communication where a stated share of it may overlap with backward.

    The rest (the last bucket, at least) never overlaps.
    """
    comm = number("comm_s", comm_s, least=0)
    backward = number("backward_s", backward_s, least=0)
    share = number("overlap", overlappable, least=0, most=1)
    return comm - min(share * comm, backward)
