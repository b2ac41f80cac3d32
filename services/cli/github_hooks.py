"""What ``doctor`` says about the hooks: whether GitHub sends what Mergecast needs, and what became of the last ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from services.cli.checks import Finding, State
from services.cli.github_questions import Questions, bounded, tree
from shared.code_host import path_of
from shared.domain.errors import Absent, Parked
from shared.domain.pull_request import RepositoryRef

PATH = "/webhooks/github"
LAST = 30
"""Deliveries that are looked at."""
_PLACE = "in the hook's settings on GitHub."
_JSON = "Set the content type to application/json"
_LATE = "a new name is learned late"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_ANSWERED = {
    400: "Let the proxy pass headers and body unchanged.",
    401: "The secrets differ: set the hook's Secret on GitHub to the one in webhook.secrets, or the other way round.",
    408: "The body came too slowly: see what the proxy waits for, and webhook.body_timeout.",
    413: "Let the proxy pass bodies of 25 MB (nginx: client_max_body_size 25m;), and webhook.max_body_bytes too.",
    415: f"{_JSON} {_PLACE}",
    429: "Too many large bodies of unknown senders came at once: see who else posts to the receiver.",
    500: "It failed at the delivery; the log names the fault.",
    503: "It could not store the delivery: see the database, and that the receiver has a secret.",
}
"""What the receiver itself answers where it does not take a delivery, and what mends it."""
_WRONG_PATH = f"The URL must end in {PATH}, and the proxy must pass that path on unchanged."
_MOVED = f"GitHub follows no redirect: set the final https:// address {_PLACE}"
_UNREACHED = "GitHub does not reach the receiver: see that it runs, and DNS, TLS, firewall and proxy before it."
_NO_ANSWER = frozenset({0, 502, 504})
"""Nobody answered GitHub in time, or nobody answered the proxy."""


def hooks(questions: Questions, ref: RepositoryRef) -> Iterator[Finding]:
    """Yield what a repository's own hooks are like; one request, and one for each that is ours.

    Postponed when the host does not answer.
    """
    name, page = f"hook of {ref.full_name}", f"{ref.url}/settings/hooks"
    try:
        listed = questions.read(f"{path_of(ref)}/hooks", {"per_page": "100"}, about=ref).body
    except (Parked, Absent):
        told = "not looked at: the credential may not list webhooks"
        yield Finding(name, "good", told, f"Look there yourself: {page} (or give it «Webhooks: Read-only»).")
        return
    ours = [hook for hook in map(tree, listed or ()) if _is_ours(bounded(tree(hook.get("config")).get("url")))]
    if not ours:
        told = f"none whose URL ends in {PATH} (one of the organisation is not seen here)"
        yield Finding(name, "warning", told, f"Add webhook: {page}; docs/github.md says what to fill in.")
    for hook in ours:
        yield from judged_hook(name, hook)
        path = f"{path_of(ref)}/hooks/{hook.get('id')}/deliveries"
        yield from _deliveries(questions, f"deliveries of {ref.full_name}", path, ref)


def app_hook(questions: Questions, app: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield what the hook of the App is like, ``app`` being what GitHub says of it; two requests.

    Postponed when the host does not answer.
    """
    name, place = "hook of the App", "in the App's settings."
    try:
        config = tree(questions.read("/app/hook/config", as_app=True).body)
    except Absent:
        config = {}
    url = bounded(config.get("url"))
    if not url:
        mend = f"Tick Webhook → Active and set the Webhook URL to https://HOST{PATH} {place}"
        yield Finding(name, "wrong", "it has none: nothing is delivered", mend)
        return
    if not _is_ours(url):
        mend = f"Set the Webhook URL to https://HOST{PATH} {place}"
        yield Finding(name, "wrong", f"{url} is not a receiver of Mergecast", mend)
        return
    yield from judged_hook(name, {"config": config, "events": app.get("events")}, place)
    yield from _deliveries(questions, "deliveries of the App", "/app/hook/deliveries", None)


