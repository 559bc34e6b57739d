# What one does with a clone of pct. Everything that is needed is put into .deps, inside the project.

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint graphs clean

CARGO := cargo

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## put the Z3 library into .deps (once; needs no root)
	@./scripts/setup.sh

demo: setup ## build pct and analyze Ball's partition function
	$(CARGO) build --release
	./target/release/pct analyze examples/partition/partition.c

test: setup ## run all tests
	$(CARGO) test

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

clean: ## remove what was built (.deps stays)
	$(CARGO) clean
