# make report   the weekly report of your own sessions (of bundled sample sessions where you have none)
# make test     lint, types, import contracts, tests
#
# Both set up .venv themselves. Needed: python3 (3.11 or later) with venv, and make.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ARGS   ?=

.PHONY: report test lint types contracts unit clean
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

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .import_linter_cache .hypothesis
