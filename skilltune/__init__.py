"""Find out which of your coding-agent skills get corrected, how often, and why."""

__version__ = "0.1.0"
