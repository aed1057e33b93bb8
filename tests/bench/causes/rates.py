"""What defects leave of a machine's rate: times of an all-reduce, by measured cases or arithmetic."""

from dataclasses import replace

import numpy as np

from core.collectives.pricing import Scenario, sweep
from core.errors import InputError
from core.measurement.bus_factor import bus_factor
from core.systems import configure
from core.verdict.floor import floor_s
from core.verdict.links import link_rates
from tests.bench.causes.logs import execution

SIZES = tuple(1 << power for power in range(13, 34))
LARGE = 32 << 20


def expected(bench, collective, **how):
    """The model's times on a machine."""
    system = bench.system
    if "nics" in how:
        system = configure(system, domains=bench.nodes, nics_per_domain=how["nics"])
    algorithm = how.get("algorithm", "auto")
    return sweep(Scenario(system, collective, bench.ranks, dtype="float", algorithm=algorithm), SIZES).time_s


def floor(bench, collective):
    """The least times in which its links can carry the bytes."""
    system = bench.system
    links = link_rates(system, system.domain_gpus, bench.nodes)
    return floor_s(collective, np.array(SIZES, dtype=float), system.domain_gpus, bench.nodes, links)


def sound(bench, collective, sound, random):
    """Nothing is wrong."""
    return sound


def capped(rate):
    """Times at a bus bandwidth in bytes/s of large sizes; the bends of two limits are round."""

    def times(bench, collective, sound, random):
        limit = bus_factor(collective, bench.ranks) * np.array(SIZES) / rate(bench, random)
        return (sound**3 + limit**3) ** (1 / 3)

    return times


def of_network(low, high, most=None):
    """A share of a node's NICs, drawn evenly, and at most so many bytes/s."""

    def rate(bench, random):
        share = random.uniform(low, high) * bench.network
        return share if most is None else min(share, random.uniform(*most))

    return capped(rate)


def gigabytes(low, high):
    """A rate in GB/s, drawn evenly."""
    return capped(lambda _, random: random.uniform(low, high) * 1e9)


def of_slot(low, high):
    """A share of a slot."""
    return capped(lambda bench, random: random.uniform(low, high) * bench.slot)


def slower(low, high):
    """Large sizes so many times slower."""

    def times(bench, collective, sound, random):
        return sound * np.where(np.array(SIZES) >= 1 << 20, random.uniform(low, high), 1.0)

    return times


def falling(bench, collective, sound, random):
    """Lost packets: the more is sent at once the slower."""
    depth = np.clip(np.log2(np.array(SIZES) / LARGE) / 8, 0, 1)
    return sound * (1 + depth * random.uniform(2, 5))


def late(low, high):
    """So many microseconds more at every size, as of a slow host."""
    return lambda _bench, _collective, sound, random: sound + random.uniform(low, high) * 1e-6


def nics_left(share):
    """The model's times with a part of the NICs, by rings where the draw says so between two nodes."""

    def times(bench, collective, sound, random):
        count = _count(bench, share)
        by_tree = expected(bench, collective, nics=count) * sound / expected(bench, collective)
        if bench.nodes != 2 or random.random() < 0.5:
            return by_tree
        limit = (
            bus_factor(collective, bench.ranks)
            * np.array(SIZES)
            / (0.92 * bench.network * count / bench.nics)
        )
        return (sound**3 + limit**3) ** (1 / 3)

    return times


def _count(bench, share):
    return 1 if share == 0 else max(1, round(bench.nics * share))


def forced(algorithm, *, least=1.15):
    """The model's times of an algorithm."""

    def times(bench, collective, sound, random):
        return sound * expected(bench, collective, algorithm=algorithm) / expected(bench, collective)

    return times


def is_slower(algorithm, least=1.15):
    """Machines on which an algorithm costs so much at 1 GiB."""

    def applies(bench):
        try:
            ratio = expected(bench, "all_reduce", algorithm=algorithm) / expected(bench, "all_reduce")
        except InputError:
            return False
        return bool(ratio[SIZES.index(1 << 30)] > least)

    return applies


def of_channels(low, high):
    """So many channels; the number is drawn again for the lines by the same rule."""

    def times(bench, collective, sound, random):
        most = {"HOPPER": 37e9, "BLACKWELL": 40e9}.get(bench.system.gpu.architecture.name, 22e9)
        rate = 2 * random.uniform(0.8, 1.0) * most
        return capped(lambda *_: rate)(bench, collective, sound, random)

    return times


def two_sound_nodes(bench, sound, times, random):
    """The same test on two nodes of it, as expected."""
    pair = replace(bench, nodes=2)
    again = expected(pair, "all_reduce") * np.exp(random.normal(0, 0.03, len(SIZES)))
    return execution(pair, "all_reduce", SIZES, again)


def slow_pairs(bench, sound, times, random):
    """Pairs of nodes, those with node1 slow."""
    pair = replace(bench, nodes=2)
    lines = []
    for first, second in ((0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)):
        factor = 2.5 if 1 in (first, second) else 1.0
        again = factor * expected(pair, "all_reduce") * np.exp(random.normal(0, 0.03, len(SIZES)))
        lines += execution(pair, "all_reduce", SIZES, again, hosts=[f"node{first}", f"node{second}"])
    return lines
