"""The few pages that stand before the application: one text, one link, no script."""

from html import escape

from starlette.responses import HTMLResponse

STYLE = """
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center;
  font: 1rem/1.5 "Source Sans", "Source Sans Pro", system-ui, sans-serif; background: #f3f6fa; color: #1b2430 }
main { max-width: 26rem; margin: 1rem; padding: 2rem; background: #fff; border: 1px solid #d5dde7;
  border-radius: .5rem }
h1 { margin: 0 0 .75rem; font-size: 1.35rem }
p { margin: 0 0 1.25rem; overflow-wrap: anywhere }
a { display: inline-block; padding: .45rem 1rem; border-radius: .5rem; background: #0b62c4; color: #fff;
  text-decoration: none }
a:focus-visible { outline: 3px solid #7fb2ff; outline-offset: 2px }
@media (prefers-color-scheme: dark) {
  body { background: #10151c; color: #e6ebf2 }
  main { background: #1a222d; border-color: #303b4a }
}
"""


def page(title: str, text: str, *, link: str, label: str, status: int = 200) -> HTMLResponse:
    """
    A page with a title, a paragraph and one link.

    Args:
        title: Of the page, and its heading.
        text: What there is to say; escaped here, as everything is.
        link: Where the link leads.
        label: Of the link.
        status: Of the answer.
    """
    body = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} · Wirespeed</title><style>{STYLE}</style></head>"
        f"<body><main><h1>{escape(title)}</h1><p>{escape(text)}</p>"
        f'<a href="{escape(link)}">{escape(label)}</a></main></body></html>'
    )
    return HTMLResponse(body, status, {"Cache-Control": "no-store"})
