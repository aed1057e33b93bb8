"""Real nginx and Caddy with their configurations as shipped, each before two replicas on one PostgreSQL."""

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.db.conftest import postgres_uri  # noqa: F401 - a fixture
from tests.db.examples import log
from tests.server import ANSWER_S, Server, free_port

pytestmark = [pytest.mark.slow, pytest.mark.postgres]
ROOT = Path(__file__).resolve().parents[2]
NAME = "wirespeed.example.com"
TOKEN = "a-token-of-this-test"  # noqa: S105
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}


def nginx(folder, ports, tls_port):
    """deploy/nginx.conf with its paths, ports and replicas moved into the test, and how it is started."""
    text = moved("nginx.conf", folder, ports).replace("/run/nginx.pid", f"{folder}/nginx.pid")
    text = text.replace("/var/log/nginx", str(folder)).replace("/etc/nginx/tls", str(folder))
    text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{tls_port} ssl;")
    path = folder / "nginx.conf"
    path.write_text(text)
    return "-c", path, "-e", folder / "error.log", "-g", "daemon off;"


def caddy(folder, ports, tls_port):
    """deploy/Caddyfile with a certificate of the test in place of one that it would fetch."""
    pair = f"tls {folder}/wirespeed.crt {folder}/wirespeed.key"
    text = moved("Caddyfile", folder, ports).replace(
        f"{NAME} {{", f"{NAME}:{tls_port} {{\n\tbind 127.0.0.1\n\t{pair}", 1
    )
    path = folder / "Caddyfile"
    path.write_text(f"{{\n\tadmin off\n\tauto_https disable_redirects\n}}\n{text}")
    return "run", "--config", path, "--adapter", "caddyfile"


def moved(name, folder, ports):
    """A file of deploy with the replicas of the test."""
    text = (ROOT / "deploy" / name).read_text()
    for number, port in enumerate(ports, start=1):
        text = text.replace(f"10.0.0.1{number}:8501", f"127.0.0.1:{port}")
    assert "10.0.0." not in re.sub("#.*", "", text)
    return text


@pytest.fixture(scope="module")
def replicas(tmp_path_factory, postgres_uri):  # noqa: F811
    """Two servers on one database, and a certificate of their name."""
    folder = tmp_path_factory.mktemp("replicas")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
         "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", folder / "wirespeed.key", "-out", folder / "wirespeed.crt"],
        check=True, capture_output=True,
    )  # fmt: skip
    shared = {
        "WIRESPEED_DATABASE_URL": postgres_uri,
        "WIRESPEED_API_TOKEN": TOKEN,
        "WIRESPEED_COOKIE_SECRET": "one-for-both",
        "WIRESPEED_HOSTS": NAME,
        "WIRESPEED_PROXIES": "127.0.0.1",
        "WIRESPEED_OPEN": "write",
        "WIRESPEED_LOG": "json",
    }
    folders = [folder / "a", folder / "b"]
    for place in folders:
        place.mkdir()
    with Server(folders[0], **shared) as first, Server(folders[1], **shared) as second:
        yield folder, (first, second)


@pytest.fixture(scope="module", params=[nginx, caddy], ids=["nginx", "caddy"])
def site(request, replicas):
    """The address of a proxy before the two replicas."""
    proxy = request.param
    program = shutil.which(proxy.__name__) or pytest.skip(f"{proxy.__name__} is not installed")
    folder, servers = replicas
    port = free_port()
    arguments = proxy(folder, [server.port for server in servers], port)
    with (folder / f"{proxy.__name__}.log").open("wb") as written:
        home = {**os.environ, "HOME": str(folder)}
        started = subprocess.Popen([program, *arguments], stderr=written, env=home)
        try:
            yield Site(proxy.__name__, port, folder / "wirespeed.crt", servers)
        finally:
            started.terminate()
            started.wait(20)


