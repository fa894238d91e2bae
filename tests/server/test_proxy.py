"""deploy/nginx.conf as it stands, in front of real servers: nothing gets lost, and nobody counts as another."""

import os
import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from postgres import Postgres, free_port
from server.live import PROGRAM, WAIT, Player, Running, free, mine, wait_for
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

SITE = Path(__file__).parents[2] / "deploy" / "nginx.conf"
MAIN = """
user root; daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/errors;
events {{}}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; scgi_temp_path {folder}/scgi; uwsgi_temp_path {folder}/uwsgi;
    include {folder}/site.conf;
}}
"""
FONT = "/client/fonts/alegreya-600.woff2"


class Front(Running):
    """nginx with the site's configuration, in front of servers."""

    def __init__(self, folder: Path, *servers: Running) -> None:
        self.folder, self.certificate = folder, folder / "certificate.pem"
        folder.mkdir()
        make_certificate(folder)
        self.plain, self.port = free_port(), free_port()
        (folder / "site.conf").write_text(self.site([server.port for server in servers]))
        (folder / "nginx.conf").write_text(MAIN.format(folder=folder))
        self.process = subprocess.Popen(["nginx", "-p", folder, "-e", folder / "errors", "-c", folder / "nginx.conf"])
        wait_for(lambda: self.process.poll() is not None or (folder / "pid").exists())
        assert self.process.poll() is None, (folder / "errors").read_text()
        self.url = f"https://localhost:{self.port}"
        self.asked = self.asking("127.0.0.2")

    def site(self, ports: list[int]) -> str:
        """The configuration with names, ports and folders of the test's own."""
        server = "server 127.0.0.1:8000 max_fails=1 fail_timeout=5s;"
        text = SITE.read_text()
        for ours, here in {
            server: "\n".join(server.replace("8000", str(port)) for port in ports),
            "listen 80;": f"listen 127.0.0.1:{self.plain};",
            "listen [::]:80;": "",
            "listen 443 ssl http2;": f"listen 127.0.0.1:{self.port} ssl http2;",
            "listen [::]:443 ssl http2;": "",
            "play.example.org;": "localhost;",
            "/etc/ssl/escapade/": f"{self.folder}/",
            "/var/lib/nginx/": f"{self.folder}/",
        }.items():
            assert ours in text
            text = text.replace(ours, here)
        return text

    def asking(self, address: str) -> httpx.Client:
        """Somebody at an address, who trusts the site's certificate and no other."""
        context = ssl.create_default_context(cafile=str(self.certificate))
        return httpx.Client(
            transport=httpx.HTTPTransport(verify=context, local_address=address, trust_env=False), timeout=WAIT
        )

    def line(self, address: str, **headers: str) -> ClientConnection:
        """A socket from an address."""
        return connect(
            self.url.replace("http", "ws") + "/ws",
            ssl=ssl.create_default_context(cafile=str(self.certificate)),
            source_address=(address, 0),
            additional_headers=headers,
            proxy=None,
        )

    def stop(self) -> None:
        """End nginx."""
        self.asked.close()
        self.process.terminate()
        self.process.wait()


