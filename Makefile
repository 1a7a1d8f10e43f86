# Axiometer: everything that one does with the source tree. `make help` lists the targets.
#
# All Python packages go into .venv. Their versions stand in pyproject.toml, what these need in turn
# and the hashes of all in requirements/, which `make lock` writes. Runs are kept in the
# user's data directory, as always with `axiometer` (AXIOMETER_STORE names another file).
# Choose another interpreter with `make PYTHON=python3.12`, another compiler with `make CXX=clang++`.

PYTHON ?= python3
# The published 200 repeats take minutes; ten give the same means within a fraction of a per cent.
RUN_OPTIONS ?= --repeats 10
PYTEST_OPTIONS ?=
# `make bench` also prints how much faster this tree is than that commit.
BEFORE ?= 81a938f8
# A part of the tests that fails fails also where its output is kept, too.
SHELL := bash
.SHELLFLAGS := -o pipefail -c

EXAMPLE := zybo-hp-bandwidth
VENV := .venv
BIN := $(VENV)/bin
AXIOMETER := $(BIN)/axiometer
OUT := out
TESTS_BUILD := build/model-tests
# A fresh clone compiles what ccache has not seen in another; without ccache, all.
CCACHE := $(if $(shell command -v ccache),CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$(CURDIR) CCACHE_NOHASHDIR=1)

# What the installed package is made of; a change in any of them, or in the list, installs anew.
SOURCES := pyproject.toml README.md LICENSE $(sort $(wildcard boards/*.toml programs/*.toml) $(shell find chips -name '*.toml') \
  $(wildcard experiments/*.toml) $(wildcard reference/*.csv reference/*/*.csv) \
  $(shell find src model rtl regs/generated host cosim -type f -not -path 'src/*/tests/*' \( -name '*.py' -o -name '*.sv' -o -name '*.svh' -o -name '*.c' -o -name '*.cpp' -o -name '*.hpp' -o -name '*.h' \
    -o -name '*.txt' -o -name '*.tcl' -o -name '*.cmake' -o -name '*.html' -o -name '*.toml' -o -name '*.csv' -o -name '*.css' -o -name '*.js' -o -name '*.svg' \)))
