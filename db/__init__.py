"""The store of measured runs: schema, migrations, store, HTTP door."""
