"""The models: what an interconnect costs. numpy only, no input or output."""
