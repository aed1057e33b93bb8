"""`python -m tests.bench.kernel_write [gemm] [moe]`: fit the measured kernels and write core/catalog/calibrations/kernels."""

import sys
from dataclasses import fields, is_dataclass, replace
from functools import partial
from pathlib import Path

from tests.bench.kernel_fit import fit_gemm, fit_together
from tests.bench.kernel_fit import modelled as gemm_model
from tests.bench.kernel_moe import MOE_FORMATS, fit_default, fit_moe, moes
from tests.bench.kernel_moe import modelled as moe_model
from tests.bench.kernel_residuals import bands, engine_bands, fits, fitted_ratio, gpus_left_out
from tests.bench.kernel_rows import GEMM_FORMATS, GPU_IDS, gemms

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data" / "kernels"
TARGETS = ROOT / "core" / "catalog" / "calibrations" / "kernels"
MARK = "# fmt: off\n"
KINDS = {
    "gemm": ("GEMM", partial(gemms, DATA), GEMM_FORMATS, fit_gemm, gemm_model),
    "moe": ("MOE", partial(moes, DATA), MOE_FORMATS, fit_moe, moe_model),
}
UNNAMED = {"gemm": fit_together, "moe": fit_default}


def main():
    """Fit, print and write the kinds that are named, or all."""
    for kind in sys.argv[1:] or KINDS:
        write(kind)


def fitted(kind, name):
    """Constants and bands of one format."""
    _, rows_of, _, fit, model = KINDS[kind]
    every = rows_of()
    rows = every.take(every.format == name)
    constants = fits(rows, fit)
    return constants, span(constants, rows, model, UNNAMED[kind])


def span(constants, rows, model, fit):
    """The bands of answers without an engine; ``fit``: only what they take, each GPU left out in turn."""
    left_out, sibling = gpus_left_out(constants, rows, fit, model, engine=False)
    own = fitted_ratio(constants, rows, model, engine=False)
    level = bands(own, left_out, sibling, rows.time_s)
    return replace(level, engines=engine_bands(constants, rows, model))


def write(kind):
    """Fit one kind of kernel."""
    title, _, formats, _, _ = KINDS[kind]
    save(kind, title, {name: fitted(kind, name) for name in formats.values()})


def save(kind, title, results):
    """Write the constants and bands of all formats."""
    kernels, spans = [], []
    for name, (constants, level) in results.items():
        kernels.append(f'    "{name}": {{\n{lines(constants)}    }},\n')
        spans.append(f'    "{name}": {quoted(level)},\n')
        print(kind, name, level, flush=True)
    target = TARGETS / f"{kind}.py"
    gpus = ", ".join(f'"{gpu}"' for gpu in GPU_IDS.values())
    body = f"MEASURED_GPUS = ({gpus})\n" if kind == "gemm" else ""
    plural = f"{title}S" if kind == "gemm" else title
    body += f"{plural} = MappingProxyType({{\n{''.join(kernels)}}})\n"
    body += f"{title}_BANDS = MappingProxyType({{\n{''.join(spans)}}})\n"
    target.write_text(target.read_text(encoding="utf-8").split(MARK)[0] + MARK + body, encoding="utf-8")


def quoted(level):
    """The bands of a format as Python, in the quotes of the house."""
    return repr(level).replace("'", '"')


def lines(constants):
    """The entries of one format."""
    return "".join(
        f"        (Architecture.{architecture.name}, MemoryKind.{memory.name}): {figure(kernel)},\n"
        for (architecture, memory), kernel in constants.items()
    )


def source(kernel):
    """A kernel as Python, four figures a number, without what is at its default."""
    plain = {item.name: getattr(kernel, item.name) for item in fields(kernel)}
    usual = {item.name: item.default for item in fields(type(kernel))}
    text = {
        name: figure(value) for name, value in plain.items() if value != usual[name] and value not in ({}, ())
    }
    return f"{type(kernel).__name__}({', '.join(f'{name}={value}' for name, value in text.items())})"


def figure(value):
    """A number in four figures, or a mapping of them."""
    if is_dataclass(value):
        return source(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{name}": {figure(item)}' for name, item in value.items()) + "}"
    if isinstance(value, tuple):
        return f"({', '.join(map(figure, value))}{',' if len(value) == 1 else ''})"
    return repr(value) if isinstance(value, bool) else f"{float(value):.4g}"


if __name__ == "__main__":
    main()
