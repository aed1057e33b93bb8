"""The options of a serving engine, and the engine they become."""

from argparse import Namespace

from core import units
from core.calculators.serving import Engine, engine_of
from core.calculators.serving.arrivals import DATASETS, MOST_PROMPTS, PROMPTS
from core.calculators.serving.engine import CHUNK_STEPS, KV_RESERVE
from core.calculators.software import preset_of
from core.calculators.tensor_parallel.usable_memory import MEMORY_OF
from core.command_line import Parser
from core.shell import options
from core.shell.question import memory


def add_engine(parser: Parser) -> None:
    """Scheduling, KV cache and speculative decoding; the software preset says what no option does."""
    _add_scheduling(parser)
    _add_cache(parser)
    _add_speculation(parser)
    parser.add_argument(
        "--disaggregated",
        action="store_true",
        help="prefill and decode on GPUs of their own, with --input-tokens and --output-tokens",
    )
    parser.add_argument("--kv-path", metavar="NAME", help="path of the KV cache transfer between them")
    _add_arrivals(parser)


def _add_arrivals(parser: Parser) -> None:
    parser.add_argument(
        "--request-rate",
        type=options.positive,
        metavar="X",
        help="requests/s that arrive at random: TTFT, TPOT and inter-token latency, medians and tails, with "
        "--input-tokens and --output-tokens",
    )
    parser.add_argument(
        "--num-prompts",
        type=options.Whole(most=MOST_PROMPTS),
        metavar="N",
        help=f"requests of such a run (default {PROMPTS:,})",
    )
    parser.add_argument(
        "--dataset",
        choices=DATASETS,
        default=DATASETS[0],
        help="of such a run: random (every request has the stated lengths) or sharegpt (lengths are means, "
        "a few are long)",
    )


def _add_scheduling(parser: Parser) -> None:
    parser.add_argument(
        "--prefill-chunk",
        type=options.whole,
        metavar="N",
        help="most batched tokens of a step that holds prompt tokens (max_num_batched_tokens)",
    )
    parser.add_argument(
        "--chunk-steps", choices=CHUNK_STEPS, help="a chunk runs in a step with decode tokens, or in its own"
    )
    parser.add_argument(
        "--max-sequences", type=options.whole, metavar="N", help="most concurrent requests (max_num_seqs)"
    )
    for name, text in (("step", "a step"), ("request", "each running request of a step")):
        parser.add_argument(
            f"--host-{name}-us",
            type=options.not_negative,
            metavar="X",
            help=f"host time of {text} that the GPU waits",
        )


def _add_cache(parser: Parser) -> None:
    parser.add_argument(
        "--memory-of",
        choices=MEMORY_OF,
        help="--usable is a share of the datasheet's memory, the driver's, or what is free after the weights",
    )
    parser.add_argument(
        "--reserve-gb",
        type=options.not_negative,
        metavar="X",
        help="GB of each GPU reserved for activations and CUDA graphs",
    )
    parser.add_argument("--kv-block", type=options.whole, metavar="N", help="tokens of a KV block")
    parser.add_argument(
        "--kv-reserve",
        choices=KV_RESERVE,
        help="a request counts at its mean length, or at its longest (guaranteed_no_evict)",
    )
    parser.add_argument(
        "--mamba-memory-ratio",
        type=options.not_negative,
        metavar="X",
        help="layers that keep a state: memory of states over that of KV blocks, two pools "
        "(mamba_full_memory_ratio; 0: one pool)",
    )
    parser.add_argument(
        "--states-per-request",
        type=options.whole,
        metavar="N",
        help="states kept for each running request, drafts apart",
    )
    parser.add_argument(
        "--prefix-hit", type=options.share, metavar="X", help="share of prompt tokens in the prefix cache"
    )


def _add_speculation(parser: Parser) -> None:
    parser.add_argument(
        "--draft-tokens", type=options.count, metavar="K", help="speculative decoding: drafted tokens a step"
    )
    parser.add_argument(
        "--acceptance",
        type=options.share,
        metavar="X",
        help="acceptance rate of a drafted token (default 0.7)",
    )
    parser.add_argument(
        "--draft-cost",
        type=options.share,
        metavar="X",
        help="drafting a token, share of the target's decode step (default 0.05)",
    )


def engine(args: Namespace) -> Engine:
    """The engine of the preset with the options that replace it; raises InputError for what cannot be."""
    return engine_of(
        preset_of(args.software, args.auto_software),
        prefill_chunk=args.prefill_chunk,
        chunk_steps=args.chunk_steps,
        max_sequences=args.max_sequences,
        **memory(args),
        kv_block=args.kv_block,
        kv_reserve=args.kv_reserve,
        host_step_s=units.converted(args.host_step_us, units.US),
        host_sequence_s=units.converted(args.host_request_us, units.US),
        prefix_hit=args.prefix_hit,
        draft_tokens=args.draft_tokens,
        acceptance=args.acceptance,
        draft_cost=args.draft_cost,
    )
