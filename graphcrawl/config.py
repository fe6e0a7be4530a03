"""Settings and paths. Order: flag > environment > ./graphcrawl.toml > user config > default."""

import difflib
import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import platformdirs
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from pydantic_settings import SettingsError as UnreadableVariableError

from graphcrawl import misset
from graphcrawl.errors import SettingsError, command_on
from graphcrawl.scoring.pieces import PIECES, OrderName
from graphcrawl.setting_values import (
    Addresses,
    Bytes,
    Contact,
    GraphName,
    HostName,
    Patterns,
    Seconds,
    SecretSource,
    Share,
    TimeLimit,
    Tracking,
    Weight,
)
from graphcrawl.sources import read_layers, variable_of
from graphcrawl.tracking import TRACKING

PROJECT_FILE = Path("graphcrawl.toml")
_OTHER_VARIABLES = ("GRAPHCRAWL_TEST_", "GRAPHCRAWL_SHARED")  # of the tests


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _no_truth_for_a_number(cls, value: object, info: ValidationInfo) -> object:
        """Refuse `max_pages = true`, which would mean 1."""
        field = cls.model_fields[info.field_name or ""]
        if isinstance(value, bool) and bool not in (field.annotation, *get_args(field.annotation)):
            raise ValueError(f"{str(value).lower()} is not what it takes")
        return value


class CrawlSettings(_Section):
    """How pages are chosen and fetched."""

    max_pages: int = Field(1000, ge=0, description="pages a run; 0 means no limit")
    max_time: TimeLimit | None = Field(None, description="seconds a run; none means no limit")
    max_depth: int | None = Field(None, ge=0, description="links from a seed; none means no limit")
    scope: Literal["host", "domain", "any"] = Field("domain", description="how far from the seeds")
    include: Patterns = Field((), description="only URLs that match one of these regexes")
    exclude: Patterns = Field((), description="no URL that matches one of these regexes")
    concurrency: int = Field(16, ge=1, le=512, description="requests in flight, all hosts")
    per_host: int = Field(1, ge=1, le=64, description="requests in flight, one host")
    delay: Seconds = Field(1.0, description="seconds between two requests to one host")
    slow_factor: float = Field(
        2.0, ge=0, le=100, description="the delay is at least so many times a host's latency"
    )
    max_pages_per_host: int = Field(
        0, ge=0, description="pages of one host, over all runs; 0 means no limit"
    )
    per_address: int | None = Field(
        None, ge=1, le=512, description="requests in flight to one address; none: 8 to public ones"
    )
    max_rate: float | None = Field(
        None, gt=0, allow_inf_nan=False, description="requests a second, all hosts; none: no limit"
    )
    max_bandwidth: Bytes | None = Field(
        None, description="bytes a second, all hosts; none means no limit"
    )
    retry_wait: Seconds = Field(
        5.0, description="shortest wait of a page that failed; by kind of failure, then doubled"
    )
    user_agent: str | None = Field(
        None, description="NAME/VERSION in place of graphcrawl's; the contact is added"
    )
    headers: tuple[str, ...] = Field((), description="Name: value, sent to every host")
    cookies: str | None = Field(None, description="a file with cookies, cookies.txt")
    proxy: str | None = Field(
        None, description="http, socks5 or socks5h address; none: that of the environment"
    )
    text: Literal["useful", "all", "none"] = Field("useful", description="whose main text is kept")
    rules: str = Field("jobs", min_length=1, description="name of shipped rules, or a file")
    resolve: Addresses = Field((), description="HOST:PORT:ADDRESS, as curl has it")
    nofollow: Literal["lower", "skip"] = Field(
        "lower", description="links that a page does not vouch for: weigh half, or are left out"
    )
    allow_private: bool = Field(False, description="fetch from private and loopback addresses")
    connect_timeout: TimeLimit = Field(10.0, description="seconds until a host takes a connection")
    read_timeout: TimeLimit = Field(15.0, description="seconds without a byte of an answer")
    total_timeout: TimeLimit = Field(30.0, description="seconds that a page may take in all")
    feed_timeout: TimeLimit = Field(600.0, description="seconds that a feed over 2 MiB may take")
    max_body: Bytes = Field(5 * 2**20, description="largest page, unpacked")
    max_feed: Bytes = Field(256 * 2**20, description="largest feed, unpacked; cut beyond")
    tracking: Tracking = Field(
        TRACKING, description="query parameters that name no page: utm_*, fbclid, sid=hex"
    )
    max_tries: int = Field(3, ge=1, description="requests for a page before it is given up")
    server_wait: Seconds = Field(
        300.0, description="seconds that a crawl waits for a Neo4j that went away"
    )
    min_free_disk: Bytes = Field(
        512 * 2**20, description="free space under which a crawl pauses, where Neo4j is embedded"
    )
    parsers: int | None = Field(None, ge=1, description="parsing processes; none: by processors")


class HostSettings(_Section):
    """What is different for one host and its subdomains."""

    delay: Seconds | None = Field(None, description="seconds between two requests to it")
    per_host: int | None = Field(None, ge=1, le=64, description="requests in flight to it")
    max_pages: int | None = Field(
        None, ge=0, description="pages of it, over all runs; 0 means no limit"
    )
    username: str | None = Field(None, description="who logs in; to this host alone")
    password: SecretSource | None = Field(None, description="env:NAME or file:PATH with it")
    token: SecretSource | None = Field(
        None, description="env:NAME or file:PATH with a bearer token, for this host alone"
    )


class OwnHostsSettings(_Section):
    """Hosts that are yours."""

    ignore_robots: tuple[HostName, ...] = Field(
        (), description="hosts, not their subdomains, whose robots.txt is not asked for"
    )


