"""What no page may say: one thing in two units, a plural of one, ids and words of our own, labels cut short."""

import re

READ = """() => {
    const main = document.querySelector('[data-testid="stMain"]'), all = [...main.querySelectorAll('*')];
    const cut = all.filter(part => !part.children.length && part.innerText
        && part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).textOverflow === 'ellipsis');
    const drawn = all.filter(part => part.tagName === 'text').map(part => part.textContent);
    const aloud = [...main.querySelectorAll('[aria-label]')].map(part => part.getAttribute('aria-label'));
    return {texts: [main.innerText, ...drawn, ...aloud], cut: cut.map(part => part.innerText)};
}"""
"""The words of a page, those of its charts and those for screen readers; labels that an ellipsis cuts short."""
NEVER = {
    "a plural of one": r"(?<![\d.,/-])1 (?:samples|runs|sizes|pairs|GPUs|requests|layers|links|points|domains|pipeline stages)\b",
    "milli written as m, as in 19.42m": r"(?<![\w.])\d+\.\d+m\b",
    "a power of ten for a count": r"× 10(?:\^9|⁹)|x 10\^9",
    "words of our own": r"\b(?:kernel starts|as it lies|prompts of a round|machine kept full|sticks out|1 times faster)\b",
    "an id of a calibration": r"\bcalibrated:[a-z]",
    "u for micro": r"\d us\b",
    "not a number": r"(?i)\bnan\b|\binf\b|\bundefined\b|(?m:^None$)",
}
"""What never stands in a text, by what is wrong with it."""
TOGETHER = r"\d kB\b", r"\d KiB\b"
"""Units of one kind of size, of which a text has one."""


def faults(page):
    """What is wrong with the words of the page that is open."""
    read = page.evaluate(READ)
    found = [f"cut short: {label}" for label in read["cut"]]
    for text in dict.fromkeys(read["texts"]):
        found += [
            f"{fault}: {place[0]} in {text[max(0, place.start() - 40) : place.end() + 40]!r}"
            for fault, pattern in NEVER.items()
            for place in re.finditer(pattern, text)
        ]
        lines = text.splitlines()
        found += [f"two units: {line}" for line in lines if all(re.search(unit, line) for unit in TOGETHER)]
    return found
