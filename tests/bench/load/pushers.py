"""Programs that upload small logs, each in its own rhythm."""

import asyncio
import itertools
import random
import time

import httpx

from tests.db.examples import log

LIMIT_S = 60.0
_NUMBERS = itertools.count(1)


async def pusher(client, seconds, errors, *, every_s, end):
    """Upload another log in a rhythm until the end, noting how long each took."""
    await asyncio.sleep(random.uniform(0, every_s))  # noqa: S311 - spreads the programs
    while (start := time.perf_counter()) < end:
        try:
            answer = await client.post(
                "/api/v1/runs", content=log(next(_NUMBERS)), headers={"content-type": "text/plain"}
            )
        except httpx.HTTPError as problem:
            errors.append(f"upload: {type(problem).__name__} {problem}")
        else:
            if answer.status_code != httpx.codes.CREATED:
                errors.append(f"upload: {answer.status_code} {answer.text[:120]}")
        seconds.append(time.perf_counter() - start)
        await asyncio.sleep(max(0.0, start + every_s - time.perf_counter()))
