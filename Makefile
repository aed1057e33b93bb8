# Wirespeed's commands. `make run` and `make test` need nothing but Python 3.11+ with venv, make and git.
SHELL := /bin/sh
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install -q --disable-pip-version-check --no-input --require-hashes
HOST ?= 127.0.0.1
PORT ?= 8501
export PYTHONPATH := $(CURDIR)
# Empty: what one process of a test run has compiled the others read.
export PYTHONDONTWRITEBYTECODE :=
export WIRESPEED_DATA_DIR ?= $(CURDIR)/var
PYTEST_WORKERS ?= 2
# Files stay in one process, the longest first: tests/conftest.py.
TOGETHER := --dist loadgroup --no-loadscope-reorder

.DEFAULT_GOAL := help
.PHONY: help run test core check format lint types imports audit docs bench bench-ui bench-load soak lock mcp probe deploy-check image clean

help: ## list the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(VENV)/.venv: tools/venv.sh
	@tools/venv.sh $(VENV)
	@touch $@

$(VENV)/.app: requirements/app.txt | $(VENV)/.venv
	@echo "make: installing the application (once)"
	@$(PIP) -r requirements/app.txt
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.app
	@echo "make: installing what checks and tests need (once)"
	@$(PIP) -r requirements/dev.txt
	@touch $@

$(VENV)/.docs: requirements/docs.txt $(VENV)/.dev
	@echo "make: installing what builds the documentation (once)"
	@$(PIP) -r requirements/docs.txt
	@touch $@

$(VENV)/.soak: requirements/soak.txt $(VENV)/.dev
	@echo "make: installing the mutation tool and published schemas (once)"
	@$(PIP) -r requirements/soak.txt
	@touch $@

$(VENV)/.mcp: requirements/mcp.txt $(VENV)/.app
	@echo "make: installing the SDK of the Model Context Protocol (once)"
	@$(PIP) -r requirements/mcp.txt
	@touch $@

$(VENV)/.torch: requirements/torch.txt requirements/torch-needs.txt tools/install_torch.sh $(VENV)/.app
	@echo "make: installing the CPU build of torch (once)"
	@tools/install_torch.sh $(VENV)
	@touch $@

PROBE := build/wirespeed-probe.pyz
PROBE_SOURCES := tools/build_probe.py $(shell find core gpu_probe -name '*.py')

$(PROBE): $(PROBE_SOURCES) | $(VENV)/.venv
	@$(PY) tools/build_probe.py >/dev/null

run: $(VENV)/.app $(PROBE) ## serve on http://$HOST:$PORT (127.0.0.1:8501)
	@HOST="$(HOST)" PORT="$(PORT)" exec $(PY) app.py

test: $(VENV)/.docs $(VENV)/.torch ## install what tests need, then run them all
	@browser=$$(tools/browser.sh $(VENV)) && \
	WIRESPEED_BROWSER="$$browser" $(PY) -m pytest -n $(PYTEST_WORKERS) $(TOGETHER) -m "not slow"

core: $(VENV)/.dev ## the tests of the models alone: seconds, numpy and pytest
	@$(PY) -m pytest -q -n $(PYTEST_WORKERS) tests/core

check: format lint types imports audit docs test ## everything that must be green, tests last

format: $(VENV)/.dev ## is the code formatted?
	@$(VENV)/bin/ruff format --check .

lint: $(VENV)/.dev ## style, security, spelling, Dockerfile
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/bandit -q -c pyproject.toml -r core db gpu_probe pages tools app.py
	@$(VENV)/bin/codespell README.md CHANGELOG.md CONTRIBUTING.md docs core db gpu_probe pages tests tools
	@$(VENV)/bin/hadolint Dockerfile

types: $(VENV)/.docs ## strict types everywhere but in the tests
	@$(VENV)/bin/mypy

imports: $(VENV)/.dev ## who may know whom
	@$(VENV)/bin/lint-imports

audit: $(VENV)/.dev ## known holes in what we depend on
	@tools/audit.sh $(VENV)

docs: $(VENV)/.docs ## the documentation site, in build/site
	@$(PY) -m tools.docs

bench: $(VENV)/.dev ## accuracy and speed, printed as tables
	@$(PY) -m tests.bench
	@$(PY) -m tests.bench.causes
	@$(PY) -m tests.bench.store

bench-ui: $(VENV)/.dev ## how long a browser waits for an answer, beside a blank page
	@browser=$$(tools/browser.sh $(VENV)) && WIRESPEED_BROWSER="$$browser" $(PY) -m tests.bench.ui

bench-load: $(VENV)/.dev ## how long 50 visitors wait who edit every 2 s while 20 programs upload
	@$(PY) -m tests.bench.load

soak: $(VENV)/.torch $(VENV)/.soak ## the long campaigns, a piece after the other; goes on where it was stopped
	@browser=$$(tools/browser.sh $(VENV)) && \
	WIRESPEED_BROWSER="$$browser" $(PY) -m tools.soak

lock: $(VENV)/.dev ## resolve requirements/*.in into the hashed locks
	@tools/lock.sh $(VENV)

mcp: $(VENV)/.mcp ## the calculators as tools of an assistant: python -m pages.mcp, and /mcp on the server

probe: $(PROBE) ## build wirespeed-probe.pyz for GPU nodes
	@echo "$(PROBE)"

deploy-check: $(VENV)/.docs ## real nginx and Caddy before two replicas on a real PostgreSQL
	@$(PY) -m pytest -q tests/deploy

image: ## build the container image without a daemon and ask its health (root, buildah)
	@tools/image.sh

clean: ## remove the virtual environment and caches
	@rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache mutants
