"""The parts of a report page: a summary → words, drawings and HTML. Pure; every value is escaped in one place."""
