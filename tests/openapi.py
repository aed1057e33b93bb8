"""Validators of OpenAPI 3.1: importing them costs a second, which only a process that validates pays."""


def faults(document):
    """What of a document the specification does not allow."""
    from openapi_spec_validator import OpenAPIV31SpecValidator

    return list(OpenAPIV31SpecValidator(document).iter_errors())


def answering(schema):
    """A validator of answers by a schema."""
    from openapi_schema_validator import OAS31Validator

    return OAS31Validator(schema)
