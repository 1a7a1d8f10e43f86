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
SOURCES := pyproject.toml README.md LICENSE $(sort $(shell find src model rtl regs/generated host cosim boards chips \
  programs experiments reference -type f -not -name '*.md' -not -name '*.pyc' -not -path '*/tests/*' -not -path '*/.*'))

export CXX
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Modules of lab/ are found, where a target runs them.
export PYTHONPATH := $(CURDIR)/lab:$(CURDIR)/tests

ROOMS := model platform experiment simulate runs published answer present designs bringup rtl formal host drivers cosim regs lab
.PHONY: help build run check test test-model validate bench bench-clock coverage mutants \
  lint format lock docs site browser sdist man wheels release-notes release clean needs FORCE $(ROOMS)
.DELETE_ON_ERROR:

help:
	@echo "make run        the example: $(EXAMPLE), compared with its published figures"
	@echo "make check      units, laws and three boards, for each commit: 2 minutes"
	@echo "make test       what a fresh clone must pass: 12 minutes"
	@echo "make validate   hours: claims, random RTL, machines, depth; make validate ROOM: of one room:"
	@echo "                $(ROOMS)"
	@echo "make build      compile and install into $(VENV), with the tools of development"
	@echo "make bench      how fast the program itself is; bench-clock, coverage, mutants: an hour each"
	@echo "make lint       check style and types; make format applies the style"
	@echo "make lock       after a change of versions in pyproject.toml: requirements/ anew"
	@echo "make docs       pages made from sources, and the manual page; make site: the web site"
	@echo "make browser    the page as static files that answer in the browser: dist/browser/"
	@echo "make release    wheels, source distribution (sdist), manual page (man) and notes, in dist/"
	@echo "make clean      remove what these targets made (not $(OUT)/)"

build: $(VENV)/.installed $(VENV)/.tools-development

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

# ---- tests: tests/tiers.txt says which test is in which tier -------------------------------

# Two at once, but one after the other where they share what a file builds. What is printed is kept.
PYTEST = @mkdir -p build/tests; $(BIN)/python -m pytest $(PYTEST_OPTIONS) -n 2 --dist loadfile --no-loadscope-reorder \
  --durations 20 -ra --junitxml build/tests/$(1).xml $(2) | tee build/tests/$(1).txt
PARTS := python hardware formal
PART_python := tests src lab
PART_hardware := regs rtl host cosim drivers
PART_formal := formal

check: build test-model
	$(call PYTEST,check,-m check $(PART_python))

test: build
	@rm -rf build/tests; status=0; $(MAKE) --no-print-directory -k test-model $(PARTS:%=test-%) || status=$$?; \
	  sed -sn '/= slowest /,$$p' $(PARTS:%=build/tests/%.txt); exit $$status

$(PARTS:%=test-%): test-%: build
	$(call PYTEST,$*,-m "check or test" $(PART_$*))

test-model: $(VENV)/.tools-development
	@$(CCACHE) $(BIN)/cmake -S model -B $(TESTS_BUILD) -G Ninja -DAXIOMETER_TESTS=ON \
	  -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo --log-level=WARNING
	$(CCACHE) $(BIN)/cmake --build $(TESTS_BUILD)
	$(BIN)/ctest --test-dir $(TESTS_BUILD) --output-on-failure -j 2

# What needs hours. Of a room: all its tests and claims; without a name, the tests that `make test` leaves out, and all claims.
ROOM := $(firstword $(filter $(ROOMS),$(MAKECMDGOALS)))
TESTS := $(if $(filter model,$(ROOM)),tests/jedec tests/test_differential.py,$(wildcard $(addsuffix $(ROOM),src/axiometer/ ./)))
validate: build test-model $(if $(ROOM),,validate-python validate-hardware)
	$(if $(ROOM),$(call PYTEST,validate-$(ROOM),$(TESTS)))
	$(BIN)/python -m validate $(ROOM:%=--room %)
$(PARTS:%=validate-%): validate-%: build
	$(call PYTEST,$@,-m validate $(PART_$*))
$(ROOMS): validate ;

