# Two commands are enough: `make run` and `make test`. Each sets up what it needs.
.DEFAULT_GOAL := help
.PHONY: help setup ready run link test check lint endurance bench screenshots

PYTHON ?= python3
TORCH_INDEX ?=
BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
PYTEST_ARGS ?=
SETUP := $(PYTHON) -I juryflow_app/setup_env.py --torch-index "$(TORCH_INDEX)"

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

setup: ## Make .venv ready and say so
	@$(SETUP) --say-ready

ready:
	@$(SETUP)

run: ready ## Start JuryFlow: web, workers and clock; Ctrl-C ends all of it
	@exec $(MANAGE) up

link: ready ## Print another sign-in link for the owner
	@exec $(MANAGE) link

test: ready ## Run every test, in a browser too where one is installed
	$(BIN)/python -m pytest -n 2 --dist loadfile $(PYTEST_ARGS)

check: lint ## What CI runs: lint, types, import contracts, migrations, tests with coverage
	$(MANAGE) makemigrations --check --dry-run --settings juryflow_app.settings_test
	$(MAKE) test PYTEST_ARGS="--cov --cov-report=term:skip-covered $(PYTEST_ARGS)"

lint: ready ## Check style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PYTHONPATH=. $(BIN)/lint-imports --no-logo

endurance: ready ## Run the slow tests in their full form and print one table of figures
	JURYFLOW_FULL=1 $(BIN)/python -m pytest -m slow -p no:xdist $(PYTEST_ARGS)

bench: ready ## Measure the graph, a ruling at 10,000 and 100,000 claims, and runs of the panel over a server here
	$(MANAGE) bench graph --claims 10000
	$(MANAGE) bench decide --claims 10000 --voters 5
	$(MANAGE) bench decide --claims 100000 --voters 5
	$(MANAGE) bench decide --claims 10000 --voters 10
	$(MANAGE) bench decide --claims 100000 --voters 10
	$(MANAGE) bench panel --calls 1024 --latency 0.5 --concurrency 32
	$(MANAGE) bench panel --calls 1024 --latency 0.5 --concurrency 32 --rate-limited 0.1 --truncated 0.02
	$(MANAGE) bench panel --calls 10000 --latency 0.5 --concurrency 32

screenshots: ready ## Photograph every page at 1440 and 390 pixels into screenshots/
	JURYFLOW_SCREENSHOTS=screenshots $(BIN)/python -m pytest tests/browser -m browser -k screenshots $(PYTEST_ARGS)
