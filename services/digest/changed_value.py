"""Reads old and new back from the plain words in which a rule told a change."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ARROW = re.compile(r"^(?P<subject>.{1,120}?):\s+(?P<old>.{1,120}?)\s*(?:→|->)\s*(?P<new>.{1,120}?)\.?$", re.DOTALL)
_NEW = re.compile(r"^(?P<subject>.{1,120}?)(?:: new| is new)(?:,\s*(?:default\s+)?(?P<new>.{1,120}?))?\.?$", re.DOTALL)
_GONE = re.compile(r"^(?P<subject>.{1,120}?) is no longer read\.?$", re.DOTALL)
_REMOVED = "removed"
_USED = "used"
"""What stands for the old version where none was given."""
_NAME = re.compile(r"(?:environment variable|setting)\s+(?P<name>\S+)$")


@dataclass(frozen=True)
class ChangedValue:
    """What changed, with old and new as far as they were seen; None on the side where there was nothing."""

    subject: str
    old: str | None
    new: str | None

    @property
    def setting(self) -> str | None:
        """The name of the setting or environment variable, where it is one."""
        found = _NAME.search(self.subject)
        return found["name"] if found else None


def changed_value(why: str) -> ChangedValue | None:
    """Return the change that ``why`` tells, such as ``default of setting x: 1 → 2``; None when it tells none."""
    if found := _GONE.match(why):
        return ChangedValue(subject=found["subject"], old=_last_word(found["subject"]), new=None)
    if found := _NEW.match(why):
        name = _last_word(found["subject"])
        return ChangedValue(subject=found["subject"], old=None, new=f"{name}={found['new']}" if found["new"] else name)
    if found := _ARROW.match(why):
        old, new = found["old"], None if found["new"] == _REMOVED else found["new"]
        return ChangedValue(subject=found["subject"], old=found["subject"] if old == _USED else old, new=new)
    return None


def _last_word(text: str) -> str:
    return text.rsplit(maxsplit=1)[-1]
