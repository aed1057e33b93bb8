"""`python -m tests.bench.kernel_write`: fit the measured GEMMs and write core/catalog/calibrations/kernels/gemm.py."""

from dataclasses import fields
from pathlib import Path

from tests.bench.kernel_residuals import bands, fits, fitted_ratio, gpus_left_out
from tests.bench.kernel_rows import GEMM_FORMATS, GPU_IDS, gemms

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data" / "kernels"
TARGET = ROOT / "core" / "catalog" / "calibrations" / "kernels" / "gemm.py"
MARK = "# fmt: off\n"


def main():
    """Fit, print and write."""
    every = gemms(DATA)
    kernels, spans = [], []
    for name in GEMM_FORMATS.values():
        rows = every.take(every.format == name)
        constants = fits(rows)
        left_out, sibling = gpus_left_out(constants, rows)
        level = bands(fitted_ratio(constants, rows, engine=False), left_out, sibling, rows.time_s)
        kernels.append(f'    "{name}": {{\n{lines(constants)}    }},\n')
        spans.append(f'    "{name}": {level!r},\n')
        print(name, level, flush=True)
    head = TARGET.read_text(encoding="utf-8").split(MARK)[0]
    gpus = ", ".join(f'"{gpu}"' for gpu in GPU_IDS.values())
    body = f"MEASURED_GPUS = ({gpus})\nGEMMS = MappingProxyType({{\n{''.join(kernels)}}})\n"
    body += f"GEMM_BANDS = MappingProxyType({{\n{''.join(spans)}}})\n"
    TARGET.write_text(head + MARK + body, encoding="utf-8")


def lines(constants):
    """The entries of one format."""
    return "".join(
        f"        (Architecture.{architecture.name}, MemoryKind.{memory.name}): {source(kernel)},\n"
        for (architecture, memory), kernel in constants.items()
    )


def source(kernel):
    """A kernel as Python, four figures a number, without what is at its default."""
    plain = {item.name: getattr(kernel, item.name) for item in fields(kernel)}
    usual = {item.name: item.default for item in fields(type(kernel))}
    text = {name: figure(value) for name, value in plain.items() if value != usual[name] and value != {}}
    return f"{type(kernel).__name__}({', '.join(f'{name}={value}' for name, value in text.items())})"


def figure(value):
    """A number in four figures, or a mapping of them."""
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{name}": {figure(item)}' for name, item in value.items()) + "}"
    return f"{float(value):.4g}"


if __name__ == "__main__":
    main()
