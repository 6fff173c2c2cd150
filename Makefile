# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Every command of the project. `make demo`, `make check` and `make test` need nothing set up before. The work is done
# by model/, c/, rust/ and scripts/. Each part of scripts/parts.txt is a target, too.

PARTS := $(shell sed -nE 's/^part: *(check-|test-|lint)/\1/p' scripts/parts.txt)
FUZZ_SECONDS ?= 60
SCALE ?= paper
PORT ?= 8417

export PATH := $(PATH):$(HOME)/.cargo/bin

.PHONY: help setup build install uninstall demo check test test-all test-rest test-long $(PARTS) prove audit fuzz bench bench-paper bench-costs bench-choice bench-peers bench-many bench-python bench-java bench-js probe probe-all interop bench-compat smartcard hardware lab web site site-serve timing pages dist clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

demo: build ## encrypt, decrypt and compare real files, then show this machine's speed
	@scripts/demo

install: ## install the command and the C library below PREFIX, /usr/local unless set; DESTDIR goes before it
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install

uninstall: ## remove what `make install` has put there
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install --remove

check: ## the tests before each commit: four minutes on two cores
	@scripts/test check
	@bench/unmeasured.py

test: ## the tests of everything that ships: twenty minutes on two cores, what it installs included
	@scripts/test test

test-all: ## every test there is: an hour on two cores; one part alone: make test-c, and others of CONTRIBUTING.md
	@scripts/test test all

test-rest: # what test-all has beside test
	@scripts/test all

test-long: # test-all, and what takes longer
	@LONG=1 scripts/test test all

$(PARTS): # one of the parts of the tests, as in make test-c; CONTRIBUTING.md lists them
	@scripts/parts run $@

prove: ## prove again what machine code computes, for every key: 40 to 90 minutes on two cores
	@scripts/setup test-proof
	@scripts/test-proof --again

audit: ## ask whether what we depend on has known faults
	@scripts/setup audit
	@scripts/audit

fuzz: ## search for crashes and wrong results of OpenPGP, modes and kernels, FUZZ_SECONDS for each target
	@scripts/setup fuzz
	@scripts/fuzz $(FUZZ_SECONDS)

bench: build ## measure this machine and store the result in bench/results/; also bench-NAME, as the Makefile says
	@scripts/bench

bench-paper: build # measure every keying option and store the result, for the tables of 1998 and the plot
	@bench/results.py ready && rust/target/release/manyfish speed --paper --json | bench/results.py record

bench-costs: build # measure the costs that choose a kernel, and store the result in bench/results/
	@scripts/bench-costs

bench-choice: build # compare each choice of a kernel with the best one (some minutes)
	@rust/target/release/manyfish tune --check

bench-peers: # measure other libraries beside ours, in alternation, and store the result
	@scripts/setup peers
	@scripts/bench-peers

probe: ## build one static program that checks and measures this kind of machine: docs/measuring.md
	@scripts/setup probe
	@scripts/build-probe

probe-all: # the same for x86-64 and for AArch64
	@scripts/setup probe-all
	@scripts/build-probe x86_64 aarch64

bench-many: # measure many messages under one key, ours and other libraries', and store the result
	@scripts/setup peers
	@scripts/bench-peers --many

interop: build ## exchange data with some twenty other programs, and make docs/interop.md
	@scripts/setup interop
	@scripts/interop

bench-python: # measure the Python package beside the C library and other packages, and store the result
	@scripts/setup peers
	@scripts/bench-python

bench-java: build # measure the Java package beside the C library and Bouncy Castle, and store the result
	@scripts/setup bench-java
	@scripts/bench-java

bench-compat: build # measure real programs with RustCrypto's Twofish and with ours, and store the result
	@scripts/bench-compat

# PROGRAMS="NAME..." only measures these.
smartcard: ## build and measure the programs for small machines, and make smartcard/RESULTS.md
	@scripts/setup smartcard
	@build/venv/bin/python smartcard/report.py record $(PROGRAMS)

# CORES="NAME..." only measures these.
hardware: ## simulate, check and synthesise all cores, and make hardware/RESULTS.md
	@scripts/setup hardware
	@build/venv/bin/python hardware/lint.py $(CORES)
	@build/venv/bin/python hardware/simulate.py $(CORES)
	@build/venv/bin/python hardware/$(if $(CORES),synthesis.py $(CORES),report.py record)
	@$(if $(CORES),,build/venv/bin/python hardware/layout.py && build/venv/bin/python hardware/report.py tables)
	@$(if $(CORES),,build/venv/bin/python hardware/probing.py --netlist && build/venv/bin/python hardware/power.py && build/venv/bin/python hardware/equal.py)

# SCALE=small is short, into build/lab-small/.
lab: ## run all experiments into lab/results/, and make docs/lab/ of them
	@scripts/setup lab
	@scripts/build-lab
	@build/lab-venv/bin/manyfish-lab run --all --scale $(SCALE)
	@build/lab-venv/bin/manyfish-lab report $(if $(filter small,$(SCALE)),--results build/lab-small --out build/lab-small)

bench-js: build # measure the npm package beside the C library and other packages, and store the result
	@scripts/setup web
	@scripts/bench-js

web: ## build the page and serve it on this machine alone; PORT=8417
	@scripts/setup web
	@node web/serve.mjs --check $(PORT)
	@scripts/build-web
	@node web/serve.mjs $(PORT)

site: ## build the site, with the reference of each language, into build/site, and check its links
	@scripts/setup site
	@scripts/build-site

site-serve: # serve build/site on this machine alone; PORT=8417
	@python3 -m http.server --bind 127.0.0.1 --directory build/site $(PORT)

timing: ## measure whether times depend on secrets, and store the result
	@scripts/setup timing
	@scripts/timing

setup: # what `make test` needs; each command sets up what it needs by itself
	@scripts/setup test

build: ## build the command in release mode: rust/target/release/manyfish
	@scripts/setup demo
	@scripts/build-command

pages: # make the manual pages and completions of the command: build/man, build/completions
	@scripts/setup demo
	@scripts/build-pages

dist: ## build what is distributed, with sums, into build/dist; test-dist tries it
	@scripts/setup dist
	@scripts/dist

clean: ## remove everything that was built
	rm -rf build rust/target rust/*/target rust/compat/*/target python/target java/target java/*/target \
		js/dist js/dist-tests js/src/generated js/LICENSE* web/.tests hardware/examples/*/build
