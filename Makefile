# Two commands: `make demo` shows the program at work, `make test` proves it. The rest is for developers.
PYTHON ?= python3
RUN := .venv/bin/python -m

.PHONY: demo test check install install-dev models lint types format lock samples resume

# Install, fetch the models, analyse the sample, say where the report is.
demo: install models
	$(RUN) mafiavar demo

# Install with the tools of the tests, fetch the models and the studio's bodies, run every test (a process for every core, up to four).
test: install-dev models
	$(RUN) mafiavar studio fetch
	$(RUN) pytest -n auto --maxprocesses 4 --dist loadfile

# Kill an analysis at twenty random moments and go on: the result must be the same (a quarter of an hour).
resume: install-dev models
	MAFIAVAR_KILLS=20 $(RUN) pytest tests/analyzer/pipeline/test_resume.py

install:
	@$(PYTHON) .ci/install.py

install-dev:
	@$(PYTHON) .ci/install.py --dev

models:
	$(RUN) mafiavar models fetch
	$(RUN) mafiavar models verify

lint: install-dev
	$(RUN) ruff check .
	$(RUN) ruff format --check .

format: install-dev
	$(RUN) ruff check --fix .
	$(RUN) ruff format .

# mypy does not follow the installed mapping of rooms, so the package is laid out as links first.
types: install-dev
	@.venv/bin/python tests/typecheck.py

# Versions and hashes for every system; no index address (docs/decisions.md, "The lock").
LOCK := uv pip compile pyproject.toml -q --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"
lock:
	$(LOCK) -o requirements.lock
	$(LOCK) -c requirements.lock --all-extras --group dev -o requirements-dev.lock

# Everything a change must pass.
check: lint types test

# Render the project's own samples again (festival's Russian voice, sox and an EGL driver are needed).
samples: install-dev
	$(RUN) mafiavar studio fetch
	$(RUN) mafiavar studio samples --into sample_videos
