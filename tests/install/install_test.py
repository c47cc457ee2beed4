"""Installs into a temporary prefix, builds every example against that copy, and runs it.

Each folder of examples/ has a CMakeLists.txt and its sources. Each program takes ROOT and
PATH, prints the file's content and exits 0, or exits 1 and prints none of it.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

INSIDE, OUTSIDE = "inside, and fine\n", "outside, and secret\n"


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def build_by_cmake(source, work, prefix, options):
    run("cmake", "-S", source, "-B", work, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={options.compiler}", "-DCMAKE_BUILD_TYPE=Debug",
        "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF")
    cache = (work / "CMakeCache.txt").read_text()
    if f"cordon_DIR:PATH={prefix}" not in cache:
        sys.exit("find_package found another copy than the installed one")
    run("cmake", "--build", work)
    return work / source.name


def build_by_pkg_config(source, work, prefix, options):
    work.mkdir()
    environment = {"PKG_CONFIG_PATH": f"{prefix}/{options.libdir}/pkgconfig", "PATH": "/usr/local/bin:/usr/bin:/bin"}
    flags = run("pkg-config", "--static", "--cflags", "--libs", "cordon", env=environment).split()
    if not any(str(prefix) in flag for flag in flags):
        sys.exit(f"pkg-config found another copy than the installed one: {flags}")
    run(options.compiler, "-std=c++20", "-o", work / source.name, *sorted(source.glob("*.cc")), *flags)
    return work / source.name


def try_out(program, scratch):
    root = scratch / "root"
    root.mkdir(exist_ok=True)
    (root / "a.txt").write_text(INSIDE)
    (root / ".env").write_text(OUTSIDE)
    (scratch / "outside.txt").write_text(OUTSIDE)
    if not (root / "link").is_symlink():
        (root / "link").symlink_to("../outside.txt")
    output = run(program, root, "a.txt")
    if output != INSIDE:
        sys.exit(f"{program} printed {output!r}")
    for path in ["../outside.txt", "link", ".env", scratch / "outside.txt"]:
        done = subprocess.run([program, root, path], capture_output=True, text=True)
        if done.returncode != 1 or OUTSIDE in done.stdout + done.stderr:
            sys.exit(f"{program} {root} {path}: {done}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("found_by", choices=["cmake", "pkg-config"])
    for name in ("build", "examples", "compiler", "libdir"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    sources = sorted(path.parent for path in pathlib.Path(options.examples).glob("*/CMakeLists.txt"))
    if not sources:
        sys.exit(f"no examples in {options.examples}")
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder).resolve()
        prefix = scratch / "prefix"
        run("cmake", "--install", options.build, "--prefix", prefix)
        if not (prefix / "include" / "cordon" / "result.h").exists():
            sys.exit("the headers were not installed")
        run(prefix / "bin" / "cordon", "--help")
        for source in sources:
            # A copy, so that nothing of the source tree is found beside it by chance.
            copy = scratch / "examples" / source.name
            shutil.copytree(source, copy)
            build = build_by_cmake if options.found_by == "cmake" else build_by_pkg_config
            program = build(copy, scratch / f"build-{source.name}", prefix, options)
            try_out(program, scratch)
            print(f"{source.name}: built by {options.found_by}, runs")


if __name__ == "__main__":
    main()
