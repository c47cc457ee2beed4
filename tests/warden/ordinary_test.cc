// What commands do all day works as it does without a warden.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/deny_list.h"
#include "tests/warden/behind_warden.h"

namespace cordon::warden_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Ordinary : public ::testing::Test {
 protected:
  void SetUp() override { terms_.spec = SpecFor(workspace_.path()); }
  // Stops at the first thing that fails, and expects that nothing was refused.
  std::string Run(const std::string& script) const {
    Outcome outcome = RunScript(terms_, "set -e; " + script);
    EXPECT_EQ(outcome.status, 0) << script << "\n" << outcome.output;
    for (const auto& refused : outcome.refused) {
      ADD_FAILURE() << refused.path << " was refused by " << refused.rule << " to "
                    << refused.program;
    }
    return outcome.output;
  }
  // Both ways give the same output.
  void Same(const std::string& script) const {
    Terms plain = terms_;
    plain.supervised = false;
    const Outcome expected = RunScript(plain, script);
    const Outcome outcome = RunScript(terms_, script);
    EXPECT_EQ(outcome.output, expected.output) << script;
    EXPECT_EQ(outcome.status, expected.status) << script;
  }
  Workspace workspace_;
  Terms terms_;
};

TEST_F(Ordinary, FilesAndDirectories) {
  Run("mkdir -p d/e/f; echo one > d/a; echo two >> d/a; cp -a d c; mv c/a c/b; ln c/b c/h; ln -s b "
      "c/s; cat c/s c/h; "
      "chmod 640 c/b; touch -d @1000 c/b; truncate -s 3 c/b; tar cf t.tar d c; mkdir x; tar xf "
      "t.tar -C x; "
      "diff -r d x/d; rm -r d c x; find . -name t.tar | grep t.tar; echo > 'strange name '$'\\n'; "
      "rm strange*");
}

// Rules that hold anywhere are in nobody's way.
TEST_F(Ordinary, DirectoriesMoveUnderTheWiderRules) {
  for (auto& rule : policy::CredentialDenyRules()) terms_.spec.denied.push_back(rule);
  Run("mkdir -p d/e; echo x > d/e/f; mv d g; cat g/e/f; mv g/e .; mkdir -p $PWD/p/q /usr/share; rm "
      "-r e g p");
}

TEST_F(Ordinary, SameAsWithout) {
  workspace_.Write("f", "text\n");
  Same(
      "umask 027; touch u; mkdir m; stat -c %a u m; umask 0; touch u0; stat -c %a u0; rm -r u m "
      "u0");
  Same(
      "cat nope; cat f/; cat f/x; ls nope; rmdir f; rm -d nope; mkdir f; mkdir d; mkdir d/; rmdir "
      "d/; ln -s f f; "
      "cat \"\"; mv f f; mv nope x; rmdir .; rmdir /; rm nope/; mkdir /; rmdir ..");
  Same(
      "ln -s loop loop; cat loop; echo x > loop; rm loop; ln -s made dangling; echo x > dangling; "
      "cat made; "
      "rm dangling made; cat $(printf 'a%.0s' {1..300}); cat $(printf 'a/%.0s' {1..2100})");
  Same(
      "set -C; echo 1 > n; echo 2 > n; cat n; rm n; cd /; cat proc/self/comm; cat "
      "/proc/thread-self/comm");
  Same(
      "ulimit -n 20; python3 -c \"import os\ntry:\n for i in range(30): os.open('f',0)\nexcept "
      "OSError as e: print(e)\"");
  Same(
      "exec 7<f; cat /dev/fd/7; cat /proc/self/fd/7; readlink /proc/self/cwd; ls /proc/self/fd/7; "
      "cat /dev/null; "
      "head -c 3 /dev/zero | od -c; echo x > /dev/null; echo x > /dev/full");
}

TEST_F(Ordinary, FlagsOfOpen) {
  workspace_.Write("f", "text\n");
  workspace_.Shell("ln -s f l; mkdir d");
  Same(R"(python3 - <<'END'
import os, fcntl
def t(*a, **k):
    try:
        fd = os.open(*a, **k)
        print(a, 'ok', oct(fcntl.fcntl(fd, fcntl.F_GETFL) & ~os.O_NOFOLLOW), fcntl.fcntl(fd, fcntl.F_GETFD)); os.close(fd)
    except OSError as e: print(a, e.errno)
for p in ['f', 'l', 'd', 'd/', 'f/', 'none', 'none/', '.', '..', 'd/.', 'd/..', '/proc/self', '/proc/self/exe', 'l/', '']:
    for f in [os.O_RDONLY, os.O_WRONLY, os.O_RDWR | os.O_APPEND, os.O_DIRECTORY, os.O_NOFOLLOW, os.O_PATH,
              os.O_PATH | os.O_NOFOLLOW, os.O_CREAT | os.O_EXCL | os.O_WRONLY, os.O_RDONLY | os.O_NONBLOCK,
              os.O_PATH | os.O_DIRECTORY, os.O_TMPFILE | os.O_RDWR, os.O_TMPFILE, os.O_DIRECTORY | os.O_CREAT,
              os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW]:
        t(p, f)
        if p == 'none' and os.path.exists(p): os.unlink(p)
try: os.chown('f', -1, -1); os.lchown('l', -1, -1); os.utime('l', (1, 1), follow_symlinks=False); print(os.lstat('l').st_mtime)
except OSError as e: print(e)
try: os.chmod('l', 0o600, follow_symlinks=False)
except (OSError, NotImplementedError) as e: print('chmod', e)
for n in ['user.x', 'bad', 'user.' + 'x' * 300]:
    try: os.setxattr('f', n, b'v'); print(os.getxattr('f', n)); os.removexattr('f', n)
    except OSError as e: print(n, e.errno)
END)");
}

