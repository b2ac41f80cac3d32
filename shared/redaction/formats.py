"""The tokens that their issuers made recognisable: a fixed beginning, a fixed alphabet, a least length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from shared.redaction.plausible import looks_random
from shared.redaction.spans import Span


class Format(NamedTuple):
    """``anchors``: each match has one of them in it, so that a text without any is not searched at all.

    Group ``secret`` of ``pattern``, where it has one, is what is blackened, and ``back`` characters before it, of which
    the pattern looks back at: a pattern that begins with its anchor is searched for many times faster. ``random`` asks
    that it looks random too: the beginning alone is also an ordinary word's.
    """

    kind: str
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]
    back: int = 0
    random: bool = False


def _format(kind: str, anchors: str, pattern: str, *, back: int = 0, random: bool = False) -> Format:
    return Format(kind, tuple(anchors.split()), re.compile(pattern, re.ASCII), back, random)


FORMATS: tuple[Format, ...] = (
    _format("aws-access-key", "AKIA ASIA ABIA ACCA", r"A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}(?![A-Za-z0-9])"),
    _format("aws-secret-key", "AKIA ASIA", r"A(?:KIA|SIA)[A-Z2-7]{16}[^\w\n]{1,4}(?P<secret>[A-Za-z0-9/+]{40})(?!\w)"),
    _format("google-api-key", "AIza", r"AIza[\w-]{35}"),
    _format("google-oauth", "GOCSPX- ya29.", r"(?:GOCSPX-[\w-]{20,60}|ya29\.[\w-]{20,400})"),
    _format("azure-storage-key", "AccountKey=", r"AccountKey=(?P<secret>[A-Za-z0-9+/]{40,100}={0,2})"),
    _format("azure-sas", "sig=", r"sig=(?P<secret>[A-Za-z0-9%+/]{40,100}(?:%3[Dd]|=){0,2})", random=True),
    _format("azure-shared-access", "SharedAccessKey=", r"SharedAccessKey=(?P<secret>[A-Za-z0-9+/]{30,100}={0,2})"),
    _format("azure-client-secret", "Q~", r"Q~(?<=[\w.~-]{3}[0-9]Q~)[\w.~-]{31,34}", back=4),
    _format("github", "ghp_ gho_ ghs_ ghu_ ghr_", r"gh[pousr]_[A-Za-z0-9]{20,255}[\w.-]{0,800}"),
    _format("github", "github_pat_", r"github_pat_\w{22,255}"),
    _format("gitlab", "gl", r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct)-[\w.-]{20,300}"),
    _format("gitlab", "GR1348941", r"GR1348941[\w-]{20,60}"),
    _format("slack", "xox", r"xox[a-z](?:\.xox[a-z])?-[\w-]{10,300}"),
    _format("slack", "xapp- xwfp-", r"x(?:app|wfp)-[\w-]{20,300}"),
    _format("slack-webhook", "hooks.slack", r"hooks\.slack(?:-gov)?\.com/\w{4,20}/(?P<secret>[\w+/-]{20,200})"),
    _format("teams-webhook", "webhook.office", r"webhook\.office\.com/webhookb2/(?P<secret>[\w@/-]{40,300})"),
    _format("discord-webhook", "/webhooks/", r"/webhooks/[0-9]{15,22}/(?P<secret>[\w-]{40,100})"),
    _format("discord-bot", ".", r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])", random=True),
    _format("telegram", ":AA", r":AA(?<=[0-9]{8}:AA)[\w-]{33}(?![\w-])"),
    _format("stripe", "k_live_ k_test_", r"k_(?<=[rs]k_)(?:live|test)_[A-Za-z0-9]{16,250}", back=1),
    _format("stripe-webhook", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,100}"),
    _format("twilio", "SK", r"SK[0-9a-f]{32}(?![0-9a-f])"),
    _format("sendgrid", "SG.", r"SG\.[\w-]{16,32}\.[\w-]{16,64}"),
    _format("mailgun", "key-", r"key-[0-9a-f]{32}(?![0-9a-f])"),
    _format("mailchimp", "-us", r"-us(?<=[0-9a-f]{32}-us)[0-9]{1,2}(?![0-9])", back=32),
    _format("npm", "npm_", r"npm_[A-Za-z0-9]{36,100}"),
    _format("pypi", "pypi-", r"pypi-[\w-]{50,400}"),
    _format("docker-hub", "dckr_", r"dckr_[po]at_[\w-]{20,100}"),
    _format("hugging-face", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{30,60}"),
    _format("model-api-key", "sk-", r"sk-[A-Za-z0-9_-]{20,250}", random=True),
    _format("model-api-key", "gsk_ xai- pplx- r8_", r"(?:gsk_|xai-|pplx-|r8_)[A-Za-z0-9]{32,120}"),
    _format("databricks", "dapi", r"dapi[0-9a-f]{32}(?:-[0-9])?"),
    _format("digitalocean", "_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    _format("cloudflare", "cfk_ cfut_ cfat_", r"cf(?:k|ut|at)_[A-Za-z0-9]{40,60}"),
    _format("cloudflare", "v1.0-", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    _format("sentry", "sntry", r"sntry[su]_[\w+/=-]{30,400}"),
    _format("new-relic", "NRAK- NRII- NRIQ- NRRA-", r"NR(?:AK|II|IQ|RA)-[\w-]{20,60}"),
    _format("new-relic", "NRAL", r"NRAL(?<=[0-9a-f]{36}NRAL)", back=36),
    _format("heroku", "HRKU-", r"HRKU-[\w-]{30,100}"),
    _format("shopify", "shp", r"shp(?:at|ca|pa|ss|ua)_[0-9A-Za-z]{32,64}"),
    _format("square", "sq0", r"sq0(?:atp|csp|idp)-[\w-]{22,60}"),
    _format("square", "EAAA", r"EAAA[\w-]{56,64}(?![\w-])"),
    _format("vault", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{24,300}"),
    _format("terraform", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,100}"),
    _format("grafana", "glsa_ glc_", r"(?:glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2})"),
    _format("postman", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _format("airtable", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    _format("rubygems", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    _format("pulumi", "pul-", r"pul-[0-9a-f]{40}(?![0-9a-f])"),
    _format("linear", "lin_api_", r"lin_api_[A-Za-z0-9]{32,60}"),
    _format("atlassian", "ATATT3", r"ATATT3[\w=-]{60,300}"),
    _format("age", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    _format("planetscale", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.=-]{32,80}"),
    _format("jwt", "eyJ", r"(?<![\w-])eyJ[\w-]{8,2000}+\.eyJ[\w-]{8,8000}+\.[\w-]{16,2000}"),
)
"""Written from what the issuers say of their tokens; lengths are loose, for issuers lengthen them."""

_DOCUMENTED = "EXAMPLE"
"""How issuers mark the tokens of their own documentation."""
_ESCAPE = re.compile(r"(?:\\[nrt]|%[0-9A-Fa-f]{2})\Z")
_JOINED = re.compile(r"[A-Za-z0-9]{2}\Z")
_LONGEST_ESCAPE = 3
_RUN = re.compile(r"[!-~]{20,}+")
"""Every token is in such a run; only they, a small part of a text, are searched for what may be in it."""
_BY_ANCHOR = tuple((anchor, one) for one in FORMATS for anchor in one.anchors)


def issued_tokens(text: str) -> Iterator[Span]:
    """Yield every token of a known format that stands on its own."""
    runs = " ".join(_RUN.findall(text))
    if not runs:
        return
    for one in dict.fromkeys([one for anchor, one in _BY_ANCHOR if anchor in runs]):
        if one.pattern.search(runs) is None:
            continue
        for match in one.pattern.finditer(text):
            start, end = match.span("secret" if "secret" in one.pattern.groupindex else 0)
            token = text[start - one.back : end]
            if _within_a_word(text, match.start() - one.back) or _DOCUMENTED in token:
                continue
            if not one.random or looks_random(token):
                yield Span(start - one.back, end, one.kind)


def _within_a_word(text: str, start: int) -> bool:
    """An escape, of a line end or of a quote in a URL, ends with a letter or a digit too."""
    before = text[max(0, start - _LONGEST_ESCAPE) : start + 1]
    return _JOINED.search(before) is not None and _ESCAPE.search(before[:-1]) is None
