"""The model of the options: a catalog id, a config.json, or a shape given dimension by dimension."""

from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from core import catalog
from core.checks import InputError, alternatives
from core.shell.read import is_file, text_of
from core.workload import Model
from core.workload.config import config_model, read_config
from core.workload.transformer import parameters

NEEDED = {
    "layers": "num_hidden_layers",
    "hidden": "hidden_size",
    "heads": "num_attention_heads",
    "ffn": "intermediate_size",
    "vocab": "vocab_size",
}
PLAIN_FFN = 4
"""Four times the hidden size is what MLPs of two matrices have, as GPT-3's; gated ones have 8/3 or so."""
OVERRIDES = ("layers", "hidden")
SUCH_AS = "llama-3.1-70b or deepseek-v3-r1"
OPTIONAL = {"kv_heads": "num_key_value_heads", "experts": "num_local_experts", "topk": "num_experts_per_tok"}


def names_model(args: Namespace) -> bool:
    """Whether any option says which model."""
    return "model" in args and (args.model is not None or _shaped(args))


def model(args: Namespace, default: str | None = None) -> Model:
    """
    The model of the options, or ``default`` from the catalog where no option names one.

    Raises:
        InputError: No such id or file, or a shape that is incomplete or impossible.
    """
    if _shaped(args):
        return _from_shape(args)
    name = default if args.model is None else args.model
    if name is None:
        message = f"--model: give one of {len(catalog.MODELS)}, such as {SUCH_AS}, a config.json or a shape"
        raise InputError(message)
    if name in catalog.MODELS:
        return catalog.MODELS[name]
    if name.endswith(".json") or is_file(name):
        return read_config(text_of(name, "--model"), Path(name).stem).model
    close = alternatives(name, list(catalog.MODELS), "the Catalog page")
    message = f"--model: {name[:80]!r} is unknown; {close}; or a config.json"
    raise InputError(message)


def without_overrides(args: Namespace) -> tuple[Namespace, dict[str, int | None]]:
    """
    ``--layers`` and ``--hidden`` apart from the options that name the model.

    With a model, or both without the rest of a shape, they replace the model's own.
    """
    rest = any(getattr(args, name) is not None for name in (*NEEDED, *OPTIONAL) if name not in OVERRIDES)
    if rest or (args.model is None and any(getattr(args, name) is None for name in OVERRIDES)):
        return args, dict.fromkeys(OVERRIDES)
    overrides = {name: getattr(args, name) for name in OVERRIDES}
    return Namespace(**(vars(args) | dict.fromkeys(OVERRIDES))), overrides


def _shaped(args: Namespace) -> bool:
    return any(getattr(args, name) is not None for name in (*NEEDED, *OPTIONAL))


def _from_shape(args: Namespace) -> Model:
    """A Llama-like decoder, a GPT-like one where the MLP is plain, or a Mixtral-like one with experts."""
    if args.model is not None:
        message = "--model: either a model or its shape (--layers, --hidden ...), not both"
        raise InputError(message)
    missing = [f"--{name}" for name in NEEDED if getattr(args, name) is None]
    if missing:
        message = f"{missing[0]}: a shape needs {', '.join(f'--{name}' for name in NEEDED)}"
        raise InputError(message)
    if (args.experts is None) != (args.topk is None):
        message = "--experts: a MoE shape needs --experts and --topk together"
        raise InputError(message)
    if args.hidden % args.heads:
        message = f"--heads: must divide --hidden {args.hidden}, and {args.heads} does not"
        raise InputError(message)
    keys = NEEDED | OPTIONAL
    sizes = {key: getattr(args, name) for name, key in keys.items() if getattr(args, name) is not None}
    kind = "llama" if args.experts is None else "mixtral"
    shape = config_model({"model_type": kind, **sizes}, "yours").model
    plain = args.mlp == "plain" or (args.mlp is None and args.ffn == PLAIN_FFN * args.hidden)
    return _plain(shape) if plain and args.experts is None else shape


def _plain(model: Model) -> Model:
    """The same decoder with an MLP of two matrices and the head sharing the embedding, as GPT's."""
    other = replace(model, gated_mlp=False, tied_embeddings=True)
    counted = parameters(other)
    return replace(
        other,
        params=counted.total,
        active_params=counted.active,
        published_params=f"{counted.total / 1e9:,.3g} B recomputed",
    )
