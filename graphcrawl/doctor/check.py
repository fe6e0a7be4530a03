"""What one look of the doctor found."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warn", "bad"]

MIB = 2**20


@dataclass(frozen=True, slots=True)
class Check:
    """One look. `warn`: it works, but not as it could; `bad`: the graph cannot be used."""

    name: str
    state: State
    what: str  # was found
    hint: str = ""  # what to type or change


def mebibytes(size_bytes: float) -> str:
    """Write a size for people: whole MiB, or GiB from 10,000 MiB on."""
    mib = size_bytes / MIB
    return f"{mib:,.0f} MiB" if mib < 10_000 else f"{mib / 1024:,.1f} GiB"
