"""Pages and axons → GraphML or GEXF, for programs that draw and measure graphs, with flat memory.

Source: GraphML (graphml.graphdrawing.org), GEXF 1.3 (gexf.net)
"""

import re
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from graphcrawl import outfile
from graphcrawl.export.columns import TABLES, Column, Kind, What, iso

Rows = AsyncIterator[Mapping[str, Any]]

_NODE = (
    "url host state title language depth reward base_reward worth in_links out_links strength seed "
    "feed status fetched_at"
).split()
_EDGE = ("links", "anchor", "rel", "position")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TYPES = {Kind.COUNT: "long", Kind.NUMBER: "double", Kind.FLAG: "boolean"}


def _chosen(what: What, names: list[str] | tuple[str, ...]) -> tuple[Column, ...]:
    known = {column.name: column for column in TABLES[what]}
    return tuple(known[name] for name in names)


NODE_COLUMNS = _chosen(What.PAGES, _NODE)
EDGE_COLUMNS = _chosen(What.AXONS, _EDGE)


async def write_graphml(part: Path, pages: Rows, axons: Rows, *, packed: bool = False) -> int:
    """Write a directed graph as GraphML; return its nodes and edges together."""
    weight = Column("weight", Kind.NUMBER, "")
    number = 0
    with outfile.sheet(part, packed=packed) as sheet:
        put = sheet.write
        put(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        )
        for of, columns in (("node", NODE_COLUMNS), ("edge", (weight, *EDGE_COLUMNS))):
            for column in columns:
                put(
                    f'<key id="{of}_{column.name}" for="{of}" attr.name="{column.name}" '
                    f'attr.type="{_TYPES.get(column.kind, "string")}"/>\n'
                )
        put('<graph edgedefault="directed">\n')
        async for row in pages:
            data = _data(row, NODE_COLUMNS, '<data key="node_{}">{}</data>')
            put(f'<node id="{row["id"]}">{data}</node>\n')
            number += 1
        async for row in axons:
            data = _data(row, (weight, *EDGE_COLUMNS), '<data key="edge_{}">{}</data>')
            ends = f'source="{row["source_id"]}" target="{row["target_id"]}"'
            put(f"<edge {ends}>{data}</edge>\n")
            number += 1
        put("</graph>\n</graphml>\n")
    return number


async def write_gexf(part: Path, pages: Rows, axons: Rows, *, packed: bool = False) -> int:
    """Write a directed graph as GEXF 1.3, for Gephi; return its nodes and edges together."""
    number = 0
    with outfile.sheet(part, packed=packed) as sheet:
        put = sheet.write
        put(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<gexf xmlns="http://gexf.net/1.3" version="1.3">\n'
            '<graph defaultedgetype="directed">\n'
        )
        for of, columns in (("node", NODE_COLUMNS), ("edge", EDGE_COLUMNS)):
            put(f'<attributes class="{of}">\n')
            for column in columns:
                kind = _TYPES.get(column.kind, "string")
                put(f'<attribute id="{column.name}" title="{column.name}" type="{kind}"/>\n')
            put("</attributes>\n")
        put("<nodes>\n")
        async for row in pages:
            label = quoteattr(_legal(row["title"] or row["url"]))
            put(f'<node id="{row["id"]}" label={label}>{_values(row, NODE_COLUMNS)}</node>\n')
            number += 1
        put("</nodes>\n<edges>\n")
        edges = 0
        async for row in axons:
            ends = f'source="{row["source_id"]}" target="{row["target_id"]}"'
            put(
                f'<edge id="{edges}" {ends} weight="{row["weight"]}">'
                f"{_values(row, EDGE_COLUMNS)}</edge>\n"
            )
            edges += 1
        put("</edges>\n</graph>\n</gexf>\n")
    return number + edges


def _legal(text: str) -> str:
    """Take from text what XML 1.0 cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def _texts(row: Mapping[str, Any], columns: tuple[Column, ...]) -> list[tuple[str, str]]:
    found = []
    for column in columns:
        value = row[column.name]
        if value is None:
            continue
        if column.kind is Kind.TIME:
            value = iso(value)
        elif column.kind is Kind.FLAG:
            value = "true" if value else "false"
        found.append((column.name, _legal(str(value))))
    return found


def _data(row: Mapping[str, Any], columns: tuple[Column, ...], form: str) -> str:
    return "".join(form.format(name, escape(text)) for name, text in _texts(row, columns))


def _values(row: Mapping[str, Any], columns: tuple[Column, ...]) -> str:
    values = "".join(
        f'<attvalue for="{name}" value={quoteattr(text)}/>' for name, text in _texts(row, columns)
    )
    return f"<attvalues>{values}</attvalues>" if values else ""
