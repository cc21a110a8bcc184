"""What an agent's hooks run: one payload in, at most one whole line out, nothing on the agent's screen.

Everything here is imported anew for every tool call of an agent: no table, no chart, no command line.
"""
