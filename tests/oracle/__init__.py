"""A slow, plain reader that says what the fast one has to find, and hostile files to compare them on."""
