# What one does with a clone of pct. Everything that is needed is put into .deps, inside the project.

.DEFAULT_GOAL := help
.PHONY: help setup cbmc cmake demo test lint graphs corpus fuzz soak examples clean

CARGO := cargo

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## put the Z3 library into .deps (once; needs no root)
	@./scripts/setup.sh

cbmc: ## put the model checker CBMC into .deps (once; needs no root), if there is none
	@./scripts/setup.sh cbmc

cmake: ## put CMake with CTest into .deps (once; needs no root), if there is none
	@./scripts/setup.sh cmake

demo: setup ## build pct and analyze Ball's partition function
	$(CARGO) build --release
	./target/release/pct analyze examples/partition/partition.c

# clang is the one thing that is not set up: a machine without it is told what is not tested there.
test: setup cbmc cmake ## run all tests
	@command -v clang >/dev/null || echo 'clang is not installed: what is tested with both compilers is tested with gcc alone'
	PCT_WITHOUT="$$PCT_WITHOUT,$$(command -v clang >/dev/null || echo clang)" $(CARGO) test

lint: setup ## check the format and the lints; a warning is an error
	$(CARGO) fmt --check
	$(CARGO) clippy --all-targets -- -D warnings

# Each example is drawn with the options that the test of the graphs uses.
graphs: setup ## draw the graphs of all examples into graphs/ again (needs Graphviz)
	$(CARGO) build --release
	@mkdir -p graphs
	@set -e; draw() { \
		name=$$(basename "$$1" .c); echo "graphs/$$name"; \
		for ending in dot svg; do ./target/release/pct graph "$$@" -o "graphs/$$name.$$ending"; done; \
	}; \
	draw examples/partition/partition.c --predicates=examples/partition/partition.pred; \
	draw examples/partition/partition_guarded.c --predicates=examples/partition/partition.pred; \
	draw examples/figure1/figure1a.c --arith ideal; \
	draw examples/figure1/figure1b.c

# DIR may name several folders; STD is a language (gnu89, …), FLAGS a file with more options for pct (-I, -D, …).
DIR = examples tests/corpus
corpus: setup ## analyze every function of the C files below DIR=..., and count (STD=..., FLAGS=...)
	$(CARGO) build --release
	./scripts/corpus.py $(DIR) $(if $(STD),--std $(STD)) $(if $(FLAGS),--flags $(FLAGS))

COUNT = 10000
fuzz: setup ## run pct on COUNT=... mutants of our C files (SEED=... repeats a run)
	$(CARGO) build --release
	./scripts/fuzz.py --count $(COUNT) $(if $(SEED),--seed $(SEED))

soak: setup ## check the bounds of 1000 new random functions against native runs (SEED=... repeats a run)
	PCT_SEED=$(or $(SEED),$(shell date +%s)) PCT_RANDOM=1000 $(CARGO) test --release --test suite random_functions -- --nocapture

examples: setup ## analyze all examples by the commands in their headers, and say how long each takes
	PCT_EXAMPLES=all $(CARGO) test --release --test suite examples:: -- --nocapture

clean: ## remove what was built (.deps stays)
	$(CARGO) clean
