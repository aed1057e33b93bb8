"""What the bodies of all requests may hold together."""

import asyncio
import gzip

import httpx
import pytest
from starlette.applications import Starlette

from core.errors import InputError
from db.api import routes
from db.room import Room, room_limit
from gpu_probe.parsers import read
from gpu_probe.parsers.trace_worker import read_trace_upload
from tests.db.examples import log
from tests.db.visitor import HERE, one_engine

LARGE = b" " * 600_000
TEXT = {"content-type": "text/plain"}


@pytest.fixture(autouse=True)
def _no_settings(no_settings):
    return no_settings


@one_engine
def test_bodies_that_wait_are_bounded_together(store):
    """Beside an upload that is not whole yet a second large one is to come again, a small one is kept."""
    room = Room(1_000_000)
    served = Starlette(routes=routes(store, read, read_trace_upload, room=room))

    async def visit():
        arrived, whole = asyncio.Event(), asyncio.Event()

        async def slow():
            yield LARGE
            arrived.set()
            await whole.wait()
            yield log().encode()

        async with httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url=HERE) as client:
            first = asyncio.create_task(client.post("/api/v1/runs", content=slow(), headers=TEXT))
            await arrived.wait()
            refused = [
                await client.post("/api/v1/runs", content=LARGE, headers=TEXT),
                await client.post("/api/v1/jobs", content=LARGE, headers=TEXT),
                await client.post(
                    "/api/v1/runs", content=gzip.compress(LARGE), headers=TEXT | {"content-encoding": "gzip"}
                ),
            ]
            small = await client.post("/api/v1/runs", content=log(1), headers=TEXT)
            whole.set()
            return await first, refused, small

    first, refused, small = asyncio.run(visit())

    assert (first.status_code, small.status_code) == (201, 201)
    assert [answer.status_code for answer in refused] == [503] * 3
    assert all(int(answer.headers["retry-after"]) > 0 for answer in refused)
    assert "WIRESPEED_MAX_BODIES_MB" in refused[0].json()["error"]
    assert room.held_bytes == 0


def test_the_room_takes_the_largest_upload():
    """It is 400 MB, or what the largest upload needs; a smaller one or no number stops the start."""
    assert room_limit({}, 50_000_000) == 400_000_000
    assert room_limit({}, 900_000_000) == 900_000_000
    assert room_limit({"WIRESPEED_MAX_BODIES_MB": "60.5"}, 50_000_000) == 60_500_000
    for value in ("49", "lots", "-1", "inf", "nan"):
        with pytest.raises(InputError, match="WIRESPEED_MAX_BODIES_MB"):
            room_limit({"WIRESPEED_MAX_BODIES_MB": value}, 50_000_000)