def make_certificate(folder: Path) -> None:
    """A certificate for localhost, signed by itself."""
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    about = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "1"]
    made = ["openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    subprocess.run([*made, *files, *about], check=True, capture_output=True)


@pytest.fixture
def front(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Front]]:
    """Starts nginx in front of servers; CI must have it."""
    if not all(map(shutil.which, ("nginx", "openssl"))) and not os.environ.get("CI"):
        pytest.skip("nginx is not installed: apt-get install nginx-light openssl")
    started: list[Front] = []

    def starts(*servers: Running) -> Front:
        started.append(Front(tmp_path / "nginx", *servers))
        monkeypatch.setenv("SSL_CERT_FILE", str(started[-1].certificate))
        return started[-1]

    yield starts
    for one in started:
        one.stop()


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Starts servers as they are started behind nginx."""
    started: list[Running] = []

    def starts(*options: str, database: str | None = None) -> Running:
        program = [*PROGRAM, "--name", "play.example.org", "--proxy", "127.0.0.1", *options]
        started.append(Running(tmp_path / f"site-{len(started)}", program=program, database=database))
        return started[-1]

    yield starts
    for server in started:
        server.stop()


def test_a_game_is_played_through_nginx(front: Callable[..., Front], behind: Callable[..., Running]) -> None:
    server = behind()
    site = front(server)

    moved = httpx.get(f"http://127.0.0.1:{site.plain}/t/x?turn=3", headers={"Host": "localhost"}, trust_env=False)
    assert (moved.status_code, moved.headers["Location"]) == (301, "https://localhost/t/x?turn=3")
    assert site.get("/api/rules", host="elsewhere.example").status_code == 400
    page = site.get("/")
    assert page.headers["Strict-Transport-Security"]
    assert page.headers["Content-Security-Policy"]

    script = site.get("/client/main.js")
    assert (script.headers["Cache-Control"], script.headers["Content-Encoding"]) == ("no-cache", "gzip")
    asked_again = {"If-None-Match": script.headers["ETag"]}
    assert site.asked.get(f"{site.url}/client/main.js", headers=asked_again).status_code == 304

    with site.line("127.0.0.4", Origin=site.url) as line:
        line.send('{"type":"ping"}')
        assert line.recv(WAIT)
    with pytest.raises(InvalidStatus) as refused, site.line("127.0.0.4", Origin="https://elsewhere.example"):
        pass
    assert refused.value.response.status_code == 403

    anne, bob = site.open("tortuga", 2)
    for _ in range(2):
        anne.play(anne.choose())
    bob.wait(lambda player: player.version == anne.version)
    bob.send("resign", seat=2)
    anne.wait(lambda player: player.over)
    assert '[Resigned "2"]' in site.record(anne.table)
    shared = site.get(f"/replay/{anne.table}").text
    assert f'content="{site.url}/' in shared  # https and the port: what chat programs unfurl

    picture = f"/api/tables/{anne.table}/picture.png"
    kept = {path: site.get(path).content for path in (FONT, picture)}
    assert "immutable" in site.get(FONT).headers["Cache-Control"]
    server.stop()
    assert {path: site.get(path).content for path in kept} == kept
    assert site.get("/client/main.js").status_code == 502


def test_each_visitor_behind_nginx_has_their_own_bounds(
    front: Callable[..., Front], behind: Callable[..., Running]
) -> None:
    site = front(behind("--per-address", "2"))
    with site.line("127.0.0.2"), site.line("127.0.0.2"):
        for forged in ({}, {"X-Forwarded-For": "192.0.2.7"}, {"Forwarded": "for=192.0.2.7"}):
            with site.line("127.0.0.2", **forged) as third, pytest.raises(ConnectionClosed) as refused:
                third.recv(WAIT)
            assert refused.value.rcvd is not None
            assert (refused.value.rcvd.code, refused.value.rcvd.reason) == (1013, "full")
        with site.line("127.0.0.3") as other:
            other.send('{"type":"ping"}')
            assert other.recv(WAIT)


def test_players_behind_nginx_go_on_when_one_of_two_servers_stops(
    front: Callable[..., Front], behind: Callable[..., Running], postgres: Postgres
) -> None:
    postgres.sql("drop database if exists behind_nginx with (force)")
    postgres.sql("drop role if exists nobody_special")
    postgres.sql("create role nobody_special login")
    postgres.sql("create database behind_nginx owner nobody_special")
    database = f"postgresql://nobody_special@127.0.0.1:{postgres.port}/behind_nginx"
    servers = [behind(database=database) for _ in range(2)]
    site = front(*servers)
    tables = [site.make("tortuga", mine("Anne"), free(), first=0) for _ in range(3)]
    people = [(Player(site, table, key), Player(site, table)) for table, key in tables]
    for anne, bob in people:
        bob.sit(2, "Bob")
        anne.wait(lambda player: player.state)
        anne.play(anne.choose())
    servers[0].process.terminate()
    assert servers[0].process.wait(WAIT) is not None
    for player in (player for both in people for player in both):
        player.come_again()
        assert player.version == 1
    assert {site.get("/api/rules").status_code for _ in range(20)} == {200}
    assert site.make("tortuga", mine("Anne"), free())
    anne, bob = people[0]
    for player in (anne, bob):
        player.wait(lambda player: player.state)
    acting = anne if anne.state and anne.state["legal"] else bob
    acting.play(acting.choose())
