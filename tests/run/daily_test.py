"""Shells, files, databases, servers: what people do all day, behind the line as before it."""

import os
import shutil
import unittest

from workplace import NOBODY, RunTest, for_root_too

PYTHON = "/usr/bin/python3"


class Shell(RunTest):
    user = NOBODY

    def test_pipes_and_documents(self):
        self.compare(r"""
seq 1000 | grep 7 | sort -r | head -5; yes | head -3; cat <<END; cat <<<here; diff <(seq 3) <(seq 4) || true
$((1+1)) $(echo sub)
END
exec 3>three; echo x >&3; exec 3>&-; cat three; { echo out; echo err >&2; } 2>&1 | tee both | sort; set -o pipefail
false | true || echo failed; seq 5 | while read -r n; do echo "$n"; done >lines; mapfile -t all <lines; echo "${#all[@]}"
tee >(wc -c >counted) <lines >/dev/null; sleep 0.2; cat counted; echo "${BASH_VERSION%%.*}"; ulimit -c; umask
""")

    def test_jobs(self):
        self.compare(r"""
bash --norc -i -m 2>/dev/null <<'END'
sleep 0.2 & sleep 0.1 & jobs -r | wc -l; wait; echo waited; sleep 60 & kill -TERM %1; wait %1; echo "status $?"
(sleep 0.1; echo late) & wait; sleep 30 & kill -STOP $!; sleep 0.1; jobs -s | wc -l; kill -KILL %%; wait; echo end
END
trap 'echo trapped' USR1; kill -USR1 $$; trap 'echo leaving' EXIT; (trap 'echo child' TERM; kill -TERM $BASHPID; true)
timeout 0.2 sleep 9 || echo "timeout $?"; coproc cat; echo hi >&"${COPROC[1]}"; read -r line <&"${COPROC[0]}"; echo "$line"
setsid true; nohup true 2>/dev/null; nice -n 5 nice; exit 5
""", status=5)

    def test_fifos_and_locks(self):
        self.compare(r"""
mkfifo pipe; (seq 5 >pipe) & cat pipe; wait; (cat pipe >copy) & echo through >pipe; wait; cat copy
flock lock -c 'echo locked'; exec 9>lock; flock 9; flock -n lock true || echo busy; exec 9>&-; flock -n lock echo free
""")

    def test_status_of_signals(self):
        for signal, status in ((9, 137), (15, 143), (11, 139)):
            self.assertEqual(self.inside("sh", "-c", f"kill -{signal} $$")[0], status)
        self.assertEqual(self.inside("sh", "-c", "exit 200")[0], 200)

    def test_streams(self):
        with open("/etc/passwd", "rb") as file:
            status, output, errors = self.inside("sh", "-c", "cat; echo e >&2", stdin=file)
        with open("/etc/passwd", encoding="utf-8") as file:
            self.assertEqual((status, output, errors), (0, file.read(), "e\n"))

    def test_time_zone_and_locale(self):
        self.compare("TZ=Asia/Tokyo date -d @0; TZ=America/New_York date -d @1700000000 +%c; date -d @0; locale charmap; "
                     "printf '%s\\n' ä z a | sort; LC_ALL=C sort <<<$'b\\na'; getent passwd root; id -un; hostname >/dev/null; "
                     "getent hosts localhost | wc -l; python3 -c 'import locale,sys; print(sys.getfilesystemencoding())'")


