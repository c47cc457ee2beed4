#!/usr/bin/env python3
"""preview_bench.py --proxy PROGRAM [--json FILE] [--enforce] [--rounds N] [--seconds N]

The preview proxy against nginx as a reverse proxy, one worker each, in front of the same server
(nginx, too): replies of 1 kB over keep-alive by wrk, bodies of 100 MB, and what 2,000 idle
WebSockets take. The two take turns, so that whatever else the machine does meets both; the median
of the rounds' ratios is held against what must hold.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

SMALL = 1024
LARGE = 100 << 20
SOCKETS = 2000
LEAST = {"small_requests": 0.7, "large_bodies": 0.9}
MOST_PER_SOCKET = 20_000  # bytes

CONFIG = """
worker_processes 1; daemon off; pid {place}/{name}.pid; error_log {place}/{name}.log crit;
events {{ worker_connections 4096; }}
http {{
  access_log off; tcp_nodelay on; sendfile on; keepalive_requests 1000000000;
  client_body_temp_path {place}/t1; proxy_temp_path {place}/t2; fastcgi_temp_path {place}/t3;
  uwsgi_temp_path {place}/t4; scgi_temp_path {place}/t5;
  {body}
}}
"""
ORIGIN = """
  server {{ listen 127.0.0.1:{port} reuseport; root {place}/www; }}
"""
PROXY = """
  upstream inside {{ server 127.0.0.1:{origin}; keepalive 64; keepalive_requests 1000000000; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://inside; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Host $host; proxy_set_header X-Forwarded-Proto $scheme;
      proxy_max_temp_file_size 0;
    }}
  }}
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def nginx(place, name, body):
    config = place / f"{name}.conf"
    config.write_text(CONFIG.format(place=place, name=name, body=body))
    return subprocess.Popen(["nginx", "-c", config, "-e", place / "early.log"])


def wait_for(port):
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"nothing listens at {port}")


def wrk(port, host, path, connections, seconds):
    done = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30", "-H", f"Host: {host}",
         f"http://127.0.0.1:{port}{path}"], capture_output=True, text=True, check=True).stdout
    failed = re.search(r"Non-2xx|Socket errors: connect [1-9]|read [1-9]", done)
    if failed:
        raise RuntimeError(done)
    rate = float(re.search(r"Requests/sec:\s*([\d.]+)", done).group(1))
    size, unit = re.search(r"Transfer/sec:\s*([\d.]+)(\w+)", done).groups()
    return rate, float(size) * {"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}[unit]


def upgrading_server():
    """Grants every upgrade and says nothing more."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
    held = []

    def serve():
        while True:
            one, _ = listener.accept()
            held.append(one)
            one.recv(4096)
            one.sendall(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        b"Sec-WebSocket-Accept: x\r\n\r\n")

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1]


def resident(pid):
    with open(f"/proc/{pid}/smaps_rollup") as rollup:
        for line in rollup:
            if line.startswith("Pss_Anon:"):
                return int(line.split()[1]) << 10
    raise RuntimeError("no memory")


class Proxy:
    """Ours."""

    def __init__(self, program, origin):
        self.process = subprocess.Popen([program, str(origin)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        port, self.host = self.process.stdout.readline().split()
        self.port = int(port)

    def stop(self):
        self.process.stdin.close()
        self.process.wait(30)


def bytes_per_socket(program):
    proxy = Proxy(program, upgrading_server())
    ask = (f"GET / HTTP/1.1\r\nHost: {proxy.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
           "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n").encode()
    held = []

    def open_one():
        one = socket.create_connection(("127.0.0.1", proxy.port), timeout=60)
        one.sendall(ask)
        if not one.recv(4096).startswith(b"HTTP/1.1 101"):
            raise RuntimeError("no upgrade")
        held.append(one)

    for _ in range(20):
        open_one()
    before = resident(proxy.process.pid)
    for _ in range(SOCKETS):
        open_one()
    time.sleep(1)
    taken = (resident(proxy.process.pid) - before) / SOCKETS
    for one in held:
        one.close()
    proxy.stop()
    return taken


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--proxy", required=True)
    parser.add_argument("--json")
    parser.add_argument("--enforce", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    given = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    place = pathlib.Path(tempfile.mkdtemp(prefix="cordon-preview-bench-", dir="/dev/shm"))
    place.chmod(0o755)
    (place / "www").mkdir()
    (place / "www/small").write_bytes(os.urandom(SMALL // 2).hex().encode())
    (place / "www/large").write_bytes(b"x" * LARGE)
    origin, other = free_port(), free_port()
    servers = [nginx(place, "origin", ORIGIN.format(port=origin, place=place)),
               nginx(place, "proxy", PROXY.format(port=other, origin=origin))]
    ours = None
    try:
        wait_for(origin)
        wait_for(other)
        ours = Proxy(given.proxy, origin)
        asked = {"nginx": (other, "bench.test"), "cordon": (ours.port, ours.host)}
        rounds = {"small_requests": [], "large_bodies": []}
        for number in range(given.rounds):
            order = sorted(asked, reverse=bool(number % 2))
            small = {name: wrk(*asked[name], "/small", 64, given.seconds)[0] for name in order}
            large = {name: wrk(*asked[name], "/large", 4, given.seconds)[1] for name in order}
            rounds["small_requests"].append(small)
            rounds["large_bodies"].append(large)
        result = {name: {"rounds": all_of, "ratio": statistics.median(one["cordon"] / one["nginx"] for one in all_of),
                         "least": LEAST[name]} for name, all_of in rounds.items()}
        result["idle_websocket"] = {"count": SOCKETS, "bytes": bytes_per_socket(given.proxy), "most": MOST_PER_SOCKET}
    finally:
        if ours:
            ours.stop()
        for server in servers:
            server.terminate()
            server.wait()
        shutil.rmtree(place)
    texts = {"small_requests": "1 kB replies, requests/s against nginx", "large_bodies": "100 MB bodies, bytes/s against nginx"}
    result["limits"] = [{"text": texts[name], "measured": result[name]["ratio"], "bound": least,
                         "met": result[name]["ratio"] >= least} for name, least in LEAST.items()]
    idle = result["idle_websocket"]["bytes"]
    result["limits"].append({"text": "bytes for an idle WebSocket", "measured": idle, "bound": MOST_PER_SOCKET,
                             "met": idle <= MOST_PER_SOCKET})
    good = all(limit["met"] for limit in result["limits"])
    for name in LEAST:
        print(f"{name}: {result[name]['ratio']:.2f} of nginx (at least {LEAST[name]})")
    print(f"idle WebSocket: {result['idle_websocket']['bytes']:.0f} bytes each (at most {MOST_PER_SOCKET})")
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(result, indent=2) + "\n")
    return 0 if good or not given.enforce else 1


if __name__ == "__main__":
    sys.exit(main())
