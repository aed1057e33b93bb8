"""A benchmark followed request by request, first come first served, in the engine's own steps."""

import heapq
from collections import deque
from dataclasses import dataclass, field

import numpy as np

from core.calculators.serving.engine import Engine
from core.calculators.serving.lengths import Lengths
from core.calculators.serving.load_generator import LoadGenerator
from core.calculators.serving.memory import cache
from core.calculators.serving.speculative import output_tokens
from core.calculators.serving.step_times import StepTimes, step_times
from core.calculators.tensor_parallel.scenario import Scenario
from core.checks import Floats


@dataclass(frozen=True, slots=True)
class Measured:
    """
    What such a benchmark prints.

    Attributes:
        ttft_s: Time to the first token of each request, in the order of their first tokens.
        tpot_s: Time per output token of each request of more than one, in the order of their ends.
        e2e_s: Of each request from its arrival to its last token, in the order of their ends.
        gap_s, gaps: Times between two tokens, and how many there were of each.
        duration_s: Of the whole run.
    """

    ttft_s: Floats
    tpot_s: Floats
    e2e_s: Floats
    gap_s: Floats
    gaps: Floats
    duration_s: float


@dataclass(frozen=True, slots=True)
class Server:
    """
    An engine that is asked.

    Attributes:
        most: Requests that run at once.
        chunk: Most tokens of a step that holds prompt tokens.
        tokens: Of each running request a step.
        verified: Of each running request that a step computes.
        mixes: Whether a step with prompt tokens decodes as well.
        computed: Tokens of a prompt that the prefix cache does not hold.
        outside_s: Of a request outside its steps.
    """

    steps: StepTimes
    most: int
    chunk: int
    tokens: float
    verified: int
    mixes: bool
    computed: float
    outside_s: float = 0.0


@dataclass(slots=True)
class _State:
    """
    Who is to come, who waits, by arrival and prompt tokens left, and who runs.

    A running request is known by what each has emitted when it ends, its first token, its further ones and
    its arrival; ``stalled`` are those that wait for separate prefill steps, and for how long.
    """

    coming: deque[float]
    prompts: deque[float]
    outputs: deque[float]
    waiting: deque[list[float]] = field(default_factory=deque)
    running: list[tuple[float, float, float, float]] = field(default_factory=list)
    now_s: float = 0.0
    emitted: float = 0.0
    stalled: list[tuple[int, float]] = field(default_factory=list)
    ttft_s: list[float] = field(default_factory=list)
    tpot_s: list[float] = field(default_factory=list)
    e2e_s: list[float] = field(default_factory=list)
    gaps: list[tuple[float, float]] = field(default_factory=list)

    def admit(self) -> None:
        """Requests that have arrived wait."""
        while self.coming and self.coming[0] <= self.now_s:
            self.waiting.append([self.coming.popleft(), self.prompts.popleft()])

    def measured(self, outside_s: float) -> Measured:
        """What was written down, as a client sees it."""
        gap_s, gaps = np.array(self.gaps).T if self.gaps else (np.zeros(0), np.zeros(0))
        ttft_s, e2e_s = (np.array(values) + outside_s for values in (self.ttft_s, self.e2e_s))
        return Measured(ttft_s, np.array(self.tpot_s), e2e_s, gap_s, gaps, float(self.now_s))


def server(scenario: Scenario, engine: Engine, lengths: Lengths, load: LoadGenerator) -> Server:
    """
    The engine with the steps that a load needs.

    Raises:
        InputError: Compute or messages of the scenario are overridden.
    """
    most = max(1, cache(scenario, engine, lengths.input_tokens, lengths.output_tokens).requests)
    return Server(
        steps=step_times(scenario, engine, lengths, min(load.most, most)),
        most=most,
        chunk=engine.chunk_tokens,
        tokens=output_tokens(engine),
        verified=engine.draft_tokens + 1,
        mixes=engine.mixes,
        computed=engine.uncached(lengths.input_tokens),
        outside_s=engine.server_s,
    )


