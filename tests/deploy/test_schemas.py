"""The files for Compose and Kubernetes hold to the published schemas of both."""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
SECRETS = ("api_token", "cookie_secret", "database_url", "oidc_client_secret")
VERSIONS = ("1.29", "1.32", "1.37")


def test_compose_holds_to_the_compose_specification():
    """Every key and value of compose.yaml is one that the specification knows."""
    pytest.importorskip("check_jsonschema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*command, "compose.yaml"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def rendered(tmp_path_factory):
    """The objects that ``kubectl apply -k`` would send."""
    kubectl = shutil.which("kubectl") or pytest.skip("kubectl is not installed")
    folder = tmp_path_factory.mktemp("kustomize") / "kustomize"
    shutil.copytree(ROOT / "deploy" / "kustomize", folder)
    for name in SECRETS:
        (folder / name).write_text("x")
    done = subprocess.run([kubectl, "kustomize", folder], capture_output=True, text=True, check=True)
    return list(yaml.safe_load_all(done.stdout))


def test_kustomize_generates_secrets_and_selectors(rendered):
    """The Deployment selects its own pods and mounts the generated Secret; the Service finds them."""
    objects = {item["kind"]: item for item in rendered}
    spec = objects["Deployment"]["spec"]
    labels = spec["template"]["metadata"]["labels"].items()

    assert set(objects["Secret"]["data"]) == set(SECRETS)
    assert spec["selector"]["matchLabels"].items() <= labels
    assert objects["Service"]["spec"]["selector"].items() <= labels
    assert objects["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"].items() <= labels
    assert objects["Secret"]["metadata"]["name"] in str(spec["template"]["spec"]["volumes"])
    assert {item["metadata"].get("namespace", "wirespeed") for item in rendered} == {"wirespeed"}


@pytest.mark.skipif(find_spec("kubernetes_validate") is None, reason="kubernetes-validate is not installed")
@pytest.mark.parametrize("version", VERSIONS)
def test_kubernetes_takes_what_kustomize_renders(rendered, version):
    """Strictly: an unknown field is an error too."""
    import kubernetes_validate

    for item in rendered:
        kubernetes_validate.validate(item, version, strict=True)
