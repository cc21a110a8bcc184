"""A judge the person turns on: a model of theirs that labels turns, checked on their own labels."""
