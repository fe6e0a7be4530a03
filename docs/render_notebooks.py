"""Runs the notebooks top to bottom and writes what they show: `make notebooks`.

python docs/render_notebooks.py --html --png -o docs/notebooks

`GRAPHCRAWL_GRAPH` names the graph, else it is `demo`. Needs nbclient, nbconvert and ipykernel.
The notebooks themselves stay without outputs.
"""

import argparse
import base64
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert import HTMLExporter

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
CELL_TIMEOUT_S = 120


def main() -> int:
    """Run them and write the files; the exit code is 1 where a cell failed."""
    options = read_options()
    folder: Path = options.output
    folder.mkdir(parents=True, exist_ok=True)
    kernel = KernelManager()  # one for all: it takes seconds to import pandas and matplotlib
    try:
        for path in sorted(NOTEBOOKS.glob("*.ipynb")):
            try:
                notebook = run(path, kernel)
            except CellExecutionError as error:
                sys.stderr.write(f"{path.name}: {error}\n")
                return 1
            sys.stdout.write(f"{path.name}\n")
            if options.html:
                page, _ = HTMLExporter().from_notebook_node(notebook)
                (folder / f"{path.stem}.html").write_text(page, encoding="utf-8")
            if options.png:
                for number, image in enumerate(images(notebook), start=1):
                    (folder / f"{path.stem}-{number}.png").write_bytes(image)
    finally:
        if kernel.has_kernel:
            kernel.shutdown_kernel(now=True)
    return 0


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Run the notebooks and write what they show.")
    parser.add_argument("--html", action="store_true", help="write a page for each notebook")
    parser.add_argument("--png", action="store_true", help="write each plot")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("docs/notebooks"), help="folder to write into"
    )
    return parser.parse_args()


def run(path: Path, kernel: KernelManager) -> nbformat.NotebookNode:
    """Return a notebook with the outputs of all its cells.

    Raises:
        CellExecutionError: A cell failed.
    """
    notebook = nbformat.read(path, as_version=4)
    forget = nbformat.v4.new_code_cell("%reset -f")
    notebook.cells.insert(0, forget)  # what the notebook before has left
    NotebookClient(notebook, km=kernel, timeout=CELL_TIMEOUT_S).execute()
    notebook.cells.remove(forget)
    return notebook


def images(notebook: nbformat.NotebookNode) -> Iterator[bytes]:
    """Yield the plots of a notebook that was run."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if image := output.get("data", {}).get("image/png"):
                yield base64.b64decode(image)


if __name__ == "__main__":
    raise SystemExit(main())
