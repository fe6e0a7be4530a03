"""How pages and links are scored: one file an idea."""
