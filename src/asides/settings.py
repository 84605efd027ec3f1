"""The person's settings: a TOML file, comments kept; every key has a default."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

import tomlkit
from tomlkit.exceptions import TOMLKitError

from asides.model.errors import Refused
from asides.paths import write_whole

GuardMode = Literal["off", "audit", "ask", "deny"]
ChecksMode = Literal["off", "advise", "block"]
OwedMode = Literal["off", "prompt", "stop"]
WriterName = Literal["encoder", "llama", "remote"]


_CHOICES: dict[str, tuple[str, ...]] = {
    "guard": get_args(GuardMode),
    "checks": get_args(ChecksMode),
    "owed": get_args(OwedMode),
    "writer": get_args(WriterName),
}


class BadSettings(Refused):
    """{path}: {why}."""

    hint = "Mend the file, or delete the line; the default is used then."


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a person may choose. Times in seconds."""

    guard: GuardMode = "deny"  # the agent's own memory and instruction files
    cues: bool = True  # entries put before the agent when their file is opened or their trigger happens
    hold: bool = False  # a command that an entry is about is refused once, with the entry
    checks: ChecksMode = "advise"  # an edit that breaks an entry: say so afterwards, or refuse it
    owed: OwedMode = "stop"  # a ritual left undone: remind once when the agent stops, or at the next prompt
    idle_exit: int = 1800  # the daemon leaves after so long without work
    sweep_after: int = 1800  # a turn left open so long is closed by the sweep
    live_threshold: float | None = None  # None: the writer's own
    floor: float | None = None  # None: the writer's own
    writer: WriterName = "encoder"  # the bundled one, a GGUF file, or a model behind an address
    writer_path: str = ""  # llama: the GGUF file
    writer_url: str = ""  # remote: an OpenAI-compatible address, without `/chat/completions`
    writer_model: str = ""  # remote: the model's name there
    writer_off_machine: bool = False  # remote: the address may be another machine's; what you say goes there
    writer_seconds: int = 60  # llama, remote: the longest that one answer may take


def load(path: Path) -> Settings:
    """Returns the settings in `path`; all defaults when there is none.

    Raises BadSettings when the file is not TOML, or a key or value is not known.
    """
    if not path.exists():
        return Settings()
    try:
        table: dict[str, Any] = tomlkit.parse(path.read_text("utf-8")).unwrap()
    except (TOMLKitError, UnicodeDecodeError, OSError) as error:
        raise BadSettings(path=path, why=str(error)) from error
    known = {field.name for field in fields(Settings)}
    for key, value in table.items():
        if key not in known:
            raise BadSettings(path=path, why=f"{key!r} is no setting; there are {', '.join(sorted(known))}")
        _check(path, key, value)
    settings = Settings(**table)
    if why := _writer_fault(settings):
        raise BadSettings(path=path, why=why)
    return settings


def loopback(host: str) -> bool:
    """Returns whether a host name or address is this machine's own, without asking anybody."""
    if host.lower() == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def address_fault(url: str, *, named: str) -> str:
    """Returns why a model cannot be asked at `url`, as a sentence without its end; empty where it can.

    `named`: what the sentence calls the address. Whose machine it is, `loopback` says.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        return f"{named} is {url!r}, which is no address ({error})"
    if parts.scheme not in ("http", "https") or not host:
        return f"{named} is {url!r}; it must begin with http:// or https:// and a host"
    if parts.username or parts.password or parts.query or parts.fragment:
        return f"{named} must hold nothing but scheme, host, port and path"
    return ""


def usable(path: Path) -> Settings:
    """Returns the settings in `path`, or all defaults where they cannot be read; `fault` says why."""
    return Settings() if fault(path) else load(path)


def fault(path: Path) -> str:
    """Returns what is wrong with the settings in `path`, as a sentence; empty when they can be read."""
    try:
        load(path)
    except BadSettings as error:
        return error.sentence
    return ""


def _check(path: Path, key: str, value: object) -> None:
    if key in _CHOICES:
        if value not in _CHOICES[key]:
            raise BadSettings(path=path, why=f"{key} is {value!r}; it may be {', '.join(_CHOICES[key])}")
    elif key in ("writer_path", "writer_url", "writer_model"):
        if not isinstance(value, str) or not value.strip() or "\0" in value:
            raise BadSettings(path=path, why=f"{key} is {value!r}; it must be a text")
    elif key in ("cues", "hold", "writer_off_machine"):
        if not isinstance(value, bool):
            raise BadSettings(path=path, why=f"{key} is {value!r}; it must be true or false")
    elif key in ("idle_exit", "sweep_after", "writer_seconds"):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise BadSettings(
                path=path, why=f"{key} is {value!r}; it must be a whole number of seconds above 0"
            )
    elif not isinstance(value, float | int) or isinstance(value, bool) or not 0 <= value <= 1:
        raise BadSettings(path=path, why=f"{key} is {value!r}; it must be between 0 and 1")


def _writer_fault(settings: Settings) -> str:
    """Returns what the chosen writer lacks, as a sentence without its end; empty when it lacks nothing."""
    if settings.writer == "llama":
        if not settings.writer_path:
            return "writer is 'llama', which needs writer_path, the GGUF file"
        if not Path(settings.writer_path).expanduser().is_absolute():
            return f"writer_path is {settings.writer_path!r}; it must begin with / or ~"
    if settings.writer == "remote":
        if not settings.writer_url or not settings.writer_model:
            return "writer is 'remote', which needs writer_url and writer_model"
        if why := address_fault(settings.writer_url, named="writer_url"):
            return why
        host = urlsplit(settings.writer_url).hostname or ""
        if not loopback(host) and not settings.writer_off_machine:
            return (
                f"writer_url names {host}, which is not this machine; what you say would be sent there. "
                "If that is what you want, set writer_off_machine = true"
            )
    return ""


def remember(path: Path, key: str, value: object) -> None:
    """Writes one setting into the file, whole or not at all, keeping comments and order."""
    document = tomlkit.parse(path.read_text("utf-8")) if path.exists() else tomlkit.document()
    document[key] = value
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_whole(path, tomlkit.dumps(document).encode())
