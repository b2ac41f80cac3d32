"""What every channel must be able to do; a new one is tested as soon as it is listed."""

from __future__ import annotations

import re

import pytest

from services.digest.narrate import narrate
from services.publisher.channels import CHANNELS
from shared.settings import Settings
from shared.settings.targets import publication_targets
from shared.settings.values import LANGUAGES
from tests.digest_builder import empty_digest, rich_digest

ALL = pytest.mark.parametrize("channel", CHANNELS, ids=lambda channel: channel.name)
DIGESTS = {"rich": narrate(rich_digest(), LANGUAGES), "empty": narrate(empty_digest(), LANGUAGES)}


@ALL
def test_its_name_is_a_slug_and_its_own(channel):
    assert re.fullmatch(r"[a-z][a-z-]*", channel.name)
    assert [other.name for other in CHANNELS].count(channel.name) == 1


@ALL
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", DIGESTS)
def test_it_renders_every_language_the_same_each_time(channel, kind, language):
    first, second = (channel.render(DIGESTS[kind], language) for _ in range(2))

    assert first == second
    assert first.language == language
    assert first.documents
    assert all(text.strip() for text in first.documents.values())


@ALL
def test_it_names_the_week_and_the_repository(channel):
    rendered = channel.render(DIGESTS["rich"], "en")

    for text in rendered.documents.values():
        assert DIGESTS["rich"].period.week in text
        assert DIGESTS["rich"].repository in text


def test_every_target_of_the_settings_has_its_channel():
    names = {channel.name for channel in CHANNELS}

    assert {target.channel for target in publication_targets(Settings())} <= names
