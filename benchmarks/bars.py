"""A figure beside its bar, in a form that ``everything.py`` collects."""

__all__ = ["MARKS", "show_bar"]

MARKS = ("met", "MISSED")


def show_bar(name, figure, *, bar, unit="", least=False):
    """Print a figure, its bar, and whether it is met: at most the bar, or at least with `least`."""
    met = figure >= bar if least else figure <= bar
    sense = "at least" if least else "at most"
    value = f"{figure:,.3f}" if abs(figure) < 1 else f"{figure:,.2f}" if abs(figure) < 100 else f"{figure:,.0f}"
    print(f"{name:58} {value:>9} {unit:9} {sense} {bar:g}  {MARKS[not met]}", flush=True)
