"""Feeds scripts/check_layers.py trees that break one rule each."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_layers.py"


def check(files):
    with tempfile.TemporaryDirectory() as tree:
        for name, text in files.items():
            path = pathlib.Path(tree, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, SCRIPT, tree], capture_output=True, text=True)
        return done.returncode, done.stdout


class CheckLayers(unittest.TestCase):
    def refuses(self, name, text, expected):
        status, output = check({name: text})
        self.assertEqual(status, 1, f"{name} with {text!r} passed")
        self.assertIn(expected, output)

    def accepts(self, name, text):
        status, output = check({name: text})
        self.assertEqual(status, 0, output)

    def test_room_direction(self):
        for name, header in [
                ("src/base/a.cc", "path/posix.h"), ("src/path/a.cc", "policy/profile.h"),
                ("src/policy/a.h", "confine/root.h"), ("src/policy/a.h", "platform/file_stat.h"),
                ("src/platform/a.cc", "confine/root.h"), ("src/confine/a.cc", "guard/boundary.h"),
                ("src/guard/a.cc", "tools/read.h"), ("src/guard/a.cc", "platform/open.h"),
                ("src/tools/a.cc", "platform/open.h"), ("src/tools/a.cc", "confine/root.h"),
                ("src/search/a.cc", "confine/root.h"), ("src/undo/a.cc", "guard/guard.h"),
                ("src/tools/a.cc", "sandbox/spec.h"), ("src/api/a.cc", "cli/main.h"),
                ("src/api/a.cc", "platform/open.h"), ("src/cli/a.cc", "platform/open.h"),
                ("src/base/a_test.cc", "guard/boundary.h")]:
            with self.subTest(name=name, header=header):
                self.refuses(name, f'#include "{header}"\n', header)
                self.refuses(name, f"#  include <{header}> // x\n", header)

    def test_downwards_is_fine(self):
        for name, header in [
                ("src/path/a.cc", "base/try.h"), ("src/policy/a.h", "path/name_rules.h"),
                ("src/confine/a.cc", "platform/open.h"), ("src/guard/boundary.h", "confine/root.h"),
                ("src/tools/a.cc", "guard/boundary.h"), ("src/tools/a.cc", "confine/file.h"),
                ("src/api/a.cc", "guard/boundary.h"), ("src/cli/a.cc", "api/load_settings.h"),
                ("src/guard/a.cc", "platform/file_stat.h"), ("tests/x/a.cc", "platform/open.h")]:
            with self.subTest(name=name, header=header):
                self.accepts(name, f'#include "{header}"\n')

    def test_system_headers_only_in_platform(self):
        for header in ["fcntl.h", "unistd.h", "sys/stat.h", "dirent.h", "linux/openat2.h", "stdio.h",
                       "windows.h", "never/heard/of.h"]:
            for room in ["base", "confine", "guard", "tools", "api", "cli"]:
                with self.subTest(header=header, room=room):
                    self.refuses(f"src/{room}/a.cc", f"#include <{header}>\n", header)
            self.accepts("src/platform/linux/a.cc", f"#include <{header}>\n")
            self.accepts("src/confine/a_test.cc", f"#include <{header}>\n")

    def test_openers_of_the_standard_library(self):
        for header in ["filesystem", "fstream"]:
            for room in ["base", "path", "policy", "guard", "tools", "api", "cli"]:
                with self.subTest(header=header, room=room):
                    self.refuses(f"src/{room}/a.cc", f"#include <{header}>\n", header)
            self.accepts("src/confine/a.cc", f"#include <{header}>\n")
        self.refuses("src/tools/a.cc", "#include <cstdio>\n", "cstdio")
        self.accepts("src/cli/a.cc", "#include <cstdio>\n")

    def test_ambient_authority_header(self):
        line = '#include "confine/ambient_authority.h"\n'
        for name in ["src/guard/other.cc", "src/tools/a.cc", "src/policy/a.cc", "src/mcp/a.cc"]:
            self.refuses(name, line, "ambient_authority")
        for name in ["src/guard/boundary.cc", "src/guard/boundary.h", "src/confine/root.h",
                     "src/api/a.cc", "src/cli/a.cc", "src/serve/a.cc", "tests/x/a.cc"]:
            self.accepts(name, line)

    def test_ambient_authority_call(self):
        line = "auto x = AmbientAuthority::OfThisProcess();\n"
        for name in ["src/guard/boundary.cc", "src/confine/root.cc", "src/tools/a.cc"]:
            self.refuses(name, line, "OfThisProcess")
            self.accepts(name, "// OfThisProcess is not for us\n/* OfThisProcess\n */\n")
        for name in ["src/api/a.cc", "src/cli/a.cc", "tests/x/a.cc", "src/confine/a_test.cc",
                     "bench/a.cc", "src/confine/ambient_authority.h"]:
            self.accepts(name, line)

    def test_os_macros_and_assembly(self):
        self.refuses("src/confine/a.cc", "#ifdef __linux__\n#endif\n", "__linux__")
        self.refuses("src/cli/a.cc", "#if defined(_WIN32)\n#endif\n", "_WIN32")
        self.refuses("src/tools/a.cc", 'void F() { asm("syscall"); }\n', "assembly")
        self.accepts("src/platform/linux/a.cc", "#ifdef __linux__\n#endif\n")
        self.accepts("src/cli/a.cc", 'const char* k = "__linux__ asm"; // asm\n')

    def test_parser_must_not_look_at_files(self):
        self.refuses("src/cli/a.cc", "option->check(CLI::ExistingFile);\n", "ExistingFile")

    def test_libraries_stay_in_their_room(self):
        self.refuses("src/guard/a.cc", "#include <toml++/toml.h>\n", "toml++")
        self.refuses("src/policy/a.cc", "#include <CLI/CLI.hpp>\n", "CLI")
        self.accepts("src/policy/a.cc", "#include <toml++/toml.h>\n")

    def test_public_headers_and_examples_see_public_headers_alone(self):
        self.refuses("include/cordon/a.h", '#include "confine/file.h"\n', "public")
        self.refuses("examples/a/main.cc", '#include "confine/file.h"\n', "public")
        self.accepts("include/cordon/a.h", '#include "cordon/error.h"\n')

    def test_evasions(self):
        self.refuses("src/tools/a.cc", '#include "../platform/open.h"\n', "name it from")
        self.refuses("src/tools/a.cc", '#include "guard/../platform/open.h"\n', "name it from")
        self.refuses("src/tools/a.cc", "#define H <fcntl.h>\n#include H\n", "cannot be checked")
        self.refuses("src/tools/a.cc", "#inc\\\nlude <fcntl.h>\n", "fcntl.h")
        self.refuses("src/tools/a.cc", "# /* x */ include <fcntl.h>\n", "fcntl.h")
        self.refuses("src/tools/a.cc", "%:include <fcntl.h>\n", "fcntl.h")
        self.refuses("src/tools/a.cc", 'auto s = "/*";\n#include <fcntl.h>\nauto t = "*/";\n', "fcntl.h")
        self.refuses("src/tools/a.cc", "int n = 1'000;\n#include <fcntl.h>\nint m = 2'000;\n", "fcntl.h")
        self.refuses("src/tools/a.cc", 'auto r = R"x(")x";\n#include <fcntl.h>\n', "fcntl.h")

    def test_unknown_room_and_empty_tree(self):
        self.refuses("src/misc/a.cc", "int x;\n", "no known room")
        status, output = check({"README": ""})
        self.assertEqual(status, 1)
        self.assertIn("no sources", output)


if __name__ == "__main__":
    unittest.main()
