"""URLs: one canonical form, the keys made from it, and which URLs a crawl may visit. All pure.

Everything but `canonical` takes canonical URLs: scheme and host in lower case, no credentials,
no default port, no fragment, a path that begins with a slash, ASCII only.
"""

import hashlib
import itertools
import re
import shlex
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, Self

import ada_url
import regex

from graphcrawl.errors import UsageError
from graphcrawl.models import Reason
from graphcrawl.tracking import current

if TYPE_CHECKING:
    from tldextract import TLDExtract

MAX_URL_CHARS = 2083  # what browsers and sitemaps settled on, far under Neo4j's key limit
MAX_SEGMENTS = 20
MAX_REPEATS = 3  # of one path segment
PATTERN_TIMEOUT_S = 0.1  # for one user's pattern on one URL

ScopeKind = Literal["host", "domain", "any"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ESCAPES = {
    f"{byte:02X}": char if (char := chr(byte)) in _UNRESERVED else f"%{byte:02X}"
    for byte in range(256)
}
_NEVER_RAW = str.maketrans({char: f"%{ord(char):02X}" for char in "|[]"})  # browsers let them be
_PERCENT = re.compile(r"%(?:([0-9A-Fa-f]{2}))?")
_USER = re.compile(r"^([^/\\?#]*[/\\]{2,})[^/\\?#]*@")
_NEVER_PAGES = _words(
    # images
    "apng avif bmp cur eps gif heic heif ico jfif jpeg jpg png psd svg svgz tif tiff webp "
    # sound and film
    "3gp aac aif aiff avi flac flv m3u m3u8 m4a m4v mid midi mkv mov mp3 mp4 mpeg mpg oga ogg ogv "
    "opus ra rm swf wav weba webm wma wmv "
    # packed files (`gz` is looked at on its own)
    "7z apk bz2 cab deb dmg ear exe iso jar lz4 lzma msi pkg rar rpm tar tbz tgz war whl xz z zip "
    "zst "
    # office and print
    "doc docm docx dot dotx epub key mobi numbers odp ods odt pages pdf pot potx pps ppsx ppt pptm "
    "pptx ps rtf xls xlsb xlsm xlsx xlt "
    # fonts, style, script, data, binaries
    "eot otf ttf woff woff2 css json map mjs wasm bin class csv dat dll ics sqlite tsv vcf "
    # not js and so: pages are called /jobs/node.js and /company/notion.so
)
_HOST_NAME = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}", re.I)
_XML_GZ = _words("xml rss atom rdf")
# Escaped more than twice, or `&amp;` escaped twice: a page that escapes its own URL in its links.
_ESCAPED_AGAIN = re.compile(r"%25(?:25)+[0-9A-F]{2}|(?:^|&)amp%25(?:25)*3B")


def canonical(raw: str, base: str = "") -> str | None:
    """Return the one form under which a page is known, or None when `raw` is no http(s) URL.

    WHATWG parsing; fragment and credentials dropped; unreserved characters decoded, escapes in
    upper case, a lone `%` escaped, and what no path may hold (`|[]`); trackers and session ids
    dropped, see `tracking`. What could change the meaning stays: escaped reserved characters, the
    case of the path, the order of the query, `//`. Idempotent.

    Args:
        raw: A URL as somebody wrote it, absolute or relative.
        base: The URL that `raw` is relative to.

    Source: WHATWG URL, basic URL parser; RFC 3986 §2.2 and §6.2.2.
    """
    try:
        url = ada_url.join_url(base, raw) if base else ada_url.normalize_url(raw)
    except ValueError:
        return None
    if not url.startswith(("http://", "https://")):
        return None
    url = url.partition("#")[0]
    scheme, _, authority, path = url.split("/", 3)
    if "@" in authority:
        authority = authority.rpartition("@")[2]
        url = f"{scheme}//{authority}/{path}"
    if "%" in path:
        path = _PERCENT.sub(_normal_escape, path)
        url = f"{scheme}//{authority}/{path}"
    if "|" in path or "[" in path or "]" in path:
        name, mark, query = path.partition("?")
        path = name.translate(_NEVER_RAW) + mark + query
        url = f"{scheme}//{authority}/{path}"
    bare = _without_noise(path)
    if bare != path:  # what is left may hold dot segments
        return ada_url.normalize_url(f"{scheme}//{authority}/{bare}")
    return url


