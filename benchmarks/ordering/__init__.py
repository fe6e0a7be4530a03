"""Recorded webs on which orders are compared, and what compares them."""
