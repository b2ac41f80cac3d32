"""The manifest of the GitHub App asks for the least, and is the same App as the one of the page."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from services.cli.github_hooks import PATH
from services.cli.github_rights import NEEDED, WISHED
from shared.domain.errors import Ignored, InvalidInput
from shared.sources import github_events, installation_events
from shared.sources.installation_events import ACCESS_EVENTS
from tests.architecture.source_tree import ROOT

PARAMETERS = {
    "name",
    "url",
    "hook_attributes",
    "redirect_url",
    "callback_urls",
    "setup_url",
    "description",
    "public",
    "default_events",
    "default_permissions",
    "request_oauth_on_install",
    "setup_on_update",
}
"""What a manifest may say (docs.github.com, "Registering a GitHub App from a manifest")."""


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    made: dict[str, Any] = json.loads((ROOT / "deploy" / "github-app" / "manifest.json").read_text("utf-8"))
    return made


def test_it_says_only_what_a_manifest_may_say(manifest: dict[str, Any]) -> None:
    assert set(manifest) <= PARAMETERS
    assert set(manifest["hook_attributes"]) == {"url", "active"}
    assert manifest["hook_attributes"]["url"].endswith(PATH)
    assert manifest["hook_attributes"]["active"] is True
    assert manifest["public"] is False
    addresses = (manifest["url"], manifest["redirect_url"], manifest["hook_attributes"]["url"])
    assert {urlsplit(address)[:2] for address in addresses} == {("https", "mergecast.example.org")}


def test_it_asks_for_what_analyses_read_and_for_no_right_to_write(manifest: dict[str, Any]) -> None:
    assert manifest["default_permissions"] == dict.fromkeys((*NEEDED, *WISHED), "read")


@pytest.mark.parametrize("event", ["pull_request", "repository"])
def test_the_receiver_understands_what_it_subscribes_to(manifest: dict[str, Any], event: str) -> None:
    read = installation_events.parse if event in ACCESS_EVENTS else github_events.parse
    with pytest.raises((Ignored, InvalidInput)) as refusal:
        read(event, b'{"action": "unheard_of"}')

    assert event in manifest["default_events"]
    assert getattr(refusal.value, "reason", None) != github_events.UNKNOWN_EVENT
    assert len(manifest["default_events"]) == 2, "installation events come by themselves and cannot be subscribed to"


def test_the_form_of_the_page_asks_for_the_same(manifest: dict[str, Any]) -> None:
    page = (ROOT / "docs" / "github.md").read_text("utf-8")
    form = parse_qs(urlsplit(page.split("```url")[1].split("```")[0].strip()).query, strict_parsing=True)
    permissions = manifest["default_permissions"]

    assert {name: values[0] for name, values in form.items() if name in permissions} == permissions
    assert form["events[]"] == manifest["default_events"]
    assert form["webhook_url"] == [manifest["hook_attributes"]["url"]]
    assert (form["url"], form["public"], form["webhook_active"]) == ([manifest["url"]], ["false"], ["true"])
    assert set(form) == {*permissions, "events[]", "webhook_url", "url", "public", "webhook_active", "name"}
