"""Building and testing programs behind the line is as it is before it."""

import os
import unittest

from workplace import NOBODY, RunTest, for_root_too

# What holds times, or the order in which parallel jobs came to their end.
UNSTEADY = [".ninja_log", "*/.ninja_log", "*/.ninja_deps", "*/CMakeFiles/*", "*/Testing/*", "*/.cmake/*"]
CMAKE = """cmake_minimum_required(VERSION 3.20)
project(small C CXX)
add_library(parts STATIC a.c b.c c.c)
add_executable(main main.cc)
target_link_libraries(main parts)
enable_testing()
add_test(NAME runs COMMAND main)
"""


class Build(RunTest):
    user = NOBODY

    def sources(self):
        for name in "abc":
            self.write(f"{name}.c", f"int {name}(void) {{ return {ord(name)}; }}\n")
        self.write("main.cc", '#include <iostream>\n#include <map>\nextern "C" { int a(); int b(); int c(); }\n'
                   "int main() { std::map<int, int> m{{a(), b()}}; std::cout << m.size() + c() << '\\n'; }\n")
        self.write("CMakeLists.txt", CMAKE)
        self.write("Makefile", "all: main\nmain: a.o b.o c.o main.o\n\tg++ -o $@ $^\n%.o: %.c\n\tgcc -c -o $@ $<\n"
                   "%.o: %.cc\n\tg++ -c -o $@ $<\nsub:\n\t+$(MAKE) -C below\n")
        self.write("below/Makefile", "all: 1 2 3 4\n%:\n\tsleep 0.1; echo $@ >$@\n")

    def test_cmake_and_ninja(self):
        self.compare("cmake -G Ninja -B out >/dev/null; ninja -C out -j2 >/dev/null; out/main; ctest --test-dir out -Q; "
                     "ninja -C out | tail -1; touch a.c; ninja -C out -n | grep -c Building",
                     self.sources, UNSTEADY)

    def test_cmake_and_make(self):
        self.compare("cmake -G 'Unix Makefiles' -B out >/dev/null; make -C out -j2 >/dev/null; out/main; "
                     "cmake --install out --prefix installed | sort", self.sources, UNSTEADY)

    def test_make_with_a_job_server(self):
        self.compare("make -j2 all sub >/dev/null; ./main; make -j2 --jobserver-style=fifo -n 2>/dev/null || make -n",
                     self.sources)

    def test_compilers(self):
        self.compare("gcc -O2 -g -c a.c; g++ -O1 -pipe -c main.cc; gcc -shared -fPIC -o liball.so a.c b.c c.c; "
                     "g++ -o linked main.o -L. -lall -Wl,-rpath,$PWD; ./linked; ar rcs lib.a a.o; nm lib.a; strip linked; "
                     "gcc -flto -O2 -o lto a.c b.c -x c - <<<'int main(){return 0;}'; ./lto; gcc -xc - <<<'int main(' || echo no",
                     self.sources)

    def test_pytest(self):
        def files():
            self.write("test_it.py", "import os, multiprocessing, pathlib, tempfile\n"
                       "def square(x): return x * x\n"
                       "def test_tmp(tmp_path):\n    (tmp_path / 'x').write_text('y')\n    assert (tmp_path / 'x').read_text() == 'y'\n"
                       "def test_pool():\n    with multiprocessing.Pool(2) as pool: assert pool.map(square, [1, 2]) == [1, 4]\n"
                       "def test_tempfile():\n    with tempfile.NamedTemporaryFile() as f: assert os.path.exists(f.name)\n"
                       "def test_fails(): assert 1 == 2\n")
        self.compare("/usr/bin/python3 -m pytest -q -p no:cacheprovider 2>&1 | grep -c 'assert 1 == 2'; "
                     "/usr/bin/python3 -m pytest -q -k 'not fails' --basetemp=base | grep -o '3 passed'", files,
                     ["*nodeids", "*/base/*"])


class Python(RunTest):
    user = NOBODY

    def test_venv_and_local_package(self):
        def files():
            self.write("pkg/setup.py", "from setuptools import setup\nsetup(name='thing', version='1', py_modules=['thing'],"
                       "entry_points={'console_scripts': ['thing=thing:main']})\n")
            self.write("pkg/thing.py", "def main(): print('thing runs')\n")
        self.compare("/usr/bin/python3 -m venv --system-site-packages --without-pip env; env/bin/python -c 'import sys; print(sys.prefix)'; "
                     "env/bin/python -m pip install -q --no-index --no-build-isolation --no-deps ./pkg; env/bin/thing",
                     files, ["*.pyc", "*/RECORD", "*/direct_url.json"])

    def test_venv_with_its_own_pip(self):
        self.compare("/usr/bin/python3 -m venv env; env/bin/pip --version | cut -d' ' -f1,2", unsteady=["*.pyc"])


BuildAsRoot = for_root_too(Build)
PythonAsRoot = for_root_too(Python)

if __name__ == "__main__":
    unittest.main()
