"""Labelled turns → weights of the classifier and its model card; needs the extra ``train``."""