class RewardSettings(_Section):
    """How reward is granted and flows."""

    distribute: Share = Field(0.10, description="share of its reward that a page passes on")
    forget: Share = Field(0.10, description="share of its reward that a page loses")
    newborn: Share = Field(0.10, description="share of its source's reward minted for links")
    seed: float = Field(100.0, ge=0, allow_inf_nan=False, description="reward a seed starts with")
    engine: Literal["auto", "gds", "cypher"] = Field("auto", description="what computes the flow")
    mode: Literal["neural", "steady"] | None = Field(
        None, description="how reward flows, fixed at a graph's first crawl; none: as it was"
    )
    damping: Share = Field(0.50, description="in steady mode: share of reward that flows on")


class OrderSettings(_Section):
    """Which waiting page comes next."""

    by: OrderName = Field("reward", description="what decides which page comes next")
    explore: Share = Field(0.02, description="share of pages that are drawn by lot")
    seed: int = Field(0, ge=0, description="of the lots: the same seed draws the same")
    rescore_pages: int = Field(16, ge=1, description="pages between two looks at the waiting ones")
    weights: dict[str, Weight] = Field(
        {}, description="weights of evidence that are fixed by hand, by name"
    )
    keywords: dict[str, Weight] = Field({}, description="words that speak for a page: weight")

    @field_validator("weights")
    @classmethod
    def _of_evidence_that_there_is(cls, weights: dict[str, float]) -> dict[str, float]:
        for name in weights:
            if name not in PIECES:
                raise ValueError(f"no evidence is called {name!r}; there are {', '.join(PIECES)}")
        return weights

    @field_validator("keywords")
    @classmethod
    def _of_letters_or_digits(cls, keywords: dict[str, float]) -> dict[str, float]:
        for keyword in keywords:
            if not any(map(str.isalnum, keyword)):
                raise ValueError(f"{keyword!r} is no word")
        return keywords


class QualitySettings(_Section):
    """How the quality of a page is foretold from links to it."""

    rule: Literal["logistic", "source"] = Field("logistic", description="how weights are learned")
    learning_rate: float = Field(0.1, gt=0, le=10, description="step of a lesson")
    feature_decay: Share = Field(0.95, description="what is left of an old lesson, by its feature")
    propagation_factor: Share = Field(0.3, description="share of the parent's quality; 0: off")
    min_observations: int = Field(5, ge=0, description="lessons before it is trusted")
    languages: tuple[str, ...] = Field(
        (), description="wanted languages of pages, such as de; none: any that is known"
    )

    @field_validator("languages")
    @classmethod
    def _primary_subtags(cls, languages: tuple[str, ...]) -> tuple[str, ...]:
        plain = tuple(dict.fromkeys(language.strip().lower() for language in languages))
        for language in plain:
            if not re.fullmatch("[a-z]{2,3}", language):
                raise ValueError(f"{language!r} is no language: two or three letters, such as de")
        return plain


class TopicSettings(_Section):
    """What pages should be about."""

    examples: tuple[str, ...] = Field((), description="URLs, files or folders of example pages")
    measure: Literal["cosine", "dice"] = Field("cosine", description="how texts are compared")


class PruneSettings(_Section):
    """What is too poor to keep."""

    below: float | None = Field(
        None, ge=0, allow_inf_nan=False, description="reward (in steady mode by strength) to stay"
    )
    keep: int | None = Field(None, ge=1, description="instead of below: how many pages are kept")
    spare_distributions: int = Field(3, ge=0, description="distributions a newborn lives through")
    spare_time: Seconds = Field(86400.0, description="seconds that a newborn is spared")
    tombstones: float = Field(2.0, ge=0, description="at most, for each page kept, beyond 100,000")
    tombstone_time: Seconds = Field(15552000.0, description="seconds until a tombstone goes")


class ServerSettings(_Section):
    """The embedded Neo4j."""

    heap: Bytes | None = Field(None, description="Java heap; none: by this machine's memory")
    page_cache: Bytes | None = Field(None, description="page cache; none: by this machine's memory")
    java_options: tuple[str, ...] = Field((), description="more of them for its Java")
    bolt_port: int = Field(7687, ge=1, le=65535, description="wished; another one if taken")
    http_port: int = Field(7474, ge=1, le=65535, description="wished; another one if taken")
    start_timeout: TimeLimit = Field(120.0, description="seconds that the server may take to start")


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

    contact: Contact | None = Field(
        None, description="URL or e-mail address put into the User-Agent"
    )
    graph: GraphName = Field("default", description="which graph is used")
    home: Path | None = Field(None, description="folder for all state, caches and settings")
    crawl: CrawlSettings = CrawlSettings()
    reward: RewardSettings = RewardSettings()
    order: OrderSettings = OrderSettings()
    quality: QualitySettings = QualitySettings()
    topic: TopicSettings = TopicSettings()
    prune: PruneSettings = PruneSettings()
    server: ServerSettings = ServerSettings()
    own_hosts: OwnHostsSettings = OwnHostsSettings()
    hosts: dict[HostName, HostSettings] = Field(
        {}, description="""overrides by host, as in [hosts."a.example"]"""
    )

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
    flags, files = _without_none(given), (PROJECT_FILE, user_file())
    try:
        return Settings(**flags)
    except ValidationError as error:
        layers = read_layers(flags, EnvSettingsSource(Settings)(), *files)
        raise misset.explain(error, layers, Settings) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise misset.file_problem(error, files) from error
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


def _without_none(values: dict[str, Any]) -> dict[str, Any]:
    nested = {k: _without_none(v) if isinstance(v, dict) else v for k, v in values.items()}
    return {k: v for k, v in nested.items() if v is not None and v != {}}


def setting_names() -> list[str]:
    """Return every setting as a dotted name."""
    return misset.names_of(Settings)