class Files(RunTest):
    user = NOBODY

    def test_copying(self):
        self.compare(r"""
mkdir -p d/e; seq 10 >d/a; ln d/a d/hard; ln -s a d/soft; ln -s /nowhere d/dangling; chmod 751 d/e; touch -d @1000000000 d/a
chmod 711 d/hard; cp -a d copy; cp -al d linked; mv copy/e moved; tar -cf t.tar d; mkdir from; tar -xpf t.tar -C from
rsync -a d/ synced/; sed -i 's/5/five/' d/a; find d -type f -exec chmod u+w {} +; find . -name 'a' | sort | xargs -n1 wc -l
install -m 600 d/a installed; stat -c '%n %a %Y' synced/a from/d/a | sort; ln -sfn d dir; readlink -f dir/a | sed "s,$PWD,,"
cp --reflink=auto --sparse=always d/a sparse; rm -r linked; mv -T moved renamed; touch -h -d @5 d/soft; stat -c %Y d/soft
gzip -k d/a 2>/dev/null || gzip -c d/a | zcat | wc -l; dd if=/dev/zero of=z bs=4k count=3 status=none; truncate -s 5 z
mktemp -d >/dev/null; mktemp -p . x.XXXX | wc -c; rm x.*; rmdir d/e; patch -s d/a <<'END'
--- a
+++ a
@@ -1,3 +1,3 @@
-1
+one
 2
 3
END
head -1 d/a
""", unsteady=["t.tar", "*.gz"])

    def test_times_and_attributes(self):
        self.compare(PYTHON + r""" - <<'END'
import os, stat
open('f', 'w').write('x'); os.utime('f', ns=(1, 2)); s = os.stat('f'); print(s.st_atime_ns, s.st_mtime_ns)
os.chmod('f', 0o640); print(oct(os.stat('f').st_mode)); os.chown('f', -1, os.getgid()); fd = os.open('.', os.O_DIRECTORY)
os.mkdir('d', dir_fd=fd); os.rename('f', 'd/g', src_dir_fd=fd, dst_dir_fd=fd); print(os.listdir(fd), os.listdir('d'))
os.symlink('d/g', 's'); print(os.readlink('s'), os.path.realpath('s') == os.getcwd() + '/d/g'); os.link('d/g', 'h')
print(os.stat('h').st_nlink); os.chmod('d', 0o500); os.chmod('d', 0o700)
try: os.setxattr('h', 'user.x', b'y'); print(os.getxattr('h', 'user.x'), os.listxattr('h')); os.removexattr('h', 'user.x')
except OSError as e: print(e.errno)
f = os.open('t', os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600); os.ftruncate(f, 10); os.posix_fallocate(f, 0, 4096); os.fsync(f)
print(os.fstat(f).st_size, os.pread(f, 3, 2)); os.unlink('t'); print(os.fstat(f).st_nlink)
o = os.open('d', os.O_PATH); os.chmod('/proc/self/fd/%d' % o, 0o711); print(oct(os.stat('d').st_mode), os.listdir('/proc/self/fd/%d' % o))
print(os.readlink('', dir_fd=os.open('s', os.O_PATH | os.O_NOFOLLOW)), os.path.samestat(os.fstat(os.open('g', os.O_PATH, dir_fd=o)), os.stat('h')))
for bad in ('missing', 'h/x', 'd'):
    try: open(bad, 'r+')
    except OSError as e: print(bad, e.errno)
try: os.mkdir('d')
except OSError as e: print(e.errno)
try: os.rmdir('d')
except OSError as e: print(e.errno)
t = os.open('.', os.O_TMPFILE | os.O_RDWR); os.write(t, b'tmp'); os.link(f'/proc/self/fd/{t}', 'kept', src_dir_fd=fd, follow_symlinks=True)
print(open('kept').read(), open('/dev/fd/%d' % t).read() in ('', 'tmp')); os.mkdir('long'); os.chdir('long')
for i in range(20): os.mkdir('x' * 200); os.chdir('x' * 200)
print(len(os.getcwd()) > 4000); open('deep', 'w').close(); print(os.listdir('.'))
END
""")

    def test_large_and_sorted(self):
        self.compare("truncate -s 5G large; dd if=/dev/urandom of=large bs=1M seek=4200 count=2 conv=notrunc status=none; "
                     "stat -c %s large; rm large; seq 200000 | shuf --random-source=/bin/ls | sort -n -S 1M --parallel=2 -T . | "
                     "md5sum; seq 100000 | sort -S 500k -r | md5sum; ls")

    def test_many(self):
        self.compare(PYTHON + " -c 'import os\nfor i in range(20000):\n  i % 100 or os.mkdir(str(i // 100))\n"
                     "  open(f\"{i // 100}/{i}\", \"w\").write(str(i))'; find . -type f | wc -l; rm -r 1*; find . -type f | wc -l; "
                     "grep -rl 999 . | wc -l; du -s --apparent-size 2 | cut -f1")

    def test_database(self):
        self.compare(r"""
sqlite3 -init /dev/null db 'pragma journal_mode=wal; create table t(x); insert into t values (1),(2);'
for i in 1 2 3 4; do sqlite3 -init /dev/null -cmd '.timeout 20000' db "insert into t values ($i);" & done; wait
sqlite3 -init /dev/null db 'select count(*), sum(x) from t; pragma integrity_check; pragma wal_checkpoint(truncate); vacuum;'
sqlite3 -init /dev/null other 'create table a(b); begin immediate; insert into a values (1); commit; select * from a;'
""", unsteady=["db*", "other*"])


