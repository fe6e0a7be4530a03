"""`python -m graphcrawl` is the same as `graphcrawl`."""

from graphcrawl.cli import main

if __name__ == "__main__":
    main()
