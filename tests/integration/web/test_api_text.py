from __future__ import annotations

import itertools
import json

from hypothesis import example, given, settings
from hypothesis import strategies as st

from services.analyzer.pipeline import analyze_delivery
from services.analyzer.tasks import make_runtime
from shared.domain.text import clean_text
from shared.store.session import Database
from tests.integration.web.serving import client as api_client
from tests.integration.webhook.posting import REPOSITORY, SECRET, Bell, client, merged, post
from tests.integration.webhook.posting import settings as webhook_settings

ANY_TEXT = st.text(st.characters(codec=None, categories=None), min_size=1, max_size=300)


def test_r41_c38_any_text_comes_from_the_webhook_to_the_api_unchanged_but_for_what_cannot_be_stored(
    database: Database,
) -> None:
    runtime = make_runtime(webhook_settings(SECRET), database, Bell().ring)
    numbers = itertools.count(1)
    with client(database) as webhook, api_client(database) as api:

        @given(title=ANY_TEXT, label=ANY_TEXT)
        @example(title="NUL \x00, half \ud800, none \ufffe", label="\x00")
        @example(title="\u202egnp.exe \u2066x\u2069 עברית العربية", label="🎉")
        @example(title="x" * 1_000_000, label="y" * 100_000)
        @settings(max_examples=25, database=None)
        def comes_through(title: str, label: str) -> None:
            number = next(numbers)
            payload = json.dumps(merged(number, pull={"title": title, "labels": [{"name": label}]})).encode()
            stored = post(webhook, payload, guid=str(number))
            assert stored.status_code == 202
            assert analyze_delivery(runtime, stored.json()["delivery"]) == "done"
            answer = api.get(f"/api/v1/repositories/{REPOSITORY}/pull-requests/{number}/analysis")
            assert answer.status_code == 200
            assert answer.json()["state"] == "analysed"
            assert answer.json()["pull_request"]["title"] == clean_text(title)
            assert answer.json()["pull_request"]["labels"] == [clean_text(label)]

        comes_through()
