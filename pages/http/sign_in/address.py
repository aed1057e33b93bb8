"""Where somebody signs in, and to which page they come back."""

from urllib.parse import urlencode

from db.oidc import SignIn

NEXT = "next"
MOST_NEXT = 1500
SEE_OTHER = 303


def sign_in_address(settings: SignIn, path: str) -> str:
    """Where somebody signs in who wanted to see a page of this server."""
    question = {NEXT: path} if path not in {"", "/"} and len(path) <= MOST_NEXT else {}
    return f"{settings.public_url}/sign-in" + (f"?{urlencode(question)}" if question else "")


def own_path(text: object) -> str:
    """A path of this server with its question; the first page for anything else."""
    path = str(text or "")
    own = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if own and len(path) <= MOST_NEXT else "/"
