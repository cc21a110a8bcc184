# make report   the weekly report of your own sessions (of bundled sample sessions where you have none)
# make test     lint, types, import contracts, tests
#
# make test-long     the tests that take long and guard what seldom changes: odd machines, simulations
# make test-lowest   the tests, less browsers and wheel, with every dependency at its lower bound
# make lock          dev.lock.txt anew: all packages for development, with hashes
# make audit         known weaknesses of what is locked (asks PyPI)
# make fuzz          mutated input on every reader, for 30 minutes of CPU
#
# All set up what they need themselves. Needed: python3 (3.11 or later) with venv, and make.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ARGS   ?=

.PHONY: report test lint types contracts unit test-long test-lowest lock audit fuzz clean
.NOTPARALLEL:
.DEFAULT_GOAL := report

report: $(VENV)/.ready-report
	@$(BIN)/skilltune report $(ARGS)

test: lint types contracts unit

lint: $(VENV)/.ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/nbstripout --verify notebooks/*.ipynb

types: $(VENV)/.ready-test
	$(BIN)/mypy

contracts: $(VENV)/.ready-test
	$(BIN)/lint-imports

unit: $(VENV)/.ready-test
	@$(BIN)/python tests/browser_setup.py
	$(BIN)/python -m pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder $(ARGS)

$(VENV)/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo "python3 is missing: sudo apt install python3 python3-venv" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "skilltune needs Python 3.11 or later; $$($(PYTHON) --version) is too old (name another one: make PYTHON=python3.12 report)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "python3-venv is missing: sudo apt install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"

$(VENV)/.ready-report: pyproject.toml | $(VENV)/bin/python
	@echo "Installing skilltune into $(VENV) (about a minute the first time) ..."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.ready-test: pyproject.toml | $(VENV)/bin/python
	@echo "Installing skilltune and its test tools into $(VENV) (about a minute the first time) ..."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev --group browser
	@touch $@ $(VENV)/.ready-report

test-long: $(VENV)/.ready-test
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile -m long $(ARGS)

test-lowest: $(VENV)/.ready-test
	$(PYTHON) -m venv --clear $(VENV)-lowest
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group supply
	$(BIN)/uv pip install --quiet --python $(VENV)-lowest --resolution lowest-direct --editable .
	$(BIN)/uv pip install --quiet --python $(VENV)-lowest --editable . --group dev
	$(VENV)-lowest/bin/python -m pytest --numprocesses 2 --dist loadfile -m "not browser and not wheel" $(ARGS)

lock: $(VENV)/.ready-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group supply
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --no-annotate \
	  --python-version 3.11 pyproject.toml --all-extras --group dev --group browser --group supply --output-file dev.lock.txt

audit: $(VENV)/.ready-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group supply
	$(BIN)/pip-audit --requirement dev.lock.txt --no-deps --disable-pip

fuzz: $(VENV)/.ready-test
	nice -n 15 $(BIN)/python benchmarks/fuzz.py --minutes 30

clean:
	rm -rf $(VENV) $(VENV)-lowest build dist .mypy_cache .ruff_cache .import_linter_cache .hypothesis
