"""Parts of the answers of the HTTP interface: errors, addresses of what is kept, a limit of a list."""

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from core.errors import InputError
from db.hosts import allowed_names, is_loopback, name_of
from db.records import row_number


def refusal(status: int, reason: str, line: int | None = None) -> JSONResponse:
    """Why a request is refused, in one line, and of a body the line where known."""
    headers = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else None
    return JSONResponse({"error": reason, "line": line}, status, headers)


def url(request: Request, path: str) -> str:
    """The full address of a path; without a host where the client alone says by which name it asked."""
    name = name_of(request.headers.get("host", ""))
    own = (request.scope.get("server") or ("",))[0]
    known = is_loopback(name) or name in allowed_names() or name == own
    return f"{request.url.scheme}://{request.url.netloc}{path}" if known else path


def addressed(request: Request) -> int:
    """The number of a run or job in the path of a request; an HTTPException, 404, where it is none."""
    number = row_number(request.path_params["number"])
    if number is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return number


def page_limit(text: str) -> int:
    """Entries of a page, as the question says it; InputError where that is no whole number."""
    try:
        return int(text)
    except ValueError:
        message = f"limit: a whole number, not {text[:40]!r}"
        raise InputError(message) from None
