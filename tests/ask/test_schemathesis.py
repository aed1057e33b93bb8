"""The served OpenAPI document against the real server: requests made from the schemas, valid and not."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings

EXAMPLES = 5
MANY_EXAMPLES = 200


def ask(server, examples):
    """So many requests for each operation that are as described, and as many that are not."""
    import schemathesis  # costs a second: only the process that takes this test pays
    from schemathesis import GenerationMode
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    always = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    described = schemathesis.openapi.from_url(f"{server.base}/api/v1/openapi.json")
    for found in described.get_all_operations():
        put(found.ok(), GenerationMode.POSITIVE, always, examples)
        if found.ok().method == "post":
            put(found.ok(), GenerationMode.NEGATIVE, [*always, checks.negative_data_rejection], examples)


def put(operation, mode, checks, examples):
    """Requests of one kind for one operation."""

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=examples,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    def each(case):
        case.call_and_validate(checks=checks, timeout=120)

    each()


def test_the_server_keeps_to_its_document(server):
    """Every operation, with values of the schema and others: no failure, and every answer as described."""
    ask(server, EXAMPLES)


@pytest.mark.slow
def test_the_server_keeps_to_its_document_for_long(server):
    """The same with many more requests."""
    ask(server, MANY_EXAMPLES)
