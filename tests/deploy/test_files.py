"""The files that start a team's server: they name what exists, and hold what they promise."""

import json
import re
import stat
import subprocess
from ipaddress import ip_network
from pathlib import Path

import pytest
import yaml

from core.version import VERSION
from db import settings
from db.clients import proxies
from db.engine import parse

ROOT = Path(__file__).resolve().parents[2]
KUSTOMIZE = ROOT / "deploy" / "kustomize"


@pytest.fixture(scope="module")
def compose():
    """compose.yaml with its anchors resolved."""
    return yaml.safe_load((ROOT / "compose.yaml").read_text())


@pytest.fixture(scope="module")
def manifests():
    """Every Kubernetes object by its kind."""
    kustomization = yaml.safe_load((KUSTOMIZE / "kustomization.yaml").read_text())
    objects = [yaml.safe_load((KUSTOMIZE / name).read_text()) for name in kustomization["resources"]]
    return {"Kustomization": kustomization} | {item["kind"]: item for item in objects}


def test_every_setting_that_is_given_exists(compose, manifests):
    """No file sets a variable that the server would refuse."""
    names = {name for service in ("app", "box") for name in compose["services"][service]["environment"]}
    container = manifests["Deployment"]["spec"]["template"]["spec"]["containers"][0]
    names |= {entry["name"] for entry in container["env"]}

    assert names <= settings.known()


def test_every_service_is_limited_and_confined(compose):
    """Read-only root, no capabilities but PostgreSQL's own, limits, restart; only loopback is published."""
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory"}, name
        assert service["pids_limit"] > 0, name
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), name
    assert "ports" not in compose["services"]["db"]


def test_the_app_waits_for_a_healthy_database_and_secrets_are_files(compose):
    """Order by health; no secret stands in an environment; what is used is declared."""
    app = compose["services"]["app"]
    assert app["depends_on"] == {"db": {"condition": "service_healthy"}}
    assert compose["services"]["db"]["healthcheck"]["test"][:2] == ["CMD", "pg_isready"]
    used = {name for service in compose["services"].values() for name in service["secrets"]}
    assert used == set(compose["secrets"])
    for service in compose["services"].values():
        secret = [
            name for name in service["environment"] if re.search("TOKEN|SECRET|PASSWORD|DATABASE_URL", name)
        ]
        assert all(name.endswith("_FILE") for name in secret)
    volumes = {
        volume.split(":")[0] for service in compose["services"].values() for volume in service["volumes"]
    }
    assert volumes == set(compose["volumes"])
    assert compose["services"]["box"]["profiles"] == ["sqlite"]
    assert "depends_on" not in compose["services"]["box"]


def test_secrets_are_made_once_and_fit_together(tmp_path, compose):
    """Every declared file is made, the database's address holds its password, a second run keeps them."""
    script = tmp_path / "secrets.sh"
    script.write_bytes((ROOT / "deploy" / "secrets.sh").read_bytes())
    runs = []
    for _ in range(2):
        subprocess.run(["sh", script], check=True, capture_output=True)
        runs.append({path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()})
    made = runs[0]
    assert runs[1] == made
    assert {Path(secret["file"]).name for secret in compose["secrets"].values()} == set(made)
    url = parse(made["database_url"])
    assert (url.password, url.host, url.database) == (made["postgres_password"], "db", "wirespeed")
    assert len(made["api_token"]) == 48
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700
    assert all((tmp_path / "secrets" / name).stat().st_mode & stat.S_IROTH for name in made)


def test_replicas_are_confined_probed_and_sticky(manifests):
    """Two replicas, one cookie secret, a browser stays on one, no rights that the restricted profile refuses."""
    spec = manifests["Deployment"]["spec"]
    pod = spec["template"]["spec"]
    container = pod["containers"][0]
    assert spec["replicas"] == 2
    assert pod["securityContext"]["runAsUser"] == 10001
    assert pod["enableServiceLinks"] is False
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    probes = [
        container[name]["httpGet"]["path"] for name in ("startupProbe", "livenessProbe", "readinessProbe")
    ]
    assert probes == ["/healthz", "/healthz", "/readyz"]
    mounted = {mount["name"] for mount in container["volumeMounts"]}
    assert mounted == {volume["name"] for volume in pod["volumes"]}
    assert manifests["Service"]["spec"]["sessionAffinity"] == "ClientIP"
    assert manifests["Ingress"]["metadata"]["annotations"]["nginx.ingress.kubernetes.io/affinity"] == "cookie"
    generated = manifests["Kustomization"]["secretGenerator"][0]
    files = {
        entry["value"].rsplit("/", 1)[-1] for entry in container["env"] if entry["name"].endswith("_FILE")
    }
    assert set(generated["files"]) == files
    assert manifests["Kustomization"]["images"][0]["newTag"] == VERSION


def test_every_example_believes_its_proxy_alone(compose, manifests):
    """Else all visitors behind it share one limit; compose's is the gateway of its own network."""
    container = manifests["Deployment"]["spec"]["template"]["spec"]["containers"][0]
    (network,) = compose["networks"]["default"]["ipam"]["config"]
    for service in ("app", "box"):
        default = re.fullmatch(
            r"\$\{WIRESPEED_PROXIES-(.*)\}", compose["services"][service]["environment"]["WIRESPEED_PROXIES"]
        )
        (gateway,) = proxies({"WIRESPEED_PROXIES": default[1]})
        assert gateway.num_addresses == 1
        assert str(gateway.network_address) == network["gateway"]
        assert gateway.subnet_of(ip_network(network["subnet"]))
    named = {entry["name"]: entry.get("value") for entry in container["env"]}
    texts = [(ROOT / "deploy" / name).read_text() for name in ("nginx.conf", "Caddyfile")]
    for text in [f"WIRESPEED_PROXIES={named['WIRESPEED_PROXIES']}", *texts]:
        example = re.search(r"WIRESPEED_PROXIES=([\d./]+\d)", text)
        assert len(proxies({"WIRESPEED_PROXIES": example[1]})) == 1


def test_the_image_says_its_version():
    """The default of the label is the program's version."""
    text = (ROOT / "Dockerfile").read_text()

    assert set(re.findall(r"^ARG VERSION=(.*)$", text, re.MULTILINE)) == {VERSION}
    assert f"WIRESPEED_VERSION:-{VERSION}" in (ROOT / "compose.yaml").read_text()


def test_what_the_build_copies_is_let_in():
    """Every file that a COPY of the Dockerfile names passes .dockerignore."""
    let_in = [line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line.startswith("!")]
    sources = [
        source
        for line in re.findall(r"^COPY (?!--from)(.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
        for source in line.split()[:-1]
        if source != "."
    ]

    assert sources
    for source in sources:
        assert (ROOT / source).exists(), source
        assert any(source == name or source.startswith(f"{name}/") for name in let_in), source


def test_the_dashboard_is_whole():
    """Grafana's file parses and no two panels share an id."""
    panels = json.loads((ROOT / "deploy" / "monitoring" / "grafana-dashboard.json").read_text())["panels"]

    assert len({panel["id"] for panel in panels}) == len(panels)
