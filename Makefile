# What people type. The work is done by CMake presets and scripts/.
.DEFAULT_GOAL := help
.PHONY: help build test test-long test-all demo demo-web lint analyze check check-asan-ubsan check-tsan fuzz conformance bench bench-report reference pictures install package reproducible fresh-check clean

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
FUZZ_TREES ?= 200000
FUZZERS := $(basename $(notdir $(wildcard tests/fuzz/*_fuzz.cc)))
# ThreadSanitizer of GCC 12 does not start where addresses are randomised widely.
FIXED_ADDRESSES := $(shell setarch -R true 2>/dev/null && echo setarch -R)

help:
	@echo 'make build     build/cordon and build/libcordon.a'
	@echo 'make demo      build, and show an agent at work and led astray'
	@echo 'make demo-web  the dashboard, with something to see, until Ctrl-C'
	@echo 'make test      build, and run the tests (a few minutes)'
	@echo 'make test-long the tests that take longer'
	@echo 'make test-all  every test, also the long ones, and the sanitizers'
	@echo 'make lint      format, include directions, file sizes, clang-tidy'
	@echo 'make analyze   clang'\''s static analyzer (an hour the first time)'
	@echo 'make check     the tests under address, undefined-behaviour and thread sanitizers'
	@echo 'make fuzz      libFuzzer targets for $(FUZZ_SECONDS) s each, differential fuzzer on $(FUZZ_TREES) trees'
	@echo 'make conformance the protocol'\''s own suite against our MCP server; needs npm'
	@echo 'make bench     benchmarks; results also in out/bench/*.json'
	@echo 'make bench-report its tables into README.md'
	@echo 'make reference the tables of docs/policy.md, as the program declares its configuration'
	@echo 'make pictures  those of README.md, anew'
	@echo 'make install   into PREFIX ($(PREFIX)), below DESTDIR if set'
	@echo 'make package   a .deb, one for development, and a tarball, into out/packages'
	@echo 'make reproducible  build the packages twice, in different places, and compare'
	@echo 'make fresh-check   the first two commands of README.md on a fresh Debian 12; needs root'
	@echo 'make clean     remove build/ and out/'
	@echo 'Missing packages are installed on Debian 12 and Ubuntu 24.04, and named elsewhere.'

build:
	@scripts/install_deps.sh build
	cmake --preset release -DCORDON_TESTS=OFF
	cmake --build --preset release -j $(JOBS)

.PHONY: build-tests
build-tests:
	@scripts/check_place.sh
	@scripts/install_deps.sh test
	cmake --preset release -DCORDON_TESTS=ON
	cmake --build --preset release -j $(JOBS)

test: build-tests
	ctest --preset release

# What `make test` leaves out because it takes long.
test-long: build-tests
	ctest --preset release-long

test-all: test
	@$(MAKE) --no-print-directory test-long
	@$(MAKE) --no-print-directory analyze
	@$(MAKE) --no-print-directory check

demo: build
	@scripts/install_deps.sh demo
	@demo/agent.py build/cordon

demo-web: build
	@scripts/install_deps.sh demo
	@demo/web.py build/cordon

lint:
	@scripts/install_deps.sh lint
	scripts/lint.sh $(JOBS)

analyze:
	@scripts/install_deps.sh lint
	cmake --preset analyze
	cmake --build --preset analyze -j $(JOBS)

check: check-asan-ubsan
	@$(MAKE) --no-print-directory check-tsan

check-asan-ubsan check-tsan: check-%:
	@scripts/install_deps.sh test
	cmake --preset $*
	cmake --build --preset $* -j $(JOBS)
	$(FIXED_ADDRESSES) ctest --preset $*

fuzz: build-tests
	@scripts/install_deps.sh fuzz
	cmake --preset fuzz -DCORDON_FUZZ_SECONDS=$(FUZZ_SECONDS)
	cmake --build --preset fuzz -j $(JOBS) --target $(FUZZERS)
	ctest --preset fuzz
	build/tests/differential/differential_fuzz --trees $(FUZZ_TREES)

conformance: build-tests
	scripts/conformance.sh build/tests/mcp/conformance_server

bench:
	@scripts/install_deps.sh bench
	cmake --preset bench
	cmake --build --preset bench -j $(JOBS)
	@mkdir -p out/bench
	out/bench-build/bench/cordon_bench --json out/bench/cordon_bench.json
	out/bench-build/bench/audit_bench --json out/bench/audit_bench.json
	out/bench-build/bench/search_bench --json out/bench/search_bench.json
	CORDON_ENGINE=tests/provision/engine.py out/bench-build/bench/provision_bench --json out/bench/provision_bench.json
	bench/run_bench.py --cordon out/bench-build/cordon --packages "$$(scripts/install_npm.sh)" --json out/bench/run_bench.json
	bench/preview_bench.py --proxy out/bench-build/bench/preview_proxy --json out/bench/preview_bench.json
	out/bench-build/bench/mcp_bench --packages "$$(scripts/install_npm.sh)" --json out/bench/mcp_bench.json

bench-report:
	scripts/bench_report.py

# The tables of docs/policy.md.
reference: build
	scripts/policy_reference.py build/cordon

# Those of README.md.
pictures: build
	@scripts/install_deps.sh test
	scripts/pictures.sh build/cordon out/pictures

install: build
	cmake --preset release -DCORDON_TESTS=OFF -DCMAKE_INSTALL_PREFIX='$(PREFIX)' >/dev/null
	DESTDIR='$(DESTDIR)' cmake --install build --prefix '$(PREFIX)'

package:
	@scripts/install_deps.sh package
	scripts/package.sh out/package out/packages $(JOBS)

reproducible:
	@scripts/install_deps.sh package
	scripts/reproducible.sh out/reproducible $(JOBS)

fresh-check:
	@scripts/install_deps.sh package
	scripts/fresh_check.sh out/fresh

clean:
	rm -rf build out