CXX_SOURCES = $(shell find model cosim host -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.h' \
  -o -name '*.c' \))

# Modules of lab/ are found, where a target runs them.
export PYTHONPATH := $(CURDIR)/lab
export CXX
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help build run test test-model test-python test-hardware test-formal coverage bench bench-clock mutants validate validate-usp validate-settled validate-leave-one-out \
  validate-driver \
  lint format lock sdist man docs site test-site wheels try-wheels release-notes release clean check FORCE
.DELETE_ON_ERROR:

help:
	@echo "make run       the example: $(EXAMPLE), compared with its published figures"
	@echo "make test      all tests"
	@echo "make build     compile and install into $(VENV), with the tools of development"
	@echo "make validate  every published row against the model: the accuracy, and what was fitted"
	@echo "make validate-usp  the dataset of Zynq UltraScale+ against the model, where it is at hand"
	@echo "make validate-driver  what needs emulated machines: Linux driver, hosts, measurements"
	@echo "make bench     how fast the program itself is"
	@echo "make bench-clock  how fast a clock the RTL takes, routed on another family: an hour"
	@echo "make mutants   what share of small faults in the model its tests catch"
	@echo "make coverage  lines and signals of the RTL that its tests reach"
	@echo "make lint      check style and types; make format applies the style"
	@echo "make lock      after a change of versions in pyproject.toml: requirements/ anew"
	@echo "make sdist     the source distribution, in dist/"
	@echo "make try-wheels  the package by pip into an empty environment of each Python, and asked"
	@echo "make wheels    wheels for any Linux on x86-64 and ARM, in dist/"
	@echo "make man       the manual page, in dist/; make docs  also the pages made from sources"
	@echo "make site      landing page and documentation as a web site, in dist/site/; test-site tests it"
	@echo "make release   wheels, source distribution, manual page and notes, in dist/"
	@echo "make clean     remove what these targets made (not $(OUT)/)"

build: $(VENV)/.installed $(VENV)/.tools

# ---- the example ---------------------------------------------------------------------------

# Installs no development tools.
run: $(VENV)/.installed
	@mkdir -p $(OUT)
	$(AXIOMETER) expect zybo HP0+HP1
	@echo
	@echo "$(EXAMPLE), $(RUN_OPTIONS) (the paper made 200 repeats: make run RUN_OPTIONS=)"
	$(AXIOMETER) run $(EXAMPLE) $(RUN_OPTIONS)
	@echo
	@$(AXIOMETER) report $(EXAMPLE) --output $(OUT)/$(EXAMPLE).html >/dev/null & \
	  $(AXIOMETER) explain $(EXAMPLE) --brief && wait $$!
	@echo
	@echo "The report, one file that works offline:"
	@echo "  file://$(CURDIR)/$(OUT)/$(EXAMPLE).html"

# ---- tests and measurements ----------------------------------------------------------------

TEST_PARTS := python hardware formal
# Two at once, but one after the other where they share what a file builds. What a part prints is kept.
PYTEST = @mkdir -p build/tests; $(BIN)/python -m pytest $(PYTEST_OPTIONS) -n 2 --dist loadfile --no-loadscope-reorder --durations 20 -ra \
  --junitxml build/tests/$(1).xml $(2) | tee build/tests/$(1).txt

# What each part says at its end (the slowest, what failed or was skipped) stands once more at the end of all.
test: build
	@rm -rf build/tests; status=0; $(MAKE) --no-print-directory -k test-model $(TEST_PARTS:%=test-%) || status=$$?; \
	  sed -sn '/= slowest /,$$p' $(TEST_PARTS:%=build/tests/%.txt); exit $$status

test-model: $(VENV)/.tools
	@$(CCACHE) $(BIN)/cmake -S model -B $(TESTS_BUILD) -G Ninja -DAXIOMETER_TESTS=ON \
	  -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DCMAKE_BUILD_TYPE=RelWithDebInfo --log-level=WARNING
	$(CCACHE) $(BIN)/cmake --build $(TESTS_BUILD)
	$(BIN)/ctest --test-dir $(TESTS_BUILD) --output-on-failure -j 2

test-python: build
	$(call PYTEST,python,tests src lab)

# Register maps, RTL under independent AXI models, the C side, the Linux driver.
test-hardware: build
	$(call PYTEST,hardware,regs rtl host cosim drivers)

# Lines and signals of the RTL that the tests reach, also as docs/rtl-results.md; fails below 95 % of the
# lines. Builds every design once more, so it is not part of `make test`.
coverage: build
	rm -rf build/coverage
	AXIOMETER_COVERAGE=1 $(BIN)/python -m pytest $(PYTEST_OPTIONS) -n 2 --dist loadfile \
	  -k "not area and not lint and not mutant and not bad_parameters" \
	  --ignore rtl/dma/tests/test_dma_long.py rtl
	$(BIN)/python rtl/flow/coverage.py --write

# Proofs to a small depth; `make validate` has the long ones.
test-formal: build
	$(call PYTEST,formal,formal)

bench: build
	$(BIN)/python lab/bench/run.py
	$(BIN)/python lab/bench/before.py $(BEFORE)

# Routes every block and top three times, and writes docs/rtl-results.md.
bench-clock: build $(VENV)/.tools-clock
	$(BIN)/python lab/bench/rtl/clock_table.py --measure

# Compiles the model once with all mutants in it; writes lab/mutation/results.md.
mutants: build
	$(BIN)/python -m mutation --write

validate-usp: build
	$(BIN)/python -m validate.usp

# Numbers of UltraScale+ found anew without one published set each: an hour on two cores.
validate-leave-one-out: build
	$(BIN)/python -m validate.leave_one_set_out --write

# Whether free runs know how sure they are: some ten minutes.
validate-settled: build
	$(BIN)/python -m validate.settled

# What needs emulated machines: measurements on boards behind each kind of line, the real program on each
# host, one program on every target; then the Linux driver in Debian's kernels and in our own that look for
# faults, on the RTL and on models of others' engines: a million packets, and an hour of the fuzzer. Some
# hours, and 6 GB in the cache.
VM_PACKETS ?= 200000
VM_FUZZ_S ?= 3600
validate-driver: build
	$(BIN)/python -m validate.measure --faults
	$(BIN)/python -m validate.ring_hosts
	$(BIN)/python -m validate.hosts
	$(BIN)/python -m validate.driver --packets $(VM_PACKETS) --fuzz $(VM_FUZZ_S)

validate: export PYTHONPATH := $(CURDIR)/lab:$(CURDIR)/tests
validate: build
	$(BIN)/python -m validate.tables
	$(BIN)/python -m validate.designs
	$(BIN)/python -m validate.overlays
	$(BIN)/python -m validate.projects.boot.mainline
	$(BIN)/python -m validate.processor
	$(BIN)/python -m validate.mixes
	$(BIN)/python -m validate.part_load
	$(BIN)/python -m validate.findings
	$(BIN)/python -m validate.board_errors
	$(BIN)/python -m validate.others
	$(BIN)/python -m validate.bands
	$(BIN)/python -m validate.calibrate
	$(BIN)/python -m validate.explain --and 3
	$(BIN)/python -m validate.causes
	$(AXIOMETER) selftest --points 300
	$(BIN)/python -m validate.rtl
	$(BIN)/python -m validate.rtl_usp
	$(BIN)/python -m validate.dpdk
	$(BIN)/python lab/validate/foreign_axi.py
	$(BIN)/python -m validate.sdist
	$(BIN)/python -m validate.documents
	$(BIN)/python -m validate.store_faults
	AXIOMETER_FUZZ_S=600 $(BIN)/python -m pytest lab/fuzz
	$(BIN)/python rtl/dma/random/run.py
	$(BIN)/python rtl/dma/random/faults.py
	$(BIN)/python rtl/dma/random/assertions.py
	$(BIN)/python rtl/flow/damaged.py
	$(BIN)/python formal/run.py --all
	$(BIN)/python -m mutation --write

# ---- style ---------------------------------------------------------------------------------

lint: $(VENV)/.tools-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tools/plain_words.py
	$(BIN)/clang-format --dry-run -Werror $(CXX_SOURCES)

format: $(VENV)/.tools-lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CXX_SOURCES)