def measured(scenario: Scenario, engine: Engine, lengths: Lengths, load: LoadGenerator) -> Measured:
    """
    A benchmark, first come first served, in the engine's own steps.

    A step decodes all running requests at the mean context, and holds as many prompt tokens as the chunk
    leaves room for (or none, where prefill steps are separate, in which no request decodes).

    Raises:
        InputError: Compute or messages of the scenario are overridden.
    """
    return followed(server(scenario, engine, lengths, load), lengths, load)


def followed(asked: Server, lengths: Lengths, load: LoadGenerator) -> Measured:
    """The same of a server whose steps are known."""
    state = _State(
        coming=deque(load.arrivals_s().tolist()),
        prompts=deque(load.prompts(asked.computed).tolist()),
        outputs=deque(load.outputs(lengths.output_tokens).tolist()),
    )
    while state.coming or state.waiting or state.running:
        if state.coming and not state.waiting and not state.running:
            state.now_s = max(state.now_s, state.coming[0])
        state.admit()
        room = asked.chunk - len(state.running) * asked.verified * asked.mixes
        if state.waiting and len(state.running) < asked.most and room >= 1:
            _fill(state, asked, room)
        else:
            _decode(state, asked)
        ended = _end(state)
        if load.sends_on:
            more = min(ended, len(state.prompts))
            state.waiting.extend([state.now_s, state.prompts.popleft()] for _ in range(more))
    return state.measured(asked.outside_s)


def _decode(state: _State, asked: Server) -> None:
    """Steps without prompt tokens until the next request ends or, where another can run, arrives."""
    running = len(state.running)
    step_s = asked.steps.plain_s(running)
    ahead = max(1.0, np.ceil((state.running[0][0] - state.emitted) / asked.tokens))
    if state.coming and running < asked.most:
        ahead = min(ahead, max(1.0, np.ceil((state.coming[0] - state.now_s) / step_s)))
    state.gaps += [(step_s + stalled_s, waited) for waited, stalled_s in state.stalled]
    state.gaps.append((step_s, running * ahead - sum(waited for waited, _ in state.stalled)))
    state.stalled.clear()
    state.now_s += ahead * step_s
    state.emitted += ahead * asked.tokens


def _fill(state: _State, asked: Server, room: float) -> None:
    """A step with prompt tokens; requests whose prompt ends have their first token at its end."""
    held, running = 0.0, len(state.running)
    arrivals: list[float] = []
    while state.waiting and held < room and running + len(arrivals) < asked.most:
        part = min(state.waiting[0][1], room - held)
        held += part
        state.waiting[0][1] -= part
        if state.waiting[0][1] > 0:
            break
        arrivals.append(state.waiting.popleft()[0])
    further = [state.outputs.popleft() - 1 for _ in arrivals]
    step_s = asked.steps.filling_s(running, held)
    state.now_s += step_s
    if asked.mixes:
        state.emitted += asked.tokens
        state.gaps.append((step_s, running))
    else:
        known = state.stalled or [(running, 0.0)]
        state.stalled = [(waited, stalled_s + step_s) for waited, stalled_s in known if waited]
        state.stalled.append((sum(tokens > 0 for tokens in further), 0.0))
    for arrival, tokens in zip(arrivals, further, strict=True):
        state.ttft_s.append(state.now_s - arrival)
        heapq.heappush(state.running, (state.emitted + tokens, state.now_s, tokens, arrival))


def _end(state: _State) -> int:
    """Requests that have all their tokens leave."""
    before = len(state.running)
    while state.running and state.running[0][0] <= state.emitted:
        _, first_s, further, arrival = heapq.heappop(state.running)
        state.e2e_s.append(state.now_s - arrival)
        if further:
            state.tpot_s.append((state.now_s - first_s) / further)
    return before - len(state.running)
