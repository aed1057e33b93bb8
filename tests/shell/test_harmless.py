"""Names out of files, logs and servers of other people act on no terminal."""

import json
from pathlib import Path

import pytest

from core.command_line import harmless
from core.shell.main import main
from gpu_probe.__main__ import main as probe
from gpu_probe.client import Sent
from gpu_probe.commands.push import _say
from tests.gpu_probe.formats import nccl_tests, text

ACTING = "\x1b]0;x\x07\x9b2J\u202ey"
SHOWN = r"\u001b]0;x\u0007\u009b2J\u202ey"
JOB = Path(__file__).with_name("job.json")


def system_file():
    """A system with such a name."""
    return {"name": ACTING, "gpu": "h100-sxm", "domain": {"gpus": 8, "link": "nvlink4"}}


def config():
    """A model with such a name."""
    return {
        "model_type": "llama",
        "_name_or_path": ACTING,
        "hidden_size": 4096,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "intermediate_size": 11008,
        "vocab_size": 32000,
    }


def job():
    """A traced job on such a GPU."""
    return json.loads(JOB.read_text()) | {"device_name": ACTING}


@pytest.mark.parametrize(
    ("content", "command"),
    [
        (system_file, ("tp", "--model", "llama-3.1-8b", "--system-file")),
        (config, ("tp", "--system", "dgx-h100", "--model")),
        (job, ("job", "--system", "dgx-h100")),
    ],
)
def test_a_name_in_a_file_is_printed_with_escapes(tmp_path, capsys, content, command):
    """What would act stands as an escape, and the answer is there."""
    path = tmp_path / "file.json"
    path.write_text(json.dumps(content()))

    assert main([*command, str(path)]) == 0
    printed = capsys.readouterr().out
    assert SHOWN in printed
    assert harmless(printed) == printed


def test_a_log_and_a_server_act_on_no_terminal(tmp_path, capsys):
    """The GPU of a log, and the address that a server gives back, stand with escapes."""
    log = tmp_path / "log"
    log.write_bytes(text(nccl_tests()).replace(b"NVIDIA H100 80GB HBM3", "H100 \u202e3MBH".encode()))
    assert probe(["read", str(log)]) == 0
    _say("log", Sent(url=f"http://host/{ACTING}", new=True))

    printed = capsys.readouterr().out
    assert r"H100 \u202e3MBH" in printed
    assert f"http://host/{SHOWN}" in printed
    assert harmless(printed) == printed
