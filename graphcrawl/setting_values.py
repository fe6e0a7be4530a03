"""What values of settings may be: durations, sizes, hosts, patterns, addresses. See `config`."""

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from graphcrawl.errors import UsageError
from graphcrawl.tracking import read_list

GRAPH_NAME = r"^[a-z0-9][a-z0-9_-]{0,62}$"
# Parts of URLs on which a pattern like (a|aa)+$ takes exponential time, and how long it may take.
_REPEATED = ("a", "1", "/", "-", "a/", "a-")
_PATTERN_TIMEOUT_S = 0.25
_HOST = re.compile(r"(?:[\w-]+(?:\.[\w-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?", re.ASCII)
_DURATION_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_SIZE_BYTES = {
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
}


def parse_duration_s(value: object) -> object:
    """Turn `1.5s`, `10m`, `2h` or a plain number of seconds into seconds; other types pass."""
    return _parse_unit(value, _DURATION_S, "a duration such as 1.5s, 10m or 2h")


def parse_size_bytes(value: object) -> object:
    """Turn `5MiB`, `2GB` or a plain number of bytes into bytes; other types pass."""
    size = _parse_unit(value, _SIZE_BYTES, "a size such as 5MiB or 2GB")
    return int(size) if isinstance(size, float) else size


def _parse_unit(value: object, units: dict[str, float] | dict[str, int], what: str) -> object:
    if isinstance(value, bool):
        raise ValueError(f"{value!r} is not {what}")
    if not isinstance(value, str):
        return value
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]*)\s*", value)
    unit = match[2].lower() if match else ""
    if match is None or (unit and unit not in units):
        raise ValueError(f"{value!r} is not {what}")
    return float(match[1]) * (units[unit] if unit else 1)


def _host_name(name: str) -> str:
    """Return a host as it stands in URLs: lower case, ASCII, with its port if it has one.

    Raises:
        ValueError: It is a URL, or no name at all.
    """
    try:
        known = name.strip().lower().encode("ascii" if name.isascii() else "idna").decode()
    except UnicodeError:
        known = ""
    if not _HOST.fullmatch(known):
        raise ValueError(f"{name!r} is not a host such as example.org or example.org:8080")
    return known


def _secret_source(text: str) -> str:
    kind, _, place = text.partition(":")
    if kind not in ("env", "file") or not place.strip():
        raise ValueError("write env:NAME or file:PATH; secrets do not belong into settings")
    return text


def _tracking(entries: tuple[str, ...]) -> tuple[str, ...]:
    """Return the list as it is.

    Raises:
        ValueError: An entry is no parameter.
    """
    read_list(entries)
    return entries


def _contact(text: str) -> str:
    if not (text.isascii() and text.isprintable()) or set(text) & set('()<>" '):
        raise ValueError(f"{text!r} cannot be put into the User-Agent")
    if not re.search(r"[^@]@[^@]|://[^/]|\w\.\w", text):
        raise ValueError(f"{text!r} is neither an e-mail address nor a URL")
    return text


def _graph_name(name: str) -> str:
    if not re.fullmatch(GRAPH_NAME, name):
        raise ValueError(
            f"{name!r} is no name for a graph: up to 63 of a-z, 0-9, - and _, no sign first"
        )
    return name


def _patterns(texts: tuple[str, ...]) -> tuple[str, ...]:
    if texts:
        import regex  # noqa: PLC0415  # takes 60 ms, and few settings have a pattern
    for text in texts:
        try:
            for part in _REPEATED:
                regex.compile(text).search(
                    f"https://a.example/{part * 48}!", timeout=_PATTERN_TIMEOUT_S
                )
        except regex.error as error:
            raise ValueError(f"{text!r} is not a regular expression: {error}") from error
        except TimeoutError as error:
            raise ValueError(
                f"{text!r} explodes: a repetition inside a repetition takes for ever on a URL such "
                f"as https://a.example/{part * 3}…"
            ) from error
    return texts


def _addresses(texts: tuple[str, ...]) -> tuple[str, ...]:
    if texts:
        from graphcrawl.resolve import parse_resolve  # noqa: PLC0415  # as above
    for text in texts:
        try:
            parse_resolve(text)
        except UsageError as error:
            raise ValueError(f"{text!r} is not HOST:PORT:ADDRESS") from error
    return texts


_TEN_YEARS_S = 315_360_000
Seconds = Annotated[float, BeforeValidator(parse_duration_s), Field(ge=0, le=_TEN_YEARS_S)]
TimeLimit = Annotated[float, BeforeValidator(parse_duration_s), Field(gt=0, le=_TEN_YEARS_S)]
Contact = Annotated[str, AfterValidator(_contact)]
Weight = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]  # so that sums stay finite
GraphName = Annotated[str, AfterValidator(_graph_name)]
Patterns = Annotated[tuple[str, ...], AfterValidator(_patterns)]
Addresses = Annotated[tuple[str, ...], AfterValidator(_addresses)]
Tracking = Annotated[tuple[str, ...], AfterValidator(_tracking)]
Bytes = Annotated[int, BeforeValidator(parse_size_bytes), Field(gt=0)]
Share = Annotated[float, Field(ge=0, lt=1)]
HostName = Annotated[str, AfterValidator(_host_name)]
SecretSource = Annotated[str, AfterValidator(_secret_source)]
