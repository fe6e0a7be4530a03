"""Settings and paths. Order: flag > environment > ./graphcrawl.toml > user config > default."""

import difflib
import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
)
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from pydantic_settings import SettingsError as UnreadableVariableError

from graphcrawl.errors import SettingsError, command_on

PROJECT_FILE = Path("graphcrawl.toml")
GRAPH_NAME = r"^[a-z0-9][a-z0-9_-]{0,62}$"
_OTHER_VARIABLES = ("GRAPHCRAWL_TEST_", "GRAPHCRAWL_SHARED")  # of the tests
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


_TEN_YEARS_S = 315_360_000
Seconds = Annotated[float, BeforeValidator(parse_duration_s), Field(ge=0, le=_TEN_YEARS_S)]
Bytes = Annotated[int, BeforeValidator(parse_size_bytes), Field(gt=0)]
Share = Annotated[float, Field(ge=0, lt=1)]
HostName = Annotated[str, AfterValidator(_host_name)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CrawlSettings(_Section):
    """How pages are chosen and fetched."""

    max_pages: int = Field(1000, ge=0, description="pages a run; 0 means no limit")
    max_time: Seconds | None = Field(None, description="seconds a run; none means no limit")
    max_depth: int | None = Field(None, ge=0, description="links from a seed; none means no limit")
    scope: Literal["host", "domain", "any"] = Field("domain", description="how far from the seeds")
    include: tuple[str, ...] = Field((), description="only URLs that match one of these regexes")
    exclude: tuple[str, ...] = Field((), description="no URL that matches one of these regexes")
    concurrency: int = Field(16, ge=1, le=512, description="requests in flight, all hosts")
    per_host: int = Field(1, ge=1, le=64, description="requests in flight, one host")
    delay: Seconds = Field(1.0, description="seconds between two requests to one host")
    text: Literal["useful", "all", "none"] = Field("useful", description="whose main text is kept")
    rules: str = Field("jobs", description="name of shipped rules, or a file")
    resolve: tuple[str, ...] = Field((), description="HOST:PORT:ADDRESS, as curl has it")
    allow_private: bool = Field(False, description="fetch from private and loopback addresses")
    connect_timeout: Seconds = Field(10.0, description="seconds until a host takes a connection")
    read_timeout: Seconds = Field(15.0, description="seconds without a byte of an answer")
    total_timeout: Seconds = Field(30.0, description="seconds that a page may take in all")
    feed_timeout: Seconds = Field(600.0, description="seconds that a feed over 2 MiB may take")
    max_body: Bytes = Field(5 * 2**20, description="largest page, unpacked")
    max_feed: Bytes = Field(256 * 2**20, description="largest feed, unpacked; cut beyond")
    max_tries: int = Field(3, ge=1, description="requests for a page before it is given up")
    parsers: int | None = Field(None, ge=1, description="parsing processes; none: by processors")


class HostSettings(_Section):
    """What is different for one host and its subdomains."""

    delay: Seconds | None = Field(None, description="seconds between two requests to it")
    per_host: int | None = Field(None, ge=1, le=64, description="requests in flight to it")


class RewardSettings(_Section):
    """How reward is granted and flows."""

    distribute: Share = Field(0.10, description="share of its reward that a page passes on")
    forget: Share = Field(0.10, description="share of its reward that a page loses")
    newborn: Share = Field(0.10, description="share of its source's reward minted for links")
    seed: float = Field(100.0, ge=0, allow_inf_nan=False, description="reward a seed starts with")
    engine: Literal["auto", "gds", "cypher"] = Field("auto", description="what computes the flow")


class PruneSettings(_Section):
    """What is too poor to keep."""

    below: float = Field(0.01, description="reward under which a page is pruned")
    spare_distributions: int = Field(3, ge=0, description="distributions a newborn lives through")
    spare_time: Seconds = Field(86400.0, description="seconds that a newborn is spared")


class ServerSettings(_Section):
    """The embedded Neo4j."""

    heap: Bytes | None = Field(None, description="Java heap; none: by this machine's memory")
    page_cache: Bytes | None = Field(None, description="page cache; none: by this machine's memory")
    bolt_port: int = Field(7687, ge=1, le=65535, description="wished; another one if taken")
    http_port: int = Field(7474, ge=1, le=65535, description="wished; another one if taken")
    start_timeout: Seconds = Field(120.0, description="seconds that the server may take to start")


class Neo4jSettings(BaseSettings):
    """A Neo4j of your own, named by the variables that Neo4j's own tools read."""

    model_config = SettingsConfigDict(env_prefix="NEO4J_", extra="ignore", frozen=True)

    uri: str | None = Field(None, description="its address; none: the embedded server is used")
    username: str = "neo4j"
    password: SecretStr | None = None
    database: str = "neo4j"


class Settings(BaseSettings):
    """Everything that can be set."""

    model_config = SettingsConfigDict(
        env_prefix="GRAPHCRAWL_",
        env_nested_delimiter="__",
        extra="forbid",
        frozen=True,
        nested_model_default_partial_update=True,
    )

    contact: str | None = Field(None, description="URL or e-mail address put into the User-Agent")
    graph: str = Field("default", pattern=GRAPH_NAME, description="which graph is used")
    home: Path | None = Field(None, description="folder for all state, caches and settings")
    crawl: CrawlSettings = CrawlSettings()
    reward: RewardSettings = RewardSettings()
    prune: PruneSettings = PruneSettings()
    server: ServerSettings = ServerSettings()
    hosts: dict[HostName, HostSettings] = Field({}, description="overrides by host")

    def command(self, words: str) -> str:
        """Return a command line to type next: `words` on this graph."""
        return command_on(self.graph, words)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Order the sources; the first that knows a key wins."""
        return (
            init_settings,
            env_settings,
            TomlConfigSettingsSource(settings_cls, PROJECT_FILE),
            TomlConfigSettingsSource(settings_cls, user_file()),
        )


@dataclass(frozen=True, slots=True)
class Paths:
    """Where things are kept. `GRAPHCRAWL_HOME` moves all of it."""

    config: Path  # settings of the user
    data: Path  # stores of the embedded graphs, archives
    cache: Path  # jars
    state: Path  # logs

    @classmethod
    def locate(cls, home: Path | None = None) -> "Paths":
        """Return the folders of `home`, else of `GRAPHCRAWL_HOME`, else the system's own."""
        chosen = home or (Path(h) if (h := os.environ.get("GRAPHCRAWL_HOME")) else None)
        if chosen is not None:
            root = chosen.expanduser().absolute()
            return cls(root, root, root / "cache", root / "state")
        dirs = platformdirs.PlatformDirs("graphcrawl", appauthor=False)
        return cls(
            Path(dirs.user_config_dir),
            Path(dirs.user_data_dir),
            Path(dirs.user_cache_dir),
            Path(dirs.user_state_dir),
        )

    def graph(self, name: str) -> Path:
        """Return the folder of one embedded graph."""
        return self.data / "graphs" / name

    @property
    def archives(self) -> Path:
        """Where prune writes what it deletes."""
        return self.data / "archives"


def user_file() -> Path:
    """Return the settings file of the user, for all projects."""
    return Paths.locate().config / "config.toml"


def load_settings(**given: Any) -> Settings:
    """Read the settings; `given` are the flags that were typed.

    Args:
        given: Values by setting name, nested sections as dicts; `None` means not given.

    Raises:
        SettingsError: An unknown key, a wrong type or unit, or a file that is not TOML.
    """
    _check_environment()
    try:
        return Settings(**_without_none(given))
    except ValidationError as error:
        raise _explain(error) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingsError(
            f"A settings file is not valid TOML: {error}", f"Mend {PROJECT_FILE} or config.toml."
        ) from error
    except UnreadableVariableError as error:
        raise SettingsError(
            f"A variable of the environment is not valid JSON: {error.__cause__ or error}.",
            """Write lists so: GRAPHCRAWL_CRAWL__INCLUDE='["/jobs/", "/careers/"]'""",
        ) from error


def _check_environment() -> None:
    """Refuse a misspelt variable: a delay that is silently not kept would be bad manners."""
    names = [name for name in setting_names() if name != "home"]
    sections = {name.partition(".")[0] for name in names}
    known = {variable_of(name): name for name in (*names, *sections, "home")}
    for variable in os.environ:
        if (
            variable.startswith("GRAPHCRAWL_")
            and variable not in known
            and not variable.startswith(_OTHER_VARIABLES)
        ):
            near = difflib.get_close_matches(variable, known, n=1, cutoff=0.5)
            hint = f"Did you mean {near[0]}?" if near else "Settings are GRAPHCRAWL_SECTION__NAME."
            raise SettingsError(f"Unknown setting {variable} in the environment.", hint)


def variable_of(name: str) -> str:
    """Return the variable of the environment that sets a setting, given as a dotted name."""
    return "GRAPHCRAWL_" + name.upper().replace(".", "__")


def _without_none(values: dict[str, Any]) -> dict[str, Any]:
    nested = {k: _without_none(v) if isinstance(v, dict) else v for k, v in values.items()}
    return {k: v for k, v in nested.items() if v is not None and v != {}}


def setting_names() -> list[str]:
    """Return every setting as a dotted name."""
    names: list[str] = []
    for key, info in Settings.model_fields.items():
        section = info.annotation
        if isinstance(section, type) and issubclass(section, BaseModel):
            names += [f"{key}.{inner}" for inner in section.model_fields]
        else:
            names.append(key)
    return names


def _explain(error: ValidationError) -> SettingsError:
    first = error.errors()[0]
    parts = [str(part) for part in first["loc"] if not isinstance(part, int) and part != "[key]"]
    key = ".".join(parts)
    if first["type"] == "extra_forbidden":
        known = setting_names()
        if parts[0] == "hosts":
            known = [".".join([*parts[:-1], name]) for name in HostSettings.model_fields]
        near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
        hint = f"Did you mean {near[0]!r}?" if near else "Known: " + ", ".join(known)
        return SettingsError(f"Unknown setting {key!r}.", hint)
    message = first["msg"].removeprefix("Value error, ")
    return SettingsError(
        f"Setting {key!r}: {message}.", "See README.md, Settings, for what it takes."
    )
