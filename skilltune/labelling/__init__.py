"""A person's labels: what to label, the answers, and what follows for the uses."""
