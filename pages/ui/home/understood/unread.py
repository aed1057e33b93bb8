"""What of a question's numbers no link carries."""

from collections.abc import Collection

from pages.ui.home.understood import arrivals
from pages.ui.home.understood.link import Link
from pages.ui.home.understood.question import Read
from pages.ui.home.understood.rates_alone import answers
from pages.ui.home.understood.target import words


def unread(read: Read, links: Collection[Link]) -> tuple[str, ...]:
    """Numbers that were not read, and a latency target or request rate that the page of none of these links has; each once."""
    said = " ".join(part for link in links for part in link.said)
    answered = read.rates if answers(read) else ()
    lost = [part for part in read.unread if part not in said and part not in answered]
    if read.target_ms and not any(words(read.target_ms) in link.said for link in links):
        lost.append(words(read.target_ms))
    if read.request_rate and not any(arrivals.words(read.request_rate) in link.said for link in links):
        lost.append(arrivals.words(read.request_rate))
    lost += [
        words
        for words in arrivals.length_words(read.lengths)
        if not any(words in link.said for link in links)
    ]
    return tuple(dict.fromkeys(lost))