def as_written(raw: str, base: str) -> str:
    """Return a URL as a browser asks for it: trackers, session ids, escapes as they were written.

    "" for what is no http(s) URL. Fragment and credentials are dropped.
    """
    try:
        url = ada_url.URL(raw, base=base)
    except ValueError:
        return ""
    if url.protocol not in {"http:", "https:"}:
        return ""
    return f"{url.origin}{url.pathname}{url.search}"


def _normal_escape(match: re.Match[str]) -> str:
    digits = match[1]
    return _ESCAPES[digits.upper()] if digits else "%25"


def _without_noise(path_and_query: str) -> str:
    tracking = current()
    path, mark, query = path_and_query.partition("?")
    if ";" in path and tracking.in_path is not None:
        path = tracking.in_path.sub("", path)
    if not query:
        return path + mark
    pieces = query.split("&")
    kept = [piece for piece in pieces if not tracking.drops(piece)]
    if len(kept) == len(pieces):
        return path + mark + query
    return path + mark + "&".join(kept) if kept else path


def without_credentials(raw: str) -> str:
    """Return a URL as somebody wrote it without user and password.

    "" where they cannot be told from the rest: such a spelling is not worth a secret.
    """
    if "@" not in raw:
        return raw
    bare = _USER.sub(r"\1", raw, count=1)
    for base in ("http://host/", "https://host/"):  # `http:user@host` means two things
        try:
            url = ada_url.URL(bare, base=base)
        except ValueError:
            return "" if "@" in bare else bare
        if url.username or url.password:
            return ""
    return bare


def neuron_id(url: str) -> int:
    """Return the stable 63-bit number of a page [000.graph]: BLAKE2b of its canonical URL."""
    return int.from_bytes(hashlib.blake2b(url.encode(), digest_size=8).digest(), "big") >> 1


def host_key(url: str) -> str:
    """Return host, and `:port` where it is not the scheme's own: the unit of politeness."""
    return url.split("/", 3)[2]


