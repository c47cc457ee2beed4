"""cordon mcp --oauth-*: an authorization server's tokens, over a real connection.

Keys and signatures are made by the openssl program, not by the library that checks them.
"""

import base64
import hashlib
import hmac
import http.client
import json
import re
import subprocess
import time
import unittest

from hostile_support import Http, HostileTest, headers_of, stateless_meta

ISSUER = "https://login.example"
RESOURCE = "https://tools.example/mcp"


def openssl(*arguments, data=None):
    return subprocess.run(["openssl", *arguments], input=data, check=True,
                          capture_output=True).stdout


def encoded(data):
    if not isinstance(data, bytes):
        data = json.dumps(data).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Key:
    def __init__(self, scratch, name):
        self.name, self.file = name, str(scratch / (name + ".pem"))
        openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048",
                "-out", self.file)

    def public(self):
        return openssl("pkey", "-in", self.file, "-pubout")

    def jwk(self):
        modulus = openssl("rsa", "-in", self.file, "-noout", "-modulus").split(b"=")[1].strip()
        return {"kty": "RSA", "kid": self.name, "alg": "RS256", "use": "sig",
                "n": encoded(bytes.fromhex(modulus.decode())), "e": "AQAB"}

    def sign(self, text):
        return openssl("dgst", "-sha256", "-sign", self.file, data=text.encode())


def claims(**changes):
    now = int(time.time())
    good = {"iss": ISSUER, "aud": RESOURCE, "sub": "ann", "exp": now + 300, "iat": now,
            "scope": "files:read files:write"}
    good.update(changes)
    return {name: value for name, value in good.items() if value is not None}


