"""How good sessions and descriptions are: grades, eval sets, proposals; values in, values out."""