# ---- what is delivered, and what of others is in it -------------------------------------------

# After a change of a version in pyproject.toml; LOCK_OPTIONS=--upgrade also renews what these need.
lock: $(VENV)/.tools-lock
	$(BIN)/python tools/lock.py $(LOCK_OPTIONS)

# The source distribution, in dist/; the same bytes for the same commit.
sdist: $(VENV)/.tools
	$(BIN)/python tools/sdist.py

# Wheels for any Linux on x86-64 and ARM; each is tried in an empty environment, where it can run here.
wheels: $(VENV)/.tools-wheels
	$(BIN)/python tools/wheels.py

# The source distribution into an empty environment of each Python that is there, by pip.
try-wheels: $(VENV)/.tools
	$(BIN)/python tools/try_wheels.py $(PYTHONS)

# The manual page axiometer(1), in dist/.
man: build
	$(BIN)/python tools/man.py

# What of the documentation is written from sources, anew.
docs: man
	for page in keys_page model_tables typed_keys limits_page ports_page licences chip_headers platform_tables; do $(BIN)/python tools/$$page.py --write || exit; done

# Landing page and documentation as a static web site, in dist/site/.
# A link that leads nowhere is an error.
site: build $(VENV)/.tools-site
	rm -rf dist/site
	$(BIN)/sphinx-build --quiet --fail-on-warning --jobs auto -c tools/web -d build/site . dist/site

