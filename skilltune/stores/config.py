"""``config.toml`` of a workspace: read, checked and given its defaults; unknown keys and odd values are named.

A config with a mistake is refused as a whole and left as it is: a setting that silently does nothing is worse.
"""

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from skilltune.errors import ConfigError, InputError
from skilltune.limits import MIN_INVOCATIONS, WINDOW_TURNS
from skilltune.stores.files import read_small
from skilltune.stores.paths import expand_path

__all__ = ["Config", "MiningConfig", "PrivacyConfig", "RefinementConfig", "ReportConfig", "read_config"]

CAUTIOUS_CONFIDENCE: Final = 0.5
"""A lower ``min_confidence`` is allowed, with a warning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinementConfig:
    """``[refinement]``, and ``[skill.NAME]`` for one skill: bounds of what may be proposed and applied."""

    min_corrections: int = 3
    min_confidence: float = 0.7
    min_sessions: int = 1
    cooldown_days: int = 7
    max_change_percent: float = 20
    max_metadata_changes: int = 3
    drift_limit: float = 60
    rejected_memory: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningConfig:
    """``[mining]``."""

    window_turns: int = WINDOW_TURNS
    scripted: bool = False
    folders: tuple[str, ...] = ()
    """Where to look for sessions; () for the agents' own places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyConfig:
    """``[privacy]``."""

    snippets: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportConfig:
    """``[report]``."""

    time_zone: str = ""
    """A name such as ``Asia/Tokyo``; '' for the machine's own."""
    min_invocations: int = MIN_INVOCATIONS
    output: str = "reports"


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All settings of a workspace."""

    refinement: RefinementConfig = RefinementConfig()
    skills: Mapping[str, RefinementConfig] = field(default_factory=dict)
    """What ``[skill.NAME]`` sets, on top of ``[refinement]``."""
    mining: MiningConfig = MiningConfig()
    privacy: PrivacyConfig = PrivacyConfig()
    report: ReportConfig = ReportConfig()
    warnings: tuple[str, ...] = ()
    """Settings that are allowed but unwise, in words."""

    def refinement_for(self, skill_id: str) -> RefinementConfig:
        """The refinement settings of one skill."""
        return self.skills.get(skill_id, self.refinement)


_RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "min_corrections": (1, 1000),
    "min_confidence": (0, 1),
    "min_sessions": (1, 1000),
    "cooldown_days": (0, 3650),
    "max_change_percent": (1, 100),
    "max_metadata_changes": (0, 100),
    "drift_limit": (1, 100),
    "rejected_memory": (0, 1000),
    "window_turns": (1, 20),
    "min_invocations": (1, 100_000),
}
_SECTIONS: Final[Mapping[str, type]] = {
    "refinement": RefinementConfig,
    "mining": MiningConfig,
    "privacy": PrivacyConfig,
    "report": ReportConfig,
}


def read_config(path: Path) -> Config:
    """The settings in `path`; the defaults where there is no such file.

    Raises
    ------
    ConfigError
        When the file is no TOML, names an unknown key, or a value is of the wrong kind or out of its range; the
        message names file, key, value and limit.
    """
    table = _read_toml(path)
    _check_names(path, "", table, [*_SECTIONS, "skill"])
    values = {name: _section(path, name, table.get(name, {}), kind()) for name, kind in _SECTIONS.items()}
    skills = _skills(path, table.get("skill", {}), values["refinement"])
    return Config(**values, skills=skills, warnings=_warnings(path, values["refinement"], skills))


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_small(path).decode("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read ({error.strerror or error}); make it readable or move it away"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is no valid TOML: {error}; correct it or move it away for the defaults") from error


def _skills(path: Path, table: Any, base: RefinementConfig) -> dict[str, RefinementConfig]:
    _check_table(path, "skill", table)
    return {name: _section(path, f"skill.{name}", values, base) for name, values in table.items()}


def _section(path: Path, section: str, table: Any, base: Any) -> Any:
    """`base` with what the table sets."""
    _check_table(path, section, table)
    kinds = {item.name: type(getattr(type(base)(), item.name)) for item in fields(base)}
    _check_names(path, section, table, list(kinds))
    given = {key: _value(path, f"[{section}] {key}", value, key=key, kind=kinds[key]) for key, value in table.items()}
    return type(base)(**{item.name: given.get(item.name, getattr(base, item.name)) for item in fields(base)})


def _value(path: Path, where: str, value: Any, *, key: str, kind: type) -> Any:
    """The value of one key, checked."""
    if key in _RANGES:
        return _number(path, where, value, whole=key not in ("min_confidence", "max_change_percent", "drift_limit"))
    if kind is tuple:
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            raise _wrong(path, where, value, 'a list of folders, such as ["~/.claude/projects"]')
        for item in value:
            _check_path(path, where, item)
        return tuple(value)
    if kind is bool:
        if not isinstance(value, bool):
            raise _wrong(path, where, value, "true or false")
        return value
    if not isinstance(value, str) or (key == "output" and not value):
        raise _wrong(path, where, value, "a text in quotes")
    if key == "time_zone":
        _check_time_zone(path, where, value)
    else:
        _check_path(path, where, value)
    return value


def _number(path: Path, where: str, value: Any, *, whole: bool) -> int | float:
    low, high = _RANGES[where.rsplit(maxsplit=1)[-1]]
    kind = int if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kind) or not low <= value <= high:
        raise _wrong(path, where, value, f"a {'whole ' if whole else ''}number from {low:g} to {high:g}")
    return value


def _check_time_zone(path: Path, where: str, value: str) -> None:
    try:
        if value:
            ZoneInfo(value)
    except (OSError, ValueError, LookupError) as error:
        raise _wrong(path, where, value, 'a time zone such as "Europe/Berlin", or "" for the machine\'s own') from error


def _check_path(path: Path, where: str, value: str) -> None:
    try:
        expand_path(value)
    except InputError as error:
        raise ConfigError(f"{path}: {where}: {error}") from error


def _check_table(path: Path, section: str, table: Any) -> None:
    if not isinstance(table, dict):
        raise _wrong(
            path, section, table, f"a section: [{section}]" if section != "skill" else "sections: [skill.NAME]"
        )


def _check_names(path: Path, section: str, table: Mapping[str, Any], known: list[str]) -> None:
    for name in table:
        if name in known:
            continue
        if "approv" in name.lower() or name == "auto_apply":
            raise ConfigError(f"{path}: {name!r} is no key: a change is applied by a person, no setting replaces that")
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
        place = f"[{section}] has no key {name!r}" if section else f"there is no section [{name}]"
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
        raise ConfigError(f"{path}: {place}; {hint}")


def _wrong(path: Path, where: str, value: Any, expected: str) -> ConfigError:
    return ConfigError(f"{path}: {where} is {value!r}; it must be {expected}")


def _warnings(path: Path, base: RefinementConfig, skills: Mapping[str, RefinementConfig]) -> tuple[str, ...]:
    given = {"refinement": base, **{f"skill.{name}": values for name, values in skills.items()}}
    return tuple(
        f"{path}: [{section}] min_confidence is {values.min_confidence:g}, below {CAUTIOUS_CONFIDENCE:g}: "
        "changes may rest on a guess"
        for section, values in given.items()
        if values.min_confidence < CAUTIOUS_CONFIDENCE
    )
