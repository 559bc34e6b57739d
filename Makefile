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

graphs: setup ## draw the graphs of all examples into graphs/ again
	$(CARGO) build --release
	@mkdir -p graphs
	@set -e; for source in examples/*/*.c; do \
		graph=graphs/$$(basename "$$source" .c).dot; \
		echo "$$graph"; \
		./target/release/pct graph "$$source" > "$$graph.new"; \
		mv "$$graph.new" "$$graph"; \
	done

clean: ## remove what was built (.deps stays)
	$(CARGO) clean
