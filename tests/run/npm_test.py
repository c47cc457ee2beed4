"""npm install, behind the line, from a registry that is on the list; nothing else is reached."""

import base64
import functools
import hashlib
import http.server
import io
import json
import os
import shutil
import tarfile
import threading
import unittest

from workplace import NOBODY, RunTest, for_root_too

# Loopback, but not what clients keep to themselves: those do not ask the proxy for 127.0.0.1.
ADDRESS = "127.0.0.2"
# Name: what the package exports, and what it depends on.
PACKAGES = {
    "cordon-left": ("exports.pad = text => require('cordon-space').space + text;", {"cordon-space": "^1.0.0"}),
    "cordon-space": ("exports.space = ' '.repeat(3);", {}),
}


def manifest(name):
    return {"name": name, "version": "1.0.0", "main": "index.js", "license": "MIT", "dependencies": PACKAGES[name][1]}


def tarball(name):
    """As `npm pack` makes them: everything below package/."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for file, text in (("package.json", json.dumps(manifest(name))), ("index.js", PACKAGES[name][0])):
            entry = tarfile.TarInfo("package/" + file)
            entry.size, entry.mtime, entry.mode = len(text), 1_000_000_000, 0o644
            archive.addfile(entry, io.BytesIO(text.encode()))
    return buffer.getvalue()


class Registry(http.server.BaseHTTPRequestHandler):

    def __init__(self, tarballs, asked, *arguments):
        self.tarballs, self.asked = tarballs, asked
        super().__init__(*arguments)

    def do_GET(self):
        self.asked.append(self.path)
        name = self.path.removeprefix("/").removesuffix(".tgz")
        if name not in self.tarballs:
            return self.reply(404, b"{}", "application/json")
        if self.path.endswith(".tgz"):
            return self.reply(200, self.tarballs[name], "application/octet-stream")
        place = f"http://{self.headers['Host']}/{name}.tgz"
        integrity = "sha512-" + base64.b64encode(hashlib.sha512(self.tarballs[name]).digest()).decode()
        version = {**manifest(name), "dist": {"tarball": place, "integrity": integrity}}
        document = {"name": name, "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": version}}
        return self.reply(200, json.dumps(document).encode(), "application/json")

    def reply(self, status, body, kind):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Npm(RunTest):
    user = NOBODY

    def setUp(self):
        super().setUp()
        if shutil.which("npm") is None:
            self.skipTest("there is no npm")
        self.port, self.asked = self.serve()
        self.other, self.asked_other = self.serve()
        self.write("package.json", json.dumps({"name": "work", "version": "1.0.0", "private": True}))

    def serve(self):
        """A registry on loopback: its port, and what it was asked for."""
        asked = []
        tarballs = {name: tarball(name) for name in PACKAGES}
        server = http.server.ThreadingHTTPServer((ADDRESS, 0), functools.partial(Registry, tarballs, asked))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server.server_address[1], asked

    def install(self, name, port, flags):
        words = ["npm", "install", name, f"--registry=http://{ADDRESS}:{port}/", "--no-audit", "--no-fund",
                 "--no-update-notifier", "--fetch-retries=0", "--loglevel=error"]
        return self.inside(*words, flags=flags, patience=300)

    def installed(self):
        return sorted(os.listdir(self.work + "/node_modules")) if os.path.isdir(self.work + "/node_modules") else []

    def test_installs_from_the_list_and_from_nowhere_else(self):
        flags = ["--net", f"allow:{ADDRESS}:{self.port}"]
        status, output, errors = self.install("cordon-left", self.port, flags)
        self.assertEqual(status, 0, output + errors)
        self.assertEqual([name for name in self.installed() if not name.startswith(".")], sorted(PACKAGES))
        self.assertNotIn("refused", errors)
        self.assertIn("/cordon-space.tgz", self.asked)
        status, output, errors = self.inside("node", "-e", "console.log(require('cordon-left').pad('x'))")
        self.assertEqual((status, output), (0, "   x\n"), errors)
        # The same from a host that is not on the list.
        shutil.rmtree(self.work + "/node_modules")
        os.remove(self.work + "/package-lock.json")
        status, output, errors = self.install("cordon-left", self.other, flags)
        self.assertNotEqual(status, 0, output)
        self.assertIn(f'cordon: refused: connection to "{ADDRESS}" port {self.other}', errors)
        self.assertEqual(self.asked_other, [])
        self.assertEqual([name for name in self.installed() if not name.startswith(".")], [])

    def test_reaches_nothing_without_a_list(self):
        status, output, errors = self.install("cordon-space", self.port, [])
        self.assertNotEqual(status, 0, output + errors)
        self.assertEqual(self.asked, [])
        self.assertEqual(self.installed(), [])


NpmAsRoot = for_root_too(Npm)

if __name__ == "__main__":
    unittest.main()