def host_name(host: str) -> str:
    """Return a host key without its port; IPv6 addresses keep their brackets."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() and not name.endswith(":") else host


def origin(url: str) -> str:
    """Return `scheme://host:port`, the port always there: the unit of robots.txt."""
    scheme, _, host = url.split("/", 3)[:3]
    if host_name(host) != host:
        return f"{scheme}//{host}"
    return f"{scheme}//{host}:{443 if scheme == 'https:' else 80}"


@lru_cache(maxsize=65536)
def registered_domain(host: str) -> str:
    """Return the domain that somebody registered: `jobs.acme.co.uk` → `acme.co.uk`.

    Platforms in the private part of the public suffix list count as suffixes, since their
    subdomains belong to different people: `a.github.io` stands for itself. So do addresses, single
    labels and bare suffixes. A name under an unknown top-level domain keeps its last two labels.

    Args:
        host: A host name or host key; the port is ignored.

    Source: publicsuffix.org, as bundled with tldextract; never fetched.
    """
    name = host_name(host)
    parts = _public_suffixes()(name)
    if parts.suffix:
        return parts.top_domain_under_public_suffix or name
    labels = name.split(".")
    is_address = name.startswith("[") or labels[-1].isdigit()  # no top-level domain is a number
    return name if is_address else ".".join(labels[-2:])


@lru_cache(maxsize=1)
def _public_suffixes() -> "TLDExtract":
    from tldextract import TLDExtract  # noqa: PLC0415 - slow to import, and not always needed

    return TLDExtract(cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True)


def refusal(url: str) -> Reason | None:
    """Return why no crawl should visit this URL, judged by its spelling alone; None to let it pass.

    `TOO_LONG`: more than 2,083 characters. `TYPE`: the file name ends like something that is never
    HTML or XML. `TRAP`: more than 20 path segments, a segment or pair of segments that occurs three
    times, or a host name that occurs twice (a link that lost its `https://`, answered by a site
    that serves anything below a page). Plain numbers repeat in dates and pages, so only their pairs
    count. In a query: a parameter that is there three times with the same value, or a value that
    was escaped again and again, as by a page that carries its own URL along in its links.

    Source: Heritrix' TooManyPathSegments and PathologicalPath rules; the rules on host names and
    queries are ours.
    """
    if len(url) > MAX_URL_CHARS:
        return Reason.TOO_LONG
    path, _, query = url.split("/", 3)[3].partition("?")
    *folders, file_name = path.split("/")
    if _is_never_page(file_name.partition(";")[0].lower()):
        return Reason.TYPE
    if len(folders) >= MAX_SEGMENTS or (folders and _goes_round(folders, file_name)):
        return Reason.TRAP
    if query and _grows(query):
        return Reason.TRAP
    return None


def _is_never_page(file_name: str) -> bool:
    stem, dot, extension = file_name.rpartition(".")
    if not dot:
        return False
    if extension == "gz":  # packed sitemaps and feeds: x.xml.gz, x.gz, but not x.tar.gz
        return "." in stem and stem.rpartition(".")[2] not in _XML_GZ
    return extension in _NEVER_PAGES


def _goes_round(folders: list[str], file_name: str) -> bool:
    if any(n > 1 and _HOST_NAME.fullmatch(name) for name, n in Counter(folders).items()):
        return True
    segments = [segment for segment in (*folders, file_name) if segment]
    words = Counter(segment for segment in segments if not segment.isdigit())
    pairs = Counter(itertools.pairwise(segments))
    return max(*words.values(), *pairs.values(), 0, 0) >= MAX_REPEATS


def _grows(query: str) -> bool:
    if "%25" in query and _ESCAPED_AGAIN.search(query):
        return True
    pieces = [piece for piece in query.split("&") if piece]
    return len(pieces) >= MAX_REPEATS and max(Counter(pieces).values()) >= MAX_REPEATS


@dataclass(frozen=True, slots=True)
class Scope:
    """Which URLs a crawl may visit. Pickles, since links are judged in worker processes."""

    kind: ScopeKind
    hosts: frozenset[str]
    domains: frozenset[str]
    include: tuple[regex.Pattern[str], ...] = ()
    exclude: tuple[regex.Pattern[str], ...] = ()
    max_depth: int | None = None

    @classmethod
    def of(
        cls,
        seeds: Iterable[str],
        kind: ScopeKind = "domain",
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        max_depth: int | None = None,
    ) -> Self:
        """Build the scope of a crawl from its seeds.

        Args:
            seeds: Canonical URLs.
            kind: `host`: the seeds' hosts; `domain`: their registered domains; `any`: the web.
            include: Regexes; where there are any, a URL must match one of them somewhere.
            exclude: Regexes; a URL must match none.
            max_depth: Links from a seed; None means no limit.

        Raises:
            UsageError: A regex does not compile.
        """
        hosts = frozenset(host_key(seed) for seed in seeds)
        return cls(
            kind=kind,
            hosts=hosts,
            domains=frozenset(registered_domain(host) for host in hosts),
            include=_compile("--include", include),
            exclude=_compile("--exclude", exclude),
            max_depth=max_depth,
        )

    def with_seed(self, seed: str) -> Self:
        """Return the scope that also holds the host and domain of one more seed."""
        host = host_key(seed)
        return replace(
            self,
            hosts=self.hosts | {host},
            domains=self.domains | {registered_domain(host)},
        )

    def verdict(self, url: str, depth: int) -> Reason | None:
        """Return why the crawl must not visit `url`, or None when it may.

        What `refusal` says comes first, since no wider scope would change it. A pattern that
        needs longer than 0.1 s on one URL counts against the URL.

        Args:
            url: A canonical URL.
            depth: Its distance from a seed in links.
        """
        if reason := refusal(url):
            return reason
        if not self._holds(host_key(url)):
            return Reason.SCOPE
        if self._filters_out(url):
            return Reason.FILTER
        if self.max_depth is not None and depth > self.max_depth:
            return Reason.DEPTH
        return None

    def _holds(self, host: str) -> bool:
        match self.kind:
            case "any":
                return True
            case "host":
                return host in self.hosts
            case "domain":
                return registered_domain(host) in self.domains

    def _filters_out(self, url: str) -> bool:
        try:
            if self.include and not _any_matches(self.include, url):
                return True
            return _any_matches(self.exclude, url)
        except TimeoutError:
            return True


def _any_matches(patterns: tuple[regex.Pattern[str], ...], url: str) -> bool:
    return any(pattern.search(url, timeout=PATTERN_TIMEOUT_S) for pattern in patterns)


def _compile(option: str, patterns: Iterable[str]) -> tuple[regex.Pattern[str], ...]:
    compiled = []
    for pattern in patterns:
        try:
            compiled.append(regex.compile(pattern))
        except regex.error as error:
            raise UsageError(
                f"{option} {pattern!r} is not a regular expression: {error}.",
                f"Mend it, or escape it: {option} {shlex.quote(regex.escape(pattern))}",
            ) from error
    return tuple(compiled)
