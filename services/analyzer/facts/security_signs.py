"""Signs of calls that matter for security, by matter: the dangerous form and, where there is one, the safe one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from services.analyzer.languages import load_languages
from shared.domain.facts import Reach

_C = re.compile


@dataclass(frozen=True)
class SecuritySign:
    """One matter; a change from ``unsafe`` to ``safe`` or back is told as such.

    ``tells_safe``: the safe form is worth telling alone, such as a guard that came or went.
    """

    slug: str
    why: str
    unsafe: re.Pattern[str]
    safe: re.Pattern[str] | None = None
    languages: tuple[str, ...] = ()
    reach: Reach = Reach.INTERNAL
    in_strings: bool = False
    tells_safe: bool = False

    def anywhere(self, text: str) -> bool:
        """Whether one of its forms may be in a text of many lines: costs less than to look at each line."""
        return bool(self.unsafe.search(text) or (self.safe is not None and self.safe.search(text)))


_NEVER = _C(r"(?!)")
_OWN: tuple[SecuritySign, ...] = (
    SecuritySign(
        "unpickling",
        "pickled data can run code",
        _C(
            r"\b(?:pickle|cPickle|dill|cloudpickle|joblib|shelve)\.(?:loads?|Unpickler|open)\(|"
            r"\bweights_only\s?=\s?False|\ballow_pickle\s?=\s?True"
        ),
        _C(
            r"\b(?:json|msgspec|msgpack|ormsgpack|safetensors\w*)(?:\.\w{1,20}){0,2}\.(?:loads?|load_file|decode|"
            r"unpackb?)\(|\bweights_only\s?=\s?True|\ballow_pickle\s?=\s?False"
        ),
        ("python",),
        Reach.EXTENSION,
    ),
    SecuritySign(
        "loading YAML",
        "loads YAML, with the wrong loader it can run code",
        _C(r"\byaml\.(?:load|unsafe_load|full_load)\((?!.{0,120}Safe)"),
        _C(r"\byaml\.safe_load\(|\byaml\.load\(.{0,120}Safe"),
        ("python",),
        Reach.EXTENSION,
    ),
    SecuritySign(
        "shell",
        "starts a shell",
        _C(r"\bshell\s?=\s?True\b|\bos\.(?:system|popen)\("),
        _C(r"\bshell\s?=\s?False\b|\bsubprocess\.(?:run|Popen|check_call|check_output)\(\s?\["),
        ("python",),
    ),
    SecuritySign(
        "running text", "runs text as code", _C(r"(?<![\w.])(?:eval|exec)\("), _C(r"\bast\.literal_eval\("), ("python",)
    ),
    SecuritySign(
        "certificates",
        "turns certificate checks off",
        _C(
            r"\bverify\s?=\s?False\b|\bCERT_NONE\b|\b_create_unverified_context\b|InsecureSkipVerify:\s{0,8}true|"
            r"rejectUnauthorized\s?:\s?false|danger_accept_invalid_certs\(\s?true|\bcheck_hostname\s?=\s?False"
        ),
        _C(
            r"\bverify\s?=\s?(?:True\b|\w)|\bCERT_REQUIRED\b|InsecureSkipVerify:\s{0,8}false|"
            r"rejectUnauthorized\s?:\s?true|danger_accept_invalid_certs\(\s?false|\bcheck_hostname\s?=\s?True"
        ),
        reach=Reach.PUBLIC,
    ),
    SecuritySign(
        "code from elsewhere",
        "trusts code from elsewhere",
        _C(r"\btrust_remote_code\s?(?::\s?bool\s?)?=\s?True\b"),
        _C(r"\btrust_remote_code\s?(?::\s?bool\s?)?=\s?(?!True\b)\w"),
        ("python",),
        Reach.PUBLIC,
    ),
    SecuritySign(
        "listening",
        "listens on every interface",
        _C(r"[\"'](?:tcp://)?(?:0\.0\.0\.0|\[?::\]?|tcp://\*)(?::\d{1,5}|:\{?\w{0,30}\}?)?[\"']"),
        _C(r"[\"'](?:tcp://)?(?:127\.0\.0\.1|localhost|\[?::1\]?)(?::\d{1,5}|:\{?\w{0,30}\}?)?[\"']"),
        reach=Reach.PUBLIC,
        in_strings=True,
    ),
    SecuritySign(
        "permissions",
        "lets everybody write",
        _C(
            r"\bchmod\b[^\n]{0,80}\b(?:0o?)?[0-7]?[0-7][2367][2367]\b|\bumask\(\s?(?:0o?)?0{1,3}\s?\)|"
            r"\b0o[0-7]?[0-7][2367][2367]\b"
        ),
        _C(r"\bchmod\b[^\n]{0,80}\b(?:0o?)?[0-7]00\b|\bumask\(\s?(?:0o?)?0?77\s?\)|\b0o[0-7]00\b"),
        reach=Reach.PUBLIC,
    ),
    SecuritySign(
        "temporary files",
        "a temporary path with a fixed name is shared with every other user",
        _C(r"[\"']/(?:var/)?tmp/[\w./-]{2,80}(?:[\"'{]|\$)|\btempfile\.mktemp\(|\btmpnam\(|\btempnam\("),
        _C(
            r"\btempfile\.(?:mkdtemp|mkstemp|TemporaryDirectory|NamedTemporaryFile|gettempdir)\b|\bmkdtemp\b|"
            r"\bmkstemp\b|\bMkdirTemp\("
        ),
        reach=Reach.PUBLIC,
        in_strings=True,
    ),
    SecuritySign(
        "where temporary files go",
        "sets where temporary files go",
        _NEVER,
        _C(
            r"(?:environ\.setdefault\(|environ\[|setenv\(|Setenv\()\s{0,2}[\"'](?P<name>\w{0,60}(?:TEMP|"
            r"TMP)\w{0,60})[\"']"
        ),
        reach=Reach.PUBLIC,
        in_strings=True,
        tells_safe=True,
    ),
    SecuritySign(
        "archives",
        "unpacks an archive without looking at its paths",
        _C(r"\.extractall\((?!.{0,80}filter)"),
        _C(r"\.extractall\(.{0,80}filter\s?="),
        ("python",),
        Reach.EXTENSION,
    ),
    SecuritySign(
        "weak hash",
        "uses a weak hash",
        _C(r"\bhashlib\.(?:md5|sha1)\((?!.{0,120}usedforsecurity\s?=\s?False)"),
        _C(
            r"\bhashlib\.(?:sha224|sha256|sha384|sha512|blake2[bs]|sha3_\w{3})\(|usedforsecurity\s?=\s?False|"
            r"\bsafe_hash\("
        ),
        ("python",),
    ),
    SecuritySign(
        "paths",
        "keeps paths from outside within their folder",
        _NEVER,
        _C(
            r"\bis_relative_to\(|\bsecure_filename\(|\bcommonpath\(|\bsafe_join\(|\bfilepath\.IsLocal\(|"
            r"\bos\.path\.realpath\([^)]{0,60}\)\.startswith\("
        ),
        reach=Reach.EXTENSION,
        tells_safe=True,
    ),
    SecuritySign(
        "secrets compared",
        "compares secrets in constant time",
        _NEVER,
        _C(r"\b(?:hmac|secrets)\.compare_digest\(|\bsubtle\.ConstantTimeCompare\(|\btimingSafeEqual\("),
        reach=Reach.PUBLIC,
        tells_safe=True,
    ),
    SecuritySign(
        "who may ask",
        "checks who is asking",
        _NEVER,
        _C(
            r"\bDepends\(\s?\w{0,40}(?:auth|verify_token|api_key|current_user)\w{0,40}|"
            r"@(?:\w{1,30}\.)?(?:login_required|require_auth\w{0,20}|"
            r"permission_required|PreAuthorize|RolesAllowed|authenticate\w{0,20})\b|\b(?:requireAuth|"
            r"isAuthenticated|authMiddleware|RequireAuth)\b"
        ),
        reach=Reach.PUBLIC,
        tells_safe=True,
    ),
)
_TOLD_ABOVE = frozenset({"python"})
_OF_MEMORY = ("memory", "type system", "threads", "another language", "without a bound", "serialised data")


def _signs() -> tuple[SecuritySign, ...]:
    """The signs above and those of the language files that are not about memory."""
    more = [
        SecuritySign(sign.why, sign.why, _C(sign.pattern), None, (language.name,), Reach.INTERNAL)
        for language in load_languages()
        if language.name not in _TOLD_ABOVE
        for sign in language.dangerous
        if not any(word in sign.why for word in _OF_MEMORY) and "certificate" not in sign.why
    ]
    return (*_OWN, *more)


SIGNS = _signs()
