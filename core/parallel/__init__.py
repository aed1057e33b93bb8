"""What the calculators share: groups and their NICs, layouts, traffic, stragglers, prices of a layout."""
