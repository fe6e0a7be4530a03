"""Text of strangers in CSV, such that no spreadsheet runs it as a formula."""

import re

# Signs that begin a formula, with their forms of full width, and what a spreadsheet may pass over
# before one: blanks, control characters, marks that cannot be seen.
_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
_UNSEEN = (
    "\\s\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
)
# At the beginning, where the text also counts as a formula when blanks alone come first.
_FIRST = re.compile(f"[\t\r\n]|[{_UNSEEN}]*[{_SIGNS}]")
# After a separator: a file that is opened with another one than the comma begins a cell there, and
# the quotes around the text do not hold it together. A dash and a blank make an item of a list.
_LATER = re.compile(f'([;\t|\r\n][{_UNSEEN}"]*)(?!-[ \xa0])([{_SIGNS}])')


def safe_cell(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would run as a formula.

    That is at the beginning, and after a semicolon, tab, bar or line break, where a spreadsheet
    that was told another separator begins a new cell.

    Source: OWASP, CSV Injection
    """
    safe = _LATER.sub(r"\1'\2", text)
    return "'" + safe if _FIRST.match(text) else safe
