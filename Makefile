# Two commands: `make demo` and `make test`. The rest is for developers.
PY := .venv/bin/python

.PHONY: types lint

lint:
	.venv/bin/ruff check . && .venv/bin/ruff format --check .

# mypy does not follow the installed mapping of rooms, so the package is laid out as links first.
types:
	@$(PY) tests/typecheck.py
