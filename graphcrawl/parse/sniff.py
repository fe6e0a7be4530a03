"""Files that are neither HTML nor XML nor text, told by their first bytes whatever a header says.

Source: WHATWG MIME Sniffing §6 and §7, and the formats' own specifications.
"""

import re

# Beside the images, sounds, fonts and archives of the standard: office files, programs, databases.
_FILE = re.compile(
    rb"%PDF-|%!PS|\{\\rtf|\x89PNG|GIF8[79]a|\xff\xd8\xff|BM....\x00\x00\x00\x00|\x00\x00[\x01\x02]\x00"
    rb"|RIFF....(?:WEBP|WAVE|AVI )|II\*\x00|MM\x00\*|8BPS"
    rb"|ID3|OggS|fLaC|\x1aE\xdf\xa3|....ftyp|MThd|FLV\x01"
    rb"|PK(?:\x03\x04|\x05\x06|\x07\x08)|Rar!\x1a|7z\xbc\xaf|BZh[1-9]1AY|\xfd7zXZ\x00|\x28\xb5\x2f\xfd"
    rb"|\xd0\xcf\x11\xe0\xa1\xb1|wOF[F2]|OTTO|\x00\x01\x00\x00\x00|ttcf"
    rb"|\x7fELF|MZ\x90\x00|\xca\xfe\xba\xbe|\x00asm|SQLite format 3\x00|!<arch>\n",
    re.S,
)


def is_file(body: bytes) -> bool:
    """Tell whether a body begins as a picture, sound, archive, program or document file does."""
    return _FILE.match(body) is not None
