"""Screenshots of the README, taken from the running app at the address given."""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import sync_playwright

OUT = Path(__file__).resolve().parent.parent / "docs" / "img"
WIDTH = 1440
SETTLED = '[data-testid="stApp"][data-test-script-state="notRunning"]'
CHART = '[data-testid="stVegaLiteChart"] svg'
LOADED = "!document.querySelector('[data-testid=\"stSkeleton\"]')"


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: the page's address, the browser's colour scheme, and the window's height in pixels."""

    page: str
    scheme: Literal["dark", "light"]
    height: int


SHOTS = {
    "collectives": Shot("collectives?system=dgx-h200", "light", 1190),
    "tensor_parallel": Shot("tensor_parallel", "light", 1230),
    "nvl72": Shot("nvl72", "dark", 1330),
    "catalog": Shot("catalog?card=rtx-3090", "light", 930),
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
            window.wait_for_selector(CHART)
            window.wait_for_function(LOADED)
            window.wait_for_timeout(2500)
            window.screenshot(path=OUT / f"{name}.png")
            print(f"{name}.png: {(OUT / f'{name}.png').stat().st_size // 1000} kB")
            window.close()
        browser.close()


if __name__ == "__main__":
    main()