test-site: build $(VENV)/.tools-site
	$(BIN)/python -m pytest $(PYTEST_OPTIONS) tools/web

# What the changelog says of a version: make release-notes TAG=v1.2.3. Needs nothing but Python.
TAG ?= v$(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
release-notes:
	@$(PYTHON) tools/release_notes.py $(TAG)

# All that a release holds, anew in dist/: notes first, because they refuse a version without a date.
release:
	rm -rf dist && mkdir dist
	$(PYTHON) tools/release_notes.py $(TAG) > dist/notes.md
	$(MAKE) --no-print-directory sdist wheels man
	cd dist && sha256sum -- * > SHA256SUMS && cat SHA256SUMS

clean:
	rm -rf build dist $(VENV) .pytest_cache .ruff_cache .mypy_cache .hypothesis

# ---- the environment -----------------------------------------------------------------------
# Three steps, each with a stamp, so that an unchanged tree costs nothing and a changed source
# costs one incremental compilation: tools and libraries; the package; tools for style.

$(VENV)/.created:
	@$(MAKE) --no-print-directory check
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "The Python module venv is incomplete: sudo apt-get install python3-venv" >&2; exit 1; }
	@touch $@

PIP_INSTALL := $(BIN)/pip install --quiet --require-hashes --requirement

# What builds the package and draws its reports.
$(VENV)/.tools-run: requirements/run.txt | $(VENV)/.created
	$(PIP_INSTALL) $<
	@touch $@

$(VENV)/.tools: requirements/development.txt | $(VENV)/.tools-run
	$(PIP_INSTALL) $<
	@touch $@

$(VENV)/.tools-lint: requirements/lint.txt | $(VENV)/.created
	$(PIP_INSTALL) $<
	@touch $@

$(VENV)/.tools-clock: requirements/clock.txt | $(VENV)/.created
	$(PIP_INSTALL) $<
	@touch $@

$(VENV)/.tools-site: requirements/site.txt | $(VENV)/.created
	$(PIP_INSTALL) $<
	@touch $@

$(VENV)/.tools-wheels: requirements/wheels.txt | $(VENV)/.created
	$(PIP_INSTALL) $<
	@touch $@

$(VENV)/.tools-lock: requirements/lock.txt | $(VENV)/.created
	$(PIP_INSTALL) $<
	@touch $@

# The tools are installed already, so the package needs no build environment of its own.
$(VENV)/.installed: $(SOURCES) $(VENV)/.sources $(VENV)/.tools-run
	$(CCACHE) PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pip install --quiet --no-build-isolation --no-deps \
	  --force-reinstall .
	@touch $@

# A file that was deleted changes no file that is left, but it changes this list.
$(VENV)/.sources: FORCE | $(VENV)/.created
	@echo '$(SOURCES)' | cmp --silent - $@ || echo '$(SOURCES)' > $@

FORCE:

# What must be there before anything can be installed.
check:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "$(PYTHON) is missing: sudo apt-get install python3 python3-venv" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$(PYTHON) is $$($(PYTHON) --version 2>&1); Python 3.11 or newer is needed." >&2; \
	  echo "Name one with: make PYTHON=python3.11 (sudo apt-get install python3.11 python3.11-venv)" \
	    >&2; exit 1; }
	@command -v $(CXX) >/dev/null || { \
	  echo "The C++ compiler $(CXX) is missing: sudo apt-get install g++" >&2; exit 1; }
	@echo '#include <span>' | $(CXX) -std=c++20 -x c++ -fsyntax-only - 2>/dev/null || { \
	  echo "$(CXX) does not know C++20: GCC 11 or Clang 14 or newer is needed" \
	    "(sudo apt-get install g++, or make CXX=...)." >&2; exit 1; }
