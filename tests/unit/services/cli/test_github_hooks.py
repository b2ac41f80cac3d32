"""What ``doctor`` makes of a hook and of its last deliveries."""

from __future__ import annotations

from typing import Any

import pytest

from services.cli.github_hooks import judged_deliveries, judged_hook


def hook(**changes: Any) -> dict[str, Any]:
    config = {"url": "https://mergecast.example/webhooks/github", "content_type": "json", "secret": "********"}
    config |= {name: changes.pop(name) for name in list(changes) if name in {*config, "insecure_ssl"}}
    return {"active": True, "events": ["pull_request", "repository"], "config": config} | changes


def attempt(guid: str, status: Any, at: str = "2026-11-30T10:00:00Z") -> dict[str, Any]:
    return {"guid": guid, "status_code": status, "delivered_at": at}


def test_a_hook_as_it_must_be_is_good() -> None:
    [finding] = judged_hook("hook", hook(events=["*"], insecure_ssl="0"))

    assert finding.state == "good"
    assert not finding.mend


def test_only_of_a_hook_that_is_said_to_be_active_it_is_told() -> None:
    [told] = judged_hook("hook", hook())
    [untold] = judged_hook("hook", {name: value for name, value in hook().items() if name != "active"})

    assert (told.state, untold.state) == ("good", "good")
    assert told.told.endswith(": active, JSON, with a secret, sends pull_request and repository")
    assert "active" not in untold.told


@pytest.mark.parametrize(
    ("change", "state", "told", "mend"),
    [
        ({"active": False}, "wrong", "is switched off", "Tick Active"),
        ({"content_type": "form"}, "wrong", "content type 'form'", "application/json"),
        ({"content_type": None}, "wrong", "content type 'form'", "application/json"),
        ({"events": ["repository"]}, "wrong", "does not send pull_request", "Pull requests"),
        ({"events": ["pull_request"]}, "warning", "does not send repository events", "Repositories"),
        ({"secret": None}, "wrong", "has no secret", "webhook.secrets"),
        ({"insecure_ssl": "1"}, "warning", "certificate", "Enable SSL verification"),
        ({"insecure_ssl": 1}, "warning", "certificate", "Enable SSL verification"),
        ({"url": "http://mergecast.example/webhooks/github"}, "warning", "is not https", "https"),
        ({"url": "http://[::1/webhooks/github"}, "warning", "is not https", "https"),
    ],
)
def test_each_fault_of_a_hook_says_what_to_change(change: dict[str, Any], state: str, told: str, mend: str) -> None:
    [finding] = judged_hook("hook", hook(**change))

    assert finding.state == state
    assert told in finding.told
    assert mend in finding.mend


def test_all_faults_of_a_hook_are_told_at_once() -> None:
    assert len(list(judged_hook("hook", {"config": {}, "active": False}))) >= 6


def test_no_delivery_at_all_is_no_fault() -> None:
    assert judged_deliveries("deliveries", []).told == "none in the last three days"


def test_what_arrived_at_a_later_try_has_arrived() -> None:
    finding = judged_deliveries("deliveries", [attempt("a", 202), attempt("b", 200), attempt("a", 502)])

    assert finding.state == "good"
    assert finding.told == "2 of the last 2 arrived, the newest 2026-11-30 10:00 UTC"


def test_failures_before_the_newest_are_a_warning() -> None:
    finding = judged_deliveries("deliveries", [attempt("a", 202), attempt("b", 503), attempt("c", 503)])

    assert finding.state == "warning"
    assert "1 of the last 3 arrived" in finding.told
    assert "2 × 503" in finding.told


@pytest.mark.parametrize(
    ("status", "mend"),
    [
        (400, "unchanged"),
        (401, "webhook.secrets"),
        (301, "final https:// address"),
        (404, "/webhooks/github"),
        (408, "webhook.body_timeout"),
        (413, "25 MB"),
        (415, "application/json"),
        (429, "who else posts"),
        (500, "names the fault"),
        (503, "database"),
        (502, "firewall"),
        (504, "firewall"),
        (403, "never answers 403: see the proxy"),
        (0, "firewall"),
        ("unheard of", "firewall"),
        (None, "firewall"),
    ],
)
def test_a_newest_that_failed_says_what_to_change(status: Any, mend: str) -> None:
    finding = judged_deliveries("deliveries", [attempt("a", status), attempt("b", 202, "no date")])

    assert finding.state == "wrong"
    assert mend in finding.mend


@pytest.mark.parametrize("status", [400, 401, 408, 413, 415, 429, 500, 503])
def test_what_the_receiver_itself_answers_is_no_trouble_on_the_way(status: int) -> None:
    finding = judged_deliveries("deliveries", [attempt("a", status)])

    assert finding.mend.startswith(f"The receiver answered {status}: see its log")
    assert "does not reach" not in finding.mend


@pytest.mark.parametrize("status", [0, 502, 504])
def test_without_an_answer_github_does_not_reach_the_receiver(status: int) -> None:
    assert "does not reach the receiver" in judged_deliveries("deliveries", [attempt("a", status)]).mend


def test_the_hosts_words_cannot_repaint_the_terminal() -> None:
    [finding] = judged_hook("hook", hook(content_type="\x1b[2J" + "x" * 5000))

    assert "\x1b" not in finding.told
    assert len(finding.told) < 500
