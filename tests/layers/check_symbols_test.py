"""Plants objects that open paths and expects scripts/check_symbols.py to find each."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_symbols.py"
COMPILER = sys.argv.pop(1) if len(sys.argv) > 1 else "c++"

PLANTED = {
    "open": '#include <fcntl.h>\nint F(const char* p) { return open(p, O_RDONLY); }',
    "openat": '#include <fcntl.h>\nint F(const char* p) { return openat(3, p, O_RDONLY); }',
    "fortified open": '#include <fcntl.h>\nint F(const char* p, int f) { return open(p, f); }',
    "declared by hand": 'extern "C" int open64(const char*, int, ...);\n'
                        'int F(const char* p) { return open64(p, 0); }',
    "fopen": '#include <cstdio>\nvoid* F(const char* p) { return std::fopen(p, "r"); }',
    "freopen": '#include <cstdio>\nvoid* F(const char* p) { return std::freopen(p, "r", stdin); }',
    "creat": '#include <fcntl.h>\nint F(const char* p) { return creat(p, 0600); }',
    "opendir": '#include <dirent.h>\nvoid* F(const char* p) { return opendir(p); }',
    "mkdir": '#include <sys/stat.h>\nint F(const char* p) { return mkdir(p, 0700); }',
    "unlink": '#include <unistd.h>\nint F(const char* p) { return unlink(p); }',
    "unlinkat": '#include <unistd.h>\nint F(const char* p) { return unlinkat(3, p, 0); }',
    "rename": '#include <cstdio>\nint F(const char* p) { return std::rename(p, p); }',
    "symlink": '#include <unistd.h>\nint F(const char* p) { return symlink(p, p); }',
    "link": '#include <unistd.h>\nint F(const char* p) { return link(p, p); }',
    "stat": '#include <sys/stat.h>\nint F(const char* p) { struct stat s; return stat(p, &s); }',
    "lstat": '#include <sys/stat.h>\nint F(const char* p) { struct stat s; return lstat(p, &s); }',
    "fstatat": '#include <sys/stat.h>\n#include <fcntl.h>\n'
               'int F(const char* p) { struct stat s; return fstatat(3, p, &s, 0); }',
    "access": '#include <unistd.h>\nint F(const char* p) { return access(p, 0); }',
    "realpath": '#include <cstdlib>\nchar* F(const char* p) { return realpath(p, nullptr); }',
    "readlink": '#include <unistd.h>\nlong F(const char* p, char* b) { return readlink(p, b, 9); }',
    "filesystem": '#include <filesystem>\nbool F(const char* p) { return std::filesystem::exists(p); }',
    "ifstream": '#include <fstream>\nint F(const char* p) { std::ifstream s(p); return s.get(); }',
    "ofstream": '#include <fstream>\nvoid F(const char* p) { std::ofstream s(p); s << 1; }',
    "filebuf": '#include <fstream>\n'
               'void F(std::filebuf& b, const char* p) { b.open(p, std::ios::in); }',
    "execve": '#include <unistd.h>\nint F(char** a) { return execve(a[0], a, a); }',
    "execvp": '#include <unistd.h>\nint F(char** a) { return execvp(a[0], a); }',
    "system": '#include <cstdlib>\nint F(const char* p) { return std::system(p); }',
    "popen": '#include <cstdio>\nvoid* F(const char* p) { return popen(p, "r"); }',
    "dlopen": '#include <dlfcn.h>\nvoid* F(const char* p) { return dlopen(p, 0); }',
    "syscall": '#include <unistd.h>\nlong F(const char* p) { return syscall(2, p, 0); }',
    "platform": 'namespace cordon::platform { int OpenBeneath(int, const char*); }\n'
                'int F(const char* p) { return cordon::platform::OpenBeneath(3, p); }',
}
HARMLESS = """
#include <sys/stat.h>
#include <unistd.h>
#include <iostream>
#include <string>
namespace cordon::platform { struct UniqueFd { void reset(int); }; }
long F(int fd, std::string& s) {
  struct stat status;
  cordon::platform::UniqueFd().reset(fd);
  std::cout << s;
  return fstat(fd, &status) + read(fd, s.data(), s.size()) + close(fd);
}
"""
# The command-line parser's own code may read files; ours beside it may not.
PARSER = """
#include <fstream>
namespace CLI { int FromFile(const char* p) { std::ifstream s(p); return s.get(); } }
namespace cordon::cli { int Use(const char* p) { return CLI::FromFile(p); } }
"""
BESIDE_PARSER = PARSER + """
namespace cordon::cli { int Own(const char* p) { std::ifstream s(p); return s.peek(); } }
"""

# Waiting with a stop token sleeps in the standard library, by the system call's number.
WAITING = """
#include <condition_variable>
#include <stop_token>
namespace cordon {
bool Wait(std::condition_variable_any& c, std::unique_lock<std::mutex>& l, std::stop_token s) {
  return c.wait(l, s, [] { return false; });
}
}
"""
BESIDE_WAITING = WAITING + PLANTED["syscall"]


def check(room, source, optimize):
    with tempfile.TemporaryDirectory() as folder:
        code, object_file, manifest = (pathlib.Path(folder, n) for n in ("a.cc", "a.o", "list"))
        code.write_text(source + "\n")
        subprocess.run([COMPILER, "-std=c++20", *optimize, "-ffunction-sections", "-fno-inline",
                        "-c", code, "-o", object_file], check=True)
        manifest.write_text(f"{room} {object_file}\n")
        done = subprocess.run([sys.executable, SCRIPT, manifest], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


LEVELS = [["-O0"], ["-O2", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"]]


class CheckSymbols(unittest.TestCase):
    def test_planted_objects_are_found(self):
        for name, source in PLANTED.items():
            for level in LEVELS:
                with self.subTest(name=name, level=level):
                    status, output = check("guard", source, level)
                    self.assertEqual(status, 1, output)
                    self.assertIn("refers to", output)

    def test_every_room_but_the_boundary_is_held_to_it(self):
        for room in ["base", "path", "policy", "guard", "tools", "api", "cli", "unheard_of"]:
            self.assertEqual(check(room, PLANTED["open"], ["-O0"])[0], 1, room)
        for room in ["confine", "platform"]:  # nothing else in the list: that, too, is an error
            self.assertIn("no objects", check(room, PLANTED["open"], ["-O0"])[1])

    def test_only_starters_may_exec(self):
        self.assertEqual(check("sandbox", PLANTED["execve"], ["-O0"])[0], 0)
        self.assertEqual(check("sandbox", PLANTED["open"], ["-O0"])[0], 1)

    def test_descriptors_are_fine(self):
        for level in LEVELS:
            status, output = check("guard", HARMLESS, level)
            self.assertEqual(status, 0, output)

    def test_waiting_is_told_from_calling_by_number(self):
        for level in LEVELS:
            status, output = check("guard", WAITING, level)
            self.assertEqual(status, 0, output)
            status, output = check("guard", BESIDE_WAITING, level)
            self.assertEqual(status, 1, output)
            self.assertIn("refers to syscall in F(char const*)", output)

    def test_parser_code_is_told_from_ours(self):
        for level in LEVELS:
            status, output = check("cli", PARSER, level)
            self.assertEqual(status, 0, output)
            self.assertEqual(check("guard", PARSER, level)[0], 1)
            status, output = check("cli", BESIDE_PARSER, level)
            self.assertEqual(status, 1)
            self.assertIn("cordon::cli::Own", output)


if __name__ == "__main__":
    unittest.main()
