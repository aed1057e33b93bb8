"""Screenshots of README and documentation, taken from the running app at the address given."""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import sync_playwright

DOCS = Path(__file__).resolve().parent.parent / "docs"
OUT = DOCS / "img"
WIDTH = 1440
PATIENCE_MS = 120_000
SETTLED = '[data-testid="stApp"][data-test-script-state="notRunning"]'
DRAWN = '[data-testid="stVegaLiteChart"] :is(canvas, svg)'
LOADED = "!document.querySelector('[data-testid=\"stSkeleton\"]')"


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: the page's address, colour scheme, window's height in pixels, and files to upload."""

    page: str
    scheme: Literal["dark", "light"]
    height: int
    uploads: tuple[Path, ...] = ()


SHOTS = {
    "collectives": Shot("collectives?system=dgx-h200", "light", 1165),
    "tensor_parallel": Shot("tensor_parallel", "light", 1330),
    "nvl72": Shot("nvl72", "dark", 1280),
    "catalog": Shot("catalog?card=rtx-3090", "light", 930),
    "job": Shot("job?job_step=2", "light", 1310, tuple(sorted((DOCS / "examples" / "job").glob("rank*")))),
}


def main() -> None:
    """Open each page in a window of its own and keep what is seen."""
    address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8501"
    with sync_playwright() as playwright:
        path = os.environ.get("WIRESPEED_BROWSER") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name, shot in SHOTS.items():
            window = browser.new_page(
                viewport={"width": WIDTH, "height": shot.height}, color_scheme=shot.scheme
            )
            window.goto(f"{address}/{shot.page}")
            window.wait_for_selector(SETTLED)
            if shot.uploads:
                window.set_input_files("input[type=file]", shot.uploads)
            window.wait_for_selector(DRAWN, timeout=PATIENCE_MS)
            window.wait_for_function(LOADED)
            window.wait_for_timeout(2500)
            window.screenshot(path=OUT / f"{name}.png")
            print(f"{name}.png: {(OUT / f'{name}.png').stat().st_size // 1000} kB")
            window.close()
        browser.close()


if __name__ == "__main__":
    main()
