"""Whether a sentence of a model is plain words: no address, mention, reference, markup or hidden sign (R-70)."""

from __future__ import annotations

import re
import unicodedata

_FILLERS = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Signs without a shape that Unicode counts among letters and marks."""
_CODE = re.compile(r"(?<!`)`([^`\n]{1,200})`(?!`)")
_LOOK_ALIKES = str.maketrans(
    {"⁄": "/", "∕": "/", "⧸": "/", "∶": ":", "꞉": ":", "۔": ".", "。": ".", "∗": "*", "ˋ": "`"}
)
"""What compatibility forms leave as it is and browsers or readers take for the plain sign."""
_DEFANGED = re.compile(r"\s?[\[({]\s?(?:\.|dot|点)\s?[\])}]\s?|\s(?:dot|点)\s", re.IGNORECASE)
_DEFANGED_AT = re.compile(r"\s?[\[({]\s?(?:@|at)\s?[\])}]\s?", re.IGNORECASE)
_TOP_LEVEL = (
    "com|org|net|info|biz|xyz|edu|gov|mil|onion|example|invalid|io|ai|dev|app|co|me|gg|ly|ru|cn|uk|de|fr|eu|us|tk|top|"
    "site|online|shop|club|link|click|page|cloud|tech|zip|mov"
)
_EDGE = r"(?a:\b)"
"""The edge of a word of ASCII signs: Chinese ones stand beside it without a space."""
_BEFORE, _BEHIND = r"(?<!(?a:\w))", r"(?!(?a:\w))"
_ADDRESS = re.compile(
    rf"://|{_EDGE}(?:h(?:tt|xx|\*\*|__)ps?|ftps?|wss?)\s?(?::|\[:\]|%3a)|{_EDGE}www\d?\.|"
    rf"{_EDGE}(?:javascript|vbscript|mailto|tel|data):\S|{_EDGE}data\s?:\s?\w+/\w|"
    rf"(?<![.-]){_BEFORE}(?:[^\W_](?:[^\W_]|-){{0,62}}\.){{1,6}}(?:{_TOP_LEVEL})(?![(-]){_BEHIND}(?!\.\w)|"
    r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d|/\w)|(?:%[0-9a-f]{2}){2}|\\[ux][0-9a-f]{2}",
    re.IGNORECASE,
)
_MENTION = re.compile(r"@[\w-]|<[@!#]")
_MENTION_IN_CODE = re.compile(r"(?<!\w)@[\w-]|\w@(?!v?\d)[\w-]|<[@!#]")
"""A pin such as ``checkout@v4`` mentions nobody."""
_REFERENCE = re.compile(
    rf"#\d|{_BEFORE}(?<![=<>!])!\d+{_BEHIND}|{_EDGE}gh-\d|"
    rf"{_EDGE}(?:prs?|pull requests?|mrs?|merge requests?|issues?|tickets?|bugs?)\s?"
    r"(?:no\.?|nr\.?|numbers?)?\s?[#!]?\d|"
    r"(?:拉取请求|合并请求|议题|工单)\s?[#!]?\d|"
    rf"{_EDGE}(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|revert(?:s|ed)?|supersede[sd]?|duplicates?)\s?:?\s#?\d{{2,9}}{_EDGE}|"
    rf"{_EDGE}(?=[a-f]{{0,128}}\d)(?=\d{{0,128}}[a-f])[0-9a-f]{{7,128}}{_EDGE}",
    re.IGNORECASE,
)
_LINK_MARKUP = re.compile(r"\]\s?\(|!\[|<\s?/?[a-z!?|]|&(?:#\w{1,8}|[a-z]{2,8});|\{[{%]", re.IGNORECASE)
_MARKUP = re.compile(
    rf"`|~~|\*\*|__[^_\s][^_]*\s[^_]*__|(?<!\*){_BEFORE}\*[^*\s][^*]*\*(?!\*){_BEHIND}|(?<!\w)_[^_\s][^_]*_(?!\w)|"
    rf"(?<!\w)~[^~\s][^~]*~(?!\w)|\|\s?:?-{{2}}|(?<!:){_BEFORE}:[a-z][a-z0-9_+-]{{1,30}}:(?!:){_BEHIND}|"
    r"(?<!\w)\[[^\]]{0,200}\]\[|^\[[^\]]{0,200}\]:|"
    r"^(?:#{1,6}\s|>|[-*+]\s|\d{1,3}[.)]\s|\||/[a-z])",
    re.IGNORECASE,
)
_MACHINE_TALK = re.compile(
    r"^(?:system|assistant|user|developer|tool)\s?:|\[/?inst\]|\{\s?[\"']|[\"'}\]]\s?,\s?[\"']\w{1,40}[\"']\s?:",
    re.IGNORECASE,
)
_PICTURES = re.compile("[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")
_SENTENCES = re.compile(r"(?<=[.;!?。；！？])\s+")
_OPAQUE = re.compile(r"[A-Za-z0-9+/=_-]{24,}")
_SMALL_LETTERS = re.compile(r"[a-z]{3,}")
_WORDLIKE = 0.4
"""The share of small letters in a row in a name made of words; in encoded text it is about a quarter."""


def plain_words(text: str) -> str:
    """Return ``text`` in NFC on one line, without control and invisible signs."""
    seen = "".join(_shown(character) for character in text)
    return " ".join(unicodedata.normalize("NFC", _FILLERS.sub("", seen)).split())


def without_code_marks(words: str) -> str:
    """Return ``words`` without the backticks around names: the one markup that is taken off instead of refused."""
    return " ".join(_CODE.sub(r"\1", words).split())


def is_plain(words: str) -> bool:
    """Whether ``words`` (one line, see ``plain_words``) may be printed anywhere as they are."""
    folded = _folded(words)
    patterns = (_MARKUP, _MACHINE_TALK, _PICTURES)
    return _is_harmless(folded) and not any(p.search(folded) for p in patterns) and not _is_opaque(words)


def is_harmless(quoted: str, *, code: bool) -> bool:
    """Whether words of the merge may be shown as a quotation: no address, mention or reference; markup only in code."""
    folded = _folded(quoted)
    if code:
        return not any(pattern.search(folded) for pattern in (_ADDRESS, _MENTION_IN_CODE, _REFERENCE))
    return _is_harmless(folded)


def harmless_part(quoted: str, *, code: bool) -> str:
    """Return ``quoted``, or its longest harmless sentence; empty when it has none. A part is as true as the whole."""
    if is_harmless(quoted, code=code):
        return quoted
    parts = [] if code else [part for part in _SENTENCES.split(quoted) if is_harmless(part, code=False)]
    return max(parts, key=len, default="")


def _is_harmless(folded: str) -> bool:
    return not any(pattern.search(folded) for pattern in (_ADDRESS, _MENTION, _REFERENCE, _LINK_MARKUP))


def _folded(words: str) -> str:
    """The form in which disguises fall: compatibility forms, look-alike signs, dots in brackets."""
    plain = unicodedata.normalize("NFKC", words).translate(_LOOK_ALIKES)
    return _DEFANGED_AT.sub("@", _DEFANGED.sub(".", plain))


def _is_opaque(words: str) -> bool:
    """Long runs of mixed letters and digits: keys, codes, encoded text. Names made of words are none."""
    return any(
        any(sign.isdigit() for sign in run)
        and any(sign.isupper() for sign in run)
        and sum(map(len, _SMALL_LETTERS.findall(run))) < _WORDLIKE * len(run)
        for run in _OPAQUE.findall(words)
    )


def _shown(character: str) -> str:
    kind = unicodedata.category(character)
    if kind in {"Cc", "Zl", "Zp"}:
        return " "
    return "" if kind[0] == "C" else character