bench: build
	$(BIN)/python lab/bench/run.py
	$(BIN)/python lab/bench/before.py $(BEFORE)

# An hour each: blocks and tops routed, lines and signals that tests of the RTL reach, mutants of the model.
bench-clock: build $(VENV)/.tools-clock
	$(BIN)/python lab/bench/rtl/clock_table.py --measure
coverage: build
	rm -rf build/coverage
	AXIOMETER_COVERAGE=1 $(BIN)/python -m pytest $(PYTEST_OPTIONS) -n 2 --dist loadfile \
	  -k "not area and not lint and not mutant and not test_dma_long" rtl
	$(BIN)/python rtl/flow/coverage.py --write
mutants: build
	$(BIN)/python -m mutation --write

# ---- style ---------------------------------------------------------------------------------

CXX_SOURCES = $(shell git ls-files 'model/*.[ch]pp' 'cosim/*.[ch]pp' 'host/*.[ch]' 'host/*.[ch]pp' 'lab/*.[ch]pp')

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

# ---- what is written from sources, and what is delivered -----------------------------------

# After a change of a version in pyproject.toml; LOCK_OPTIONS=--upgrade also renews what these need.
lock: $(VENV)/.tools-lock
	$(BIN)/python tools/requirements.py --lock $(LOCK_OPTIONS)

docs: build
	$(BIN)/python tools/man.py
	for page in keys_page model_tables typed_keys limits_page ports_page chip_headers platform_tables; do $(BIN)/python tools/$$page.py --write || exit; done

# The page that answers, and the documentation, as a static web site, in dist/site/ (Python beside
# it), and its tests. A link that leads nowhere is an error.
site: browser $(VENV)/.tools-site
	rm -rf dist/site
	$(BIN)/sphinx-build --quiet --fail-on-warning --jobs auto -c tools/web -d build/site . dist/site
	cp -r dist/browser/. dist/site
	sed 's/ id="site" hidden/ id="site"/' dist/browser/index.html > dist/site/index.html
	$(BIN)/python -m pytest $(PYTEST_OPTIONS) tools/web

# The page as static files that answer in the browser itself: dist/browser/, Python beside it.
browser: build
	$(BIN)/python tools/browser.py

sdist man wheels: build $(VENV)/.tools-wheels
	$(BIN)/python tools/$@.py

# What the changelog says of a version: make release-notes TAG=v1.2.3. Needs nothing but Python.
TAG ?= v$(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
release-notes:
	@$(PYTHON) tools/release_notes.py $(TAG)

# All that a release holds, anew in dist/: notes first, because they refuse a version without a date.
release:
	rm -rf dist && mkdir dist
	$(PYTHON) tools/release_notes.py $(TAG) > dist/notes.md
	$(MAKE) --no-print-directory sdist wheels man
	$(BIN)/python tools/browser.py --output build/release && cp build/release/browser/*.whl dist
	cd dist && sha256sum -- * > SHA256SUMS && cat SHA256SUMS

clean:
	rm -rf build dist $(VENV) .pytest_cache .ruff_cache .mypy_cache .hypothesis

# ---- the environment -----------------------------------------------------------------------
# Three steps, each with a stamp, so that an unchanged tree costs nothing and a changed source
# costs one incremental compilation: tools and libraries; the package; tools for style.

$(VENV)/.created:
	@$(MAKE) --no-print-directory needs
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "The Python module venv is incomplete: sudo apt-get install python3-venv" >&2; exit 1; }
	@touch $@

# A part of the lock: those that [tool.axiometer.lock] in pyproject.toml names.
$(VENV)/.tools-%: requirements/lock.txt | $(VENV)/.created
	$(BIN)/python tools/requirements.py $* > $(VENV)/$*.txt
	$(BIN)/pip install --quiet --require-hashes --requirement $(VENV)/$*.txt
	@touch $@
# What builds the package and draws its reports comes first.
$(VENV)/.tools-development: | $(VENV)/.tools-run

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
needs:
	@sh tools/needs.sh "$(PYTHON)" "$(CXX)"