TEST_F(Ordinary, TemporaryFilesThatGetAName) {
  EXPECT_THAT(Run(R"(python3 - <<'END'
import os, tempfile
fd = os.open('.', os.O_TMPFILE | os.O_RDWR, 0o600)
os.write(fd, b'born nameless')
os.link('/proc/self/fd/%d' % fd, 'named', src_dir_fd=os.open('.', os.O_RDONLY), follow_symlinks=True)
print(open('named').read())
with tempfile.TemporaryDirectory() as d, tempfile.NamedTemporaryFile(dir=d) as f: f.write(b'x')
END)"),
              HasSubstr("born nameless"));
}

TEST_F(Ordinary, FifosInBothOrders) {
  EXPECT_THAT(Run("mkfifo f; cat f & sleep 0.1; echo first > f; wait; echo second > f & sleep 0.1; "
                  "cat f; wait; "
                  "timeout 0.3 cat f || echo gave up; cat <(echo sub) <(echo stitution); echo tee "
                  "| tee >(cat > t) "
                  ">/dev/null; sleep 0.2; cat t"),
              ::testing::AllOf(HasSubstr("first"), HasSubstr("second"), HasSubstr("gave up"),
                               HasSubstr("sub\nstitution"), HasSubstr("tee")));
  workspace_.Shell("mkfifo g; (sleep 0.3; echo from outside > g) >/dev/null 2>&1 &");
  EXPECT_THAT(Run("cat g"), HasSubstr("from outside"));
}

TEST_F(Ordinary, StandardStreamsByName) {
  EXPECT_THAT(
      Run("echo piped | cat /dev/stdin; echo out > /dev/stdout; echo err > /dev/stderr; "
          "cat /dev/stdin < /etc/passwd | head -1"),
      ::testing::AllOf(HasSubstr("piped"), HasSubstr("out"), HasSubstr("err"), HasSubstr("root")));
}

TEST_F(Ordinary, TheTerminalIsTheProcesssOwn) {
  EXPECT_THAT(
      Run("cat /dev/tty 2>&1 | grep -q 'No such device' && echo none; "
          "script -qec 'tty; echo to-terminal > /dev/tty; exec 3</dev/tty; tty <&3; exec "
          "0</dev/null; "
          "setsid sh -c \"echo x > /dev/tty\" || echo none again' /dev/null"),
      ::testing::AllOf(HasSubstr("none"), HasSubstr("to-terminal"), HasSubstr("none again")));
}

TEST_F(Ordinary, SocketsWithNames) {
  EXPECT_THAT(Run(R"(python3 - <<'END'
import os, socket
s = socket.socket(socket.AF_UNIX); s.bind('sock'); s.listen()
c = socket.socket(socket.AF_UNIX); c.connect(os.path.abspath('sock')); c.send(b'hello')
print(s.accept()[0].recv(5))
t = socket.socket(); t.bind(('127.0.0.1', 0)); t.listen()
u = socket.socket(); u.connect(t.getsockname()); print('tcp')
a = socket.socket(socket.AF_UNIX); a.bind('\0warden-test-%d' % os.getpid()); print('abstract')
try: socket.socket(socket.AF_UNIX).bind('sock')
except OSError as e: print(e)
END)"),
              ::testing::AllOf(HasSubstr("hello"), HasSubstr("tcp"), HasSubstr("abstract"),
                               HasSubstr("in use")));
  terms_.filter.path_sockets = platform::FilterTerms::PathSockets::kSupervised;
  EXPECT_THAT(Run(R"(python3 - <<'END'
import os, socket
s = socket.socket(socket.AF_UNIX); s.bind('sock2'); s.listen()
c = socket.socket(socket.AF_UNIX); c.connect('sock2'); c.send(b'hello')
print(s.accept()[0].recv(5))
t = socket.socket(); t.bind(('127.0.0.1', 0)); t.listen()
u = socket.socket(); u.connect(t.getsockname()); print('tcp')
END)"),
              ::testing::AllOf(HasSubstr("hello"), HasSubstr("tcp")));
}

TEST_F(Ordinary, Compiling) {
  workspace_.Write("m.cc", "#include <iostream>\nint main() { std::cout << \"compiled\\n\"; }\n");
  EXPECT_THAT(Run("g++ -o m m.cc && ./m"), HasSubstr("compiled"));
}

// With handlers that have calls restarted: without that, the kernel itself lets a signal end a call
// that the warden has not yet received.
TEST_F(Ordinary, ThreadsAndSignals) {
  EXPECT_THAT(Run(R"(python3 - <<'END'
import os, signal, threading
signal.signal(signal.SIGALRM, lambda *a: None); signal.siginterrupt(signal.SIGALRM, False)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
def work(n):
    for i in range(200):
        p = 't%d-%d' % (n, i)
        os.mkdir(p); open(p + '/f', 'x').close(); os.unlink(p + '/f'); os.rmdir(p)
ts = [threading.Thread(target=work, args=(n,)) for n in range(4)]
[t.start() for t in ts]; [t.join() for t in ts]; signal.setitimer(signal.ITIMER_REAL, 0)
print('all done', len(os.listdir('.')))
END)"),
              HasSubstr("all done 0"));
}

}  // namespace
}  // namespace cordon::warden_test
