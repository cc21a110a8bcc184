"""Tables of events to tables of metrics; pure."""