def judged_hook(name: str, hook: Mapping[str, Any], place: str = _PLACE) -> Iterator[Finding]:
    """Yield what is wrong with one hook as GitHub describes it, or that it is as it must be; ``place`` mends it.

    Of the hook of an App GitHub does not tell whether it is active, and then nothing is said of that.
    """
    config = tree(hook.get("config"))
    url, events = bounded(config.get("url")), {bounded(event) for event in hook.get("events") or ()}
    kind = bounded(config.get("content_type")) or "form"
    unheard, unnamed = not events & {"pull_request", "*"}, not events & {"repository", "*"}
    mute, active = not config.get("secret"), hook.get("active")
    open_ssl = str(config.get("insecure_ssl", "0")) != "0"
    faults: list[tuple[bool, State, str, str]] = [
        (active is False, "wrong", "is switched off", "Tick Active"),
        (kind != "json", "wrong", f"sends content type '{kind}', which is refused", _JSON),
        (unheard, "wrong", "does not send pull_request events", "Tick «Pull requests» among the events"),
        (unnamed, "warning", f"does not send repository events: {_LATE}", "Tick «Repositories» among the events"),
        (mute, "wrong", "has no secret: every delivery is refused", "Set Secret to one of webhook.secrets"),
        (open_ssl, "warning", "is not checked for its certificate", "Choose Enable SSL verification"),
        (not _is_private(url), "warning", "is not https: everybody on the way can read it", "Use https"),
    ]
    found = [Finding(name, state, f"{url} {told}", f"{mend} {place}") for holds, state, told, mend in faults if holds]
    good = f"{url}: {'active, ' if active else ''}JSON, with a secret, sends pull_request and repository"
    yield from found or [Finding(name, "good", good)]


def judged_deliveries(name: str, listed: Iterable[Mapping[str, Any]]) -> Finding:
    """Return what became of the last deliveries (newest first); one that arrived at a later try has arrived."""
    last: dict[object, Mapping[str, Any]] = {}
    for attempt in listed:
        last.setdefault(attempt.get("guid"), attempt)
    if not last:
        return Finding(name, "good", "none in the last three days")
    failed = [attempt for attempt in last.values() if not _arrived(attempt)]
    succeeded = next((_at(attempt) for attempt in last.values() if _arrived(attempt)), None)
    told = f"{len(last) - len(failed)} of the last {len(last)} arrived"
    told += f", the newest {succeeded:%Y-%m-%d %H:%M} UTC" if succeeded else ""
    if not failed:
        return Finding(name, "good", told)
    statuses = Counter(_status(attempt) for attempt in failed)
    told += "; failed: " + ", ".join(f"{count} × {_shown(status)}" for status, count in statuses.most_common())
    if _arrived(next(iter(last.values()))):
        mend = "The newest arrived; what the others told of is found by the next comparison with GitHub."
        return Finding(name, "warning", told, mend)
    return Finding(name, "wrong", told, _mend(_status(failed[0])))


def _deliveries(questions: Questions, name: str, path: str, ref: RepositoryRef | None) -> Iterator[Finding]:
    try:
        answer = questions.read(path, {"per_page": str(LAST)}, about=ref, as_app=ref is None)
    except (Parked, Absent) as error:
        yield Finding(name, "good", f"not looked at: {error.message}")
        return
    yield judged_deliveries(name, [tree(attempt) for attempt in answer.body or ()])


def _is_ours(url: str) -> bool:
    return url.partition("?")[0].rstrip("/").endswith(PATH)


def _is_private(url: str) -> bool:
    """Https, or a receiver on the very machine of the host, as in tests."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" or parts.hostname in _LOOPBACK


def _status(attempt: Mapping[str, Any]) -> int:
    code = attempt.get("status_code")
    return code if isinstance(code, int) else 0


def _arrived(attempt: Mapping[str, Any]) -> bool:
    return 200 <= _status(attempt) < 300


def _at(attempt: Mapping[str, Any]) -> datetime | None:
    try:
        return datetime.fromisoformat(str(attempt.get("delivered_at"))).astimezone(UTC)
    except ValueError:
        return None


def _shown(status: int) -> str:
    return str(status) if status else "no answer"


def _mend(status: int) -> str:
    if status in _ANSWERED:
        return f"The receiver answered {status}: see its log, or the proxy's when it is silent. {_ANSWERED[status]}"
    if status == 404:
        return _WRONG_PATH
    if 300 <= status < 400:
        return _MOVED
    if status in _NO_ANSWER:
        return _UNREACHED
    return f"The receiver never answers {status}: see the proxy or firewall before it, and the URL."
