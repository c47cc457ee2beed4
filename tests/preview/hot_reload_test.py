"""A Vite project in a sandbox, in a frame of a dashboard in Chromium: a file that is changed by a
tool changes the page, without another load.

Usage: hot_reload_test.py [DRIVER]; default local. Screenshots go to CORDON_SCREENSHOTS."""

import http.client
import http.server
import io
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tarfile
import threading
import time
import unittest

DRIVER = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "local"
HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent
SCREENSHOTS = pathlib.Path(os.environ.get("CORDON_SCREENSHOTS", "/tmp/cordon-screenshots")) / DRIVER
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")

from previewed import PreviewTest, preview_address  # noqa: E402
import served  # noqa: E402

WISH = {"local": {}, "docker+runc": {"isolation": "container"},
        "docker+runsc": {"isolation": "gvisor"}}[DRIVER]

PROJECT = {
    "index.html": '<!doctype html><title>x</title><h1 id="app"></h1>'
                  '<script type="module" src="/main.js"></script>',
    "main.js": """import { text } from "./text.js";
const app = document.querySelector("#app");
app.textContent = text;
window.born = Math.random();
if (import.meta.hot) {
  import.meta.hot.accept("./text.js", (fresh) => { app.textContent = fresh.text; });
}
""",
    "text.js": 'export const text = "before the edit";\n',
    "vite.config.js": "export default { server: { strictPort: true, host: '127.0.0.1' } };\n" if WISH else
                      "export default { server: { strictPort: true } };\n",
    "package.json": '{"type": "module", "private": true}\n',
}


class Engine:
    """A Docker engine of this test's own, with an image that has node."""

    IMAGE = "cordon-node:1"

    def __init__(self, modules):
        self.process = subprocess.Popen([sys.executable, "-B", TREE / "tests/provision/engine.py"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        told = json.loads(self.process.stdout.readline() or '{"why": "it said nothing"}')
        if "socket" not in told:
            self.stop()
            raise unittest.SkipTest(told["why"])
        self.socket = told["socket"]
        self.import_image(pathlib.Path(told["folder"], "root"), modules)

    def import_image(self, base, modules):
        """What the engine's own image has, and node with all that it and `modules` load."""
        node = os.path.realpath(shutil.which("node"))
        loaded = subprocess.run(["ldd", node, *modules.rglob("*-gnu.node")], capture_output=True, text=True,
                                check=True).stdout
        files = {node: "/bin/node"}
        for line in loaded.splitlines():
            for word in line.split():
                if word.startswith("/") and not word.endswith(":"):
                    files[os.path.realpath(word)] = word
        held = io.BytesIO()
        with tarfile.open(fileobj=held, mode="w") as tar:
            tar.add(base, ".")
            for source, name in files.items():
                tar.add(source, "." + name)
        connection = http.client.HTTPConnection("localhost", timeout=120)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(self.socket)
        repository, tag = self.IMAGE.split(":")
        connection.request("POST", f"/images/create?fromSrc=-&repo={repository}&tag={tag}", held.getvalue(),
                           {"Content-Type": "application/x-tar"})
        answer = connection.getresponse()
        said = answer.read()
        connection.close()
        if answer.status != 200 or b"error" in said:
            raise RuntimeError(f"no image: {said!r}")

    def stop(self):
        self.process.stdin.close()
        self.process.wait(120)
        self.process.stdout.close()


def packages():
    made = subprocess.run([TREE / "scripts/install_npm.sh", TREE / "out/npm-preview",
                           "tests/preview/package.json"], capture_output=True, text=True)
    if made.returncode != 0:
        raise unittest.SkipTest(made.stderr.strip().splitlines()[-1])
    return pathlib.Path(made.stdout.strip())


def archive(modules):
    """The project with what it needs, as a tar file."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as tar:
        for name, text in PROJECT.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text.encode()))
        tar.add(modules, "node_modules",
                filter=lambda one: None if "playwright" in one.name else one)
    return held.getvalue()


class Dashboard:
    """A site of its own, whose page has the preview in a frame."""

    def __init__(self):
        self.page = b""
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(outer.page)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"

    def frame(self, url):
        self.page = ("<h2>dashboard</h2><iframe id=preview width=600 height=300 "
                     f'src="{url}"></iframe>').encode()


class HotReloadTest(PreviewTest):
    @classmethod
    def setUpClass(cls):
        if not CHROMIUM or not shutil.which("node"):
            raise unittest.SkipTest("chromium and node are needed")
        cls.modules = packages()
        cls.dashboard, cls.stranger = Dashboard(), Dashboard()
        cls.flags = ("--dashboard", cls.dashboard.origin)
        if DRIVER != "local":
            engine = Engine(cls.modules)
            cls.addClassCleanup(engine.stop)
            cls.flags += ("--driver", DRIVER, "--docker-socket", engine.socket, "--image", Engine.IMAGE)
        super().setUpClass()

    def test_an_edit_changes_the_page(self):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        path = self.sandbox(**WISH)
        put = self.ask("PUT", path + "/archive/", archive(self.modules),
                       headers={"Content-Type": "application/x-tar"})
        self.assertEqual(put.status, 200, put.body)
        begun = self.ask("POST", path + "/exec", {
            "arguments": ["node", "node_modules/vite/bin/vite.js"], "detached": True})
        self.assertEqual(begun.status, 202, begun.body)
        self.wait_for_port(path, 5173)
        link = self.ask("POST", path + "/preview/links", {}).json["url"]
        self.dashboard.frame(link)
        self.stranger.frame(link)
        browser = subprocess.Popen(
            ["node", HERE / "open_in_frame.mjs", self.modules.resolve(), self.dashboard.origin,
             self.stranger.origin, SCREENSHOTS], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "CHROMIUM": CHROMIUM})
        self.addCleanup(browser.wait)
        self.addCleanup(browser.stdout.close)
        self.assertEqual(browser.stdout.readline(), "shown\n")
        edited = self.ask("POST", path + "/tools/edit_file", {
            "path": "text.js", "edits": [{"old": "before the edit", "new": "after the edit"}]})
        self.assertTrue(edited.json["success"], edited.body)
        begun = time.monotonic()
        told = json.loads(browser.stdout.readline())
        print(f"\n{DRIVER}: changed within {time.monotonic() - begun:.1f} s: {told['url']}")
        self.assertEqual(told["born"], told["after"], "the page was loaded again")
        self.assertEqual(told["framed"], 0, "another site could frame it")
        for name in ("before.png", "after.png"):
            self.assertGreater((SCREENSHOTS / name).stat().st_size, 1000)


if __name__ == "__main__":
    unittest.main(verbosity=2)
