"""Facts to invocations, turns and feedback events; pure."""
