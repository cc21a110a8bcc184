"""A metric's frame → a chart or a small drawing. Pure: nothing is computed here, nothing is read or written."""
