"""The documentation site: docs/ and the references made from the code, built by Sphinx into build/site."""