class OAuthTest(HostileTest):
    def setUp(self):
        super().setUp()
        self.key = Key(self.scratch, "ours")
        jwks = self.scratch / "jwks.json"
        jwks.write_text(json.dumps({"keys": [self.key.jwk()]}))
        process = self.start("--profile", "strict", "--http", "127.0.0.1:0", "--oauth-jwks", str(jwks),
                             "--oauth-resource", RESOURCE, "--oauth-issuer", ISSUER,
                             stdin=subprocess.DEVNULL)
        self.server = Http(process, process.stdout.readline().decode().strip())

    def token(self, key=None, header=None, **changes):
        key = key or self.key
        text = ".".join([encoded(header or {"alg": "RS256", "kid": key.name, "typ": "at+jwt"}),
                         encoded(claims(**changes))])
        return text + "." + encoded(key.sign(text))

    def call(self, token, tool="read_file", **arguments):
        """Status, challenge and reply."""
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": tool, "arguments": arguments or {"path": "a"}, "_meta": stateless_meta()}}
        body = json.dumps(message).encode()
        connection = self.server.connection()
        try:
            connection.sock.sendall(self.server.head(len(body), **{
                **headers_of(message), "Authorization": token and "Bearer " + token}) + body)
            reply = http.client.HTTPResponse(connection.sock, method="POST")
            reply.begin()
            text = reply.read()
            json_text = reply.getheader("Content-Type") == "application/json"
            return (reply.status, reply.getheader("WWW-Authenticate"),
                    json.loads(text) if json_text else text)
        finally:
            connection.close()

    def ask(self, token, method, **params):
        meta = stateless_meta({"extensions": {"io.modelcontextprotocol/tasks": {}}})
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        name = {"Mcp_Name": params["taskId"]} if "taskId" in params else {}
        return self.server.post(message, Authorization="Bearer " + token, **name)[1]

    def assert_unauthorized(self, token):
        status, challenge, _ = self.call(token)
        self.assertEqual(status, 401)
        self.assertTrue(challenge.startswith("Bearer "), challenge)
        self.assertIn('resource_metadata="https://tools.example/.well-known/'
                      'oauth-protected-resource/mcp"', challenge)
        if token is not None:
            self.assertIn('error="invalid_token"', challenge)

    def test_a_good_token_is_good(self):
        for token in (self.token(), self.token(aud=["https://other.example", RESOURCE])):
            status, _, reply = self.call(token)
            self.assertEqual((status, reply["result"]["content"][0]["text"]), (200, "inside"))
        self.assertEqual(self.server.end(), 0)

    def test_metadata_tells_where_tokens_come_from(self):
        for path in ("/.well-known/oauth-protected-resource",
                     "/.well-known/oauth-protected-resource/mcp"):
            connection = self.server.connection()
            connection.sock.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            reply = http.client.HTTPResponse(connection.sock)
            reply.begin()
            metadata = json.loads(reply.read())
            connection.close()
            self.assertEqual(reply.status, 200)
            self.assertEqual(metadata["resource"], RESOURCE)
            self.assertEqual(metadata["authorization_servers"], [ISSUER])
            self.assertLessEqual({"files:read", "files:write"}, {*metadata["scopes_supported"]})
        self.assertEqual(self.server.end(), 0)

    def test_bad_tokens_are_refused(self):
        now = int(time.time())
        good = self.token()
        head, body, signature = good.split(".")
        stranger = Key(self.scratch, "theirs")
        none = ".".join([encoded({"alg": "none", "typ": "at+jwt"}), encoded(claims()), ""])
        public = self.key.public()
        hashed = ".".join([encoded({"alg": "HS256", "kid": "ours", "typ": "at+jwt"}),
                           encoded(claims())])
        self.assertEqual(self.call(good)[0], 200)
        bad = {
            "nothing": None, "no token": "x", "the issuer's other audience":
            self.token(aud="https://other.example/mcp"), "no audience": self.token(aud=None),
            "a longer audience": self.token(aud=RESOURCE + "/"),
            "expired": self.token(exp=now - 300), "never expires": self.token(exp=None),
            "not yet": self.token(nbf=now + 3600), "no subject": self.token(sub=None),
            "another issuer": self.token(iss="https://evil.example"),
            "alg none": none, "alg none with a signature": none + signature,
            "HS256 with the public key": hashed + "." + encoded(
                hmac.new(public, hashed.encode(), hashlib.sha256).digest()),
            "another key": self.token(stranger),
            "another key by our name": self.token(
                stranger, {"alg": "RS256", "kid": "ours", "typ": "at+jwt"}),
            "a key of its own": self.token(
                stranger, {"alg": "RS256", "kid": "theirs", "jwk": stranger.jwk()}),
            "crit": self.token(header={"alg": "RS256", "kid": "ours", "crit": ["x"], "x": 1}),
            "other claims": ".".join([head, encoded(claims(sub="bob")), signature]),
            "no signature": ".".join([head, body, ""]),
        }
        for name, token in bad.items():
            with self.subTest(name):
                self.assert_unauthorized(token)
        self.assertEqual(self.call(good)[0], 200)
        self.assertEqual(self.server.end(), 0)

    def test_reading_is_not_writing(self):
        reads, nothing = self.token(scope="files:read"), self.token(scope="other")
        writing = {"tool": "write_file", "path": "new", "content": "x"}
        self.assertEqual(self.call(reads)[2]["result"]["content"][0]["text"], "inside")
        for token, call in ((reads, writing), (nothing, {}), (self.token(scope=None), {})):
            status, challenge, _ = self.call(token, **call)
            self.assertEqual(status, 403)
            self.assertIn('error="insufficient_scope"', challenge)
            self.assertIn("files:read", re.search('scope="([^"]*)"', challenge)[1])
        status, challenge, _ = self.call(reads, **writing)
        self.assertIn("files:write", re.search('scope="([^"]*)"', challenge)[1])
        self.assertFalse((self.w / "new").exists())
        self.assertEqual(self.call(self.token(), **writing)[0], 200)
        self.assertEqual((self.w / "new").read_text(), "x")
        self.assertEqual(self.server.end(), 0)

    def test_a_task_is_for_its_own_party_and_for_nobody_who_may_do_less(self):
        ann, less, bob = self.token(), self.token(scope="files:read"), self.token(sub="bob")
        task = self.ask(ann, "tools/call", name="bash",
                        arguments={"command": "sleep 300"})["result"]["taskId"]
        for token in (less, bob):
            for method, more in (("tasks/get", {}), ("tasks/update", {"inputResponses": {}}),
                                 ("tasks/cancel", {})):
                refused = self.ask(token, method, taskId=task, **more)
                self.assertEqual(refused["error"]["code"], -32602)
        self.assertEqual(self.ask(ann, "tasks/get", taskId=task)["result"]["status"], "working")
        self.assertIn("result", self.ask(self.token(), "tasks/cancel", taskId=task))
        self.assertEqual(self.ask(less, "tools/call", name="bash", arguments={"command": "true"})
                         ["error"]["code"], -31403)
        self.assertEqual(self.server.end(), 0)


if __name__ == "__main__":
    unittest.main()
