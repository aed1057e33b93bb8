"""``tp``: what tensor parallelism costs a prefill or decode step."""

from argparse import Namespace
from dataclasses import asdict

from core import units
from core.calculators.layouts import serving_link_value
from core.calculators.serving import EngineAnswer, EngineQuestion, engine_answer, engine_json, engine_service
from core.calculators.serving.arrivals import DATASETS, PROMPTS
from core.calculators.serving.interval import throughput_span
from core.calculators.tensor_parallel import (
    Answer,
    Scenario,
    answer,
    answer_json,
    required_json,
)
from core.calculators.tensor_parallel.scenario import MOST_IMBALANCE
from core.catalog.software import SERVING_DEFAULT
from core.checks import InputError
from core.collectives.moe.routing import ROUTINGS
from core.command_line import Parser
from core.shell import options
from core.shell.engine_options import add_engine, engine
from core.shell.engine_text import engine_text
from core.shell.model import without_overrides
from core.shell.output import Reply, facts, page, percent, remarks, table
from core.shell.question import question
from core.shell.service import objective, service_json, service_text

NAME = "tp"
HELP = "communication of tensor parallelism in a prefill or decode step"


def add(parser: Parser) -> None:
    """Options of the command."""
    options.add_model(parser, default="llama-3.1-70b")
    _add_step(parser)
    _add_compute(parser)
    _add_experts(parser)
    _add_stated(parser)
    _add_service(parser)
    add_engine(parser)
    options.add_objective(parser)
    options.add_system(parser)
    options.add_rates(parser)
    options.add_algorithm(parser)
    options.add_software(parser, SERVING_DEFAULT)
    options.add_serving_engine(parser)
    options.add_json(parser)


def _add_step(parser: Parser) -> None:
    """The forward pass: phase, batch, degrees and formats."""
    parser.add_argument(
        "--phase",
        choices=("decode", "prefill"),
        default="decode",
        help="step: decode (TPOT) or prefill (TTFT)",
    )
    parser.add_argument(
        "--tokens",
        type=options.whole,
        default=32,
        metavar="N",
        help="batched tokens per step (decode: batch size)",
    )
    parser.add_argument("--context", type=options.count, metavar="N", help="context length in tokens")
    parser.add_argument("--tp", type=options.whole, default=8, metavar="N", help="tensor-parallel degree")
    parser.add_argument("--ep", type=options.whole, default=1, metavar="N", help="expert-parallel degree")
    parser.add_argument("--weights", default="bf16", metavar="FORMAT", help="weight precision")
    parser.add_argument("--activations", default="bf16", metavar="FORMAT", help="activation precision")
    parser.add_argument("--kv", default="bf16", metavar="FORMAT", help="KV cache precision")


def _add_compute(parser: Parser) -> None:
    """How near the step comes to the GPU's peaks, and what of its communication is overlapped."""
    parser.add_argument(
        "--mfu", type=options.efficiency, metavar="X", help="GEMM efficiency, share of peak FLOP/s"
    )
    parser.add_argument(
        "--hbm-efficiency", type=options.efficiency, metavar="X", help="share of the memory bandwidth"
    )
    parser.add_argument(
        "--overlap",
        type=options.share,
        default=0.0,
        metavar="X",
        help="share of communication overlapped with compute, 0 to 1",
    )
    parser.add_argument(
        "--sequence-parallel",
        action="store_true",
        help="sequence parallelism: reduce-scatter and all-gather in place of each all-reduce",
    )


def _add_experts(parser: Parser) -> None:
    """Which experts tokens go to, and in what format."""
    parser.add_argument(
        "--routing",
        choices=ROUTINGS,
        default="random",
        help="random: any set of experts is as likely; balanced: round robin",
    )
    parser.add_argument(
        "--imbalance",
        type=options.Real(least=1, most=MOST_IMBALANCE),
        default=1.0,
        metavar="X",
        help="tokens at the experts of the busiest GPU over the mean, at most EP",
    )
    parser.add_argument("--dispatch", metavar="FORMAT", help="precision of dispatched tokens")


def _add_stated(parser: Parser) -> None:
    """Memory, parameters, compute and rates in place of what the model and the GPU say."""
    parser.add_argument(
        "--usable", type=options.part, default=0.9, metavar="X", help="share of the GPU memory"
    )
    parser.add_argument(
        "--params-per-layer",
        type=options.positive,
        metavar="N",
        help="parameters of a layer, instead of the model's",
    )
    parser.add_argument(
        "--compute-us", type=options.positive, metavar="X", help="compute time of a layer on the group"
    )
    parser.add_argument(
        "--peak-tflops", type=options.positive, metavar="X", help="peak TFLOP/s, dense, instead of the GPU's"
    )
    parser.add_argument(
        "--hbm-gbps", type=options.positive, metavar="X", help="memory GB/s, instead of the GPU's"
    )


