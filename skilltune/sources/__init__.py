"""Agent logs to facts; one module an agent."""
