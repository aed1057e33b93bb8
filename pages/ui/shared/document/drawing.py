"""
Draws charts in a process of its own: JSON jobs on standard input, JSON results on standard output.

Vega runs inside V8, which ends its whole process where it fails; the server must outlive that.
"""

import base64
import json
import sys
from typing import Any

import vl_convert

VEGA_LITE = "6.4"


def drawn(job: dict[str, Any]) -> str:
    """The SVG of a ``spec``, or the PNG of an ``svg`` in base64."""
    if "spec" in job:
        return str(vl_convert.vegalite_to_svg(job["spec"], vl_version=VEGA_LITE, allowed_base_urls=[]))
    return base64.b64encode(vl_convert.svg_to_png(job["svg"], scale=job["scale"])).decode()


if __name__ == "__main__":
    json.dump([drawn(job) for job in json.load(sys.stdin)], sys.stdout)
