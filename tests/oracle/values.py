"""Values out of decoded records."""

import re
from datetime import UTC, datetime, timedelta


def string(holder, key):
    """The string under a key, or None."""
    value = holder.get(key) if isinstance(holder, dict) else None
    return value if isinstance(value, str) else None


def marked(holder, key):
    """Whether a flag is set: with true, or with anything odd."""
    value = holder.get(key)
    return value is not None and value is not False


def moment(value):
    """Microseconds of an ISO time, or None."""
    if not isinstance(value, str):
        return None
    found = re.fullmatch(
        r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:?\d\d)?", value, re.ASCII
    )
    try:
        if not found:
            stamp, extra = datetime.fromisoformat(value.strip()), 0
        else:
            zone = (found[8] or "Z").upper().replace("Z", "+00:00")
            stamp = datetime.fromisoformat("{}-{}-{}T{}:{}:{}".format(*found.groups()[:6]) + zone)
            digits = (found[7] or "")[:20]
            extra = int(digits) * 10**6 * 2 // 10 ** len(digits) if digits else 0
            extra = (extra + 1) // 2 if found[8] else extra // 2
    except ValueError:
        return None
    stamp = stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)
    return (stamp - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1) + extra
