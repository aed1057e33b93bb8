"""The probe's commands, one module each; each adds its options and runs."""
