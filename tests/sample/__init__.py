"""The generator of the bundled sample sessions and the tests of what it makes."""