class Talking(RunTest):
    user = NOBODY

    def test_sockets_and_memory(self):
        self.compare(PYTHON + r""" - <<'END'
import socket, os, threading, mmap, multiprocessing.shared_memory as sm, multiprocessing as mp, array, select, tempfile
s = socket.socket(socket.AF_UNIX); s.bind('sock'); s.listen(); c = socket.socket(socket.AF_UNIX); c.connect('sock')
a, _ = s.accept(); socket.send_fds(c, [b'fd'], [os.open('sock2', os.O_CREAT | os.O_RDWR)])
print(socket.recv_fds(a, 9, 1)[0], os.path.exists('sock2')); os.unlink('sock')
t = socket.create_server(('127.0.0.1', 0)); u = socket.create_connection(t.getsockname()); u.send(b'tcp'); print(t.accept()[0].recv(9))
v = socket.socket(socket.AF_INET6) if socket.has_ipv6 else None; print(socket.gethostbyname('localhost'))
d = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); d.bind(('127.0.0.1', 0)); d.sendto(b'udp', d.getsockname()); print(d.recv(9))
m = sm.SharedMemory(create=True, size=4096); m.buf[0] = 7; n = sm.SharedMemory(m.name); print(n.buf[0]); n.close(); m.close(); m.unlink()
f = open('mapped', 'w+b'); f.truncate(8192); p = mmap.mmap(f.fileno(), 8192); p[5000] = 65; p.flush(); print(f.seek(5000), f.read(1))
q = mp.Queue(); w = mp.Process(target=lambda: q.put(os.getppid() > 0)); w.start(); print(q.get(), w.join()); l = mp.Lock()
with l: print('locked'); print(mp.Value('i', 5).value); e = select.epoll(); e.register(t, select.EPOLLIN); print(e.poll(0))
fd = os.memfd_create('x'); os.write(fd, b'mem'); print(open(f'/proc/self/fd/{fd}', 'rb').read()); r, w = os.pipe(); os.write(w, b'p')
print(os.read(r, 1), os.eventfd(3) > 0, tempfile.gettempdir()); os._exit(0)
END
""", unsteady=[])

    def test_watching_files(self):
        self.compare(PYTHON + r""" - <<'END'
import ctypes, os, struct
c = ctypes.CDLL(None, use_errno=True); fd = c.inotify_init(); assert fd >= 0
assert c.inotify_add_watch(fd, b'.', 0x100 | 0x2 | 0x200 | 0x40 | 0x80) >= 0, os.strerror(ctypes.get_errno())
open('new', 'w').write('x'); os.rename('new', 'moved'); os.unlink('moved'); data = os.read(fd, 4096)
while data:
    _, mask, _, size = struct.unpack('iIII', data[:16]); print(hex(mask), data[16:16 + size].rstrip(b'\0')); data = data[16 + size:]
END
""")

    def test_node_server(self):
        self.compare(r"""
node -e '
const http = require("http"), fs = require("fs"), cp = require("child_process");
const server = http.createServer((q, r) => r.end(fs.readFileSync("page"))); fs.writeFileSync("page", "hello");
fs.watch(".", () => {}).close();
server.listen(0, "127.0.0.1", () => http.get({port: server.address().port, host: "127.0.0.1"}, r => {
  let text = ""; r.on("data", d => text += d); r.on("end", () => { console.log(r.statusCode, text);
  console.log(cp.execSync("echo child").toString(), require("os").cpus().length); server.close(); }); }));'
""")

    def test_npm_offline(self):
        if shutil.which("npm") is None:
            self.skipTest("npm is missing")

        def files():
            self.write("lib/package.json", '{"name": "lib", "version": "1.0.0", "main": "i.js", "bin": {"said": "i.js"}}')
            self.write("lib/i.js", "#!/usr/bin/env node\nconsole.log('lib runs')\n", 0o755)
            self.write("app/package.json", '{"name": "app", "version": "1.0.0", "scripts": {"go": "said", "test": "node -e 0"}}')
        self.compare("cd lib; npm pack --silent; cd ../app; npm install --silent --offline --no-audit --no-fund ../lib/lib-1.0.0.tgz; "
                     "node -e 'require(\"lib\")'; npm run --silent go; npm test --silent; ls node_modules", files,
                     ["*.tgz", "*/.package-lock.json"])


ShellAsRoot = for_root_too(Shell)
FilesAsRoot = for_root_too(Files)
TalkingAsRoot = for_root_too(Talking)

if __name__ == "__main__":
    unittest.main()
