"""Seconds that masking secrets takes on hostile text of growing length, and a snippet of the longest.

python benchmarks/masking.py

Twice the text should take about twice the time, in each line; the snippet takes as long for each.
"""

import time
from collections.abc import Callable

from skilltune.stores.secrets import mask_secrets, snippet

PIECES = [
    "a", "-", "_", " ", "(", "'", "{", "=", "a@", "a@a.", "/a", "password ", "password:", "xoxb-1-", "aB3", "a.b.",
    "\"'", "mysql ", "-u a:", "?key=", "bearer ", "密码", "glpat-", "basic YTpi", "cookie a=", "cookie a=b;",
    "login a/", "é@", "字", "字.a@", "\u200b", "ａ",
]  # fmt: skip
LENGTHS = (25_000, 50_000, 100_000)


def main() -> None:
    """Print a table."""
    print(f"seconds by length {LENGTHS}, and of a snippet of the longest")
    for piece in PIECES:
        texts = [piece * (length // len(piece)) for length in LENGTHS]
        times = [_seconds(mask_secrets, text) for text in texts]
        print(f"{piece!r:16s}", *(f"{seconds:7.3f}" for seconds in times), f"{_seconds(snippet, texts[-1]):9.4f}")


def _seconds(work: Callable[[str], str], text: str) -> float:
    started = time.process_time()
    work(text)
    return time.process_time() - started


if __name__ == "__main__":
    main()
