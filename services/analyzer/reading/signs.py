"""Signs in changed lines, from the language files: tests inside source, deprecations, dangerous calls."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from services.analyzer.languages import ProgrammingLanguage

_DEPRECATION = ("eprecat", "DEPRECAT", "Obsolete")


@dataclass(frozen=True)
class Signs:
    """The patterns of one language for one purpose; ``any_of`` tells quickly whether one is there at all."""

    any_of: re.Pattern[str] | None
    each: tuple[tuple[re.Pattern[str], str], ...]
    hints: tuple[str, ...] = ()
    """Pieces of text one of which every sign contains, where there are such: looking for them costs next to nothing."""

    def find(self, lines: Sequence[str], most: int = 20) -> Iterator[tuple[str, re.Match[str], str]]:
        """Yield (line, match, why) for the first pattern found in each of the lines, ``most`` lines in all."""
        if self.any_of is None or not lines:
            return
        text = "\n".join(lines)
        if (self.hints and not any(hint in text for hint in self.hints)) or not self.any_of.search(text):
            return
        for line in lines:
            found = next(((hit, why) for pattern, why in self.each if (hit := pattern.search(line))), None)
            if found is not None:
                yield (line.strip(), *found)
                most -= 1
                if most == 0:
                    return


@dataclass(frozen=True)
class LanguageSigns:
    """The signs of every language, by the language's name."""

    inline_tests: dict[str, Signs]
    dangerous: dict[str, Signs]
    deprecation: dict[str, Signs]
    manifest_noise: Signs


@cache
def compile_signs(languages: tuple[ProgrammingLanguage, ...]) -> LanguageSigns:
    """Return the compiled signs; compiled once a process."""
    return LanguageSigns(
        inline_tests={each.name: _signs((p, "") for p in each.inline_tests) for each in languages},
        dangerous={each.name: _signs((sign.pattern, sign.why) for sign in each.dangerous) for each in languages},
        deprecation={each.name: _signs(((p, "") for p in each.deprecation), _DEPRECATION) for each in languages},
        manifest_noise=_signs((pattern, "") for each in languages for pattern in each.manifest_noise),
    )


def _signs(patterns: Iterable[tuple[str, str]], hints: tuple[str, ...] = ()) -> Signs:
    kept = list(patterns)
    plain = "|".join(f"(?:{re.sub(r'[(][?]P<[a-z]+>', '(?:', pattern)})" for pattern, _ in kept)
    each = tuple((re.compile(pattern), why) for pattern, why in kept)
    return Signs(re.compile(plain, re.MULTILINE) if kept else None, each, hints)
