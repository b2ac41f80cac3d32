from __future__ import annotations

import schemathesis
from hypothesis import Phase, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from shared.store.session import Database
from tests.integration.web.serving import TOKEN, client, digest_document, store_digest, store_merge

HEADERS = {"Authorization": f"Bearer {TOKEN}"}


def test_r92_nothing_that_the_description_allows_or_forbids_is_a_server_error(database: Database) -> None:
    store_merge(database, 101, tags=("risk:core-path",))
    store_digest(database, digest_document("en"))
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", client(database).app, headers=HEADERS)
    operations = [found.ok() for found in schema.get_all_operations()]
    for operation in operations:

        @given(case=operation.as_strategy())
        @settings(max_examples=15, phases=[Phase.generate], database=None)
        def every_answer_is_as_described(case: schemathesis.Case) -> None:
            case.validate_response(case.call(headers=HEADERS), excluded_checks=[positive_data_acceptance])

        every_answer_is_as_described()
    assert len(operations) == 7
