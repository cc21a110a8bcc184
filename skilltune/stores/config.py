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
from skilltune.limits import CAUTIOUS_CONFIDENCE, DOCUMENTED_MIN_CONFIDENCE, MIN_INVOCATIONS, WINDOW_TURNS
from skilltune.stores.files import read_small
from skilltune.stores.paths import expand_path

__all__ = [
    "JUDGE_AGENTS",
    "Config",
    "JudgeConfig",
    "MiningConfig",
    "PrivacyConfig",
    "RefinementConfig",
    "ReportConfig",
    "read_config",
]

JUDGE_AGENTS: Final = ("claude", "codex", "opencode")
"""Programs that ``[judge] agent`` may name; ``skilltune.judging.agents`` says how each is called."""


_NAME_CHARS: Final = 200


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
    confidence: str = "agreement"
    """``documented``: frequency ÷ (2 × corrections), never over 0.5; min_confidence is then 0.35 by default."""
    on_conflict: str = "hold"
    """``block``: one conflict holds the whole skill, not only the changes that it touches."""
    stamp: bool = True
    """Whether an applied change writes version and date into the front matter."""
    commit: bool = False
    """Whether an applied change or a rollback is committed, where there is git."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningConfig:
    """``[mining]``."""

    window_turns: int = WINDOW_TURNS
    scripted: bool = False
    folders: tuple[str, ...] = ()
    """Where to look for sessions; () for the agents' own places."""
    unmeasurable: tuple[str, ...] = ()
    """Skills whose text is pasted as a plain prompt: no use of them can be seen, so that none of them is unused."""


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
class JudgeConfig:
    """``[judge]``: the program that may label turns; off unless a person turns it on."""

    enabled: bool = False
    """Send without asking where there is no terminal; on a terminal a person is asked all the same."""
    agent: str = ""
    """One of ``JUDGE_AGENTS``."""
    command: tuple[str, ...] = ()
    """Any other program and its arguments: it reads the prompt on standard input and prints JSON."""
    model: str = ""
    """'' for the agent's own choice."""
    use: bool = False
    """Use the answers of a judge that was scored for corrected rates."""
    max_turns: int = 200
    """Turns that one run may send."""
    max_chars: int = 2_000
    """Characters of a turn that are sent; each piece of its context gets half of that."""
    batch_size: int = 10
    """Turns in one prompt."""
    timeout_seconds: int = 180
    """Time for one prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All settings of a workspace."""

    refinement: RefinementConfig = RefinementConfig()
    skills: Mapping[str, RefinementConfig] = field(default_factory=dict)
    """What ``[skill.NAME]`` sets, on top of ``[refinement]``."""
    mining: MiningConfig = MiningConfig()
    privacy: PrivacyConfig = PrivacyConfig()
    report: ReportConfig = ReportConfig()
    judge: JudgeConfig = JudgeConfig()
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
    "max_turns": (1, 100_000),
    "max_chars": (200, 16_000),
    "batch_size": (1, 50),
    "timeout_seconds": (5, 3600),
}
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "agent": ("", *JUDGE_AGENTS),
    "confidence": ("agreement", "documented"),
    "on_conflict": ("hold", "block"),
}
"""Keys whose value is one of a few words."""
_SECTIONS: Final[Mapping[str, type]] = {
    "refinement": RefinementConfig,
    "mining": MiningConfig,
    "privacy": PrivacyConfig,
    "report": ReportConfig,
    "judge": JudgeConfig,
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
    if values["judge"].agent and values["judge"].command:
        raise ConfigError(f"{path}: [judge] names both agent and command; a judge is one program: take one of them out")
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
    if given.get("confidence") == "documented":
        given.setdefault("min_confidence", DOCUMENTED_MIN_CONFIDENCE)
    return type(base)(**{item.name: given.get(item.name, getattr(base, item.name)) for item in fields(base)})


def _value(path: Path, where: str, value: Any, *, key: str, kind: type) -> Any:
    """The value of one key, checked."""
    if key in _RANGES:
        return _number(path, where, value, whole=key not in ("min_confidence", "max_change_percent", "drift_limit"))
    if key in _WORDS or key == "command":
        return _command(path, where, value) if key == "command" else _word(path, where, value, known=_WORDS[key])
    if key == "unmeasurable":
        return _skill_names(path, where, value)
    if kind is tuple:
        return _folders(path, where, value)
    if kind is bool:
        if not isinstance(value, bool):
            raise _wrong(path, where, value, "true or false")
        return value
    if not isinstance(value, str) or (key == "output" and not value):
        raise _wrong(path, where, value, "a text in quotes")
    if key == "time_zone":
        _check_time_zone(path, where, value)
    elif key != "model":
        _check_path(path, where, value)
    return value


def _folders(path: Path, where: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise _wrong(path, where, value, 'a list of folders, such as ["~/.claude/projects"]')
    for item in value:
        _check_path(path, where, item)
    return tuple(value)


def _skill_names(path: Path, where: str, value: Any) -> tuple[str, ...]:
    fine = isinstance(value, list) and all(isinstance(item, str) and item.isprintable() for item in value)
    if not fine or not all(item and item == item.strip() and len(item) <= _NAME_CHARS for item in value):
        raise _wrong(path, where, value, 'a list of names of skills, such as ["my-prompt"]')
    return tuple(dict.fromkeys(value))


def _word(path: Path, where: str, value: Any, *, known: tuple[str, ...]) -> str:
    if value not in known:
        words = ", ".join(word for word in known if word)
        raise _wrong(path, where, value, f'{words}, or "" for none' if "" in known else words.replace(", ", " or "))
    return str(value)


def _command(path: Path, where: str, value: Any) -> tuple[str, ...]:
    words = value if isinstance(value, list) else [None]
    if not all(isinstance(word, str) and "\0" not in word for word in words) or words[:1] == [""]:
        raise _wrong(path, where, value, 'a list of the program and its arguments, such as ["my-judge", "--json"]')
    return tuple(words)


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
        if values.min_confidence < CAUTIOUS_CONFIDENCE and values.confidence != "documented"
    )
