"""Which decision of a person a digest or an id names, to take it back."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

from skilltune.errors import InputError
from skilltune.refining.records import Refusal, SkillRecord

__all__ = ["find_decided", "opening_id"]

_LEAST: Final = 7
"""Characters of a digest that name it."""
_SHOWN: Final = 12


def find_decided(record: SkillRecord, target: str, *, skill_id: str) -> dict[str, Any]:
    """What an entry ``reopen`` says of the rejections, deferrals or release that `target` names.

    Raises
    ------
    InputError
        It names none; the message says what can be named.
    """
    rejected = [item for item in record.refusals if item.type == "reject" and _is_named(item, target, record)]
    deferred = [item for item in record.deferrals if _is_named(item, target, record)]
    if rejected or deferred:
        return {"target": target, "reopened": [item.id for item in (*rejected, *deferred)]}
    if target in record.released:
        return {"target": target, "contradiction": target}
    raise InputError(
        f"nothing of {skill_id} is rejected, deferred or released under {target[:64]!r}; there is {_known(record)}"
    )


def opening_id(skill_id: str, event_ids: Iterable[str]) -> str:
    """The id of the open suggestion that these complaints made."""
    text = "\n".join([skill_id, *sorted(event_ids)])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _is_named(item: Refusal, target: str, record: SkillRecord) -> bool:
    if len(target) >= _LEAST and item.digest.startswith(target):
        return True
    complaints = (change for change in item.changes if not change.get("key"))
    return any(target == opening_id(name, _ids(change)) for change in complaints for name in record.names)


def _ids(change: Mapping[str, Any]) -> list[str]:
    ids = change.get("ids")
    return [id_ for id_ in ids if isinstance(id_, str)] if isinstance(ids, list) else []


def _known(record: SkillRecord) -> str:
    told = [f"{item.digest[:_SHOWN]} (rejected)" for item in record.refusals if item.type == "reject"]
    told += [f"{item.digest[:_SHOWN]} (deferred)" for item in record.deferrals]
    told += [f"{id_} (released)" for id_ in sorted(record.released)]
    return ", ".join(told) or "nothing decided that can be taken back"
