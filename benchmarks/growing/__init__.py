"""Graphs of growing size: made, measured, reported. Part of `growth.py`."""
