"""The notebooks that come with graphcrawl: where they are, and copies of them for a user."""

from contextlib import suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from graphcrawl.errors import UsageError

FOLDER = Path("notebooks")  # where copies go unless a folder is named


def shipped() -> tuple[Traversable, ...]:
    """Return the notebooks: of the wheel, or of a checkout, by name."""
    inside = files("graphcrawl") / "notebooks"
    root = inside if inside.is_dir() else Path(__file__).parent.parent / "notebooks"
    found = [file for file in root.iterdir() if file.name.endswith(".ipynb")]
    return tuple(sorted(found, key=lambda file: file.name))


def copy_notebooks(folder: Path) -> tuple[Path, ...]:
    """Copy all of them into a folder, or none; return the copies' paths.

    Args:
        folder: Where; made if it is not there.

    Raises:
        UsageError: One of them is there already, or the folder cannot be written.
    """
    written: list[Path] = []
    try:
        present = [file.name for file in shipped() if (folder / file.name).exists()]
        if present:
            raise UsageError(
                f"{folder.absolute()} has {present[0]} already; nothing was written.",
                "Name another folder: graphcrawl init --notebooks FOLDER",
            )
        folder.mkdir(parents=True, exist_ok=True)
        for file in shipped():
            with (folder / file.name).open("x", encoding="utf-8") as copy:
                written.append(folder / file.name)
                copy.write(file.read_text(encoding="utf-8"))
    except OSError as error:
        for path in written:
            with suppress(OSError):
                path.unlink()
        raise UsageError(
            f"Cannot write notebooks into {str(folder)[:80]}: {error.strerror}.",
            "Name a folder that you may write: graphcrawl init --notebooks FOLDER",
        ) from error
    return tuple(written)
