"""The serving engine of a question: chunked prefill, KV cache memory, prefix cache, speculative decoding."""

from dataclasses import dataclass

import numpy as np

from core import checks
from core.calculators.tensor_parallel.by_tokens import WIDE_BYTES
from core.calculators.tensor_parallel.compute import launched_layers
from core.calculators.tensor_parallel.formats import FOUR_BIT
from core.calculators.tensor_parallel.scenario import Scenario
from core.calculators.tensor_parallel.state_pools import StatePools
from core.calculators.tensor_parallel.usable_memory import DATASHEET, UsableMemory
from core.catalog.calibrations.serving import overheads
from core.checks import Floats, InputError
from core.workload import Attention, Model

KV_RESERVE = ("mean", "longest")
CHUNK_STEPS = ("mixed", "separate")
MOST_SEQUENCES = 2048
CHUNK_TOKENS = 8192
MOST_DRAFT = 64
BYTE = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """
    How an engine schedules and what it keeps in memory; the defaults add nothing to a step.

    Attributes:
        software: Id of the preset that it was made of; empty for an engine of no name.
        prefill_chunk: Most batched tokens of a step that holds prompt tokens (max_num_batched_tokens,
            chunked_prefill_size). None: prompts run in separate prefill steps, 8,192 tokens at a time.
        chunk_steps: ``mixed``: decode tokens run in the same step as a chunk, and go first;
            ``separate``: decoding waits while a chunk runs.
        max_sequences: Most concurrent requests of one attention group (max_num_seqs, max_batch_size).
        memory_of, reserve_bytes: With the usable share, its ``UsableMemory``.
        kv_block: Tokens of a KV block; a request's cache is rounded up to whole blocks.
        state_ratio: Memory of states over that of KV blocks where layers keep a state: two pools that do not
            lend to each other. 0: one pool.
        state_pages: KV blocks are as large as the page of a layer's state, where layers keep one.
        state_slots: States kept for each running request; with drafts one more for each verified token.
        kv_reserve: ``mean``: a request holds the cache it has, on average half of its output (it may be
            preempted); ``longest``: room for its whole output from the start (guaranteed_no_evict).
        host_step_s, host_sequence_s: Host time of a step, and for every running request, that the GPU waits.
        host_logit_s: The same for every running request and entry of the vocabulary: sampling sorts them.
        layer_s: The least that launches and small kernels of a layer take, in every step.
        expert_layer_s: More of a layer with experts: routing, sorting, waiting for one another; none where
            TensorRT-LLM runs DeepSeek's layers in FP4 within one tensor-parallel group, in fused kernels.
        narrow_layer_s: More of it where their weights are narrower than BF16 and shared out over GPUs (EP),
            or of 4 bits: tokens are rounded and scaled apart.
        prompt_layer_s: The least that a layer of a separate prefill step takes: its kernels are launched
            one by one, and the GPU waits where they are short.
        prompt_state_layer_s: The same of a layer that keeps a state.
        crossing_s: What each all-reduce of a step takes beside its own time where it leaves a domain: nodes
            wait for one another.
        server_s: Of a request outside the engine's steps: HTTP, tokenizer, scheduling, the way back.
        prefix_hit: Share of the prompt's tokens whose cache is already there.
        draft_tokens: Tokens drafted for each verification; 0: no speculative decoding.
        acceptance: Chance that the target accepts a drafted token, given that it accepted those before.
        draft_cost: Drafting one token, as a share of the target's decode step.
    """

    software: str = ""
    prefill_chunk: int | None = None
    chunk_steps: str = "mixed"
    max_sequences: int = MOST_SEQUENCES
    memory_of: str = DATASHEET
    reserve_bytes: float = 0.0
    kv_block: int = 1
    kv_reserve: str = "mean"
    state_ratio: float = 0.0
    state_slots: int = 1
    state_pages: bool = False
    host_step_s: float = 0.0
    host_sequence_s: float = 0.0
    host_logit_s: float = 0.0
    layer_s: float = 0.0
    expert_layer_s: float = 0.0
    narrow_layer_s: float = 0.0
    prompt_layer_s: float = 0.0
    prompt_state_layer_s: float = 0.0
    crossing_s: float = 0.0
    server_s: float = 0.0
    prefix_hit: float = 0.0
    draft_tokens: int = 0
    acceptance: float = 0.7
    draft_cost: float = 0.05

    def __post_init__(self) -> None:
        """Refuse what cannot be served; raises InputError naming the argument."""
        if self.prefill_chunk is not None:
            checks.count("prefill_chunk", self.prefill_chunk)
        for name in ("max_sequences", "kv_block", "state_slots"):
            checks.count(name, getattr(self, name))
        checks.choice("chunk_steps", self.chunk_steps, CHUNK_STEPS)
        _ = self.memory(usable=1.0)
        checks.choice("kv_reserve", self.kv_reserve, KV_RESERVE)
        times = (
            "host_step_s",
            "host_sequence_s",
            "host_logit_s",
            "layer_s",
            "expert_layer_s",
            "narrow_layer_s",
            "prompt_layer_s",
            "prompt_state_layer_s",
            "crossing_s",
            "server_s",
        )
        for name in (*times, "draft_cost", "state_ratio"):
            checks.number(name, getattr(self, name), least=0)
        for name in ("prefix_hit", "acceptance"):
            checks.number(name, getattr(self, name), least=0, most=1)
        if checks.count("draft_tokens", self.draft_tokens, least=0) > MOST_DRAFT:
            message = f"draft_tokens: at most {MOST_DRAFT}, not {self.draft_tokens}"
            raise InputError(message)

    @property
    def chunk_tokens(self) -> int:
        """Most prompt tokens of a step."""
        return self.prefill_chunk or CHUNK_TOKENS

    @property
    def mixes(self) -> bool:
        """Whether a step holds decode tokens and a chunk of a prompt."""
        return self.prefill_chunk is not None and self.chunk_steps == "mixed"

    @property
    def adds_time(self) -> bool:
        """Whether TTFT or TPOT differ from the time of the GPUs."""
        host = self.host_step_s or self.host_sequence_s or self.host_logit_s
        layers = self.layer_s or self.expert_layer_s or self.narrow_layer_s or self.crossing_s
        return bool(
            host or layers or self.server_s or self.prefill_chunk or self.prefix_hit or self.draft_tokens
        )

    def host_s(self, requests: Floats, scenario: Scenario) -> Floats:
        """What a step takes beyond its GPUs' kernels by its running requests, in seconds."""
        each_s = self.host_sequence_s + self.host_logit_s * (scenario.model.vocab or 0)
        return self.host_step_s + self.layers_s(scenario) + each_s * requests

    def layers_s(self, scenario: Scenario) -> float:
        """Small kernels of all layers and waits between nodes, in seconds beside the step's own."""
        model = scenario.model
        own_s = overheads(scenario.system.gpu).graph_s if scenario.by_kernels else 0.0
        least_s = max(self.layer_s - own_s, 0.0) * launched_layers(scenario)
        crosses = scenario.tp > scenario.system.domain_gpus
        waits_s = self.crossing_s * model.blocks if crosses else 0.0
        expert_s = 0.0 if _fused(scenario) else self.expert_layer_s
        expert_s += self.narrow_layer_s if _rounds_apart(scenario) else 0.0
        return least_s + expert_s * model.moe_layers + waits_s

    def prompt_s(self, seconds: Floats, model: Model) -> Floats:
        """A step with prompt tokens that takes the GPUs so long, as far as its launches allow."""
        if self.mixes:
            return seconds
        keeping = model.state.layers if model.state else 0
        least_s = self.prompt_layer_s * (model.layers - keeping) + self.prompt_state_layer_s * keeping
        return np.maximum(seconds, least_s)

    def uncached(self, input_tokens: float) -> float:
        """Prompt tokens that are computed: those that the prefix cache does not hold, at least one."""
        return max(1.0, input_tokens * (1 - self.prefix_hit))

    def memory(self, usable: float) -> UsableMemory:
        """What of a GPU's memory weights and cache may take where this share of it may be used."""
        return UsableMemory(usable=usable, memory_of=self.memory_of, reserve_bytes=self.reserve_bytes)

    @property
    def pools(self) -> StatePools:
        """Pools of states and KV blocks; drafts keep one more state for each verified token."""
        verified = self.draft_tokens + 1 if self.draft_tokens else 0
        return StatePools(ratio=self.state_ratio, states=self.state_slots + verified, paged=self.state_pages)

    def kept_tokens(self, input_tokens: float, output_tokens: float, block: int = 1) -> float:
        """Tokens of cache that a request counts for, its last block, of ``block`` at least, filled up."""
        block = max(block, self.kv_block)
        if self.kv_reserve == "longest":
            return -(-(input_tokens + output_tokens) // block) * block
        return input_tokens + output_tokens / 2 + (block - 1) / 2


def _fused(scenario: Scenario) -> bool:
    """Whether routing, experts and all-reduce of a layer run in kernels fused for latency."""
    latent = scenario.model.attention is Attention.MLA and scenario.weights.bits == FOUR_BIT
    return scenario.engine == "trtllm" and latent and scenario.ep <= scenario.tp


def _rounds_apart(scenario: Scenario) -> bool:
    """Whether narrow experts run outside the fused kernel of a tensor-parallel group."""
    width = scenario.weights.bytes_per_value
    return width < BYTE if scenario.ep == 1 else width < WIDE_BYTES
