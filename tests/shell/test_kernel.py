"""One kernel in the shell: what binds it, and whose load a routed MLP is priced at."""

from tests.shell.commands import answer, ask


def test_a_tiny_product_is_bound_by_its_launch(capsys):
    """One number by one number is kernel launch; 4,096 in each direction is compute."""
    tiny = answer(capsys, "kernel", "gemm", "--m", "1", "--n", "1", "--k", "1")

    assert tiny["binding"] == "kernel launch"
    assert answer(capsys, "kernel", "gemm")["binding"] == "compute"


def test_a_routed_mlp_names_its_load(capsys):
    """Random routing prices the mean load of a GPU, a power law the busiest; the rate is by the mean's FLOPs."""
    _, random, _ = ask(capsys, "kernel", "moe", "--ep", "8")
    _, skewed, _ = ask(capsys, "kernel", "moe", "--ep", "8", "--routing", "power-law-1.2")

    assert "on one of 8 GPUs at their mean load" in random
    assert "on the busiest of 8 GPUs" in skewed
    assert "rate, by the mean GPU's FLOPs" in random