def _add_service(parser: Parser) -> None:
    """Requests, and what the step must reach."""
    parser.add_argument(
        "--input-tokens",
        type=options.whole,
        metavar="N",
        help="input length (ISL): TTFT, and see --output-tokens",
    )
    parser.add_argument(
        "--output-tokens",
        type=options.whole,
        metavar="N",
        help="output length (OSL): throughput at saturation",
    )
    parser.add_argument(
        "--message-bytes", type=options.size, metavar="SIZE", help="message size of one all-reduce"
    )
    parser.add_argument(
        "--steps-per-s",
        type=options.positive,
        metavar="X",
        help="print the bandwidth that so many steps a second need",
    )


def run(args: Namespace) -> Reply:
    """The step on one group."""
    args, overrides = without_overrides(args)
    serving_engine = engine(args)
    result = answer(
        Scenario.of(
            question(args, "llama-3.1-70b"),
            **overrides,
            message_bytes=args.message_bytes,
            phase=args.phase,
            tokens=args.tokens,
            tp=args.tp,
            ep=args.ep,
            routing=args.routing,
            imbalance=args.imbalance,
            mfu=args.mfu,
            hbm_efficiency=args.hbm_efficiency,
            overlap=args.overlap,
            sequence_parallel=args.sequence_parallel,
            params_per_layer=args.params_per_layer,
            compute_s=units.converted(args.compute_us, units.US),
            peak_flop_per_s=units.converted(args.peak_tflops, units.TERA),
            hbm_bytes_per_s=units.converted(args.hbm_gbps, units.GB),
        )
    )
    runs = _engine_answer(args, result.scenario)
    required = None if args.steps_per_s is None else required_json(result, args.steps_per_s)
    serving = engine_service(result.scenario, serving_engine, objective(args))
    span = throughput_span(result.scenario, serving_engine)
    figures = service_json(serving, result.scenario, span)
    data = answer_json(result) | {"required": required, "serving": figures}
    links = serving_link_value(result.scenario)
    data |= {"link_value": asdict(links)} | engine_json(runs, result.scenario)
    priced = service_text(serving, scenario=result.scenario, engine_span=span)
    parts = priced, links.text, engine_text(runs), _required_text(required)
    return Reply(data, page(text(result), *parts))


def _engine_answer(args: Namespace, scenario: Scenario) -> EngineAnswer:
    """What the serving engine makes of the step."""
    apart = args.disaggregated or args.kv_path is not None
    if apart and (args.input_tokens is None or args.output_tokens is None):
        message = "--disaggregated: needs --input-tokens and --output-tokens"
        raise InputError(message)
    rate = args.request_rate
    of_run = rate or args.num_prompts or args.dataset != DATASETS[0]
    if of_run and (rate is None or None in (args.input_tokens, args.output_tokens)):
        message = "--request-rate: needs --input-tokens, --output-tokens; --num-prompts and --dataset need it"
        raise InputError(message)
    if (
        args.prefill_chunk is not None
        and scenario.phase == "decode"
        and args.prefill_chunk <= scenario.tokens
    ):
        message = (
            f"--prefill-chunk: more than the {scenario.tokens:,} tokens of the decode batch, "
            f"not {args.prefill_chunk:,}"
        )
        raise InputError(message)
    goals = EngineQuestion(
        input_tokens=args.input_tokens,
        output_tokens=args.output_tokens,
        tpot_s=units.converted(args.tpot_ms, units.MS),
        disaggregated=apart,
        kv_path=args.kv_path,
        request_rate=rate,
        prompts=args.num_prompts or PROMPTS,
        equal=args.dataset == DATASETS[0],
    )
    answered = engine_answer(scenario, engine(args), goals)
    if rate is not None and answered.arrivals is None:
        message = (
            "--request-rate: needs a decode step of the model's own compute and messages, and memory for a "
            "request"
        )
        raise InputError(message)
    return answered


def _required_text(required: dict[str, float] | None) -> str:
    if required is None:
        return ""
    return (
        f"{required['steps_per_s']:g} steps/s need {units.format_rate(required['payload_bytes_per_s'])} of "
        f"payload, {units.format_rate(required['wire_bytes_per_s'])} on the link: "
        f"{percent(required['wire_share_of_link_one_way'])} of its bandwidth per direction."
    )


def text(result: Answer) -> str:
    """The answer for people."""
    layer, step = result.per_layer, result.per_step
    parts = [
        (name, *(units.format_time(value) for value in pair))
        for name, pair in (
            ("compute", (layer.compute_s, step.compute_s)),
            ("communication", (layer.comm_s, step.comm_s)),
            ("exposed communication", (layer.exposed_s, step.exposed_s)),
            ("time", (layer.time_s, step.time_s)),
        )
    ]
    degrees = [
        (
            f"TP{row.tp}",
            units.format_time(row.step_s),
            percent(row.share),
            units.format_number(row.tokens_per_s_per_gpu),
            f"{row.speedup:.2f}",
            "yes" if row.fits else "no",
        )
        for row in result.degrees
    ]
    return page(
        f"{result.headline}\n{result.verdict.text}",
        table(("", "per layer", "per step"), parts),
        facts(
            (
                ("message", units.format_message(layer.message_bytes)),
                ("bound", layer.bound),
                ("algorithm", result.choice or None),
                ("rates", result.basis),
            )
        ),
        table(("TP", "step", "communication", "tokens/s/GPU", "speed-up", "fits"), degrees),
        remarks("Note", result.warnings),
    )
