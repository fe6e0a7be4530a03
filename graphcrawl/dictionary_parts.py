"""What the data dictionary is made of."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a node or relationship."""

    name: str
    type: str  # of Cypher: STRING, INTEGER, FLOAT, BOOLEAN, DATE, DATETIME (zoned), LIST<STRING>
    meaning: str
    unit: str = ""
    always: bool = False  # every one has it


@dataclass(frozen=True, slots=True)
class Element:
    """One kind of node or relationship."""

    name: str  # main label or relationship type
    pattern: str  # as Cypher draws it
    meaning: str
    properties: tuple[Property, ...]
    labels: tuple[tuple[str, str], ...] = ()  # further labels and what they say
    is_node: bool = True


@dataclass(frozen=True, slots=True)
class Index:
    """One index; a unique one belongs to a constraint of its name."""

    name: str
    label: str  # or relationship type
    properties: tuple[str, ...]
    kind: str  # unique, range or fulltext
    of_relationship: bool = False

    @property
    def on(self) -> str:
        """What it is on, as Cypher draws it."""
        return f"[:{self.label}]" if self.of_relationship else f"(:{self.label})"


def described(*lines: str) -> tuple[Property, ...]:
    """Read lines of `name | type | unit | meaning`; a name with `!` is always there."""
    made = []
    for line in lines:
        name, kind, unit, meaning = (part.strip() for part in line.split("|"))
        made.append(Property(name.rstrip("!"), kind, meaning, unit, name.endswith("!")))
    return tuple(made)
