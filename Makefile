# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# Every command of the project. `make demo` and `make test` need nothing set up before. The work is done
# by model/, c/, rust/ and scripts/; a part of the tests, or lint, can be run alone.

PARTS := test-model test-c test-cross test-rust test-compat test-python test-java test-interop test-openssl test-smartcard test-hardware test-lab test-js test-web test-scripts lint
FUZZ_SECONDS ?= 60
SCALE ?= paper
PORT ?= 8417

export PATH := $(PATH):$(HOME)/.cargo/bin

.PHONY: help setup setup-demo build demo test test-long $(PARTS) fuzz bench bench-paper bench-costs bench-choice bench-peers bench-python bench-java bench-js interop bench-compat smartcard hardware lab web timing clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

demo: build ## encrypt, decrypt and compare real files, then show this machine's speed
	@scripts/demo

test: setup ## build and pass every test: an hour on two cores
	@scripts/test $(PARTS)

test-long: setup ## the same, and what takes longer
	@LONG=--long scripts/test $(PARTS)

test-model: setup ## the specification: its own tests, generated files up to date
	@python3 -m unittest discover -s model/tests -t model
	@python3 model/generate.py --check $(LONG)

test-c: setup ## the C library: each compiler, each sanitizer, copied away alone
	@scripts/test-c $(LONG)

test-cross: setup ## the C library on ten other processors, emulated
	@scripts/test-cross $(LONG)

test-rust: setup ## the Rust crates and the command
	@scripts/test-rust $(LONG)

test-compat: setup ## what stands in for RustCrypto's twofish and des, inside of real programs
	@scripts/test-compat $(LONG)

test-python: build setup ## the Python package: its wheel in a clean environment, alone and beside others
	@scripts/test-python $(LONG)

test-java: setup ## the Java package: known answers, Bouncy Castle, each Java that is installed, the native library
	@scripts/test-java $(LONG)

test-interop: setup ## the file format, against a program that is not ours
	@scripts/test-interop $(LONG)

test-openssl: build setup ## the OpenSSL provider: its own tests, the programs openssl and node, libgcrypt
	@scripts/test-openssl $(LONG)

test-smartcard: setup ## the smart cards and other small machines: each build against the model, sizes and clocks
	@scripts/test-smartcard

test-hardware: setup ## the cores in Verilog: each in simulation, its handshakes, proofs, gates and clock rates
	@scripts/test-hardware $(LONG)

test-lab: setup ## the lab: its kernels, that killed runs go on, all experiments at their small scale
	@scripts/test-lab $(LONG)

test-js: build setup ## the npm package: all vectors in both builds, pieces, wiping; installed alone
	@scripts/test-js

test-web: build setup ## the page in Chromium: files against the command, every view, accessibility, without a network
	@scripts/test-web

test-scripts: build setup ## the scripts: the demo, the checkers, the examples of the documents
	@scripts/test-scripts $(LONG)

lint: setup ## formatting, static analysis, versions
	@scripts/lint

fuzz: ## search for crashes of the packet parser and for wrong kernels, FUZZ_SECONDS for each target
	@scripts/setup fuzz
	@scripts/fuzz $(FUZZ_SECONDS)

bench: build ## measure this machine and store the result in bench/results/
	@scripts/bench

bench-paper: build ## measure every keying option and store the result, for the tables of 1998 and the plot
	@rust/target/release/manyfish speed --paper --json | bench/results.py record

bench-costs: build ## measure what the choice of a kernel goes by, and store the result in bench/results/
	@scripts/bench-costs

bench-choice: build ## compare each choice of a kernel with the best one (some minutes)
	@rust/target/release/manyfish tune --check

bench-peers: ## measure other libraries beside ours, in alternation, and store the result
	@scripts/setup peers
	@scripts/bench-peers

interop: build ## exchange data with some twenty other programs, and make docs/interop.md of what came of it
	@scripts/setup interop
	@scripts/interop

bench-python: ## measure the Python package beside the C library, oxifish and pykeepass, and store the result
	@scripts/setup peers
	@scripts/bench-python

bench-java: build setup ## measure the Java package beside the C library and Bouncy Castle, and store the result
	@scripts/bench-java

bench-compat: build ## measure real programs with RustCrypto's Twofish and with ours, and store the result
	@scripts/bench-compat

smartcard: setup ## build and measure the programs for small machines, and make smartcard/RESULTS.md; PROGRAMS="NAME..." only measures these
	@$(if $(PROGRAMS),build/venv/bin/python smartcard/measure.py --all $(PROGRAMS),build/venv/bin/python smartcard/report.py record)

hardware: ## simulate, check and synthesise all cores, and make hardware/RESULTS.md; CORES="NAME..." only measures these
	@scripts/setup hardware
	@build/venv/bin/python hardware/lint.py $(CORES)
	@build/venv/bin/python hardware/simulate.py $(CORES)
	@build/venv/bin/python hardware/$(if $(CORES),synthesis.py $(CORES),report.py record)
	@$(if $(CORES),,build/venv/bin/python hardware/probing.py --netlist && build/venv/bin/python hardware/power.py && build/venv/bin/python hardware/equal.py)

lab: ## run all experiments into lab/results/, and make docs/lab.md of them; SCALE=small is short, into build/lab-small/
	@scripts/setup lab
	@scripts/build-lab
	@build/lab-venv/bin/manyfish-lab run --all --scale $(SCALE) $(if $(filter small,$(SCALE)),--results build/lab-small)
	@build/lab-venv/bin/manyfish-lab report $(if $(filter small,$(SCALE)),--results build/lab-small --out build/lab-small)

bench-js: build ## measure the npm package beside the C library and other packages, and store the result
	@scripts/setup web
	@scripts/bench-js

web: ## build the page and serve it on this machine alone; PORT=8417
	@scripts/setup web
	@node web/serve.mjs --check $(PORT)
	@scripts/build-web
	@node web/serve.mjs $(PORT)

timing: setup ## measure whether times depend on secrets, and store the result (some minutes)
	@scripts/timing

setup: ## install what `make test` needs, where that is missing
	@scripts/setup test

setup-demo:
	@scripts/setup demo

build: setup-demo ## build the command in release mode: rust/target/release/manyfish
	@cd rust && cargo build --release --locked -p manyfish-cli

clean: ## remove everything that was built
	rm -rf build rust/target rust/*/target
