"""Scenarios: questions saved under names, and up to four of one calculator compared term by term."""

import streamlit as st

from pages.ui.scenarios import inputs, listing, pair, sides, stacked, summary, waterfall
from pages.ui.shared import answer, bound, question_link, sections, trash
from pages.ui.shared.sections import Section

st.title("Scenarios")
st.caption("Questions saved under names, and up to four of one calculator side by side, term by term.")

saved = listing.saved()
with st.expander(
    f"Saved scenarios ({len(saved)})",
    icon=":material/bookmarks:",
    expanded=0 < len(saved) <= listing.FEW_ROWS and not inputs.any_side(),
):
    listing.draw(saved)
trash.scenarios()

top = st.container()
texts, places = inputs.choose(saved)

with top, answer.explained():
    compared = [
        sides.answered(letter, question_link.read(text)) for letter, text in sorted(texts.items()) if text
    ]
    sides.check(compared)
    explained = pair.other(compared)
    answer.headline(
        summary.headline(compared, explained), note=summary.note(compared), origin=sides.badge(compared)
    )
    summary.unlike(compared)

base = compared[0]
names = summary.common(compared)
for side in compared:
    with places[side.letter.lower()]:
        inputs.open_link(side)
        summary.show(side, base, names[0])
for letter in set(places) - set(texts):
    places[letter].caption(f"**{letter.upper()}**: none")
summary.warnings(compared)

quantity = bound.choice("Quantity", "quantity", names) if len(names) > 1 else names[0]
unit = summary.unit(compared, quantity)
if explained is not None:
    pair.choose(compared, explained)
    letters = base.letter, explained.letter
    difference = summary.against(base, explained, quantity)
    st.subheader(f"{quantity}: difference by term, from {letters[0]} to {letters[1]}")
    waterfall.draw(difference, unit, letters)
st.subheader(f"{quantity} by term")
stacked.draw(compared, quantity, unit)
tables = [
    Section("Figures", lambda: summary.figures(compared), drawn_when_closed=True),
    Section("Inputs", lambda: summary.inputs(compared), drawn_when_closed=True),
]
if explained is not None:
    tables.insert(
        0, Section("Terms", lambda: summary.terms(difference, unit, letters), drawn_when_closed=True)
    )
sections.tabs(*tables)
summary.sources(compared)
bound.share(texts)
