"""Bytes → text. Right values: Encoding Standard, HTML Living Standard, html5lib's suite."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphcrawl.parse.charset import decode, encoding

# A page of the suite that a browser reads otherwise than its bytes allow here: the quote belongs to
# an unquoted value, which makes the label unknown.
STRAY_QUOTE = b'<meta charset=iso8859-2">'


@pytest.mark.parametrize(
    ("label", "meant"),
    [
        # Encoding Standard, table of labels
        ("latin1", "cp1252"),
        ("ISO-8859-1", "cp1252"),
        ("us-ascii", "cp1252"),
        (" utf8 ", "utf-8"),
        ("unicode-1-1-utf-8", "utf-8"),
        ("gb2312", "gb18030"),
        ("GBK", "gb18030"),
        ("big5", "big5hkscs"),
        ("x-sjis", "cp932"),
        ("shift_jis", "cp932"),
        ("windows-31j", "cp932"),
        ("euc-kr", "cp949"),
        ("ks_c_5601-1987", "cp949"),
        ("iso-8859-9", "cp1254"),
        ("tis-620", "cp874"),
        ("x-cp1251", "cp1251"),
        ("macintosh", "mac-roman"),
        ("utf-16", "utf-16-le"),
        # no labels at all
        ("ISO-88951-1", ""),
        ("", ""),
        ("none", ""),
        ("\0", ""),
        # known to Python, and dangerous or unknown to browsers
        ("rot13", ""),
        ("zlib", ""),
        ("unicode_escape", ""),
        ("utf-7", ""),
        ("utf-32", ""),
    ],
)
def test_labels_mean_what_browsers_take_them_for(label, meant):
    assert encoding(label) == meant


@pytest.mark.parametrize(
    ("body", "header", "text"),
    [
        ("Łódź".encode("iso8859-2"), "ISO-8859-2", "Łódź"),
        (b"\xef\xbb\xbfGr\xc3\xb6\xc3\x9fe", "ISO-8859-1", "Größe"),  # the mark wins and goes
        ("\ufeffΩ".encode("utf-16-le"), "UTF-8", "Ω"),
        ("\ufeffΩ".encode("utf-16-be"), "", "Ω"),
        (b"<meta charset=latin1>\x80", "", "<meta charset=latin1>€"),
        (b"<meta charset=utf-16>\xc3\xa4", "", "<meta charset=utf-16>ä"),  # it was read as ASCII
        (b"<meta charset=nonsense>\xc3\xa4", "", "<meta charset=nonsense>ä"),
        (b"<?xml version='1.0' encoding='iso-8859-1'?><a>\xfc", "", None),
        ("<?xml version='1.0'?><a>ü".encode("utf-16-le"), "", None),  # no mark, and plain to see
        (b"Caf\xc3\xa9 cut in the middle of \xc3", "", "Café cut in the middle of "),
        (b"", "", ""),
    ],
)
def test_mark_then_header_then_declaration(body, header, text):
    decoded, _ = decode(body, header)
    if text is None:
        assert decoded.endswith("<a>ü")
    else:
        assert decoded == text


def test_undeclared_encodings_are_detected():
    sentence = "国際疾病分類は、世界保健機関が定める疾病の分類である。求人と採用についての情報。"
    assert decode((sentence * 5).encode("cp932")) == (sentence * 5, "cp932")
    assert decode("Größe und Übermut, schöne Grüße".encode("cp1252"))[0].startswith("Größe")


def test_html5lib_suite(shared: Path):
    cases = 0
    for name in ("tests1.dat", "tests2.dat", "test-yahoo-jp.dat"):
        raw = (shared / "peer-suites/html5lib-encoding" / name).read_bytes()
        for case in raw.split(b"#data\n")[1:]:
            data, wanted = case.split(b"\n#encoding\n")
            label = wanted.split(b"\n")[0].decode().strip()
            if STRAY_QUOTE in data:
                continue
            _, name_found = decode(data)
            # The suite's default is windows-1252; without a declaration we say what fits: UTF-8.
            defaults = {"cp1252", "utf-8"} if label.lower() == "windows-1252" else set()
            assert name_found in {encoding(label), *defaults}, data[:200]
            cases += 1
    assert cases == 81


@given(st.binary(max_size=300), st.text(max_size=12))
def test_no_bytes_and_no_label_fail(body, label):
    text, name = decode(body, label)
    assert isinstance(text, str)
    assert text.removesuffix("\ufffd") in body.decode(name, "replace")


@given(st.text(), st.sampled_from(["utf-8", "gb18030"]))
def test_declared_text_comes_back(text, label):
    body = text.encode(label, "ignore")
    if not body.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        assert decode(body, label)[0] == body.decode(label)
