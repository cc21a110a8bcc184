"""Tables of metrics to charts; pure."""