class Site:
    """What a browser and a program do at the proxy's address."""

    def __init__(self, proxy, port, certificate, replicas):
        self.proxy, self.port, self.replicas = proxy, port, replicas
        self.base = f"https://{NAME}:{port}"
        self.trust = ssl.create_default_context(cafile=str(certificate))
        end = time.monotonic() + 20
        while True:
            try:
                self.ask("GET", "/healthz")
            except httpx.TransportError:
                assert time.monotonic() < end, "the proxy does not answer"
                time.sleep(0.1)
            else:
                return

    def client(self):
        """A browser with its own cookies; the name leads to this machine."""
        return httpx.Client(
            base_url=f"https://127.0.0.1:{self.port}",
            headers={"Host": f"{NAME}:{self.port}"},
            verify=self.trust,
            timeout=30,
        )

    def ask(self, method, path, **options):
        """One request of a new browser."""
        with self.client() as client:
            options["extensions"] = {"sni_hostname": NAME}
            return client.request(method, path, **options)

    def websocket(self, path, cookie, origin=None):
        """An open page's channel."""
        return connect(
            f"wss://{NAME}:{self.port}{path}",
            sock=socket.create_connection(("127.0.0.1", self.port), timeout=ANSWER_S),
            ssl=self.trust,
            server_hostname=NAME,
            subprotocols=["streamlit"],
            open_timeout=ANSWER_S,
            additional_headers=[("Origin", origin or self.base), ("Cookie", cookie)],
        )

    def logged(self):
        """The lines of each replica."""
        return [replica.output.read_text() for replica in self.replicas]


def first_messages(channel):
    """Ask the page to run, and wait until its script is done."""
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

    wish = BackMsg()
    wish.rerun_script.query_string = ""
    channel.send(wish.SerializeToString())
    kinds = []
    while "script_finished" not in kinds:
        message = ForwardMsg()
        message.ParseFromString(channel.recv(timeout=60))
        kinds.append(message.WhichOneof("type"))
    return kinds


@pytest.mark.parametrize("prefix", ["", "/wirespeed"])
def test_a_page_opens_by_websocket_at_the_name_and_below_a_path(site, prefix):
    """Document, its script, health and the page itself come through the proxy, at / and at /wirespeed/."""
    page = site.ask("GET", f"{prefix}/tensor_parallel")
    script = re.search(r'src="\./(wirespeed\.js\?v=\w+)"', page.text)[1]
    static = re.search(r'src="\./(static/js/[^"]+\.js)"', page.text)[1]
    cookie = page.headers["set-cookie"].split(";")[0]
    for path in (script, static, "_stcore/health"):
        assert site.ask("GET", f"{prefix}/{path}").status_code == 200, path
    with site.websocket(f"{prefix}/_stcore/stream", cookie) as channel:
        kinds = first_messages(channel)

    assert page.status_code == 200
    assert "delta" in kinds


def test_pages_of_other_sites_are_refused_through_the_proxy(site):
    """Host and Origin reach the replica as the browser sent them."""
    with pytest.raises(InvalidStatus, match="403"):
        site.websocket("/_stcore/stream", "", origin="https://evil.example").close()
    answer = site.ask("GET", "/", headers={"Host": "evil.example"})
    assert answer.status_code in {403, 404} or not answer.content  # Caddy: 200, and nothing in it


def test_a_run_sent_through_the_proxy_is_on_both_replicas(site):
    """One database behind two processes; without the token nobody is let in, though the proxy is on this machine."""
    content = log({"nginx": 5, "caddy": 6}[site.proxy])
    assert site.ask("POST", "/api/v1/runs", content=content).status_code == 401
    kept = site.ask(
        "POST", "/wirespeed/api/v1/runs", content=content, headers=AUTHORIZED | {"content-type": "text/plain"}
    )
    assert kept.status_code == 201
    for replica in site.replicas:
        runs = replica.get("/api/v1/runs", headers=AUTHORIZED).json()["runs"]
        assert kept.json()["id"] in [run["id"] for run in runs]


def test_a_browser_stays_on_one_replica_and_browsers_are_spread(site):
    """Every request with a browser's cookie goes to one process; twenty browsers use both."""
    with site.client() as browser:
        for number in range(10):
            browser.get(
                f"/healthz?{number}", headers={"X-Kept": "1"}, extensions={"sni_hostname": NAME}
            ).raise_for_status()
        answer = browser.get(f"/stay-{site.proxy}", extensions={"sni_hostname": NAME})
        stays = browser.get(f"/stay-{site.proxy}", extensions={"sni_hostname": NAME})
    assert answer.status_code == stays.status_code
    for number in range(20):
        site.ask("GET", f"/spread-{site.proxy}-{number}")
    lines = site.logged()

    assert sorted(text.count(f'"path": "/stay-{site.proxy}"') for text in lines) == [0, 2]
    assert all(f"/spread-{site.proxy}-" in text for text in lines)


def test_metrics_are_for_the_inside(site):
    """The proxy closes /metrics; each replica gives it to the token."""
    assert site.ask("GET", "/metrics", headers=AUTHORIZED).status_code == 404
    assert site.ask("GET", "/wirespeed/metrics", headers=AUTHORIZED).status_code == 404
    told = site.replicas[0].get("/metrics", headers=AUTHORIZED)
    assert "wirespeed_runs " in told.text
